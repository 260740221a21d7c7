/*
 * publish_site: a built site as a list of files that can be published.
 *
 * What is published is what `build` wrote, by its own list (renderer/output/outdir.h),
 * MANIFEST.sha256, which is the sums of all other files as sha256sum reads them, and .nojekyll,
 * without which GitHub's pages leave out what begins with '_'. Files that others put into the
 * folder are not published, but for CNAME, the site's own host name.
 */
#ifndef CLI_PUBLISH_SITE_H
#define CLI_PUBLISH_SITE_H

#include "base/signing/hash.h"
#include "base/store/checkpoint.h"
#include "cli/cli.h"
#include "renderer/publish/branch.h"

struct publish_site {
    const char *root;
    struct repo_file *files; /* sorted by path */
    size_t n;
    const struct checkpoint *checkpoint; /* among the files; NULL: none (checkpoint.h) */
    char sha256[HASH_HEX_SIZE];          /* of MANIFEST.sha256 */
};

/* ERR_USAGE when there is no site. */
int publish_site_load(struct publish_site *s, const char *root, struct arena *arena,
                      struct err *err);

/* One more file, with this text, unless it is there; manifest and sum are those of all. */
int publish_site_add(struct publish_site *s, const char *path, const char *text,
                     struct arena *arena, struct err *err);

const struct repo_file *publish_site_find(const struct publish_site *s, const char *path);

/* Build again in memory and compare: is it the site of the present records, templates and program?
 * An exit code, after a message that names some of the files that differ. */
int publish_site_check(const struct publish_site *s, struct cli *cli);

#endif
