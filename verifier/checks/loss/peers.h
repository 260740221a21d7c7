/*
 * peers: what other vendors state for the same case.
 *
 * They have trained the same model on the same data for as many steps, so that losses and scores
 * are alike; which of two vendors is wrong nobody can tell from that.
 */
#pragma once

#include "verifier/claims/audit.h"

#define PEERS_MAX 16 /* the first by vendor; enough for a median */

#define PEERS_FACTOR 1.5

/* A median of what others state. */
struct peers {
    double values[PEERS_MAX];
    size_t n;
    const char *names; /* "nvidia 4.25, iluvatar 4.31" */
};

/* What others' results state, by `of` (NaN: nothing), of this. */
void peers_collect(const struct audit *a,
                   double (*of)(const struct audit *a, const struct result *r, const void *what),
                   const void *what, struct peers *out);

/* Is it within PEERS_FACTOR of their median? There must be some; they are sorted. */
bool peers_agree(struct peers *p, double value);
