/*
 * sketch: what tells one run from another, small enough to be kept of all results of a case.
 *
 * Step times, losses around their trend, and samples of monitors: the first SKETCH_MAX of each. Who
 * scales, shifts or noises a run of somebody else keeps their order. sketch_likeness() compares one
 * series of two runs (verifier/curves/series_likeness.h), of losses and monitors after first
 * differences, which takes the trend out that all trainings have.
 */
#pragma once

#include "base/pack.h"
#include "base/project/project.h"
#include "verifier/curves/series_likeness.h"
#include "verifier/runs/run_tree.h"

#define SKETCH_MAX 512

enum sketch_series {
    SKETCH_TIMES,  /* of steps, seconds */
    SKETCH_LOSSES, /* logarithms */
    SKETCH_CPU,    /* busy share of the processors */
    SKETCH_WATTS,  /* of the first card */
    SKETCH_SERIES
};

struct sketch {
    const struct result *result;
    const struct evidence *evidence;
    struct {
        double *values;
        size_t n;
    } series[SKETCH_SERIES];
};

/* In the arena. `logs` and `monitors` are those of one submission. */
void sketch_make(const struct run_log *log, const struct run_monitor *const *monitors, size_t n,
                 struct arena *arena, struct sketch *out);
void sketch_of_tree(const struct run_tree *t, struct arena *arena, struct sketch *out);

void sketch_pack(const struct sketch *s, struct buf *out);
void sketch_unpack(struct sketch *s, struct arena *arena, struct unpack *u);

struct likeness sketch_likeness(const struct sketch *a, const struct sketch *b,
                                enum sketch_series which, struct arena *scratch);
