/*
 * probing: what the files of the probe (probe.h) share.
 */
#pragma once

#include "trainer/machine/probe.h"

struct probing {
    struct machine *machine;
    struct probe_scale scale;
    struct arena *arena;
    struct measured *out;
    struct err *err;
};

/* A figure, from this rank's PROBE_REPETITIONS rates in the kind's unit, and the other ranks'. */
int probing_report(struct probing *p, enum measure_id id, size_t size, const double *rates);

/* probe_reduce.c */
int probing_all_reduce(struct probing *p);
