/*
 * verdict_pack: a verdict as bytes, for the process that asked for it (verifier/verify_apart.c) and
 * for the next build (cli/build/verdicts.h).
 *
 * Whoever takes a verdict from bytes that may be forged believes only what is within the
 * limits of each value: rules that exist, words that are words, places and counts that are
 * positive, texts that are UTF-8. What a verdict borrows (its result, the names of archives and
 * references, records of second runs) is not in the bytes: it is put in from the records, in the
 * order of which it was packed.
 */
#ifndef VERIFIER_VERDICTS_VERDICT_PACK_H
#define VERIFIER_VERDICTS_VERDICT_PACK_H

#include "base/pack.h"
#include "base/project/project.h"
#include "base/records/verdict.h"

/* More than any verdict has (AUDIT_CLAIMS_MAX rows of at most 30 figures and 100 rules): whoever
 * says more has an answer that is refused before there is memory for it. */
#define VERDICT_METRICS_MAX 32768
#define VERDICT_CHECKS_MAX 131072

/* Figures, rows and findings; of the findings all, or only failures that are errors. */
void verdict_pack_figures(const struct verdict *v, bool only_errors, struct buf *out);
void verdict_unpack_figures(struct verdict *v, struct arena *arena, struct unpack *u);

/* What the evidence and second runs gave; after the figures. */
void verdict_pack_evidence(const struct verdict *v, const struct project *project, struct buf *out);

/* What is known of one file of evidence without having looked into it. */
struct verdict_evidence {
    const char *archive, *sha256;
    const struct case_record *kase; /* that names the reference; NULL: any of the project may */
    int table, row;
};

/* One of them. */
void evidence_pack(const struct row_evidence *e, struct buf *out);
void evidence_unpack(struct row_evidence *e, const struct project *project,
                     const struct verdict_evidence *known, struct arena *arena, struct unpack *u);

/* There must be `n` pieces of evidence, those of `known`. */
void verdict_unpack_evidence(struct verdict *v, const struct project *project,
                             const struct verdict_evidence *known, size_t n, struct arena *arena,
                             struct unpack *u);

#endif
