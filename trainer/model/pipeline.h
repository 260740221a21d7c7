/*
 * pipeline: in which order a stage makes the passes of its chunks and micro-batches.
 *
 * One chunk a stage is 1F1B (PipeDream-flush): stage r of p begins with min(p - r - 1, m) forward
 * passes, then one forward and one backward pass take turns, then the backward passes that are left
 * follow. Several are interleaved (Narayanan et al. 2021, "Efficient large-scale language model
 * training on GPU clusters", 2.2): forward passes go through the chunks in groups of p
 * micro-batches, so m is a multiple of p, and (p - r - 1) * 2 + (chunks - 1) * p of them come
 * first.
 *
 * The idle share of a step is (p - 1) / (chunks * m) of its work. In the chunk that has the head, a
 * micro-batch's backward pass follows its forward pass at once.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>

struct pipeline {
    int stages, chunks; /* of each */
    int micro_batches;  /* of a step */
};

struct pipeline_pass {
    bool backward;
    int chunk, micro_batch;
};

/* ERR_USAGE when there is no such schedule. */
int pipeline_check(const struct pipeline *p, struct err *err);

/* passes[2 * micro_batches * chunks] of a stage, in order. */
void pipeline_order(const struct pipeline *p, int stage, struct pipeline_pass *passes);

/* under_way[chunks]: how many micro-batches of a chunk are between their passes at most. Those are
 * neighbours, so that micro-batch k has slot k % under_way[chunk]. */
void pipeline_under_way(const struct pipeline *p, int stage, int *under_way);
