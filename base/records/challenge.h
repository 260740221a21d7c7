/*
 * challenge: the seed of a run that nobody could know before it was asked for.
 *
 * Whoever organises a round issues a challenge for a case and a vendor: a nonce of 256 random
 * bits. Its seed takes the place of the case's own and gives data order and initial weights, so
 * that no curve for it existed before: who wants one has to train.
 *
 *     seed = the first 53 bits of SHA-256("fpreport-seed-v1" nonce key case_sha256)
 *
 * The four are joined as text: nonce and case_sha256 64 hexadecimal digits each, the key as
 * ssh-keygen -l prints it ("SHA256:" and 43 characters), or nothing. So `printf | sha256sum` gives
 * it (docs/FIELDS.md). 53 bits are what a JSON number holds exactly.
 *
 * A challenge is a file, schema fpreport.challenge/1. It says its seed, which is computed again
 * when it is read, and its round: one whose nonce, key, case, date or round was altered is refused.
 */
#pragma once

#include "base/json/shape.h"

#define CHALLENGE_SCHEMA "fpreport.challenge/1"
#define CHALLENGE_BYTES_MAX 4096 /* of its file */
#define CHALLENGE_NONCE_BYTES 32
#define CHALLENGE_KEY_LENGTH 50 /* "SHA256:" and base64 of 32 bytes, without '=' */

struct challenge {
    int line;
    const char *round;       /* names it: the date and the beginning of the nonce */
    const char *case_id;     /* of the case as it was published then, and */
    const char *case_sha256; /* of the bytes of its file */
    const char *vendor;
    const char *key; /* fingerprint of the key that must sign; "": any */
    const char *nonce;
    const char *date; /* when it was issued, UTC */
    long long seed;   /* 0 … 2^53 - 1 */
};

extern const struct shape challenge_shape;

/* The first steps of its case, trained here: what a submission is held to. Names and numbers, and
 * nothing of the submission. */
struct retraining {
    const struct challenge *challenge;
    const char *precision, *device; /* that it was done in, and on */
    const double *losses;           /* of steps 1, 2, …: the first is that of step 0 */
    size_t n;
    const char *why; /* there are no more of them; NULL: there are as many as were asked for */
};

/* What nonce, key and case_sha256 give. */
long long challenge_seed(const struct challenge *c);

/* Fill nonce, round and seed, from these random bytes; the others are set. */
void challenge_issue(struct challenge *c, const unsigned char nonce[CHALLENGE_NONCE_BYTES],
                     struct arena *arena);

/* -1: at least one diagnostic of severity error. */
int challenge_read(const char *file, struct bytes text, struct arena *arena, struct challenge *out,
                   struct diags *diags);
int challenge_load(const char *path, struct arena *arena, struct challenge *out,
                   struct diags *diags);

/* Is this file of a case the one that it was issued for? NULL, or what is found and expected. */
const char *challenge_other_case(const struct challenge *c, const char *case_id,
                                 struct bytes case_file, struct arena *arena);
