/*
 * publish_log: the log of the archive only grows on a branch, too (cli/build/log.h), whatever is
 * accepted, and whoever made the branch's last commit.
 */
#ifndef CLI_PUBLISH_LOG_H
#define CLI_PUBLISH_LOG_H

#include "cli/publish/site.h"

/* Does the site's log begin with that of the branch, whose files `entries` are? EXIT_CHECK, after a
 * message, when it does not. */
int publish_log_check(struct repo_branch *b, const struct repo_entry *entries, size_t n,
                      const struct publish_site *s, struct cli *cli);

#endif
