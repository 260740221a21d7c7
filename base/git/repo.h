/*
 * repo: what git knows about a folder.
 *
 * Read only: no reference, index or object is written, no hook and no filter program is run
 * (libgit2 knows only its two built-in filters), no configuration outside the repository itself
 * is read, and no environment variable is followed. A repository that belongs to somebody else
 * is described too, since nothing in it is executed.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

struct repo_info {
    const char *reason; /* why nothing is known: "not in a git repository: …"; else NULL */
    const char *commit; /* 40 hex digits; NULL while there is no commit */
    const char *branch; /* "main"; NULL when HEAD is detached */
    const char *url;    /* of the remote "origin", without user name and password; or NULL */
    bool dirty;         /* tracked files or submodules differ from the commit, or are staged;
                         * untracked files do not count (as in `git describe --dirty`) */
};

/*
 * Describe the repository that `path` lies in (as git looks for it: upwards, not across file
 * systems). False, with info->reason set, when there is none or it cannot be read.
 */
bool repo_describe(const char *path, struct arena *arena, struct repo_info *info);

/* Version of libgit2 at run time; NULL: the program is built without. */
const char *repo_library_version(struct arena *arena);
