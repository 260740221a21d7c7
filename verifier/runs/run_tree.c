#include "verifier/runs/run_tree.h"

#include "base/files/dir.h"
#include "verifier/runs/run_rounds.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Many logs read at once, on as many cores as there are.
 *
 * Each log is read by one thread into memory of its own and copied from there, which leaves behind
 * what growing arrays have cost. What comes out does not depend on the threads. */

#define RUN_THREADS_MAX 16

/* Where a log is. */
struct run_source {
    const char *path; /* on disk; NULL: the bytes */
    struct bytes bytes;
    const struct pattern_row *rows; /* a project's own (verifier/logs/log.h); NULL */
};

struct work {
    struct run_log *logs;
    const struct run_source *sources;
    struct err *errors; /* one for each log */
    size_t n;
    atomic_size_t next;
    pthread_mutex_t lock; /* of the arena */
    struct arena *arena;
};

/* Copies what was read out of the reader's own memory. */
static void keep_log(struct run_log *to, const struct log *log, const struct diags *faults,
                     struct arena *arena)
{
    const char *file = to->log.file;
    to->log = *log;
    to->log.file = file;
    to->log.points = arena_copy(arena, log->points, log->n_points, sizeof *log->points);
    to->log.values = arena_copy(arena, log->values, log->n_values, sizeof *log->values);
    for (size_t i = 0; i < log->n_values; i++)
        to->log.values[i].key = arena_strdup(arena, log->values[i].key);
    to->log.stamps = arena_copy(arena, log->stamps, log->n_stamps, sizeof *log->stamps);
    to->log.saves = arena_copy(arena, log->saves, log->n_saves, sizeof *log->saves);
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
        struct diags faults = DIAGS_INIT(&own);
        struct log log = {.file = file};
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

/* Bytes at hand are read by this thread alone: they come out of archives, in a process that cannot
 * start another (base/process/sandbox.h). Log i, whose `log.file` is set and whose rest is filled,
 * from source i. What cannot be opened is an error in `diags`. */
static void run_read(struct run_log *logs, const struct run_source *sources, size_t n,
                     struct arena *arena, struct diags *diags)
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

/* A tree while its files are listed: logs are read when all are known. */
struct listing {
    struct run_tree *tree;
    struct run_source *sources; /* one for each log */
    size_t n_sources;
    struct arena *arena;
};

/* `file` names it in findings; both strings are borrowed. */
static void add_run_log(struct listing *l, const char *name, const char *file,
                        const struct run_place *place, const struct run_source *source)
{
    struct run_tree *t = l->tree;
    struct run_log *log = ARENA_PUSH(l->arena, t->logs, t->n_logs);
    struct run_source *to = ARENA_PUSH(l->arena, l->sources, l->n_sources);
    *log = (struct run_log){.name = name, .place = *place, .log.file = file};
    diags_init(&log->faults, l->arena);
    *to = *source;
}

static struct run_monitor *add_run_monitor(struct listing *l, const char *name, const char *file,
                                           const struct run_place *place)
{
    struct run_tree *t = l->tree;
    struct run_monitor *m = ARENA_PUSH(l->arena, t->monitors, t->n_monitors);
    *m = (struct run_monitor){.name = name, .place = *place, .monitor.file = file};
    diags_init(&m->faults, l->arena);
    return m;
}

static void finish_listing(struct listing *l, enum run_scope scope, struct diags *diags)
{
    run_read(l->tree->logs, l->sources, l->n_sources, l->arena, diags);
    run_rounds_find(l->tree, l->arena);
    run_rounds_check(l->tree, scope, l->arena, diags);
}

void run_tree_read(const char *prefix, const struct run_file *files, size_t n, struct arena *arena,
                   struct diags *diags, struct run_tree *out)
{
    struct listing l = {out, NULL, 0, arena};
    *out = (struct run_tree){0};
    for (size_t i = 0; i < n; i++) {
        struct run_place place;
        const char *name = files[i].name, *shown = arena_printf(arena, "%s%s", prefix, name);
        run_place_of(name, arena, &place);
        if (monitor_is(name)) {
            struct run_monitor *m = add_run_monitor(&l, name, shown, &place);
            monitor_read(shown, files[i].bytes, arena, &m->faults, &m->monitor);
        } else if (run_is_training_log(name)) {
            const struct run_source source = {NULL, files[i].bytes, NULL};
            add_run_log(&l, name, shown, &place, &source);
        }
    }
    finish_listing(&l, RUN_SCOPE_RUN, diags);
}

static void open_monitor(struct listing *l, const char *name, const char *path,
                         const struct run_place *place, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    struct run_monitor *m = add_run_monitor(l, name, path, place);
    if (file_read(path, RUN_MONITOR_MAX, l->arena, &bytes, &err) < 0)
        diags_add_err(diags, path, 0, 0, &err);
    else
        monitor_read(path, bytes, l->arena, &m->faults, &m->monitor);
}

/* Is this folder a round, or a node of one? */
static enum run_scope scope_of(const char *folder, struct arena *arena)
{
    static const char *const within[] = {"x", "h_noderank0/x"};
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++) {
        struct run_place place;
        run_place_of(path_join(arena, folder, within[i]), arena, &place);
        if (place.round != RUN_NONE)
            return RUN_SCOPE_ROUND;
    }
    return RUN_SCOPE_RUN;
}

int run_tree_open(const char *path, const struct pattern_row *rows, struct arena *arena,
                  struct diags *diags, struct run_tree *out, struct err *err)
{
    const char **names;
    size_t n;
    char whole[PATH_MAX];
    *out = (struct run_tree){0};
    if (!file_is_dir(path))
        return err_set(err, ERR_INPUT, "%s: expected the folder of a run", path);
    if (dir_walk(path, arena, &names, &n, err) < 0)
        return -1;
    if (n > RUN_FILES_MAX)
        return err_set(err, ERR_INPUT, "%s: found %zu files, expected at most %d", path, n,
                       RUN_FILES_MAX);
    /* The folders above tell the case, when the path points at a round or a node. */
    const char *above = realpath(path, whole) ? whole : path;
    struct listing l = {out, NULL, 0, arena};
    for (size_t i = 0; i < n; i++) {
        struct run_place place;
        const struct run_source source = {path_join(arena, path, names[i]), {NULL, 0}, rows};
        run_place_of(path_join(arena, above, names[i]), arena, &place);
        if (monitor_is(names[i]))
            open_monitor(&l, names[i], source.path, &place, diags);
        else if (run_is_training_log(names[i]))
            add_run_log(&l, names[i], source.path, &place, &source);
    }
    finish_listing(&l, scope_of(above, arena), diags);
    return 0;
}

/* Does a file of any name hold what a card tool printed, and no training? Logs begin with the
 * table of a tool, too. */
static bool shows_cards(const char *path, struct arena *arena)
{
    char head[MONITOR_HEAD];
    struct err ignored = ERR_INIT;
    struct diags unsaid = DIAGS_INIT(arena);
    struct bytes in;
    struct log log;
    /* The bytes with which a file begins. */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, head, MONITOR_HEAD);
    if (fd >= 0)
        close(fd);
    if (!monitor_shown((struct bytes){head, n > 0 ? (size_t)n : 0}) ||
        file_read(path, RUN_MONITOR_MAX, arena, &in, &ignored) < 0)
        return false;
    log_read(path, in, &log, arena, &unsaid);
    return log.n_points == 0 && log.n_values == 0;
}

int run_tree_open_file(const char *path, const struct pattern_row *rows, struct arena *arena,
                       struct diags *diags, struct run_tree *out, struct err *err)
{
    char whole[PATH_MAX];
    struct run_place place;
    struct listing l = {out, NULL, 0, arena};
    const struct run_source source = {path, {NULL, 0}, rows};
    *out = (struct run_tree){0};
    struct stat st;
    if (stat(path, &st) < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file, expected a log", path);
    run_place_of(realpath(path, whole) ? whole : path, arena, &place);
    if (monitor_is(path) || shows_cards(path, arena))
        open_monitor(&l, path_base(path), path, &place, diags);
    else
        add_run_log(&l, path_base(path), path, &place, &source);
    finish_listing(&l, RUN_SCOPE_FILE, diags);
    return 0;
}

const struct run_log *run_log_main(const struct run_log *const *logs, size_t n)
{
    const struct run_log *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (!best || logs[i]->log.n_points > best->log.n_points)
            best = logs[i];
    return best;
}

const struct log_banner_value *run_logs_banner(const struct run_log *const *logs, size_t n,
                                               enum log_banner banner)
{
    static const struct log_banner_value none = {NULL, 0};
    for (size_t i = 0; banner < BANNERS && i < n; i++)
        if (logs[i]->log.banners[banner].value)
            return &logs[i]->log.banners[banner];
    return &none;
}

long long run_logs_size(const struct run_log *const *logs, size_t n, enum log_banner banner)
{
    long long size = 0;
    for (size_t i = 0; i < n && !size; i++)
        size = log_banner_size(logs[i]->log.banners, banner);
    return size;
}
