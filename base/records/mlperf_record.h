/*
 * mlperf_record: results of MLPerf Training as records.
 *
 *   records/mlperf/rounds/v5.1.json                   a round
 *   records/mlperf/results/v5.1/ORG/SYSTEM.json       what one system of a submitter's package
 * reached
 *
 * `fpreport import` makes both from packages. Minutes are kept as text, as the round publishes
 * them; figures of runs are what the rules of the round (records/mlperf/rules) gave when the
 * package was read, and `ruleset` says which rules. The table that a round publishes makes records,
 * too: their minutes are `published`, and they have no runs until the package is imported. They are
 * never ranked with results of cases.
 */
#pragma once

#include "base/json/shape.h"
#include "base/sentence.h"

struct mlperf_round_record {
    int line;
    const char *round;   /* "v5.1" */
    const char *ruleset; /* "5.1.0" */
    const char *title;
    const char *date;       /* of its publication; NULL: not said */
    const char *repository; /* URL of the packages, and the commit that was read; NULL */
    const char *commit;
};

/* One log. */
struct mlperf_run_record {
    int line;
    const char *log; /* "result_0.txt" */
    double minutes;  /* NaN: it has no time */
    double samples;  /* that it needed, in the benchmark's measure; NaN: it did not converge */
    bool complies, kept;
};

/* A value of a message, and what it was made of itself (base/sentence.h). */
struct mlperf_value_record {
    int line;
    const char *text, *format; /* format NULL: a figure or a name, as it stands */
    struct mlperf_value_record *values;
    size_t n_values;
};

struct mlperf_finding_record {
    int line;
    const char *rule, *severity;
    const char *file;    /* below the package */
    long long at;        /* line of the file; 0: the file as a whole */
    const char *message; /* in English */
    const char *format;  /* what it was made of, for other languages; NULL: of nothing else */
    struct mlperf_value_record *values;
    size_t n_values;
};

/* What the sealed logs of a score give; no part of the record. */
struct mlperf_seal {
    const char *fault;   /* why nothing, a text without values; NULL */
    bool there;          /* the archive that the record names */
    const char *minutes; /* recomputed, "28.242"; NULL: they give no score */
    bool agrees;         /* with the score that is stated */
};

/* One benchmark of a system. */
struct mlperf_score_record {
    int line;
    const char *benchmark;
    const char *minutes;                          /* the score, "28.242"; NULL: there is none */
    bool published;                               /* minutes are those of the round's table */
    double factor;                                /* of scaling.json; NaN: there is none */
    const char *rcp;                              /* "PASS" "FAIL" "CANNOT" */
    double batch_size, samples, reference, least; /* NaN: there is none */
    double energy_j;
    const char *evidence, *evidence_sha256; /* sealed logs; NULL: none */
    struct mlperf_seal *seal;               /* set where they are verified; NULL */
    struct mlperf_run_record *runs;
    size_t n_runs;
    struct mlperf_finding_record *findings;
    size_t n_findings;
};

struct mlperf_record {
    int line;
    const char *round, *package, *system; /* as in the path */
    const char *ruleset;                  /* whose rules gave the figures */
    const char *submitter, *system_name, *division, *availability;
    const char *accelerator;       /* as the submitter writes it */
    const char *processor;         /* the same */
    const char *framework;         /* the same */
    long long nodes, accelerators; /* 0: not said */
    long long processors;
    struct mlperf_score_record *results; /* in the order of the round's benchmarks */
    size_t n_results;
    const char *file; /* set by the loader */
};

extern const struct shape mlperf_round_shape, mlperf_record_shape;

/* A score without figures. */
void mlperf_score_init(struct mlperf_score_record *to, const char *benchmark);

/* Are these minutes what is stated, in the three decimals that a round publishes? `recomputed` NaN:
 * there is no score, and none may be stated. */
bool mlperf_minutes_agree(const struct mlperf_score_record *stated, double recomputed);

/* Format and values of a message, `made` NULL: it has none; and the sentence again, NULL likewise.
 */
void mlperf_finding_note(struct mlperf_finding_record *to, const struct sentence *made,
                         struct arena *arena);
const struct sentence *mlperf_finding_sentence(const struct mlperf_finding_record *f,
                                               struct arena *arena);
