/*
 * probe: how fast this machine is, measured here and now, for its fingerprint
 * (base/records/measured.h).
 *
 * Everything is done through the tables that a training uses (trainer/device/device.h,
 * trainer/ranks/comm.h), so that what is measured is what a training can have, and the processor
 * goes through the same code as a GPU.
 *
 *   gemm_<precision>  C = A B of square matrices in every precision that the machine computes in:
 *                     2 n^3 operations a product. A and B are random (of mean 0, variance 1: a GPU
 *                     that multiplies zeros draws less power and is faster than it is in life), the
 *                     algorithm is chosen as for a training.
 *   memory_copy       one buffer to another on the device: bytes read and bytes written, both
 *   memory_update     to[i] += x[i] in fp32: two numbers read, one written
 *   host_to_device,   copies of page-locked memory of the host; not where the device's memory is
 *   device_to_host    the host's
 *   all_reduce        with several ranks: the sum of a buffer over all of them, in place, in fp32,
 *                     of sizes up to `reduce`. What is given is the bus bandwidth of nccl-tests
 *                     (NVIDIA/nccl-tests, doc/PERFORMANCE.md): bytes / time * 2 (n - 1) / n, which
 *                     can be held beside what a link can do whatever the number of ranks n is. The
 *                     sum itself is checked; a wrong one is an error.
 *
 * A figure is the rate of PROBE_REPETITIONS repetitions behind a warm-up, each long enough that
 * starting it does not count. Times are the device's own. All ranks measure at the same time, as
 * in a training; the smallest, middle and largest rate are of all repetitions of all ranks.
 */
#pragma once

#include "base/records/measured.h"
#include "trainer/machine/machine.h"

#define PROBE_REPETITIONS 10

/* How much is done. Sizes are fixed for a kind of machine, so that figures can be compared. */
struct probe_scale {
    int product;         /* rows and columns of the matrices */
    size_t memory, host; /* bytes of one buffer */
    size_t reduce;       /* bytes of the largest all-reduce */
    double repetition;   /* seconds that a repetition should take */
};

/* Measure; `scale` NULL: that of the kind of machine. On a rank that is not the only one, all must
 * do so. What does not fit into the memory that is free is ERR_IO. Strings live in `arena`. */
int probe_machine(struct machine *m, const struct probe_scale *scale, struct arena *arena,
                  struct measured *out, struct err *err);

/* What the files of the probe (probe.h) share. */

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
