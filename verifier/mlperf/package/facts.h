/*
 * facts: what is kept of a file of a package, once it was read.
 *
 * A worker reads the bytes (read.h) and answers with these; everything that compares files with
 * each other works on facts alone. Text that a log holds is UTF-8 here, on one line, and cut
 * (MLLOG_SHOWN_MAX); it is never a path, a format or a rule.
 */
#pragma once

#include "base/diag.h"
#include "base/pack.h"

/* What a rule found. */
struct mlperf_finding {
    const char *rule; /* "FP7002" */
    enum severity severity;
    /* Where the log is dropped, as the rules of the round allow for a few (MLPERF.md 8). */
    enum severity if_dropped;
    const char *file; /* NULL: the log itself */
    int line;         /* 0: the file as a whole */
    const char *message;
};

struct mlperf_findings {
    struct mlperf_finding *items;
    size_t n;
};

/* A key and its first value, for comparison between runs. */
struct mlperf_setting {
    const char *key, *value;
};

/* One evaluation, for curves. */
struct mlperf_evaluation_point {
    double progress, value;
};

#define MLPERF_SEEDS_MAX 100000
#define MLPERF_POINTS_MAX 20000

/* Of a log of a run. NaN: the log does not say. */
struct mlperf_log_facts {
    const char *refused; /* why it was not read; NULL: it was. The rest is empty then */
    size_t n_records, n_broken;
    size_t n_messages, n_warnings;                     /* of the official verdict */
    const char *org, *platform, *benchmark, *division; /* NULL */
    const char *status;                                /* of the last run_stop; NULL */
    double minutes; /* by the official pair of run_start and run_stop */
    double start_ms, stop_ms;
    double last_start_ms, last_stop_ms; /* of the last records of these keys */
    double samples;                     /* that it needed; INFINITY: it did not converge */
    double batch_size;
    bool reached;       /* an evaluation satisfies what the rules want of one */
    const char **seeds; /* file, line and value of each, as one text */
    size_t n_seeds;
    bool seed_broken;                /* one is not a whole number */
    struct mlperf_setting *settings; /* hyperparameters, by key */
    size_t n_settings;
    struct mlperf_evaluation_point *points;
    size_t n_points;
    struct mlperf_findings findings;
};

static inline bool mlperf_log_complies(const struct mlperf_log_facts *f)
{
    return !f->refused && f->n_messages == 0;
}

/* Of a power log, node_N.txt or sw_N.txt. */
struct mlperf_power_facts {
    const char *refused;
    double begin_ms, end_ms;  /* power_measurement_start and _stop; NaN */
    double first_ms, last_ms; /* of the readings that count */
    size_t n_readings;
    double watt_ms;              /* sum of reading * time since the one before */
    double efficiency, estimate; /* conversion_eff (last, 1), interconnect_power_est (first) */
};

/* Of a description of a system. Texts are NULL where it has no such field. */
struct mlperf_system_facts {
    const char *fault; /* why it is no description; NULL */
    const char *submitter, *division, *status, *system_name, *processor, *accelerator, *framework;
    const char *hw_notes, *sw_notes;
    double nodes, processors_per_node, accelerators_per_node; /* NaN: no whole number */
    struct mlperf_findings findings;
};

/* Of scaling.json. */
struct mlperf_scaling_facts {
    const char *fault; /* NULL */
    double factor;
};

/* Of package_checker_params. */
struct mlperf_bypass {
    bool rcp, seeds;
};

enum mlperf_file_kind {
    MLPERF_FILE_LOG,
    MLPERF_FILE_POWER,
    MLPERF_FILE_SYSTEM,
    MLPERF_FILE_SCALING,
    MLPERF_FILE_BYPASS
};

/* Facts of one file, of its kind. */
struct mlperf_facts {
    enum mlperf_file_kind kind;
    union {
        struct mlperf_log_facts log;
        struct mlperf_power_facts power;
        struct mlperf_system_facts system;
        struct mlperf_scaling_facts scaling;
        struct mlperf_bypass bypass;
    };
};

/* From a worker to its parent. Reading looks at every value (base/pack.h): afterwards all of them
 * are in the ranges above, texts valid UTF-8. Sentences of ours, findings and reasons, have what
 * they were made of beside them (base/sentence.h), which `said` knows. */
void mlperf_facts_pack(const struct mlperf_facts *f, struct arena *said, struct buf *out);
void mlperf_facts_unpack(struct unpack *u, struct arena *arena, struct mlperf_facts *out);

/* A finding of a log; `if_dropped` is `severity` but where it is said. */
struct mlperf_finding *mlperf_found(struct mlperf_findings *to, struct arena *arena,
                                    const char *rule, enum severity severity, const char *file,
                                    int line, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
