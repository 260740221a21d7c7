#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
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
    size_t started;
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

static void begin_parallel(struct parallel_job *j)
{
    size_t wanted = threads_wanted(j->n / j->batch);
    for (; j->started < wanted; j->started++) {
        struct worker *other = &j->others[j->started];
        *other = (struct worker){.job = j};
        if (pthread_create(&other->thread, NULL, work_batches, other))
            break;
    }
}

static void end_parallel(struct parallel_job *j, struct arena *arena)
{
    j->here = (struct worker){.job = j};
    work_batches(&j->here);
    arena_adopt(arena, &j->here.arena);
    for (size_t i = 0; i < j->started; i++) {
        pthread_join(j->others[i].thread, NULL);
        arena_adopt(arena, &j->others[i].arena);
    }
}

static void each(size_t n, size_t batch, parallel_work *work, void *context, struct arena *arena)
{
    struct parallel_job j = {.work = work, .context = context, .n = n, .batch = batch};
    begin_parallel(&j);
    end_parallel(&j, arena);
}

void parallel_each(size_t n, parallel_work *work, void *context, struct arena *arena)
{
    each(n, BATCH, work, context, arena);
}

void parallel_each_long(size_t n, parallel_work *work, void *context, struct arena *arena)
{
    each(n, 1, work, context, arena);
}

struct parallel_job *parallel_begin(size_t n, parallel_work *work, void *context)
{
    struct parallel_job *j = memory_alloc(sizeof *j);
    j->work = work;
    j->context = context;
    j->n = n;
    j->batch = 1;
    begin_parallel(j);
    return j;
}

void parallel_end(struct parallel_job *job, struct arena *arena)
{
    end_parallel(job, arena);
    free(job);
}
