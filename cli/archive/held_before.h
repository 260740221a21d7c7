/*
 * held_before: who still has what is withheld from now on.
 *
 * A decision to withhold changes the next publication. Commits of the branch from before hold what
 * was published then, the archive and the records keep the submission: nothing is taken back, and
 * whoever decides is told so.
 */
#pragma once

#include "base/store/store.h"
#include "cli/cli.h"

/* A note for each of these files that commits of the branch (--branch, gh-pages) hold: paths in the
 * site. How many commits, and which is the newest; then how to get rid of them. A branch that this
 * machine cannot read is a warning: the decision stands. */
void held_before_tell(struct cli *cli, const char *const *files, size_t n);

/* The same of a submission that was redacted: of what the site had of each result that rests on it,
 * and of the copies that archive and records keep. */
void held_before_tell_submission(struct cli *cli, const struct store *s,
                                 const struct store_item *item);
