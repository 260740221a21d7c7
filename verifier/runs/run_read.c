#include "verifier/runs/run_read.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct work {
    struct run_log *logs;
    const struct run_source *sources;
    struct err *errors; /* one for each log */
    size_t n;
    atomic_size_t next;
    pthread_mutex_t lock; /* of the arena */
    struct arena *arena;
};

static void *copy_items(struct arena *arena, const void *from, size_t n, size_t size)
{
    void *to = arena_array(arena, n, size);
    if (n)
        memcpy(to, from, n * size);
    return to;
}

/* Copies what was read out of the reader's own memory. */
static void keep_log(struct run_log *to, const struct log *log, const struct diags *faults,
                     struct arena *arena)
{
    const char *file = to->log.file;
    to->log = *log;
    to->log.file = file;
    to->log.points = copy_items(arena, log->points, log->n_points, sizeof *log->points);
    to->log.values = copy_items(arena, log->values, log->n_values, sizeof *log->values);
    for (size_t i = 0; i < log->n_values; i++)
        to->log.values[i].key = arena_strdup(arena, log->values[i].key);
    to->log.stamps = copy_items(arena, log->stamps, log->n_stamps, sizeof *log->stamps);
    to->log.saves = copy_items(arena, log->saves, log->n_saves, sizeof *log->saves);
    if (log->initial_weights)
        to->log.initial_weights = arena_strdup(arena, log->initial_weights);
    if (log->script)
        to->log.script = arena_strdup(arena, log->script);
    for (size_t i = 0; i < BANNERS; i++)
        if (log->banners[i].value)
            to->log.banners[i].value = arena_strdup(arena, log->banners[i].value);
    struct log_oddity *const odd[] = {&to->log.doubled, &to->log.quoted, &to->log.step_precision,
                                      &to->log.other_precision};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (odd[i]->what)
            odd[i]->what = arena_strdup(arena, odd[i]->what);
    for (size_t i = 0; i < faults->n; i++) {
        const struct diag *d = &faults->items[i];
        diags_add(&to->faults, d->severity, file, d->line, d->col, "%s",
                  sentence_carry(arena, faults->arena, d->message));
    }
    to->faults.dropped = faults->dropped;
    to->faults.errors = faults->errors;
}

static void *read_next(void *work)
{
    struct work *w = work;
    for (;;) {
        size_t i = atomic_fetch_add(&w->next, 1);
        if (i >= w->n)
            return NULL;
        const struct run_source *source = &w->sources[i];
        const char *file = w->logs[i].log.file;
        struct arena own = ARENA_INIT;
        struct diags faults;
        struct log log = {.file = file};
        diags_init(&faults, &own);
        if (source->path)
            log_read_file_own(source->path, source->rows, &log, &own, &faults, &w->errors[i]);
        else
            log_read(file, source->bytes, &log, &own, &faults);
        pthread_mutex_lock(&w->lock);
        keep_log(&w->logs[i], &log, &faults, w->arena);
        pthread_mutex_unlock(&w->lock);
        arena_release(&own);
    }
}

/* Fewer than asked for is no fault: this thread works, too. */
static void read_run_logs(struct work *w)
{
    pthread_t threads[RUN_THREADS_MAX];
    bool files = w->n && w->sources[0].path;
    long cores = files ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    size_t wanted = cores > 1 ? (size_t)cores - 1 : 0, n = 0;
    wanted = wanted < RUN_THREADS_MAX ? wanted : RUN_THREADS_MAX;
    wanted = wanted < w->n ? wanted : w->n;
    while (n < wanted && w->n > 1 && pthread_create(&threads[n], NULL, read_next, w) == 0)
        n++;
    read_next(w);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}

void run_read(struct run_log *logs, const struct run_source *sources, size_t n, struct arena *arena,
              struct diags *diags)
{
    struct arena own = ARENA_INIT;
    struct work w = {logs, sources, arena_array(&own, n, sizeof *w.errors),
                     n,    0,       PTHREAD_MUTEX_INITIALIZER,
                     arena};
    read_run_logs(&w);
    for (size_t i = 0; i < n; i++)
        if (w.errors[i].kind)
            diags_add_err(diags, logs[i].log.file, 0, 0, &w.errors[i]);
    arena_release(&own);
}
