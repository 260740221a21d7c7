/*
 * explain: what each rule is for, beside the table of verifier/checks/checks.h (title, severity and
 * statement are there, and only there).
 *
 * An example is one change to something honest: the page or the submission below
 * templates/explain/, which pass every rule. `fpreport explain` makes the change, runs the
 * checker, and prints what it says; a test does so for all rules, so that no example can differ
 * from what the program does.
 */
#ifndef VERIFIER_EXPLAIN_EXPLAIN_H
#define VERIFIER_EXPLAIN_EXPLAIN_H

#include <stddef.h>

/* What is changed. */
enum explain_in {
    EXPLAIN_PAGE,         /* the published page, page.md */
    EXPLAIN_RECORD,       /* the record whose evidence is the submission */
    EXPLAIN_RUN,          /* `file` of the submission, which is then sealed and stated again */
    EXPLAIN_SEALED,       /* the same, but its manifest is left as it was */
    EXPLAIN_REPRODUCTION, /* the record of a second run */
    EXPLAIN_RERUN,        /* `file` of the second run, which is sealed and stated again */
    EXPLAIN_ANSWER,       /* the same of the run that answers the challenge */
};

/* What to do where the message of a finding has these words. */
struct explain_case {
    const char *words, *fix;
};

struct explanation {
    const char *id;                   /* of the check */
    const char *why, *how, *fix;      /* complete sentences */
    const struct explain_case *cases; /* until one without words; NULL: `fix` says it all */
    enum explain_in in;
    const char *file;             /* name of a file of the run; NULL for page and record */
    const char *honest, *changed; /* the first occurrence of one becomes the other */
    int times;                    /* `changed` is put so often; 0: once */
};

/* One for each check, in the order of the ids; NULL when there is no such rule. */
const struct explanation *explain_find(const char *id);

/* The next step for the finding with this message. */
const char *explain_fix(const struct explanation *e, const char *message);

#endif
