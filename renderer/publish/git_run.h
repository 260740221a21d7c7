/*
 * git_run: git itself talks to a remote: proxies, ssh's configuration, certificates and credential
 * helpers are those of the user.
 *
 * Nobody is asked on a terminal: git has none (a session of its own), and where nothing else is
 * said, its ssh is told to ask nothing. No hook of this repository is run. A git that says nothing
 * for FPREPORT_REMOTE_TIMEOUT seconds (120) is ended with all that it started.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

#include <stdbool.h>

struct git_run {
    const char *git_folder; /* of the repository */
    const char *ssh;        /* GIT_SSH_COMMAND of it; NULL: as the user has it */
    struct arena *arena;
    const char *out; /* what it printed */
    const char *why; /* why it failed: our words where there are any, else its own last line */
};

/* `arguments` are those of git, NULL at their end. False when it did not end with 0. */
bool git_run(struct git_run *r, const char *const *arguments);
