/*
 * serve_talk: one browser's connection, in a process of its own.
 *
 * The process is forked for the connection and ends with it: a slow browser keeps nobody waiting,
 * and a fault in it ends nothing else. A request must be there within SERVE_WAIT_S, and an answer
 * must get on as often. No library: what one would add (threads, keep-alive, uploads, TLS) is not
 * wanted on 127.0.0.1, and what it would leave to us (paths, host names, types) is most of this.
 */
#ifndef CLI_SERVE_TALK_H
#define CLI_SERVE_TALK_H

#include "base/buf.h"
#include "cli/serve/files.h"
#include "cli/serve/request.h"

#include <signal.h>
#include <stdbool.h>

#define SERVE_WAIT_S 10
#define SERVE_NEWS SIGRTMIN /* that a build has ended, with its number; blocked in each talker */

struct serve_answer {
    struct arena *arena;
    int status;
    const char *type;
    const char *location;   /* 301 only */
    struct buf body;        /* or that of the file; else, where it is an error, its name */
    struct serve_file file; /* fd -1: none */
    bool events;            /* body, and then what `event` gives of each number that comes */
};

struct serve_talk {
    void (*answer)(void *self, const struct serve_request *r, struct serve_answer *a);
    const char *(*event)(void *self, int number, struct arena *arena);
    void *self;
};

/* A socket on 127.0.0.1; `port` 0: a free one, which it becomes. -1, ERR_IO with what to do when
 * the port is taken. */
int serve_listen(int *port, struct err *err);

/* The whole connection, in this process. */
void serve_talk(const struct serve_talk *t, int fd);

#endif
