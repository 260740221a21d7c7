/*
 * serve_watch: notice that something below some folders changed (inotify).
 *
 * Folders that do not exist yet are noticed when they come. What editors leave beside a file
 * (".x.swp", "x~", "4913") and our own temporary files do not count.
 */
#ifndef CLI_SERVE_WATCH_H
#define CLI_SERVE_WATCH_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define SERVE_ROOTS_MAX 4

struct serve_watch {
    int fd;
    bool full; /* the system's limit is reached: deeper folders are not watched */
    struct {
        const char *path, *name; /* name: the last part of the path */
        int parent;              /* watch of the folder that it lies in; -1: none */
    } roots[SERVE_ROOTS_MAX];
    size_t n;
    struct arena arena;
};

int serve_watch_open(struct serve_watch *w, const char *const *roots, size_t n, struct err *err);
void serve_watch_close(struct serve_watch *w);

/* Take what has happened from w->fd, which poll() found readable: did anything that counts? */
bool serve_watch_read(struct serve_watch *w);

/* Is this the name of a file that counts? */
bool serve_watch_counts(const char *name);

#endif
