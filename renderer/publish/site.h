/*
 * publish_site: a built site as a list of files that can be published.
 *
 * What is published is what `build` wrote, by its own list (renderer/output/outdir.h),
 * MANIFEST.sha256, which is the sums of all other files as sha256sum reads them, in parts beside it
 * (base/store/checkpoint.h) where they are longer than one file may be, and .nojekyll,
 * without which GitHub's pages leave out what begins with '_'. Files that others put into the
 * folder are not published, but for CNAME, the site's own host name.
 */
#pragma once

#include "base/signing/hash.h"
#include "base/store/checkpoint.h"
#include "renderer/publish/branch.h"

struct publish_site {
    const char *root;
    struct repo_file *files; /* sorted by path */
    size_t n;
    size_t list_max;                     /* bytes of MANIFEST.sha256, and of a part of it */
    const struct checkpoint *checkpoint; /* among the files; NULL: none (checkpoint.h) */
    char sha256[HASH_HEX_SIZE];          /* of MANIFEST.sha256 */
};

#define PUBLISH_LIST_MAX (((size_t)64 << 20) - 1)

/* ERR_USAGE when there is no site. */
int publish_site_load(struct publish_site *s, const char *root, size_t list_max,
                      struct arena *arena, struct err *err);

/* One more file, with this text, unless it is there; manifest and sum are those of all. */
int publish_site_add(struct publish_site *s, const char *path, const char *text,
                     struct arena *arena, struct err *err);

const struct repo_file *publish_site_find(const struct publish_site *s, const char *path);

/* How many files of the site the branch with these files (sorted) has, or has otherwise, and how
 * many it has that are not the site's. */
struct publish_counts {
    size_t added, changed, removed, same;
};
int publish_site_compare(const struct publish_site *s, const struct repo_entry *old, size_t n_old,
                         struct publish_counts *out, struct err *err);

/* Is it the site of a build? publish_built_file() is where that build's files go (file_sink). */
#define PUBLISH_BUILT_NAMED 3
struct publish_built {
    const struct publish_site *site;
    size_t known, differ; /* files that the site has; that it has not, or has otherwise */
    const char *named[PUBLISH_BUILT_NAMED]; /* the first of these */
    struct arena *arena;
};
int publish_built_file(void *self, const char *path, const void *data, size_t len, struct err *err);

/* Files of the site that the build did not write. */
size_t publish_built_gone(const struct publish_built *b);

/* The log of the archive of submissions in a site only grows, on a branch, too.
 *
 * A site that is built where the archive is not, or is an older copy of it, lacks decisions that
 * readers were told of: withdrawn results would come back, and withheld files would be handed out.
 */

/* NULL: `now` begins with `was`, which is in `place`. Else what is wrong with that. */
const char *publish_log_lacks(struct arena *arena, const char *place, struct bytes was,
                              struct bytes now);

/* The same of the site's log and that of the branch, whose files `entries` are. */
int publish_log_ask(const struct publish_site *s, struct repo_branch *b,
                    const struct repo_entry *entries, size_t n, struct arena *arena,
                    const char **lacks, struct err *err);
