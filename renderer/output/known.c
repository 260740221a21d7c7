#include "renderer/output/known.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"
#include "renderer/output/spare.h"
#include "renderer/output/steps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DIFFER_MAX ((size_t)4096) /* files: more are found as soon by the lists */

/* ---- all of it ------------------------------------------------------------------------- */

static bool is_outdir_own_file(const struct outdir *od, const struct seen_file *f)
{
    if (S_ISDIR(f->seen.mode))
        return *f->path == '\0' || outdir_list_has_below(od->now, f->path);
    return outdir_list_find(od->now, f->path) || strcmp(f->path, OUTDIR_LIST_NAME) == 0;
}

static bool only_ours(const struct outdir *od, const struct seen_list *tree)
{
    for (size_t i = 0; i < tree->n; i++)
        if (!is_outdir_own_file(od, &tree->files[i]))
            return false;
    return true;
}

/* Where nothing of others was found, nothing of theirs may have come since. */
static bool note_all(struct outdir *od, struct outdir_known *known, uint64_t clock,
                     struct arena *arena)
{
    seen_below(&known->tree, od->path, arena);
    if (od->with_spare && od->exchanged)
        known->spare = outdir_new_spare_note(od, &known->tree, arena);
    else if (od->left)
        known->spare = od->left->spare;
    return seen_is_settled(&known->tree, clock) && seen_is_settled(&known->spare, clock) &&
           (known->n_foreign > 0 || only_ours(od, &known->tree));
}

/* ---- what was touched ------------------------------------------------------------------ */

/* Paths, sorted, each once. */
struct paths {
    const char **items;
    size_t n;
};

static bool has_seen_path(const struct paths *p, const char *path)
{
    return p->n && bsearch(&path, p->items, p->n, sizeof *p->items, text_by_bytes);
}

/* The touched files with all folders that they are in. */
static struct paths with_folders(const struct outdir_left *left, struct arena *arena)
{
    struct paths p = {0};
    for (size_t i = 0; i < left->n_touched; i++) {
        const char *path = left->touched[i];
        for (const char *end = path + strlen(path); end;
             end = memrchr(path, '/', (size_t)(end - path)))
            *(const char **)ARENA_PUSH(arena, p.items, p.n) =
                arena_strndup(arena, path, (size_t)(end - path));
    }
    *(const char **)ARENA_PUSH(arena, p.items, p.n) = "";
    qsort(p.items, p.n, sizeof *p.items, text_by_bytes);
    size_t n = 1;
    for (size_t i = 1; i < p.n; i++)
        if (strcmp(p.items[n - 1], p.items[i]) != 0)
            p.items[n++] = p.items[i];
    p.n = n;
    return p;
}

/* A folder that is noted anew, after it was: has it only names of ours? */
static bool names_are_ours(const struct outdir *od, const char *folder, struct arena *arena)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (dir_list(path_join(arena, od->path, folder), arena, &entries, &n, &ignored) < 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct seen_file f = {.path = path_join(arena, folder, entries[i].name),
                                    .seen.mode = entries[i].is_dir ? S_IFDIR : S_IFREG};
        if (!is_outdir_own_file(od, &f))
            return false;
    }
    return true;
}

static void copy_others(struct seen_list *to, const struct seen_list *from, bool folders,
                        const struct paths *touched)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct seen_file *f = &from->files[i];
        if (S_ISDIR(f->seen.mode) == folders && !has_seen_path(touched, f->path))
            to->files[to->n++] = *f;
    }
}

/* Files are those that the tree before had, folders those of the spare one that it was made of. */
static bool note_touched(struct outdir *od, struct outdir_known *known, uint64_t clock,
                         struct arena *arena)
{
    const struct outdir_known *was = od->known;
    const struct paths touched = with_folders(od->left, arena);
    struct seen_list *tree = &known->tree;
    *tree = (struct seen_list){.root = od->path};
    tree->files = arena_array(arena, was->tree.n + was->spare.n + touched.n, sizeof *tree->files);
    copy_others(tree, &was->tree, false, &touched);
    copy_others(tree, &was->spare, true, &touched);
    struct seen_list now = {.files = tree->files + tree->n};
    for (size_t i = 0; i < touched.n; i++) {
        const struct seen seen = seen_in(tree, touched.items[i]);
        if (!seen.mode)
            continue;
        now.files[now.n++] = (struct seen_file){.path = touched.items[i], .seen = seen};
        if (S_ISDIR(seen.mode) && !names_are_ours(od, touched.items[i], arena))
            return false;
    }
    tree->n += now.n;
    known->spare = od->left->spare;
    return seen_is_settled(&now, clock);
}

/* The spare tree is the one before, or a second one of what was written now. */
static void note_differences(const struct outdir *od, const struct outdir_stats *stats,
                             struct outdir_differ *differ, struct arena *arena)
{
    *differ = (struct outdir_differ){.listed = true};
    if (od->with_spare)
        return;
    differ->listed = stats->written <= DIFFER_MAX && stats->removed <= DIFFER_MAX;
    for (size_t i = 0; differ->listed && stats->written && i < od->now->n; i++)
        if (od->now->files[i].staged)
            *(const char **)ARENA_PUSH(arena, differ->paths, differ->n) = od->now->files[i].path;
    for (size_t i = 0; differ->listed && stats->removed && i < od->old->n; i++)
        if (!outdir_list_find(od->now, od->old->files[i].path))
            *(const char **)ARENA_PUSH(arena, differ->paths, differ->n) = od->old->files[i].path;
}

bool outdir_note(struct outdir *od, const struct outdir_stats *stats, struct outdir_known *known,
                 struct arena *arena)
{
    if (od->known && !od->claimed) { /* nothing was done to it */
        *known = *od->known;
        return true;
    }
    *known = (struct outdir_known){.n_foreign = stats->kept_foreign};
    note_differences(od, stats, &known->differ, arena);
    seen_wait();
    uint64_t clock = seen_clock();
    return od->has_spare && od->exchanged ? note_touched(od, known, clock, arena)
                                          : note_all(od, known, clock, arena);
}

/* ---- kept ------------------------------------------------------------------------------ */

struct seen_look *outdir_known_look(const struct outdir_known *known)
{
    return seen_begin(&known->tree);
}

bool outdir_known_holds(struct seen_look *look, struct arena *arena)
{
    size_t n;
    seen_end(look, arena, &n);
    return n == 0;
}

void outdir_known_pack(const struct outdir_known *known, struct buf *out)
{
    seen_pack(&known->tree, out);
    seen_pack(&known->spare, out);
    pack_number(out, known->n_foreign);
    pack_number(out, known->differ.listed);
    pack_number(out, known->differ.n);
    for (size_t i = 0; i < known->differ.n; i++)
        pack_text(out, known->differ.paths[i]);
}

static void unpack_differ(struct outdir_differ *differ, struct arena *arena, struct unpack *u)
{
    differ->listed = unpack_number(u) != 0;
    differ->n = unpack_count(u, 2);
    differ->paths = arena_array(arena, differ->n, sizeof *differ->paths);
    for (size_t i = 0; i < differ->n; i++) {
        differ->paths[i] = unpack_text(u);
        u->bad |= !differ->paths[i];
    }
}

void outdir_known_unpack(struct outdir_known *known, const char *path, struct arena *arena,
                         struct unpack *u)
{
    seen_unpack(&known->tree, arena, u);
    seen_unpack(&known->spare, arena, u);
    known->n_foreign = (size_t)unpack_number(u);
    unpack_differ(&known->differ, arena, u);
    known->tree.root = arena_strdup(arena, path);
}
