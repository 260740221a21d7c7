/*
 * monitor: peaks from the monitor files of a run.
 *
 *   cpu_monitor.log    2023-03-27-11:20:05<tab>0.0309    busy share of all CPUs
 *   mem_monitor.log    2023-03-27-11:20:05<tab>0.0142    used share of main memory
 *   *_monitor.log      31C 57W 15MiB 40536MiB 0%         one line a card: temperature, power,
 *                      memory used and there, utilisation
 *
 * Card lines of the vendors that write this form (nvidia, iluvatar, kunlunxin, mthreads); other
 * lines are passed over. Values that are not there stay NaN.
 */
#ifndef VERIFIER_MONITOR_H
#define VERIFIER_MONITOR_H

#include "base/file.h"

struct monitor_peaks {
    double cpu_share, memory_share;  /* largest, of the machine */
    double card_mib, card_total_mib; /* of the card that used most, and what it has */
    double card_watts;               /* largest of one card */
    size_t card_samples;
};

void monitor_peaks_init(struct monitor_peaks *p);

/* `name` is the file's own name, which tells what it holds; other files are ignored. */
void monitor_read(const char *name, struct bytes in, struct monitor_peaks *p);

#endif
