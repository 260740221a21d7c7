/*
 * repo_login: who a remote is, who we are to it, and how long it is waited for.
 *
 * ssh: the host's key must stand in ~/.ssh/known_hosts (hashed names too); the keys are the
 * agent's. https: the certificate must lead to an authority that the system knows, or one of the
 * file that $GIT_SSL_CAINFO or http.sslCAInfo names; name and password are those of the URL, else
 * what git's credential helpers know (`git credential`, which is told afterwards whether they were
 * good). Nobody is ever asked on a terminal.
 *
 * A remote that says nothing for `patience` seconds (FPREPORT_REMOTE_TIMEOUT, 120) is cut off by
 * SIGALRM: libgit2 1.5 has no time limits of its own, and waits for ever.
 */
#ifndef RENDERER_PUBLISH_LOGIN_H
#define RENDERER_PUBLISH_LOGIN_H

#include "base/arena.h"
#include "base/git/repo_git.h"

#include <signal.h>
#include <time.h>

struct repo_login {
    struct arena *arena; /* borrowed, as is the rest of these */
    const char *git_folder, *url;
    int asked;                    /* how often it asked who we are, since repo_login_begin */
    const char *name, *password;  /* of the helpers; NULL: they were not asked, or know nothing */
    const char *fault;            /* why it was refused, in our words; NULL: libgit2's */
    unsigned patience;            /* seconds */
    struct timespec heard;        /* of it, the last time */
    struct sigaction alarm, pipe; /* what SIGALRM and SIGPIPE did before */
};

/* http.sslCAInfo and $GIT_SSL_CAINFO; -1 after a libgit2 error. */
int repo_login_authorities(git_repository *repo);

/* Around every conversation. repo_login_end tells the helpers how it went. */
void repo_login_begin(struct repo_login *l);
void repo_login_end(struct repo_login *l, int rc);

/* It said something. */
void repo_login_heard(struct repo_login *l);

/* `c->payload` must be the struct repo_login, or begin with one. */
void repo_login_callbacks(git_remote_callbacks *c);

/* Why it failed: our words where there are any. */
const char *repo_login_why(const struct repo_login *l);

#endif
