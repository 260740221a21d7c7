/*
 * monitor: the samples that FlagPerf's monitors wrote beside a training.
 *
 *   cpu_monitor.log       2023-03-27-11:20:05<tab>0.0309   busy share of all CPUs
 *   mem_monitor.log       …<tab>0.0142                     used share of main memory
 *   pwr_monitor.log       …<tab>3354                       watts of the machine; may be empty
 *   <vendor>_monitor.log  a time stamp, the lines of all cards, an empty line
 *   nvidia_clock_monitor.log   the same with clocks: fpreport's own monitor (trainer/run/monitor.h)
 *
 * The lines of each vendor are those of its tool (base/cards/card_tool.h). Cards are counted as
 * FlagPerf does, by their order in a sample; where a dump numbers them, by that number.
 *
 * A file of any name holds what a tool printed, when its lines are those of a tool's table
 * (base/cards/card_tool.h) or stand in columns under a header that is known
 * (base/cards/sample_columns.h); samples without a time begin where the number of the card falls.
 *
 * A monitor that failed is not marked in its file: what is there is the error text of a command,
 * or nothing. Both are diagnostics (warnings) with their reason. Values that are not there are
 * NaN. Time stamps have no zone; they are counted as if they were UTC.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/records/verdict.h"

#define MONITOR_CARDS_MAX 256
#define MONITOR_POINTS_MAX 2048       /* of one quantity, for drawing */
#define MONITOR_BUSY 0.05             /* a card that a process looks at is used a little, too */
#define MONITOR_SAMPLES_MAX (1 << 18) /* of one card; later ones count for peak and mean only */

struct monitor_series {
    double peak, mean;
    size_t n;
    int line;              /* of the peak */
    struct samples points; /* over time; none for clocks and shares of cards */
};

struct monitor_card {
    struct monitor_series used_mib, watts, celsius, busy; /* busy: a share, 0 to 1 */
    struct monitor_series used_share;                     /* where no MiB are given */
    struct monitor_series sm_mhz, memory_mhz;
    double total_mib;
    double typical_mib; /* median of the used memory: of two in the middle, the lower */
    float *samples_mib; /* whole MiB, exact below 2^24 */
    size_t n_samples;
};

struct monitor {
    const char *file;
    const char *kind;             /* "cpu", "mem", "pwr" or the vendor; NULL: no monitor */
    struct monitor_series series; /* cpu, mem: shares; pwr: watts */
    struct monitor_card *cards;   /* vendors only */
    size_t n_cards;
    size_t stamps;       /* samples begun */
    size_t readings;     /* values or card lines read */
    double begins, ends; /* first and last time stamp, seconds; NaN */
    double gap;          /* the longest between two stamps that follow each other; 0 */
};

/* `file` names it, and its last part says what it holds; for anything else out->kind is NULL. */
void monitor_read(const char *file, struct bytes in, struct arena *arena, struct diags *diags,
                  struct monitor *out);

/* Add what was monitored to what other machines' monitors said. */
void monitor_collect(const struct monitor *m, struct arena *arena, struct monitored_cards *to);

/* Does this name (its last part) belong to a monitor? */
bool monitor_is(const char *file);

/* Do the lines with which a file of another name begins? Of MONITOR_HEAD bytes at most. */
#define MONITOR_HEAD ((size_t)1 << 14)
bool monitor_shown(struct bytes head);

/* Where a largest sample stands. */
struct monitor_place {
    const char *file; /* NULL: nowhere */
    int line;
};

/* What a page states, from all monitors of a run. */
struct monitor_peaks {
    struct monitor_place cpu_at, memory_at, machine_at, card_at, share_at, watts_at;
    double cpu_share, memory_share;  /* largest, of the machine */
    double machine_watts;            /* largest */
    double card_mib, card_total_mib; /* of the card that used most, and what it has */
    double card_typical_mib;         /* of the same card */
    double card_share;               /* largest, where the vendor gives no MiB */
    double card_watts;               /* largest of one card */
    size_t card_samples;             /* with memory in MiB */
    size_t cards;                    /* of the machine that has most */
    size_t busy_cards;               /* devices of all machines that were used above MONITOR_BUSY */
};

void monitor_peaks_init(struct monitor_peaks *p);
void monitor_peaks_add(struct monitor_peaks *p, const struct monitor *m);
