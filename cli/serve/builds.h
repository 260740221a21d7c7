/*
 * serve_builds: builds beside a server, each in a process of its own.
 *
 * The process is this program as `build`: what it says is what `fpreport build` says, memory is
 * gone afterwards, the server answers meanwhile, and a build that crashes ends nothing else.
 */
#pragma once

#include "base/arena.h"
#include "base/signing/hash.h"
#include "cli/cli.h"
#include "renderer/templates/templates.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct serve_builds {
    const char *root;      /* of the site */
    sigset_t mask;         /* signals as they were before the server blocked some */
    pid_t pid;             /* 0: none runs */
    int fd;                /* what it says; -1 */
    struct buf text, said; /* of the running one; of the last one that ended */
    int code;              /* its exit code; -1: none has ended yet */
    int number;            /* of states of site and text; a page of another one is old */
    char state[HASH_HEX_SIZE];
};

int serve_build_start(struct serve_builds *b, struct cli *cli, struct err *err);

/* Read what it says; true when it has ended, b->code and b->said are set, and b->number is raised
 * if the site or what is said changed. */
bool serve_build_read(struct serve_builds *b);

/* Did the last build find what the user must repair? A failed check is not that. */
bool serve_build_is_bad(const struct serve_builds *b);

/* What the last build found wrong, a line each; empty when it is not bad. */
void serve_build_errors(const struct serve_builds *b, struct buf *out);

/* The page that tells about the last build, before our script is put in. */
int serve_build_page(const struct serve_builds *b, const struct templates *where, struct buf *out,
                     struct err *err);

/* Notice that something below some folders changed.
 *
 * All files are looked at (names, sizes, times) so seldom that it takes a fiftieth of a processor
 * at most, at least WATCH_MS apart. That needs nothing of the system that could run out, and sees
 * folders that come later, and those of other machines. What editors leave beside a file (".x.swp",
 * "x~", "4913") and our own temporary files do not count. */

#define WATCH_MS 200
#define WATCH_SHARE 50 /* of the time that one look takes, until the next */

struct serve_watch {
    const char *const *roots;
    size_t n;
    long long next; /* clock_ms of the next look */
    char seen[HASH_HEX_SIZE];
};

/* Is it another sight than the last time? False while the time for a look has not come. */
bool serve_watch_changed(struct serve_watch *w, long long now);

/* Is this the name of a file that counts? */
bool serve_watch_counts(const char *name);
