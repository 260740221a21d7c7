/*
 * rule: what a rule is, as the one row that its file exports.
 *
 * A rule looks at one claim (a row of figures), at the whole page, or at a proof, and says
 * PASS, FAIL or CANNOT with its reason. Severity is honest: an error is what cannot be right, by
 * arithmetic or because the page contradicts itself; what is merely odd is a warning; style is a
 * notice. A rule that meets something unknown says CANNOT.
 *
 * Ids are stable: FP1xxx the page as a text, FP2xxx figures, FP3xxx who and what, FP4xxx evidence,
 * FP5xxx reproductions, FP6xxx challenges. The files lie below verifier/checks/ in rooms by what
 * the rules look at; verifier/checks/list.c lists the rows. docs/CONTRIBUTING.md shows how one is
 * added.
 *
 * With this header, a rule's file has what almost every rule asks with: the audit (audit.h), texts,
 * and the functions of C on numbers and strings. It includes only what it needs beside them.
 */
#pragma once

#include "base/text.h"
#include "verifier/claims/audit.h"

#include <string.h>

struct proof;
struct reproduction_proof;

/* What of a run its findings may quote that do not stand at that file (verifier/verdicts/redact.h).
 * Of logs and monitors there are several: a finding at one may quote another. */
enum rule_quotes {
    RULE_QUOTES_LOG = 1,
    RULE_QUOTES_MONITOR = 2,
    RULE_QUOTES_CASE = 4,     /* case.json */
    RULE_QUOTES_RUN = 8,      /* run.json */
    RULE_QUOTES_MACHINE = 16, /* fingerprint.json */
    RULE_QUOTES_ALL = 31,
    RULE_QUOTES_NOTHING = 32 /* but what is published all the same: the manifest, names of files */
};

/* What the example of a rule changes. */
enum example_in {
    EXAMPLE_PAGE,         /* the published page, page.md */
    EXAMPLE_RECORD,       /* the record whose evidence is the submission */
    EXAMPLE_RUN,          /* `file` of the submission, which is then sealed and stated again */
    EXAMPLE_SEALED,       /* the same, but its manifest is left as it was */
    EXAMPLE_REPRODUCTION, /* the record of a second run */
    EXAMPLE_SECOND_RUN,   /* `file` of the second run, which is sealed and stated again */
    EXAMPLE_ANSWER,       /* the same of the run that answers the challenge */
};

/*
 * One change to something honest: the page or the submission below templates/explain/, which pass
 * every rule. `fpreport explain` makes the change, runs the checker, and prints its finding; a test
 * does so for all rules, so that no example can differ from what the program does.
 */
struct rule_example {
    enum example_in in;
    const char *file;             /* name of a file of the run; NULL for page and record */
    const char *honest, *changed; /* the first occurrence of one becomes the other */
    int times;                    /* `changed` is put so often; 0: once */
};

/* What to do where a finding says this, by its format ("%s" and "%d" are its values), or has a
 * value that does. */
struct rule_case {
    const char *says;
    struct words fix;
};

struct rule {
    const char *id;
    const char *kind;  /* what it is about, for readers: an id of verifier/checks/list.h */
    const char *since; /* the rule set that it came with; rule sets sort as text */
    /* The first rule set without this row; NULL: it is in all later ones. A rule that changes is
     * two rows of one id: the old one ends with the set that the new one came with. */
    const char *until;
    enum severity severity;
    unsigned also; /* RULE_ALSO of the others that a finding may have, where it depends */
    /* Whoever has a submission by itself verified asks this: text says that it holds, too. */
    bool shows_pass;
    unsigned quotes; /* RULE_QUOTES_…; 0: all, where the rule is about a proof or a reproduction */
    /* It asks the archive, its manifest, statement and signature, not what the files say: it is
     * asked of a redacted submission, too, and of one by itself nothing else is read for it. */
    bool sealed;
    /* With a finding of it, whatever its severity, the state is partial at most. */
    bool partial_at_most;
    bool needs_records; /* of models, cards, cases or vendors, for all or most that it finds */

    /* Exactly one of these. */
    void (*claim)(struct audit *a, const struct claim *c);
    void (*page)(struct audit *a);
    void (*proof)(struct audit *a, struct proof *p);
    void (*reproduction)(struct audit *a, const struct reproduction_proof *t);
    /* Beside `claim`: the same of one row of an older table (verifier/claims/older_table.h); NULL:
     * not asked. */
    void (*older)(struct audit *a, const struct older_table *t, const struct older_row *row);

    struct words title;
    struct words statement;        /* what must hold, one sentence */
    struct words why, how, fix;    /* complete sentences; commands and keys stand in backticks */
    const struct rule_case *cases; /* until one that says nothing; NULL: `fix` does */
    /*
     * What its findings say, until a row without texts: the formats and texts of the functions
     * above, with the Chinese beside the English (base/sentence.h). NULL: its words are those of
     * what it asks.
     */
    const struct words *messages;
    /* Rows of the files that it asks, whose texts its findings quote, until NULL; NULL: none. */
    const struct words *const *quoted;
    struct rule_example example;
};

#define RULE_ALSO(severity) (1U << (severity))
