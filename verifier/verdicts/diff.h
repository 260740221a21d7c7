/*
 * verdict_diff: which verdicts changed between two documents (doc.h), and why.
 *
 * Runs are paired by id, rows by what they are (base/records/row_pairs.h), figures by row and name,
 * findings by rule, row and what was stated; several that are alike are paired in order. Neither
 * lines nor places are compared: a row that moved is the same. One that is in one document alone is
 * told as a row that is new or gone, with its figures, none of which changed. Documents of before
 * 2026-11-23 have no keys: of a result of which one side has none, rows are paired by their places,
 * and that is said.
 *
 * Worse is: a lower state (verified, partial, unverified or withdrawn, failed), a new error or
 * warning, a finding that became more severe, a figure that agreed and no longer does or is gone, a
 * run that is gone. A new run is neither better nor worse: there was nothing before it. Nor is what
 * --only left out on one side: nobody looked.
 *
 * A reason is what the documents differ in that bears on the change. Where they do not tell, the
 * records (what a result is held to) or the words of the page changed.
 */
#pragma once

#include "base/arena.h"
#include "verifier/verdicts/doc.h"

enum why {
    WHY_RULE_NEW,   /* the rule came with the newer set */
    WHY_RULE_ENDED, /* or ended with it */
    WHY_RULE_SET,   /* other sets, and this program does not know the rule */
    WHY_CHOICE,     /* --only left the rule out on one side */
    WHY_ROWS,       /* a row is new or gone */
    WHY_STATED,     /* another value is stated */
    WHY_EVIDENCE,   /* another submission */
    WHY_RECOMPUTED, /* another value was recomputed */
    WHY_TOOL,       /* another version of the tool */
    WHY_WITHDRAWN,  /* by its record or by the archive's log */
    WHY_RECORDS,    /* none of these */
    N_WHY
};
const char *why_name(enum why why);  /* in JSON: "rule-new" … */
const char *why_words(enum why why); /* for people */

struct finding_change {
    const struct doc_finding *old, *new; /* NULL: not there; both: its severity changed */
    unsigned why;                        /* bits 1 << enum why */
};

struct metric_change {
    const struct doc_metric *old, *new; /* NULL: not there */
    unsigned why;
};

/* A row that is in one document alone. */
struct row_change {
    bool is_new;
    int table, row, pair;
    const char *key, *configuration; /* NULL: the document does not say */
    const struct doc_metric **figures;
    size_t n_figures;
};

struct run_change {
    const struct doc_run *old, *new; /* NULL: not there */
    bool by_place;                   /* rows were paired so */
    struct row_change *rows;         /* the new ones, then those that are gone */
    size_t n_rows;
    struct finding_change *findings;
    size_t n_findings;
    struct metric_change *metrics;
    size_t n_metrics;
    unsigned why; /* of all that changed */
    bool worse;
};

/* A change that was written already, as text or as JSON, without blanks around it. */
struct written_change {
    const char *id;
    const char *text;
    size_t len;
};

struct verdict_diff {
    const struct verdict_doc *old, *new;
    struct run_change *runs; /* that changed, came or went, by id */
    size_t n_runs;
    size_t same, changed, worse, added, gone; /* runs; worse: some of changed, and all gone */
    size_t by_place;                          /* runs whose rows were paired so */
    struct written_change *written;           /* in place of `runs`, of all parts */
    size_t n_written;
};

void verdict_diff_make(const struct verdict_doc *old, const struct verdict_doc *new,
                       struct arena *arena, struct verdict_diff *out);

/* For a terminal of 80 columns. */
void verdict_diff_text(const struct verdict_diff *d, bool color, struct buf *out);

/* One document, schema fpreport.verify-diff/1 (described in diff_json.c). */
void verdict_diff_json(const struct verdict_diff *d, struct buf *out);

/* Documents in parts: the changes of `part`, written into the arena, and its numbers are added to
 * `all`, which has `old` and `new` of its own. All of them sorted are those of the whole. */
void verdict_diff_add(struct verdict_diff *all, const struct verdict_diff *part, bool json,
                      bool color, struct arena *arena);
void verdict_diff_sort(struct verdict_diff *all);

/* One change, as verdict_diff_text() and verdict_diff_json() write it. */
void verdict_diff_run_text(const struct run_change *c, bool color, struct buf *out);
void verdict_diff_run_json(const struct run_change *c, struct json_writer *w);
