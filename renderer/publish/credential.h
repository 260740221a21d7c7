/*
 * repo_credential: names and passwords that git's credential helpers know.
 *
 * libgit2 knows no helpers; `git credential` asks those of the user's configuration. It is never
 * let to ask on a terminal (GIT_TERMINAL_PROMPT=0); without git there are no helpers. Passwords go
 * through pipes, never on a command line or into a message.
 */
#ifndef RENDERER_PUBLISH_CREDENTIAL_H
#define RENDERER_PUBLISH_CREDENTIAL_H

#include "base/arena.h"

#include <stdbool.h>

/* `user`: the URL's, or NULL. False when nothing is known. */
bool repo_credential_fill(const char *git_folder, const char *url, const char *user,
                          struct arena *arena, const char **name, const char **password);

/* Tell the helpers that they were good ("approve") or not ("reject"); NULL: neither. */
void repo_credential_tell(const char *git_folder, const char *url, const char *name,
                          const char *password, const char *what);

#endif
