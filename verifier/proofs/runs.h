/*
 * runs: which run each piece of evidence is of that the project's results name.
 *
 * Compressed again, or signed by somebody else, a run is another file and the same run: its id is
 * that of the files (base/sealed/submission.h). What the archive's log names is known from there;
 * another file is read, in a worker, where somebody may ask for its run: when the log has anything
 * withdrawn, or another vendor's result of the case has evidence, too. With such a rival the files
 * in it are asked for in any case: one altered beside the log of losses makes another run of it. Of
 * them only those are kept that two vendors have (verifier/proofs/rivals.h).
 */
#pragma once

#include "base/err.h"
#include "base/pack.h"
#include "base/project/project.h"
#include "verifier/curves/series_likeness.h"
#include "verifier/runs/run_tree.h"

/* Sets evidence.run and .own of the project's results, and p->rivals, where it can be known;
 * p->store and p->signers are set before.
 * ERR_IO: this machine could not read one, so that nothing may be concluded. */
int runs_find(struct project *p, struct err *err);

/* The same of a result that is none of the project's, whose evidence lies below `records`. */
int runs_find_of(struct project *p, struct result *r, const char *records, struct err *err);

/* What tells one run from another, small enough to be kept of all results of a case.
 *
 * Step times, losses around their trend, and samples of monitors: the first SKETCH_MAX of each. Who
 * scales, shifts or noises a run of somebody else keeps their order. sketch_likeness() compares one
 * series of two runs (verifier/curves/series_likeness.h), of losses and monitors after first
 * differences, which takes the trend out that all trainings have. */

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

struct likeness sketch_likeness(const struct sketch *a, const struct sketch *b,
                                enum sketch_series which, struct arena *scratch);
