/*
 * verdict_redact: what a verdict repeats of files that are withheld is taken out of it.
 *
 * A finding stands at one file and may quote others: the settings that a page is held to are those
 * of case.json, the clock that a log is held to is that of run.json, ranks are compared with each
 * other. So each rule says what of a run its findings may quote (check.quotes,
 * verifier/claims/rule.h; one that does not say so quotes all), and words of facts and commands
 * are looked for in all of them. What would repeat something keeps rule, outcome and place, and
 * loses its words (check_result_redact); a place that no file of the submission has is the
 * submission. A figure stays, with the file and the rule that it is from; how it was computed goes
 * where its own file or another of its kind, the case or the fingerprint is withheld
 * (metric_redact), and why there is none where any file is and a number or a quotation is in it.
 */
#pragma once

#include "base/arena.h"
#include "base/records/verdict.h"

/* What is withheld of a submission. */
struct redaction {
    bool said[SAID_BY]; /* who says something about the environment */
    unsigned files;     /* RULE_QUOTES_… */
};

/* Adds who speaks in this file of a run. */
void verdict_redact_note(struct redaction *q, const char *name);

/* All of it. */
struct redaction verdict_redact_all(void);

/* Takes out of the verdict, and of this evidence of it, what they repeat: its files are marked
 * (evidence_file.withheld), and its archive is still the one that was judged. */
void verdict_redact(struct verdict *v, struct row_evidence *x, const struct redaction *q,
                    struct arena *arena);

/* Does its rule quote such a file (RULE_QUOTES_…), wherever the finding stands? */
bool verdict_redact_quotes(const struct check_result *c, unsigned files);

/* Takes the words of a finding about this archive, of which no name may be told, and its place. */
void verdict_redact_place(struct check_result *c, const char *archive);

/* Is the place a file of this archive: "run.tar.zst:rank0.out.log"? */
bool verdict_is_below(const char *place, const char *archive);
