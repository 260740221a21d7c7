/*
 * perflog: the native trainer's log, in the form of FlagPerf's PerfLog.
 *
 * One line per event, `[PerfLog] ` and a JSON object with "event", "value" and "metadata"
 * {file, lineno, time_ms, rank}, then the three summary lines that FlagPerf's scripts print.
 * time_ms is Unix time; that of STEP_END is when the step's time ended, and step_time_s is what has
 * passed since the step before did, so what is between two lines is in the second one: the log's
 * own writing and the ranks' vote whether to stop, too. CHECKPOINT_SAVED alone says time of its
 * own. fp32 values are printed with nine significant digits and doubles with seventeen at most, so
 * that both read back exactly; values that are not finite are NaN, Infinity and -Infinity, as
 * Python's json module prints them (which strict JSON does not allow, but every PerfLog reader
 * must expect).
 *
 * Each line is handed to the kernel whole, in one write where the kernel permits, and every
 * write is checked: a log that ends early ends at a line. Events in order:
 *     INIT_START INIT_END TRAIN_START STEP_END… TRAIN_END FINISHED,
 * CHECKPOINT_SAVED behind the steps that have one, and STEP_ZERO in front of step 1.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

struct perflog {
    int fd;
    const char *path; /* borrowed */
    int rank;
    struct buf line;
};

/* Opens `path` for appending; the file is made when it is not there. */
int perflog_open(struct perflog *log, const char *path, int rank, struct err *err);
int perflog_close(struct perflog *log, struct err *err); /* also syncs */

/* Where in the trainer's source an event comes from: "metadata". */
struct perflog_place {
    const char *file;
    int line;
};
#define PERFLOG_HERE ((struct perflog_place){__FILE__, __LINE__})

/* What is about to be trained, and with what: INIT_START with a value. Strings that are NULL are
 * left out. */
struct perflog_head {
    const char *precision, *device, *libraries, *recompute;
    int ranks, zero;
    int sequence_length, micro_batch, gradient_accumulation;
    int checkpoint_every; /* steps; 0: none are written */
    unsigned long long seed;
    const char *challenge; /* round that the seed is of; NULL: it is the case's */
};
int perflog_head(struct perflog *log, struct perflog_place at, const struct perflog_head *head,
                 struct err *err);

/* What the training begins with: INIT_END, with a value where there is more to say than that the
 * weights are drawn from the
 * seed. SHA-256 as trainer/training/model_files.h takes them. */
struct perflog_begin {
    int resumed_step;           /* 0: it begins */
    const char *resumed_sha256; /* of the weights behind that step; NULL */
    const char *initial_sha256; /* of given first weights; NULL */
    const char *attention;      /* what computes it; NULL */
};
int perflog_begun(struct perflog *log, struct perflog_place at, const struct perflog_begin *begin,
                  struct err *err);

/* An event without values: TRAIN_START, TRAIN_END. */
int perflog_event(struct perflog *log, struct perflog_place at, const char *event, struct err *err);

/* CHECKPOINT_SAVED: the time between this step and the next that is no step's. */
struct perflog_saved {
    long long step, bytes;
    double seconds;
};
int perflog_saved(struct perflog *log, struct perflog_place at, const struct perflog_saved *saved,
                  struct err *err);

/* STEP_ZERO: the loss of the initial weights on the first batch, before any update; step 1 has the
 * same, rounded to fp32. */
int perflog_step_zero(struct perflog *log, struct perflog_place at, double loss, struct err *err);

struct perflog_step {
    const char *precision;
    long long step;                    /* from 1 */
    float loss;                        /* mean cross-entropy in nats over the global batch */
    float grad_norm;                   /* before clipping */
    double learning_rate;              /* that was used in this step */
    long long samples;                 /* sequences consumed since the start */
    double tokens_per_second, seconds; /* of this step, all ranks together */
    double ended;                      /* its time did then, by clock_seconds() */
    long long tokens;                  /* of this step, all ranks together, padding among them */
    bool sees;                         /* a model that does; then what follows is logged, too */
    long long real_tokens, targets;    /* tokens without padding; those whose losses are averaged */
    long long pictures;
    long long attention_pairs; /* over all sequences, the squares of their padded lengths */
    double input_seconds;      /* of these seconds, waiting for data */
    double loss_scale;         /* 1 but for fp16 */
    bool skipped;              /* fp16 overflowed, and no weight was changed */
};
int perflog_step(struct perflog *log, struct perflog_place at, const struct perflog_step *step,
                 struct err *err);

struct perflog_finish {
    double seconds;       /* from start to end: e2e_time */
    double init_seconds;  /* init_time */
    double train_seconds; /* pure_training_computing_time: the sum of the steps */
    float final_loss;
    bool converged; /* reached the last step with a finite loss */
    long long steps, samples;
    double tokens_per_second;   /* as in the summary: training_tokens_per_second */
    const char *weights_sha256; /* of the last weights; NULL: left out. Two runs that agree in it
                                   are the same run, bit by bit */
};
int perflog_finished(struct perflog *log, struct perflog_place at,
                     const struct perflog_finish *finish, struct err *err);

/*
 * `System tokens per second:  x`, `Tokens/p/s:  x` and, unless `mfu` is NaN (no peak is known),
 * `MFU:  x`, a ratio. Two spaces, as FlagPerf's scripts print it.
 */
int perflog_summary(struct perflog *log, double tokens_per_second, double per_card, double mfu,
                    struct err *err);
