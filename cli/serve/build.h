/*
 * serve_build: builds beside a server, each in a process of its own.
 *
 * The process is this program as `build`: what it says is what `fpreport build` says, memory is
 * gone afterwards, the server answers meanwhile, and a build that crashes ends nothing else.
 */
#ifndef CLI_SERVE_BUILD_H
#define CLI_SERVE_BUILD_H

#include "base/buf.h"
#include "base/signing/hash.h"
#include "cli/cli.h"
#include "renderer/templates/templates.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct serve_build {
    const char *root;     /* of the site */
    sigset_t mask;        /* signals as they were before the server blocked some */
    pid_t pid;            /* 0: none runs */
    int fd;               /* what it says; -1 */
    struct buf text;      /* of the running one */
    struct buf said;      /* of the last one that ended */
    int code;             /* its exit code; -1: none has ended yet */
    unsigned long number; /* of states of site and text; a page of another one is old */
    char state[HASH_HEX_SIZE];
};

void serve_build_init(struct serve_build *b, const char *root, const sigset_t *mask);
int serve_build_start(struct serve_build *b, struct cli *cli, struct err *err);

/* Read what it says; true when it has ended, b->code and b->said are set, and b->number is raised
 * if the site or what is said changed. */
bool serve_build_read(struct serve_build *b);

/* Did the last build find what the user must repair? A failed check is not that. */
bool serve_build_is_bad(const struct serve_build *b);

void serve_build_end(struct serve_build *b); /* stop it, if it runs, and release */

/* What the last build found wrong, a line each; empty when it is not bad. */
void serve_build_errors(const struct serve_build *b, struct buf *out);

/* The page that tells about the last build, before our script is put in. The template is read from
 * the folders of `where`. */
int serve_build_page(const struct serve_build *b, const struct templates *where, struct buf *out,
                     struct err *err);

#endif
