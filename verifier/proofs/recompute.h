/*
 * recompute: a figure that evidence gives, put beside what is stated.
 *
 * Used by the rules that recompute (verifier/checks/speed, time, loss, machine). A figure goes to
 * every row that the proof is evidence of; without a result there is one row that states nothing,
 * whose claim is NULL. Columns that a row does not have are passed over; figures that no page has a
 * column for (base/figures/metrics.h) are noted beside each row.
 *
 * Tolerance is one unit in the last printed place of the stated figure: a page that truncates and
 * one that rounds both agree.
 */
#pragma once

#include "base/arena.h"
#include "base/records/measured.h"
#include "verifier/proofs/proof.h"

struct recomputed {
    const char *key; /* of the column */
    double value, second;
    int decimals; /* printed when nothing is stated */
    bool pair;    /* value/second, as used/total; the total may be the nominal one */
    bool exact;   /* no, it may not */
    bool percent;
    bool flag;              /* True or False */
    const char *derivation; /* with its numbers, for a pocket calculator */
    const char *file;
    int line, from; /* as in struct metric */
};

/* Every row that the proof is evidence of, from *i = 0 on; once NULL when there is no result. */
bool recompute_next(const struct audit *a, const struct proof *p, size_t *i,
                    const struct claim **c);

/* Compare with what the row states; c NULL: note the figure alone. */
void recompute_put(struct audit *a, const struct claim *c, const struct recomputed *x);
void recompute_put_all(struct audit *a, const struct proof *p, const struct recomputed *x);

/* There is no such figure, for this reason. */
void recompute_cannot(struct audit *a, const struct claim *c, const char *key, const char *why);
void recompute_cannot_all(struct audit *a, const struct proof *p, const char *key, const char *why);

/* Evidence that is not what it says gives no figures: the reason, or NULL when it is sound. Loose
 * files give figures, but no verdict rests on them (verifier/verify.h). */
const char *recompute_unsound(const struct proof *p);

/* The matrix product that was measured in the precision of a run. */

/* By a precision as rows state it: "bf16", "fp16,…", "amp", which is bf16; NULL. */
const struct measure *product_of(const struct measured *m, const char *precision,
                                 struct arena *arena);
