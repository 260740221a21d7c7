/*
 * rivals: which files several vendors' results of one case have in their evidence, byte by byte.
 *
 *     rivals_add(&p->rivals, of, sha256, arena);      // every file (verifier/proofs/runs.h)
 *     rivals_sort(&p->rivals, 0);
 *     rivals_keep_shared(&p->rivals, p->arena);       // what one vendor has is nobody's question
 *     for (const struct rival *r = rivals_with(&p->rivals, case_id, sha256, &n); n; r++, n--) …
 *
 * A table sorted by the SHA-256, of which RIVAL_BYTES are kept: who makes two files that agree in
 * them accuses himself with both, and one that agrees with a file of somebody else nobody finds. So
 * a file is asked for without a look at the evidence that does not have it.
 */
#pragma once

#include "base/pack.h"
#include "base/project/project.h"

#define RIVAL_BYTES 16

struct rival {
    unsigned char sum[RIVAL_BYTES];
    uint32_t place; /* of equal ones the least comes first */
    const struct result *result;
    const struct evidence *evidence; /* of the result */
};

/* The file of `of`, whose sum is set here; the digest is one that hash_is_hex() takes. */
void rivals_add(struct rivals *all, struct rival of, const char *sha256, struct arena *arena);

/* The rest of a worker's answer (base/pack.h): the sums of all files of `of`. False, and none of
 * them is added, when it cannot be that. */
bool rivals_take(struct rivals *all, struct rival of, struct unpack *u, struct arena *arena);

/* The first `sorted` are, from the last time. */
void rivals_sort(struct rivals *all, size_t sorted);

/* Only files that results of two vendors of a case have are kept, in this arena; what there was
 * before is not used any more. */
void rivals_keep_shared(struct rivals *all, struct arena *arena);

/* The evidence for this case that has this file, in the order of its places. */
const struct rival *rivals_with(const struct rivals *all, const char *case_id, const char *sha256,
                                size_t *n);
