#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define BATCH ((size_t)16) /* short items that a thread takes at a time */

struct worker {
    struct parallel_job *job;
    struct arena arena; /* of its own, so that nobody waits for another */
    pthread_t thread;
};

struct parallel_job {
    parallel_work *work;
    void *context;
    size_t n, batch;
    atomic_size_t next;
    struct worker here, others[PARALLEL_THREADS_MAX];
};

static void *work_batches(void *worker)
{
    struct worker *self = worker;
    struct parallel_job *j = self->job;
    for (;;) {
        size_t from = atomic_fetch_add(&j->next, j->batch);
        for (size_t i = from; i < j->n && i < from + j->batch; i++)
            j->work(j->context, i, &self->arena);
        if (from >= j->n)
            return NULL;
    }
}

/* Besides this one. */
static size_t threads_wanted(size_t batches)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cores > 1 ? (size_t)cores - 1 : 0;
    wanted = wanted < PARALLEL_THREADS_MAX ? wanted : PARALLEL_THREADS_MAX;
    return wanted < batches ? wanted : batches;
}

static void each(size_t n, size_t batch, parallel_work *work, void *context, struct arena *arena)
{
    struct parallel_job j = {.work = work, .context = context, .n = n, .batch = batch};
    size_t wanted = threads_wanted(n / batch), started = 0;
    j.here = (struct worker){.job = &j};
    for (; started < wanted; started++) {
        struct worker *other = &j.others[started];
        *other = (struct worker){.job = &j};
        if (pthread_create(&other->thread, NULL, work_batches, other))
            break;
    }
    work_batches(&j.here);
    arena_adopt(arena, &j.here.arena);
    for (size_t i = 0; i < started; i++) {
        pthread_join(j.others[i].thread, NULL);
        arena_adopt(arena, &j.others[i].arena);
    }
}

void parallel_each(size_t n, parallel_work *work, void *context, struct arena *arena)
{
    each(n, BATCH, work, context, arena);
}

void parallel_each_long(size_t n, parallel_work *work, void *context, struct arena *arena)
{
    each(n, 1, work, context, arena);
}
