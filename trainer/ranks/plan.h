/*
 * plan: how the ranks of a training divide a model and its data between them.
 *
 *   tensor     ranks that share each layer's matrices (Shoeybi et al. 2019)
 *   context    ranks that share a sequence: 1, for now
 *   pipeline   ranks that share the layers, in `chunks` each (Narayanan et al. 2021)
 *   data       ranks with sequences of their own; what is left of the world
 *
 * A rank's number counts tensor ranks first, then context, data and pipeline ranks: those that talk
 * most are neighbours.
 */
#pragma once

#include "base/err.h"

#define PLAN_CHUNKS_MAX 16
#define PLAN_STAGES_MAX 1024 /* stages * chunks */

/* 0 stands for 1 in every field but data. */
struct plan {
    int tensor, context, pipeline, chunks;
    int data;                /* 0: what is left */
    const int *chunk_layers; /* [pipeline * chunks], chunk c of stage r at c * pipeline + r; NULL:
                                alike. Borrowed */
};

struct plan_place {
    int tensor, data, pipeline;
};

#define PLAN_TEXT 64

/* With 1 for 0 everywhere, and data for this world. ERR_USAGE when the sizes do not make it up. */
int plan_complete(struct plan *p, int world, struct err *err);

/* Of a complete plan. */
struct plan_place plan_place_of(const struct plan *p, int rank);
int plan_ranks(const struct plan *p);

/* "TP4PP8DP1", parts in any order and each optional (TP, CP, PP, DP, and V or VP for chunks); the
 * parts that are not named are 1. Whether it can be trained, plan_complete() says. ERR_USAGE when
 * it is none. */
int plan_read(const char *text, struct plan *p, struct err *err);

/* The same as a text, with VP where it is above 1. */
void plan_text(const struct plan *p, char text[PLAN_TEXT]);
