/*
 * measured: what a machine did when it was asked to, as figures of a fingerprint.
 *
 * Facts (facts.h) say what a machine is; these say how fast it was, on the day and under the load
 * of the day. They vary from run to run, so that fingerprints are not compared by them: two
 * machines are not different for a percent of a rate. How each figure is taken is said at
 * trainer/machine/probe.h; which there are, and in what unit, is one const table (measure_kinds).
 *
 * On disk: a member of fingerprint.json, which a machine that was not measured has not
 *     "measured": {"device": "NVIDIA H200", "with": "CUDA 13.0, …", "ranks": 8, "figures": [
 *         {"key": "gemm_bf16", "unit": "TFLOP/s", "size": 8192, "repetitions": 10,
 *          "min": 731.2, "median": 742, "max": 745.1, "slowest": 738.8, "slowest_rank": 3}, …]}
 * `slowest` is the median of the rank that was slowest; both are there with several ranks only.
 * Figures that this version does not know are kept when reading, after a look at their form.
 */
#pragma once

#include "base/json/json.h"

enum measure_id {
    MEASURE_GEMM_FP32,
    MEASURE_GEMM_TF32,
    MEASURE_GEMM_BF16,
    MEASURE_GEMM_FP16,
    MEASURE_MEMORY_COPY,
    MEASURE_MEMORY_UPDATE,
    MEASURE_HOST_TO_DEVICE,
    MEASURE_DEVICE_TO_HOST,
    MEASURE_ALL_REDUCE,
    MEASURE_KINDS
};

enum measure_size {
    MEASURE_BYTES, /* of one buffer */
    MEASURE_ROWS   /* and columns, of all three matrices */
};

struct measure_kind {
    const char *key;   /* in the file: [a-z0-9_] */
    const char *label; /* for people */
    const char *unit;
    enum measure_size size;
};

extern const struct measure_kind measure_kinds[MEASURE_KINDS];

struct measure {
    const char *key, *unit;
    double size;     /* a whole number */
    int repetitions; /* of each rank */
    double min, median, max;
    double slowest; /* NaN: one rank */
    int slowest_rank;
};

struct measured {
    const char *device, *with; /* its name, and the libraries that computed */
    int ranks;                 /* that were measured at the same time */
    struct measure *items;
    size_t n; /* 0: nothing was measured */
};

#define MEASURED_MAX 200
#define MEASURED_RANKS_MAX 65536

/* The figure of this kind, of the largest size that there is; NULL. */
const struct measure *measured_find(const struct measured *m, enum measure_id id);

/* The figure of the same key and size in another fingerprint; NULL. */
const struct measure *measured_same(const struct measured *m, const struct measure *x);

/* "Matrix product, bf16, 8192 x 8192", "All-reduce, bus bandwidth, 2 GiB" */
const char *measure_name(const struct measure *m, struct arena *arena);

/* Its two halves: "Matrix product, bf16", else the key; "8192 x 8192". */
const char *measure_label(const struct measure *m);
const char *measure_size(const struct measure *m, struct arena *arena);

/* "742 TFLOP/s (731.2 to 745.1, 10 times)", with several ranks also which was slowest */
const char *measure_text(const struct measure *m, struct arena *arena);

/* Append the member "measured", if there is anything. */
void measured_write(const struct measured *m, struct json_writer *w);

/* Read it; `j` NULL: there is none. -1: at least one diagnostic of severity error. */
int measured_read(const char *file, const struct json *j, struct arena *arena, struct measured *out,
                  struct diags *diags);
