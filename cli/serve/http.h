/*
 * serve_http: connections of browsers on this machine, in one poll() loop.
 *
 * A small HTTP/1.1 server of our own rather than a library: it answers GET with files, one request
 * a connection, and waits in the same poll() as the watcher, the build and the signals. What a
 * library would add (threads, keep-alive, uploads, TLS) is not wanted on 127.0.0.1, and what it
 * would leave to us (paths, host names, types) is most of what there is.
 *
 *     struct serve_http h;
 *     if (serve_http_listen(&h, 8000, answer, self, err) < 0) …
 *     n = serve_http_poll(&h, fds); poll(fds, n, …); serve_http_step(&h, fds, n);
 *
 * Nobody can keep others waiting: all sockets are non-blocking, a request must be there within
 * SERVE_WAIT_MS, and an answer must get on as often. Beyond SERVE_CLIENTS_MAX the connection that
 * has waited longest is closed for the new one.
 */
#ifndef CLI_SERVE_HTTP_H
#define CLI_SERVE_HTTP_H

#include "base/buf.h"
#include "cli/serve/files.h"
#include "cli/serve/request.h"

#include <poll.h>
#include <stdbool.h>

#define SERVE_CLIENTS_MAX 128
#define SERVE_WAIT_MS 10000

enum serve_state {
    SERVE_READING,
    SERVE_WRITING,
    SERVE_EVENTS, /* the answer has no end: lines are added by serve_http_tell */
    SERVE_ENDING, /* all is sent; the browser has not closed yet */
};

struct serve_client {
    int fd;
    enum serve_state state;
    long long since; /* ms, when it last got on */
    char in[SERVE_REQUEST_MAX];
    size_t n_in;
    struct buf out;
    size_t sent;
    struct serve_file file; /* behind `out`; fd -1: none */
    off_t at;
};

struct serve_answer {
    struct arena *arena; /* for what the answer needs until it is sent off */
    int status;
    const char *type;
    const char *location;    /* 301 only */
    struct buf *body;        /* NULL: that of the file, or the name of the status */
    struct serve_file *file; /* its fd is handed over */
    bool events;             /* body, and then what serve_http_tell says */
};

/* Fill the answer to a request. */
typedef void serve_answer_fn(void *self, const struct serve_request *r, struct serve_answer *a);

struct serve_http {
    int fd, port;
    struct serve_client *clients[SERVE_CLIENTS_MAX];
    size_t n;
    serve_answer_fn *answer;
    void *self;
};

/* Port 0: a free one. ERR_IO with what to do when the port is taken. */
int serve_http_listen(struct serve_http *h, int port, serve_answer_fn *answer, void *self,
                      struct err *err);
void serve_http_close(struct serve_http *h);

/* Room for 1 + SERVE_CLIENTS_MAX. */
size_t serve_http_poll(const struct serve_http *h, struct pollfd *fds);
void serve_http_step(struct serve_http *h, const struct pollfd *fds, long long now);

/* To all who asked for events. */
void serve_http_tell(struct serve_http *h, const char *event);

#endif
