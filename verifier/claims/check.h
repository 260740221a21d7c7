/*
 * check: one rule, as its row says it.
 *
 * A rule looks at one claim (a row of figures), at the whole page, or at a proof, and says
 * PASS, FAIL or CANNOT with its reason. All rows stand in verifier/checks/checks.h; here is what an
 * audit (audit.h) has to know of the one that is running.
 */
#ifndef VERIFIER_CLAIMS_CHECK_H
#define VERIFIER_CLAIMS_CHECK_H

#include "base/records/verdict.h"

struct audit;
struct claim;
struct older_row;
struct older_table;
struct proof;
struct trial;

/* What of a run its findings may quote that do not stand at that file (verifier/verdicts/quiet.h). Of logs
 * and monitors there are several: a finding at one may quote another. */
enum check_of {
    CHECK_OF_LOG = 1,
    CHECK_OF_MONITOR = 2,
    CHECK_OF_CASE = 4,     /* case.json */
    CHECK_OF_RUN = 8,      /* run.json */
    CHECK_OF_MACHINE = 16, /* fingerprint.json */
    CHECK_OF_ALL = 31,
    CHECK_OF_NOTHING = 32 /* but what is published all the same: the manifest, names of files */
};

struct check {
    const char *id;
    const char *since; /* the rule set that it came with; rule sets sort as text */
    /* The first rule set without this row; NULL: it is in all later ones. A rule that changes is
     * two rows of one id: the old one ends with the set that the new one came with. */
    const char *until;
    enum severity severity;
    unsigned also; /* CHECKS_ALSO of the others that a finding may have, where it depends */
    /* Whoever has a submission by itself verified asks this: text says that it holds, too. */
    bool told;
    unsigned quotes; /* CHECK_OF_…; 0: all, where the rule is about a proof or a trial */
    /* It asks the archive, its manifest, statement and signature, not what the files say: it is
     * asked of a redacted submission, too, and of one by itself nothing else is read for it. */
    bool sealed;
    bool needs_records; /* of models, cards, cases or vendors, for all or most that it finds */
    struct words title;
    const char *statement; /* what must hold, one sentence */
    /* Exactly one of these. */
    void (*claim)(struct audit *a, const struct claim *c);
    void (*page)(struct audit *a);
    void (*proof)(struct audit *a, struct proof *p);
    void (*trial)(struct audit *a, const struct trial *t);
    /* Beside `claim`: the same of one row of an older table (verifier/claims/older_table.h); NULL:
     * not asked. */
    void (*older)(struct audit *a, const struct older_table *t, const struct older_row *row);
};

#define CHECKS_ALSO(severity) (1U << (severity))

#endif
