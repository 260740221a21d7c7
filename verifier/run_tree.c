#include "verifier/run_tree.h"

#include "verifier/run_rounds.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void add_log(struct run_tree *t, const char *name, const struct run_place *place,
                    struct arena *arena)
{
    struct run_log *l = ARENA_PUSH(arena, t->logs, t->n_logs);
    *l = (struct run_log){.name = name, .place = *place};
    diags_init(&l->faults, arena);
}

static struct run_monitor *add_monitor(struct run_tree *t, const char *name,
                                       const struct run_place *place, struct arena *arena)
{
    struct run_monitor *m = ARENA_PUSH(arena, t->monitors, t->n_monitors);
    *m = (struct run_monitor){.name = name, .place = *place};
    diags_init(&m->faults, arena);
    return m;
}

static void finish(struct run_tree *t, struct arena *arena, struct diags *diags)
{
    run_rounds_find(t, arena);
    run_rounds_check(t, diags);
}

void run_tree_read(const char *prefix, const struct run_file *files, size_t n, struct arena *arena,
                   struct diags *diags, struct run_tree *out)
{
    *out = (struct run_tree){0};
    for (size_t i = 0; i < n; i++) {
        struct run_place place;
        const char *shown = arena_printf(arena, "%s%s", prefix, files[i].name);
        run_place_of(files[i].name, arena, &place);
        if (monitor_is(files[i].name)) {
            struct run_monitor *m = add_monitor(out, files[i].name, &place, arena);
            monitor_read(shown, files[i].bytes, arena, &m->faults, &m->monitor);
        } else if (run_is_training_log(files[i].name)) {
            add_log(out, files[i].name, &place, arena);
            struct run_log *l = &out->logs[out->n_logs - 1];
            log_read(shown, files[i].bytes, &l->log, arena, &l->faults);
        }
    }
    finish(out, arena, diags);
}

static void open_file(struct run_tree *t, const char *name, const char *path,
                      const struct run_place *place, struct arena *arena, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    if (monitor_is(name)) {
        struct run_monitor *m = add_monitor(t, name, place, arena);
        m->monitor.file = path;
        if (file_read(path, RUN_MONITOR_MAX, arena, &bytes, &err) == 0)
            monitor_read(path, bytes, arena, &m->faults, &m->monitor);
    } else if (run_is_training_log(name)) {
        add_log(t, name, place, arena);
        struct run_log *l = &t->logs[t->n_logs - 1];
        l->log.file = path;
        log_read_file(path, &l->log, arena, &l->faults, &err);
    }
    if (err.kind != ERR_NONE)
        diags_add(diags, SEVERITY_ERROR, path, 0, 0, "%s", err.text);
}

int run_tree_open(const char *path, struct arena *arena, struct diags *diags, struct run_tree *out,
                  struct err *err)
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
    for (size_t i = 0; i < n; i++) {
        struct run_place place;
        run_place_of(path_join(arena, above, names[i]), arena, &place);
        open_file(out, names[i], path_join(arena, path, names[i]), &place, arena, diags);
    }
    finish(out, arena, diags);
    return 0;
}

const struct run_log *run_tree_main_log(const struct run_tree *t)
{
    const struct run_log *best = NULL;
    for (size_t i = 0; i < t->n_logs; i++)
        if (!best || t->logs[i].log.n_points > best->log.n_points)
            best = &t->logs[i];
    return best;
}
