/*
 * publish_log: the log of the archive (base/store_log.h) only grows, on a branch, too.
 *
 * A site that was built where the archive is not, or is an older copy of it, lacks decisions that
 * are published: withdrawn results would come back, and withheld files would be handed out. It is
 * not published, whatever is accepted.
 */
#ifndef CLI_PUBLISH_LOG_H
#define CLI_PUBLISH_LOG_H

#include "cli/publish_site.h"

/* Does the site's log begin with that of the branch, whose files `entries` are? EXIT_CHECK, after a
 * message, when it does not. */
int publish_log_check(struct repo_branch *b, const struct repo_entry *entries, size_t n,
                      const struct publish_site *s, struct cli *cli);

#endif
