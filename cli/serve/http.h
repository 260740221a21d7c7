/*
 * serve_http: HTTP on 127.0.0.1, by libmicrohttpd in the thread of its caller.
 *
 * GET and HEAD, no body. The library reads requests, sends answers and ends connections on which
 * nothing happens for SERVE_WAIT_S. What it leaves to us: paths that stay below a root, and the
 * name of the host. A server on 127.0.0.1 can still be reached by pages of other sites whose name
 * was pointed at it (DNS rebinding), so the host that a browser names must be localhost or
 * 127.0.0.1, whatever the port (it may be forwarded).
 */
#pragma once

#include "base/arena.h"
#include "cli/serve/files.h"

#include <stdbool.h>

#define SERVE_WAIT_S 10
#define SERVE_REQUEST_MAX 16384
#define SERVE_PATH_MAX 2048
#define SERVE_CONNECTIONS_MAX 512 /* a further one waits until another has ended */

struct serve_answer {
    struct arena *arena;
    int status; /* 200 */
    const char *type;
    const char *location;   /* 301 only */
    struct buf body;        /* or that of the file; else, where it is an error, its name */
    struct serve_file file; /* fd -1: none */
};

struct serve_http {
    /* `path` is "result/acme/" of "/result/acme/?x": decoded, sound; `sent` is as it came. */
    void (*answer)(void *self, const char *path, const char *sent, struct serve_answer *a);
    void *self;
    struct MHD_Daemon *daemon;
    int listens; /* socket */
    int ready;   /* a descriptor: it can be read when serve_http_run() has something to do */
};

/* `port` 0: a free one, which it becomes. -1, ERR_IO with what to do when the port is taken or
 * libmicrohttpd is not installed. */
int serve_http_open(struct serve_http *h, int *port, struct err *err);

/* Milliseconds until serve_http_run() must be called though nothing is ready; at most `most`. */
int serve_http_wait(const struct serve_http *h, int most);

/* Answer what has come. */
void serve_http_run(const struct serve_http *h);

void serve_http_close(struct serve_http *h);

/* Decodes the path of a request, "/a%20b" to "a b", in place. 200; 414: too long; 400: it has an
 * empty part, "." or "..", a control or backslash, or is no UTF-8. */
int serve_path_decode(const char *sent, char path[SERVE_PATH_MAX + 1]);

/* "localhost:8000"? */
bool serve_host_is_this_machine(const char *host);
