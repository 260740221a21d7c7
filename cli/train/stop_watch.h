/*
 * stop_watch: a wish to stop before a training has taken its first step.
 *
 * Until then a rank may be waiting for others, reading data of hours' training, timing products, or
 * in a first step of minutes, and there is nothing yet that would be worth an orderly end. So the
 * stops (stops.h), which all threads block, are read by a thread of its own, which calls `stopped`.
 */
#pragma once

#include "base/err.h"

#include <pthread.h>
#include <stdbool.h>

struct stop_watch {
    int signals; /* a signalfd, borrowed */
    int wake;    /* eventfd that ends the thread; -1: there is none */
    void (*stopped)(void *context, int signal); /* on that thread; ends the process */
    void *context;
    pthread_t thread;
};

/* `signals`, `stopped` and `context` are set. */
int stop_watch_begin(struct stop_watch *w, struct err *err);

/* From here on signals stay where they are. Once is enough; one that was never begun has wake -1.
 */
void stop_watch_end(struct stop_watch *w);
