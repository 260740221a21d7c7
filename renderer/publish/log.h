/*
 * publish_log: the log of the archive of submissions in a site only grows, on a branch, too.
 *
 * A site that is built where the archive is not, or is an older copy of it, lacks decisions that
 * readers were told of: withdrawn results would come back, and withheld files would be handed out.
 */
#pragma once

#include "renderer/publish/site.h"

/* NULL: `now` begins with `was`, which is in `place`. Else what is wrong with that. */
const char *publish_log_lacks(struct arena *arena, const char *place, struct bytes was,
                              struct bytes now);

/* The same of the site's log and that of the branch, whose files `entries` are. */
int publish_log_ask(const struct publish_site *s, struct repo_branch *b,
                    const struct repo_entry *entries, size_t n, struct arena *arena,
                    const char **lacks, struct err *err);
