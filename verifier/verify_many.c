#include "verifier/verify_many.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define BATCH ((size_t)16) /* results that a thread takes at a time */

struct work {
    const struct project *project;
    const struct rules *rules;
    const struct result *results;
    struct verdict *out;
    size_t n;
    atomic_size_t next;
};

struct worker {
    struct work *work;
    struct arena arena; /* of its own, so that nobody waits for another */
    pthread_t thread;
};

static void *verify_batches(void *worker)
{
    struct worker *self = worker;
    struct work *w = self->work;
    for (;;) {
        size_t from = atomic_fetch_add(&w->next, BATCH);
        for (size_t i = from; i < w->n && i < from + BATCH; i++)
            verify_result(w->project, w->rules, &w->results[i], NULL, &self->arena, &w->out[i]);
        if (from >= w->n)
            return NULL;
    }
}

/* Besides this one. */
static size_t threads_wanted(size_t n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cores > 1 ? (size_t)cores - 1 : 0;
    wanted = wanted < VERIFY_THREADS_MAX ? wanted : VERIFY_THREADS_MAX;
    return wanted < n / BATCH ? wanted : n / BATCH;
}

void verify_many(const struct project *project, const struct rules *rules,
                 const struct result *results, size_t n, struct arena *arena, struct verdict *out)
{
    struct work w = {project, rules, results, out, n, 0};
    struct worker here = {.work = &w}, others[VERIFY_THREADS_MAX];
    size_t started = 0, wanted = threads_wanted(n);
    /* Fewer than asked for is no fault: this thread works, too. */
    for (; started < wanted; started++) {
        others[started] = (struct worker){.work = &w};
        if (pthread_create(&others[started].thread, NULL, verify_batches, &others[started]))
            break;
    }
    verify_batches(&here);
    arena_adopt(arena, &here.arena);
    for (size_t i = 0; i < started; i++) {
        pthread_join(others[i].thread, NULL);
        arena_adopt(arena, &others[i].arena);
    }
}
