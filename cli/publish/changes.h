/*
 * publish_changes: what publishing a site changes: files, and verdicts.
 *
 * The published verdicts are read from the branch: every file there that is called verify.json.
 */
#pragma once

#include "base/git/repo.h"
#include "cli/cli.h"
#include "renderer/publish/site.h"
#include "verifier/verdicts/diff.h"

#define PUBLISH_SUM "Site-SHA256: " /* the last line of a message */

struct publish_changes {
    struct publish_counts files;
    struct verdict_doc old, new; /* all runs of all documents */
    struct verdict_diff diff;
    bool foreign; /* what is on the branch was not published by fpreport */
};

/* An exit code, after messages. What is published and cannot be read is an error, and where
 * all is accepted only a warning: it counts as not there. */
int publish_changes_find(struct publish_changes *c, struct repo_branch *b,
                         const struct publish_site *s, bool accept_all, struct cli *cli);

/* All runs of many documents as those of one: add each, then finish. */
void publish_doc_add(struct verdict_doc *all, const struct verdict_doc *one, struct arena *arena);
void publish_doc_finish(struct verdict_doc *all);

/* Is this the file of a verdict? */
bool publish_is_verdict(const char *path);

/* "acme/toy: verified -> failed: 1 figure, 2 findings" */
void publish_changed_run(const struct run_change *c, struct buf *out);

bool publish_changes_none(const struct publish_changes *c);

/* "2 verified, 1 failed"; how many of the runs are in each state. */
void publish_states(const struct verdict_doc *doc, struct buf *out);

/* The message of the commit: results by state, where they are from, what changed, and the sum of
 * the site, by which a commit is known to be fpreport's. */
void publish_message(const struct publish_changes *c, const struct publish_site *s,
                     const struct repo_info *source, struct buf *out);
