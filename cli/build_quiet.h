/*
 * build_quiet: what a verdict repeats of files that are withheld is taken out of it.
 *
 * A finding stands at one file and may quote others: the settings that a page is held to are those
 * of case.json, the clock that a log is held to is that of run.json. So each rule says what of a
 * run its findings may quote (check.quotes, verifier/checks.h), and words of facts and commands are
 * looked for in all of them. What would repeat something keeps rule, place and outcome, and loses
 * its words (check_result_hush). A figure stays, with the file and the rule that it is from; how it
 * was computed goes where its own file, the case or the fingerprint is withheld (metric_hush).
 */
#ifndef CLI_BUILD_QUIET_H
#define CLI_BUILD_QUIET_H

#include "base/arena.h"
#include "base/verdict.h"

/* What is withheld of a submission. */
struct quiet {
    bool said[SAID_BY]; /* who says something about the environment */
    unsigned files;     /* CHECK_OF_… */
};

/* Adds who speaks in this file of a run. */
void build_quiet_note(struct quiet *q, const char *name);

/* All of it. */
struct quiet build_quiet_all(void);

/* Takes out of the verdict, and of this evidence of it, what they repeat: its files are marked
 * (evidence_file.withheld), and its archive is still the one that was judged. */
void build_quiet(struct verdict *v, struct row_evidence *x, const struct quiet *q,
                 struct arena *arena);

/* Is the place a file of this archive: "run.tar.zst:rank0.out.log"? */
bool build_quiet_is_below(const char *place, const char *archive);

#endif
