/*
 * audit: one result under examination, with everything that a check may ask.
 *
 * audit_open reads the result once: every row of its figure tables becomes a claim with its cells
 * understood (cells.h), the environment's accelerators are looked up in the project, and every
 * published figure becomes a metric of the verdict, not recomputed yet. Rules
 * (rule.h) then look, and say what they found through audit_pass, audit_fail and
 * audit_cannot; the figures that they recompute they put into the metrics. Everything lives in the
 * arena.
 *
 * What the project does not know (a model, an accelerator, a peak) is NULL, and what depends on
 * it cannot be checked: unknown is never wrong.
 */
#pragma once

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/lookup.h"
#include "base/project/project.h"
#include "base/records/verdict.h"
#include "verifier/claims/cells.h"
#include "verifier/claims/older_table.h"

struct checkout;
struct read_ahead;
struct proof;
struct rule;
struct rules;
struct reproduction_proof;

/* One row of a figure table that claims something. Group lines and blank lines are none. */
struct claim {
    int table, row, line; /* row counts all body lines of the table, from 1 */
    const struct table *of;
    const struct metrics_column **columns; /* what the columns of `of` are; NULL: unknown */
    const struct row *cells;
    const struct figure *figures; /* what each of the cells says; one more, of no text */
    bool has_config, has_plan;
    struct configuration config;
    struct plan plan;
    struct hyperparameters hyper;
    long cards;                            /* 0: not known */
    const char *precision;                 /* of the row, else of the page; NULL */
    const struct accelerator *accelerator; /* NULL: withheld or not in the project */
    size_t metrics, n_metrics;             /* where its published figures stand in the verdict */
};

/* A number that the page sets as a batch size; of this stage only, or of all (NULL). */
struct batch_default {
    const char *stage;
    double value;
};

/* Sequences of a rank at once, steps of accumulation, length of a sequence, sequences of a step. */
enum batch_symbol { BATCH_LBS, BATCH_GAS, BATCH_MPE, BATCH_GBS, BATCH_SYMBOLS };

/* More than any honest page has, and what can be compared with each other in a second. A result
 * beyond one of these fails FP1009; what is beyond it is not looked at. */
#define AUDIT_CLAIMS_MAX 400
#define AUDIT_BULLETS_MAX 1000
#define AUDIT_BATCH_VALUES_MAX 200
#define AUDIT_ACCELERATORS_MAX 64 /* different ones */
#define AUDIT_EVIDENCE_MAX 100

/* A bullet of the environment and strategies. */
struct audit_item {
    const struct item *item;
    const char *key; /* of its label (base/figures/labels.h); NULL */
};

struct audit {
    const struct project *project;
    const struct rules *rules;    /* those that run; NULL: the whole current set */
    bool sealed_only;             /* each of them asks no more than the seal (rule.h) */
    const struct result *result;  /* NULL: a submission by itself, without claims */
    const char *file;             /* in messages */
    const char *records;          /* folder that evidence paths are relative to */
    const struct bytes *packed;   /* of all evidence, in place of files; NULL */
    const struct bytes *repeated; /* of all reproductions, the same; NULL */
    /* In a worker: what was read before, in place of files, and the checkout's configurations
     * (NULL: there are none). NULL: files are read when they are asked for. */
    const struct read_ahead *read_ahead;
    const struct checkout *checkout;
    struct arena *arena;
    struct verdict *verdict;
    const struct rule *rule; /* that is running */
    struct claim *claims;
    size_t n_claims;
    size_t n_metrics; /* published figures; those that evidence adds stand behind them */
    struct {
        struct batch_default *items;
        size_t n;
    } batch[BATCH_SYMBOLS]; /* what the page sets, in its order */
    struct table *loose; /* tables of figures without a rule (older_table.h), behind the others */
    size_t n_loose;
    struct older_table *older;
    size_t n_older;
    struct audit_item *items; /* with those in them, AUDIT_BULLETS_MAX of all */
    size_t n_items;
    const char **accelerators; /* what the environment's bullets name, as published */
    size_t n_accelerators;
    const struct model *model;      /* NULL */
    const struct case_record *kase; /* NULL */
    struct proof *proofs;           /* opened evidence (verifier/proofs/proof.h) */
    size_t n_proofs;
    const struct reproduction **stated; /* of the result, that reproductions are opened from */
    size_t n_stated;
    struct reproduction_proof
        *reproductions; /* opened reproductions (verifier/proofs/reproduction.h) */
    size_t n_reproductions;
    const char *too_many; /* which limit was passed; NULL: none */
};

void audit_open(struct audit *a);

/* The claim's cell in the column with this key (base/figures/metrics.h); NULL when there is no such
 * cell. */
const char *claim_cell(const struct claim *c, const char *key);

/* What that cell says: FIGURE_MISSING when there is none. */
const struct figure *claim_figure(const struct claim *c, const char *key);

/* A batch size as the row, else the page sets it; NaN. */
double audit_batch(const struct audit *a, const struct claim *c, enum batch_symbol symbol);

/* Text of a row of the general metrics table by its label key (base/figures/labels.h); NULL when it
 * is not there or points to the figure tables ("precision,见“性能指标”"). */
const char *audit_general(const struct audit *a, const char *key);

/* The line of that row, else of the table. */
int audit_general_line(const struct audit *a, const char *key);

/* Does any strategy, title or value of the page contain this word (folded)? */
bool audit_mentions(const struct audit *a, const char *word);

/* Files of the page's batch sizes, as far as they are looked at: the first of equal names is found
 * (base/lookup.h), which is how each is judged once. */
struct lookup audit_batch_files(const struct audit *a);

/* The card that a text names (project_find_card), by preference one of the result's vendor; NULL.
 */
const struct accelerator *audit_card(const struct audit *a, const char *text);

/* The accelerator that the environment names, when it names exactly one known one. */
const struct accelerator *audit_accelerator(const struct audit *a);

/* One published figure; NULL when the row has no such column. */
struct metric *audit_metric(const struct audit *a, const struct claim *c, const char *key);

/* The row's figures one after the other, from *i = 0 on; NULL: there are no more. */
struct metric *audit_next_metric(const struct audit *a, const struct claim *c, size_t *i);

/* Only the figures of this row stay in the verdict; NULL: none. */
void audit_keep_metrics(struct audit *a, const struct evidence *row);

/* The claim's figure in this column cannot be right, for the reason that `r` gives: its metric
 * fails. Nothing happens when there is no such figure. */
void audit_contradict(struct audit *a, const struct claim *c, const char *key,
                      const struct check_result *r);

/* The figure that has no value in its column stands in `column`, as `r` says: nothing contradicts
 * it, and it is not withheld. */
void audit_elsewhere(struct audit *a, const struct claim *c, const char *key, const char *column,
                     const struct check_result *r);

/* Findings of the running check. `c` NULL: about the whole result, at `line`. The result may be
 * refined (stated, expected, tolerance, severity) until the next call. */
struct check_result *audit_report(struct audit *a, enum outcome outcome, const struct claim *c,
                                  int line, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
#define audit_fail_at(a, line, ...) audit_report((a), OUTCOME_FAIL, NULL, (line), __VA_ARGS__)
#define audit_judge(a, ok, c, ...) audit_report((a), outcome_of(ok), (c), 0, __VA_ARGS__)
#define audit_judge_at(a, ok, line, ...) \
    audit_report((a), outcome_of(ok), NULL, (line), __VA_ARGS__)
#define audit_pass(a, c, ...) audit_report((a), OUTCOME_PASS, (c), 0, __VA_ARGS__)
#define audit_fail(a, c, ...) audit_report((a), OUTCOME_FAIL, (c), 0, __VA_ARGS__)
#define audit_cannot(a, c, ...) audit_report((a), OUTCOME_CANNOT, (c), 0, __VA_ARGS__)

/* What is stated, and what it should be; returns `r`. */
struct check_result *audit_expect(struct check_result *r, const char *stated, const char *expected);

/* The finding is about this cell. Where a rule does not say so, audit_place() finds the cell. */
void audit_cell(struct check_result *r, const struct cell *cell);

/* audit_place.c: columns for all findings whose cell is certain; figures that errors are about are
 * contradicted. */
void audit_place(struct audit *a);

/* Reasons and derivations leave the arena that knows what they were made of; metrics keep that. */
void audit_note_sentences(struct audit *a);

/* figure_fixed() and figure_exact() (base/figures/figure.h) as texts of a message. */
const char *audit_fixed(struct arena *arena, double value, int decimals);
const char *audit_number(struct arena *arena, double value);

/* Words of several rules, in both languages (base/sentence.h). */
extern const struct words claim_messages[];
