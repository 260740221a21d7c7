/*
 * monitor: what the machine does while a run runs, in FlagPerf's monitor files.
 *
 *     cpu_monitor.log      2023-03-27-11:20:05<tab>0.0309   busy share of all CPUs, between two
 *                          samples: 1 - idle / all, from /proc/stat
 *     mem_monitor.log      …<tab>0.0142   1 - MemAvailable / MemTotal
 *     pwr_monitor.log      …<tab>57       watts of all CPU packages (RAPL) between two samples;
 *                          not the whole machine; only where /sys/class/powercap can be read
 *     <vendor>_monitor.log only with a card: a time stamp, trainer/cards/accelerator.h's lines, an
 * empty line nvidia_clock_monitor.log   the same with the clocks of NVIDIA's cards, which FlagPerf
 * does not sample; a file of its own, so that its readers find what they know
 *
 * Times are UTC. A helper process samples, not a thread of the trainer: a long step, a hanging
 * vendor tool or a card that answers slowly then disturbs neither the samples nor the training,
 * and the trainer's own numbers cannot depend on them. The helper samples until its trainer says
 * so, and takes a last sample then, so that a run that is shorter than the interval has one. It
 * stays until the trainer has written how the run ended: when the trainer dies before that,
 * `orphaned` is called in the helper, which is a group of its own, so that what kills a group (a
 * launcher of ranks) leaves it the moment for that. Open it before threads are started and CUDA is
 * used.
 */
#pragma once

#include "base/err.h"
#include "trainer/cards/accelerator.h"

#include <stdbool.h>
#include <sys/types.h>

#define MONITOR_INTERVAL_MS 5000
#define MONITOR_FILE_MAX ((size_t)64 << 20) /* a file that reaches it is not continued */

struct monitor_options {
    const char *folder;              /* where the files go; it exists */
    int interval_ms;                 /* 0: MONITOR_INTERVAL_MS */
    const char *root;                /* NULL: "/" */
    const char *library;             /* of NVML; NULL: NVML_LIBRARY */
    const char *salt;                /* its file; NULL: salt_path() */
    struct declared_tools declared;  /* card tools of records; {0}: none */
    void (*orphaned)(void *context); /* NULL: nothing is to be done */
    void *context;
};

struct monitor {
    pid_t pid; /* 0: it has been waited for */
    int connection;
    bool stopped;
};

int monitor_open(struct monitor *m, const struct monitor_options *options, struct err *err);

/* Ends the sampling: its files are whole then. ERR_IO when the helper could not write, or died. */
int monitor_stop(struct monitor *m, struct err *err);

/* Everything that was to be written is: the helper ends, and is waited for. Stops it before, where
 * nobody has. */
int monitor_close(struct monitor *m, struct err *err);
