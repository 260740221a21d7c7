/*
 * repo_heads: the branches that are checked out: what HEAD names, of the repository and of each of
 * its linked work trees.
 *
 * Read here, and not asked of libgit2: its git_branch_is_checked_out() has no way to say that it
 * could not look, and answers either way then.
 */
#pragma once

#include "base/git/repo_git.h"

/* "refs/heads/main", …, also where there is no such branch yet; HEAD of a bare repository names
 * none, and that of a work tree which is gone does not count. ERR_INPUT, ERR_IO when one cannot be
 * read. */
int repo_heads(git_repository *repo, struct arena *arena, const char ***refs, size_t *n,
               struct err *err);
