/*
 * publish_changes: what publishing a site changes: files, and verdicts.
 *
 * The published verdicts are read from the branch: every file there that is called verify.json.
 */
#ifndef CLI_PUBLISH_CHANGES_H
#define CLI_PUBLISH_CHANGES_H

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

bool publish_changes_none(const struct publish_changes *c);

/* "2 verified, 1 failed"; how many of the runs are in each state. */
void publish_states(const struct verdict_doc *doc, struct buf *out);

/* The message of the commit: results by state, where they are from, what changed, and the sum of
 * the site, by which a commit is known to be fpreport's. */
void publish_message(const struct publish_changes *c, const struct publish_site *s,
                     const struct repo_info *source, struct buf *out);

#endif
