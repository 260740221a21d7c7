#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define BATCH ((size_t)16) /* items that a thread takes at a time */

struct job {
    parallel_work *work;
    void *context;
    size_t n;
    atomic_size_t next;
};

struct worker {
    struct job *job;
    struct arena arena; /* of its own, so that nobody waits for another */
    pthread_t thread;
};

static void *work_batches(void *worker)
{
    struct worker *self = worker;
    struct job *j = self->job;
    for (;;) {
        size_t from = atomic_fetch_add(&j->next, BATCH);
        for (size_t i = from; i < j->n && i < from + BATCH; i++)
            j->work(j->context, i, &self->arena);
        if (from >= j->n)
            return NULL;
    }
}

/* Besides this one. */
static size_t threads_wanted(size_t n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cores > 1 ? (size_t)cores - 1 : 0;
    wanted = wanted < PARALLEL_THREADS_MAX ? wanted : PARALLEL_THREADS_MAX;
    return wanted < n / BATCH ? wanted : n / BATCH;
}

void parallel_each(size_t n, parallel_work *work, void *context, struct arena *arena)
{
    struct job j = {work, context, n, 0};
    struct worker here = {.job = &j}, others[PARALLEL_THREADS_MAX];
    size_t started = 0, wanted = threads_wanted(n);
    for (; started < wanted; started++) {
        others[started] = (struct worker){.job = &j};
        if (pthread_create(&others[started].thread, NULL, work_batches, &others[started]))
            break;
    }
    work_batches(&here);
    arena_adopt(arena, &here.arena);
    for (size_t i = 0; i < started; i++) {
        pthread_join(others[i].thread, NULL);
        arena_adopt(arena, &others[i].arena);
    }
}
