/*
 * repo_git: libgit2, for base/git/ and renderer/publish/ and nobody else. git2_library.h is
 * the only file that includes it.
 *
 * Whoever uses it calls repo_git_start() and git_libgit2_shutdown() around that (libgit2 counts),
 * so that no state of ours stays behind. Settings of the library are its own and global; each
 * start sets all that matter.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/git/git2_library.h"

#include <errno.h>
#include <stdbool.h>

enum repo_trust {
    REPO_LOOK,  /* no configuration but the repository's own, any owner: nothing is executed */
    REPO_WRITE, /* the user's configuration too, who must own the repository; fsync */
};

/* Its memory is ours from now on: running out of it ends the process (base/arena.h). It has to be
 * said before it starts, behind library_open, and is the same each time. */
void repo_git_memory(void);

/* False when libgit2 cannot be started: nothing to shut down then. */
bool repo_git_start(enum repo_trust trust);

/* A URL without name and password: "https://user:secret@host/x" -> "https://host/x"; what has no
 * scheme stays. */
const char *repo_url_shown(const char *url, struct arena *arena);

/* What a call of libgit2 gives. Where that is an error for want of memory it ends the process: zlib
 * takes its memory itself, and an object that could not be unpacked looks like one that is damaged
 * or not there. Everybody asks so who makes something else of an error than repo_git_err does. */
#define REPO_GIT(call) (errno = 0, repo_git_gave(call))
int repo_git_gave(int rc);

/* libgit2's last message. */
const char *repo_git_message(void);

/* libgit2 says "not found" of objects in a pack that it could not open, of packs that it could not
 * list, of a repository or a configuration that it could not look at, and "another's" of what has
 * no owner that it could see. Can none of that be done anywhere now? Then that is why. */
bool repo_is_at_a_loss(void);

/* err_set with ": <libgit2's message>" appended. ERR_IO, and not ERR_INPUT or ERR_USAGE, where its
 * error is one of the system, or no file can be opened; ends the process as repo_git_gave does. */
int repo_git_err(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
