/*
 * verdicts: what was found, written for people, programs, test reports and code scanning.
 *
 * One table lists the formats; the command line takes its choices and its help from it. All
 * formats name the version of the tool and of the rule set, and write the same bytes for the same
 * verdicts. Text that others wrote is data in all of them: JSON keeps it exactly, the others show
 * what is hidden in it (base/foreign.h) as U+FFFD.
 *
 * Severities and outcomes, as other formats call them:
 *
 *              text, JSON   JUnit                                 SARIF
 *   FAIL       error        failure                               result, level error
 *              warning      failure where fail_on says so, else   result, level warning
 *              notice       system-out of a passed testcase       result, level note
 *   PASS       PASS         passed testcase                       not written
 *   CANNOT     CANNOT       skipped testcase                      not written
 *
 * An input without a verdict is a testcase with an `error` in JUnit, a notification in SARIF.
 */
#pragma once

#include "base/arena.h"
#include "base/json/json.h"
#include "base/records/verdict.h"
#include "verifier/checks/rules.h"

#define VERDICTS_FAIL_NEVER (SEVERITY_ERROR + 1)

struct verdicts {
    const struct verdict *items;
    size_t n;
    const struct rules *rules;  /* that were run; NULL: the whole current set */
    const char *records;        /* a clause on whose they are; NULL: the project's own */
    const struct diags *faults; /* inputs without a verdict; NULL: none */
    bool incomplete;            /* JSON: some inputs have no verdict, of whatever is said of them */
    const char *root;           /* SARIF: absolute paths below it are made relative; NULL */
    int fail_on;                /* enum severity, or VERDICTS_FAIL_NEVER: JUnit's failures */
    bool all;                   /* text: also checks that passed or could not be made */
    bool errors_only;           /* text: nothing but findings of severity error */
    bool whole_names; /* text: names are not cut to 80 columns, for a program reads them */
    bool color;       /* text: severities and outcomes in colour (ANSI) */
};

struct verdict_format {
    const char *name, *what; /* `what`: one line about it */
    void (*write)(const struct verdicts *v, struct buf *out);
};
extern const struct verdict_format verdict_formats[]; /* ends with a NULL name; [0] by default */

/* For a terminal: findings as `file:line:col: severity: message [RULE]`, one line each so that
 * other programs can read them, what is stated and what it should be, and for the first finding of
 * a rule how to put it right; then figures stated and recomputed in 80 columns, then the state.
 * Several results end with a table and with one line: "3 verified, 1 failed". */
void verdicts_text(const struct verdicts *v, struct buf *out);
void verdict_text(const struct verdict *v, const struct verdicts *options, struct buf *out);
void verdicts_table(const struct verdicts *v, struct buf *out);
void verdicts_totals(const struct verdict *v, size_t n, struct buf *out);

/* "found: 2 nodes, 4 ranks, …", two lines; and the same as an object's members. */
void verdict_found_text(const struct found_files *f, struct buf *out);
void verdict_found_json(const struct found_files *f, struct json_writer *w);

/* One document, schema fpreport.verify/1 (described in json.c). */
void verdicts_json(const struct verdicts *v, struct buf *out);

/* JUnit XML: one testsuite per result, one testcase per rule and place. */
void verdicts_junit(const struct verdicts *v, struct buf *out);

/* SARIF 2.1.0 with one run, made for GitHub code scanning. */
void verdicts_sarif(const struct verdicts *v, struct buf *out);

/* The state's name in its colour, padded to `width` and one more blank; 0: not padded. */
void verdict_put_state(struct buf *out, bool color, enum state state, size_t width);

/* The severity's name in its colour. */
void verdict_put_severity(struct buf *out, bool color, enum severity severity);

/* Does a finding of `fail_on` or worse make this one fail? Not when it is withdrawn. */
bool verdict_fails(const struct verdict *v, int fail_on);

/* Figures that the result claims, and how many of them were recomputed from evidence. */
size_t verdict_claimed(const struct verdict *v, size_t *recomputed);

/* What the row of a figure table is called; "": it is not there. */
const char *verdict_row_name(const struct verdict *v, int table, int row, struct arena *scratch);
