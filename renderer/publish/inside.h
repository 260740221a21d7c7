/* repo_inside: what the files of branch.h share. */
#pragma once

#include "base/git/repo_git.h"
#include "renderer/publish/branch.h"
#include "renderer/publish/lock.h"

struct repo_branch {
    struct arena arena;
    git_repository *repo;
    const char *name, *ref; /* "gh-pages", "refs/heads/gh-pages" */
    git_oid tip, base;      /* zero: none */
    struct repo_branch_info info;
    const char *remote;
    struct repo_lock lock;
    bool started; /* libgit2 is */
};

/* Hex digits; NULL for the zero id. */
const char *repo_hex(struct arena *arena, const git_oid *id);

/* What a new commit on the branch builds upon: the tip (zero: none), or what was last fetched of
 * the remote's branch where that is further, as when another publisher pushed. */
git_oid repo_base_of(git_repository *repo, const git_oid *tip, const char *branch,
                     const char *remote, bool *fetched);

/* The bytes of a blob (hex digits), with a NUL behind them; at most max. errno of a failure is that
 * of the call of libgit2, 0 where that did not fail. */
int repo_read_blob(git_repository *repo, const char *id, size_t max, struct arena *arena,
                   struct bytes *out, struct err *err);

/* All files of a commit, sorted by strcmp. */
int repo_list_commit(git_repository *repo, const git_oid *id, struct arena *arena,
                     struct repo_entry **out, size_t *n, struct err *err);
