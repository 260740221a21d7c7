/* How a folder and its spare tree are when outdir is done with them. */
#include "base/files/dir.h"
#include "base/files/file.h"
#include "renderer/output/steps.h"

#include <string.h>
#include <sys/stat.h>

static bool is_our_entry(const struct outdir *od, const char *path, bool folder)
{
    if (folder)
        return *path == '\0' || outdir_list_has_below(od->now, path);
    return outdir_list_find(od->now, path) || outdir_list_is(path);
}

/* ---- all of it ------------------------------------------------------------------------- */

/* Where nothing of others was found, nothing of theirs may have come since. */
static bool note_all(struct outdir *od, struct outdir_known *known, struct arena *arena)
{
    seen_below(&known->tree, od->path, arena);
    if (od->spared)
        seen_moved(&known->tree, od->spare, &known->spare, arena);
    for (size_t i = 0; i < known->tree.n && known->n_foreign == 0; i++)
        if (!is_our_entry(od, known->tree.files[i].path, S_ISDIR(known->tree.files[i].seen.mode)))
            return false;
    return true;
}

/* ---- what was touched ------------------------------------------------------------------ */

static struct outdir_list touched_files(struct outdir *od)
{
    struct outdir_list touched = {0};
    for (size_t i = 0; i < od->now->n; i++)
        if (od->now->files[i].staged)
            outdir_list_add(&touched, &od->arena, od->now->files[i].path);
    for (size_t i = 0; i < od->old->n; i++)
        if (!outdir_list_find(od->now, od->old->files[i].path))
            outdir_list_add(&touched, &od->arena, od->old->files[i].path);
    outdir_list_sort(&touched);
    return touched;
}

static bool is_touched(const struct seen_file *f, struct outdir_list *touched)
{
    if (S_ISDIR(f->seen.mode))
        return !*f->path || outdir_list_has_below(touched, f->path);
    return outdir_list_is(f->path) || outdir_list_find(touched, f->path);
}

static void take_untouched(struct seen_list *to, const struct seen_list *from, bool folders,
                           struct outdir_list *touched, struct arena *arena)
{
    for (size_t i = 0; i < from->n; i++)
        if (S_ISDIR(from->files[i].seen.mode) == folders && !is_touched(&from->files[i], touched))
            *(struct seen_file *)ARENA_PUSH(arena, to->files, to->n) = from->files[i];
}

/* A folder of the live tree, noted before its names are looked at. */
static bool see_names(struct outdir *od, struct seen_list *tree, const char *folder,
                      struct arena *arena)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (!S_ISDIR(seen_inside(tree, folder, arena))) /* gone, or become a file */
        return true;
    if (dir_list(path_join(arena, od->path, folder), arena, &entries, &n, &ignored) < 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(arena, folder, entries[i].name);
        if (!is_our_entry(od, path, entries[i].is_dir))
            return false;
        if (outdir_list_is(path))
            seen_inside(tree, path, arena);
    }
    return true;
}

/* Files are those of the tree before, and both trees have changed their folders. What comes into
 * one that was not touched makes it another than the one that was noted. */
static bool note_touched(struct outdir *od, struct outdir_known *known, struct arena *arena)
{
    const struct outdir_known *was = od->known;
    struct outdir_list touched = touched_files(od);
    struct seen_list *tree = &known->tree, *spare = &known->spare;
    *tree = (struct seen_list){.root = arena_strdup(arena, od->path)};
    *spare = (struct seen_list){.root = arena_strdup(arena, od->spare)};
    take_untouched(tree, &was->tree, false, &touched, arena);
    take_untouched(tree, &was->spare, true, &touched, arena);
    take_untouched(spare, &was->tree, true, &touched, arena);
    const char *last = "";
    seen_inside(spare, "", arena);
    bool ours = see_names(od, tree, "", arena);
    for (size_t i = 0; i < touched.n && ours; i++) {
        const char *path = touched.files[i].path;
        for (const char *slash = path; (slash = strchr(slash, '/')) && ours; slash++) {
            size_t len = (size_t)(slash - path);
            if (strncmp(last, path, len + 1) == 0)
                continue;
            const char *folder = arena_strndup(arena, path, len);
            seen_inside(spare, folder, arena);
            ours = see_names(od, tree, folder, arena);
        }
        seen_inside(tree, path, arena);
        last = path;
    }
    return ours;
}

bool outdir_note(struct outdir *od, const struct outdir_stats *stats, struct outdir_known *known,
                 struct arena *arena)
{
    if (od->known && !od->claimed) { /* nothing was done to it */
        *known = *od->known;
        return true;
    }
    *known = (struct outdir_known){.n_foreign = stats->kept_foreign};
    seen_wait();
    uint64_t clock = seen_clock();
    bool both = od->has_spare && od->spared;
    return (both ? note_touched : note_all)(od, known, arena) &&
           seen_is_settled(&known->tree, clock) && seen_is_settled(&known->spare, clock);
}
