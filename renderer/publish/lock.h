/*
 * repo_lock: one publisher at a time in a repository, and clearing up after one that died.
 *
 *   <git folder>/fpreport/lock    flock()ed while somebody publishes; the system lets go of it when
 *                                 that process dies. It holds "<commit> <reference>" while the
 *                                 reference is being moved, and nothing otherwise
 *   <git folder>/fpreport/pack/   where a pack is written before it is moved to objects/pack
 *   objects/pack/pack-*.keep      a git that packs anew meanwhile leaves that pack; goes with the
 *                                 lock
 *
 * git and libgit2 leave `<reference>.lock` behind when they are killed, after which nobody can move
 * that reference, and git itself never removes one. The lock of the reference that the note names
 * is removed here in two cases, and otherwise left to its owner:
 *
 *   the beginning of that commit's line, then zeros or nothing: a publisher died that moved the
 *     reference there, or the power failed before the bytes came to the disk; no git that is alive
 *     has zeros in its lock
 *   nothing, not older than the note, at most a minute younger, and like that for two seconds: a
 *     git that moves a reference writes at once. One that deletes it does not write: it would have
 *     to be at it for two seconds, begun in the very minute in which a publisher died
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/git/repo_git.h"

#define REPO_PACKS "objects/pack"
#define REPO_KEEP_TEXT \
    "fpreport publish\n" /* in the .keep of a pack whose branch is not moved yet */

struct repo_lock {
    int fd;              /* -1: not held */
    struct arena *arena; /* borrowed */
    const char *git_folder, *folder, *path, *staging;
    const char *moved; /* the file of the reference that was noted; NULL: none was */
};

/* Waits for who publishes (base/files/lock.h). ERR_IO when that takes too long, or the folder
 * cannot be written to; ERR_INPUT for a link in its place. */
int repo_lock_take(struct repo_lock *l, const char *git_folder, struct arena *arena,
                   struct err *err);

/* From now until repo_lock_release, `ref` may be moved to this commit (40 hex digits). */
int repo_lock_note(struct repo_lock *l, const char *commit, const char *ref, struct err *err);

void repo_lock_release(struct repo_lock *l); /* also one that is not held */

/* The branches that are checked out: what HEAD names, of the repository and of each of
 * its linked work trees.
 *
 * Read here, and not asked of libgit2: its git_branch_is_checked_out() has no way to say that it
 * could not look, and answers either way then. */

/* "refs/heads/main", …, also where there is no such branch yet; HEAD of a bare repository names
 * none, and that of a work tree which is gone does not count. ERR_INPUT, ERR_IO when one cannot be
 * read. */
int repo_heads(git_repository *repo, struct arena *arena, const char ***refs, size_t *n,
               struct err *err);
