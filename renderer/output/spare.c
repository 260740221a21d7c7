/* The spare tree of outdir.c: made, kept like the live tree, and used for the next one. */
#include "base/files/file.h"
#include "renderer/output/steps.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool outdir_spare_holds(const struct outdir *od)
{
    if (!od->with_spare || od->by_file || !od->known || !od->known->spare.n)
        return false;
    struct seen_list spare = od->known->spare;
    spare.root = od->spare;
    return seen_changed(&spare) == 0;
}

/* A link of that name, or a folder that others may look into, is none of ours: it may have come
 * with a checkout, and is left alone, as is a folder without a list. What goes changes the ctime of
 * the files that stay. */
int outdir_spare_drop(struct outdir *od, struct err *err)
{
    struct outdir_list was;
    struct stat st;
    int there = file_look(od->spare, &st, err);
    if (there <= 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 0777) != 0700)
        return there < 0 ? -1 : 0;
    int listed = file_is_there(path_join(&od->arena, od->spare, OUTDIR_LIST_NAME), err);
    if (listed <= 0)
        return listed < 0 ? -1 : outdir_rmdir_if_empty(od, od->spare, err);
    od->known = NULL;
    if (outdir_list_load(&was, od->spare, &od->arena, err) < 0)
        return -1;
    return outdir_absorb(od, od->spare, &was, od->old, err);
}

/* What was added already stays, and says itself that it is in the way. */
static int remove_old(struct outdir *od, const char *rel, struct err *err)
{
    return outdir_is_claimed(od, rel) ? 0 : outdir_remove_name(od, od->staging, rel, err);
}

/* A file there is also that of the live tree, so it is not written to. A folder there may go, too,
 * or become one. */
int outdir_spare_clear_way(struct outdir *od, const char *rel, struct err *err)
{
    const struct outdir_list *old = od->old;
    char *folder = arena_strdup(&od->arena, rel);
    size_t len = strlen(rel);
    for (char *slash = folder; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        if (outdir_list_find(od->old, folder) && remove_old(od, folder, err) < 0)
            return -1;
    }
    for (size_t i = outdir_list_below(od->old, rel);
         i < old->n && strncmp(old->files[i].path, rel, len) == 0 && old->files[i].path[len] == '/';
         i++)
        if (remove_old(od, old->files[i].path, err) < 0)
            return -1;
    return outdir_list_find(od->old, rel)
               ? outdir_unlink(od, path_join(&od->arena, od->staging, rel), err)
               : 0;
}

int outdir_spare_update(struct outdir *od, struct err *err)
{
    for (size_t i = 0; i < od->old->n; i++) {
        const char *rel = od->old->files[i].path;
        bool gone = !outdir_list_find(od->now, rel) && !outdir_list_has_below(od->now, rel);
        if (gone && outdir_remove_name(od, od->staging, rel, err) < 0)
            return -1;
    }
    return 0;
}

/* Files of the live tree that the spare one lacks. */
static int link_new(struct outdir *od, bool all, struct err *err)
{
    int live = outdir_open_folder(od->path, err),
        spare = live < 0 ? -1 : outdir_open_folder(od->staging, err), rc = spare < 0 ? -1 : 0;
    for (size_t i = 0; i < od->now->n && rc == 0; i++) {
        const struct outdir_file *f = &od->now->files[i];
        if (!f->staged && !all)
            continue;
        rc = outdir_mkdirs_for(od, od->staging, f->path, err);
        if (rc == 0)
            rc = outdir_link(od, live, spare, f->path, err);
    }
    if (live >= 0)
        close(live);
    if (spare >= 0)
        close(spare);
    return rc;
}

/* The old tree without what was replaced. */
static int remove_replaced(struct outdir *od, struct err *err)
{
    for (size_t i = 0; i < od->now->n; i++)
        if (od->now->files[i].staged && outdir_spare_clear_way(od, od->now->files[i].path, err) < 0)
            return -1;
    return outdir_spare_update(od, err);
}

/* Noted as a tree that is being built, so that whoever finds it unfinished removes it. */
static int make_spare(struct outdir *od, bool left, struct err *err)
{
    if ((!left && outdir_mkdir(od, od->staging, 0700, err) < 0) ||
        outdir_note_tree(od, od->staging, err) < 0 || fsync(od->lock_fd) < 0 ||
        chmod(od->staging, 0700) < 0)
        return -1;
    if ((left && remove_replaced(od, err) < 0) || link_new(od, !left, err) != 0 ||
        outdir_list_tree(od, err) < 0 || outdir_sync_disk(od->beside_fd, od->staging, err) < 0)
        return -1;
    return outdir_rename(od, od->staging, od->spare, err) < 0 ? -1 : outdir_sync_beside(od, err);
}

/* Did nothing come into the old tree since it was noted? */
static bool is_as_noted(struct outdir *od)
{
    struct seen_list now;
    return od->known && od->known->n_foreign == 0 &&
           seen_moved(&od->known->tree, od->staging, &now, &od->arena);
}

bool outdir_spare_keep(struct outdir *od, bool left)
{
    struct err ignored = ERR_INIT; /* the site is in place: without a spare tree it is one, too */
    if (!od->with_spare || file_is_there(od->spare, &ignored) != 0 ||
        (left ? !is_as_noted(od) : !od->fresh))
        return false;
    od->spared = make_spare(od, left, &ignored) == 0;
    if (!od->spared)
        outdir_remove_tree(od, od->staging, &ignored);
    return true;
}
