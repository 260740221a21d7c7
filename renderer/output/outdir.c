#include "renderer/output/outdir.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/files/followed.h"
#include "renderer/output/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where ----------------------------------------------------------------------------- */

/* The absolute path without links: of the folder, or of its parent while it does not exist. */
static int resolve_outdir(struct outdir *od, const char *path, struct err *err)
{
    struct err refused = ERR_INIT;
    char *real = followed_real(path, &refused);
    if (real) {
        od->path = arena_strdup(&od->arena, real);
        free(real);
        return strcmp(od->path, "/") != 0 ? 0 : err_set(err, ERR_USAGE, "/: cannot be replaced");
    }
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    const char *trimmed = arena_strndup(&od->arena, path, len), *base = path_base(trimmed);
    size_t parent = (size_t)(base - trimmed);
    bool absent = errno == ENOENT && *base && file_is_there(trimmed, &refused) == 0;
    real = absent
               ? followed_real(parent ? arena_strndup(&od->arena, trimmed, parent) : ".", &refused)
               : NULL;
    if (!real)
        return refused.kind ? err_set(err, refused.kind, "%s", refused.text)
                            : err_errno(err, ERR_USAGE, "%s", path);
    od->path = path_join(&od->arena, real, base);
    free(real);
    return 0;
}

/* ---- the lock -------------------------------------------------------------------------- */

/* What a power failure leaves of the staging tree must be known as ours, so the note comes to the
 * disk before anything is put there. A build that changes nothing needs none of this, and leaves
 * the spare tree where it is. */
static int claim_staging(struct outdir *od, struct err *err)
{
    if (od->claimed)
        return 0;
    if (od->has_spare && outdir_note_tree(od, od->spare, err) < 0)
        return -1;
    if (fsync(od->lock_fd) < 0)
        return err_errno(err, ERR_IO, "%s: cannot sync", od->lock_path);
    od->claimed = true;
    if (outdir_sync_beside(od, err) < 0)
        return -1;
    return od->has_spare ? outdir_rename(od, od->spare, od->staging, err) : 0;
}

/* The lock file goes too, unless the next run needs what it says about a tree left behind: what was
 * claimed is gone for good before. */
void outdir_close(struct outdir *od)
{
    struct err ignored = ERR_INIT;
    if (od->lock_fd >= 0) {
        /* The note goes when the tree is known to be gone. */
        if (file_is_there(od->staging, &ignored) == 0 &&
            (!od->claimed || fsync(od->beside_fd) == 0))
            unlink(od->lock_path);
        close(od->lock_fd);
    }
    if (od->beside_fd >= 0)
        close(od->beside_fd);
    arena_release(&od->arena);
    od->lock_fd = od->beside_fd = -1;
}

/* ---- opening --------------------------------------------------------------------------- */

static const char *temp_of(struct outdir *od, const char *rel)
{
    return arena_printf(&od->arena, "%s/%s%s", od->path, rel, FILE_TEMP_SUFFIX);
}

static int clear_left_tree(struct outdir *od, unsigned long long noted, struct err *err)
{
    unsigned long long staged, live;
    struct outdir_list was;
    if (outdir_tree_of(od, od->staging, &staged, err) < 0 ||
        outdir_inode_of(od->path, &live, err) < 0)
        return -1;
    int left = file_is_there(od->staging, err);
    if (left <= 0)
        return left;
    od->known = NULL; /* what goes changes files that are the same in the live tree */
    if (staged != 0 && noted == staged) {
        /* A run was killed before its tree was in place, perhaps while it replaced file by file. */
        if (outdir_unlink(od, temp_of(od, OUTDIR_LIST_NAME), err) < 0)
            return -1;
        for (size_t i = 0; i < od->old->n; i++)
            if (outdir_unlink(od, temp_of(od, od->old->files[i].path), err) < 0)
                return -1;
        return outdir_remove_tree(od, od->staging, err);
    }
    if (staged != 0 && noted != 0 && noted == live) {
        if (outdir_list_load(&was, od->staging, &od->arena, err) < 0)
            return -1;
        return outdir_absorb(od, od->staging, &was, od->old, err);
    }
    if (rmdir(od->staging) == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "%s: fpreport does not know whether it wrote this file; please "
                   "remove it",
                   od->staging);
}

/* The note stays true until another one may take its place. */
static int recover(struct outdir *od, struct err *err)
{
    unsigned long long noted = outdir_noted(od);
    int rc = clear_left_tree(od, noted, err);
    return rc == 0 && noted ? outdir_sync_beside(od, err) : rc;
}

static int check_ownership(struct outdir *od, struct err *err)
{
    struct dir_entry *entries;
    size_t n;
    struct stat st;
    int there = file_look(od->path, &st, err);
    if (there <= 0)
        return there;
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_USAGE, "%s: not a folder", od->shown);
    if (dir_list(od->path, &od->arena, &entries, &n, err) < 0)
        return -1;
    int listed = file_is_there(path_join(&od->arena, od->path, OUTDIR_LIST_NAME), err);
    if (n > 0 && listed == 0)
        return err_set(err, ERR_USAGE,
                       "%s: holds files (%s%s) but no %s, so it was not written by fpreport; "
                       "name another folder, or empty this one",
                       od->shown, entries[0].name, n > 1 ? ", …" : "", OUTDIR_LIST_NAME);
    return listed < 0 ? -1 : 0;
}

int outdir_lock(struct outdir *od, const char *path, struct err *err)
{
    *od = (struct outdir){.lock_fd = -1, .beside_fd = -1, .list_part = OUTDIR_LIST_PART};
    od->shown = arena_strdup(&od->arena, path);
    od->old = arena_alloc(&od->arena, sizeof *od->old);
    od->now = arena_alloc(&od->arena, sizeof *od->now);
    if (resolve_outdir(od, path, err) == 0) {
        od->staging = arena_printf(&od->arena, "%s.fpreport-new", od->path);
        od->spare = arena_printf(&od->arena, "%s.fpreport-previous", od->path);
        od->lock_path = arena_printf(&od->arena, "%s.fpreport-lock", od->path);
        if (outdir_open_beside(od, err) == 0 && outdir_take_lock(od, err) == 0)
            return 0;
    }
    outdir_close(od);
    return -1;
}

int outdir_begin(struct outdir *od, struct err *err)
{
    if (outdir_list_load(od->old, od->path, &od->arena, err) < 0 || recover(od, err) < 0 ||
        check_ownership(od, err) < 0)
        return -1;
    od->has_spare = outdir_spare_holds(od);
    if (!od->has_spare && outdir_spare_drop(od, err) < 0)
        return -1;
    int there = file_is_there(od->path, err);
    od->fresh = there == 0;
    if (there < 0 || od->has_spare)
        return there < 0 ? -1 : 0;
    if (outdir_mkdir(od, od->staging, 0777, err) < 0)
        return -1;
    return outdir_note_tree(od, od->staging, err);
}

/* ---- adding ---------------------------------------------------------------------------- */

/* Others' files, links and folders that stand where this path is to go. */
static int check_way(struct outdir *od, const char *rel, struct err *err)
{
    struct stat st;
    if (od->fresh)
        return 0;
    char *path = path_join(&od->arena, od->path, rel);
    char *name = path + strlen(od->path) + 1;
    for (char *slash = name; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        int there = file_look(path, &st, err);
        if (there < 0)
            return -1;
        if (there && !S_ISDIR(st.st_mode) && !outdir_list_find(od->old, name))
            return err_set(err, ERR_INPUT,
                           "%s/%s: fpreport did not write this file, and its name "
                           "is needed for the folder of %s",
                           od->shown, name, rel);
    }
    int there = file_look(path, &st, err);
    if (there <= 0 || outdir_list_find(od->old, rel) ||
        (S_ISDIR(st.st_mode) && outdir_list_has_below(od->old, rel)))
        return there < 0 ? -1 : 0;
    return err_set(err, ERR_INPUT,
                   "%s/%s: fpreport did not write this file and does not replace "
                   "it",
                   od->shown, rel);
}

int outdir_add(struct outdir *od, const char *rel, const void *data, size_t len, struct err *err)
{
    const char *fault = outdir_path_fault(rel);
    if (fault)
        return err_set(err, ERR_INPUT, "%s/%.200s: the path has %s", od->shown, rel, fault);
    if (len > OUTDIR_FILE_MAX)
        return err_set(err, ERR_INPUT, "%s/%s: %zu bytes, expected at most %zu", od->shown, rel,
                       len, OUTDIR_FILE_MAX);
    char digest[HASH_HEX_SIZE];
    hash_sha256(data, len, digest);
    /* Does the folder have these bytes there? Where it is known to be as we left it, with others,
     * nothing need be read to say no. */
    const struct outdir_file *left = od->known ? outdir_list_find(od->old, rel) : NULL;
    bool same = !od->fresh && (!left || strcmp(left->digest, digest) == 0) &&
                outdir_same_bytes(path_join(&od->arena, od->path, rel), data, len);
    if ((!same && check_way(od, rel, err) < 0) || outdir_claim_name(od, rel, err) < 0)
        return -1;
    struct outdir_file *file = outdir_list_add(od->now, &od->arena, rel);
    memcpy(file->digest, digest, sizeof digest);
    file->staged = !same;
    if (same)
        return 0;
    if (claim_staging(od, err) < 0 || (od->has_spare && outdir_spare_clear_way(od, rel, err) < 0) ||
        outdir_mkdirs_for(od, od->staging, rel, err) < 0)
        return -1;
    return outdir_create(od, path_join(&od->arena, od->staging, rel), data, len, err);
}

/* ---- the exchange ---------------------------------------------------------------------- */

static bool list_is_current(struct outdir *od)
{
    struct buf text;
    struct err ignored = ERR_INIT;
    buf_init(&text, BUF_DEFAULT_MAX);
    bool same =
        outdir_list_write(od->now, od->list_part, &text, NULL, NULL, &ignored) == 0 &&
        outdir_same_bytes(path_join(&od->arena, od->path, OUTDIR_LIST_NAME), text.data, text.len);
    buf_release(&text);
    return same;
}

/* The new tree in place of the old one; OUTDIR_UNSUPPORTED while that is still where it was. */
static int replace_tree(struct outdir *od, struct err *err)
{
    struct stat st;
    struct outdir_stats counted = {0};
    int there = file_look(od->path, &st, err);
    bool fresh = there == 0;
    if (there < 0 || claim_staging(od, err) < 0)
        return -1;
    int rc = od->has_spare ? outdir_spare_update(od, err) : 0;
    if (rc == 0)
        rc = outdir_list_tree(od, err);
    if (rc == 0 && !fresh && !od->has_spare)
        rc = outdir_link_tree(od, &counted, NULL, err);
    if (rc == 0 && !fresh)
        rc = outdir_copy_mode(od->staging, &st, err);
    if (rc == 0)
        rc = outdir_sync_disk(od->beside_fd, od->staging, err);
    if (rc != 0)
        return rc;
    rc = fresh ? outdir_rename(od, od->staging, od->path, err)
               : outdir_exchange(od, od->staging, od->path, err);
    return rc != 0 ? rc : outdir_sync_beside(od, err);
}

static int clear_old_tree(struct outdir *od, struct err *err)
{
    int rc = file_is_there(od->staging, err);
    if (rc >= 0 && outdir_spare_keep(od, rc > 0))
        return 0;
    if (rc == 0 || (rc > 0 && outdir_absorb(od, od->staging, od->old, od->now, err) == 0))
        return 0;
    return err_prefix(err, "%s: the new files are in place, but the old ones are not cleared away",
                      od->shown);
}

/* ---- file by file ---------------------------------------------------------------------- */

static int replace_list(struct outdir *od, const struct outdir_list *list, struct err *err)
{
    const char *temp = temp_of(od, OUTDIR_LIST_NAME);
    if (outdir_write_list(od, list, od->path, temp, err) < 0 ||
        outdir_rename(od, temp, path_join(&od->arena, od->path, OUTDIR_LIST_NAME), err) < 0) {
        unlink(temp);
        return -1;
    }
    return file_sync_folder_of(temp, err) < 0 ? -1 : outdir_drop_parts(od, od->path, list, err);
}

/* Both lists in one: whatever a kill leaves behind is then known to be ours. */
static int claim_both(struct outdir *od, struct err *err)
{
    struct outdir_list both = {0};
    const struct outdir_list *lists[] = {od->old, od->now};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->n; i++) {
            const struct outdir_file *f = &lists[l]->files[i];
            if (l == 0 && outdir_list_has(od->now, f->path, f->digest))
                continue;
            memcpy(outdir_list_add(&both, &od->arena, f->path)->digest, f->digest, HASH_HEX_SIZE);
        }
    outdir_list_sort(&both);
    return replace_list(od, &both, err);
}

static int remove_obsolete(struct outdir *od, const char *rel, struct err *err)
{
    if (outdir_list_find(od->now, rel))
        return 0;
    int there = file_is_there(path_join(&od->arena, od->path, rel), err);
    bool ours = there == 0;
    if (there < 0 || (there && outdir_is_ours(od->old, od->path, rel, &od->arena, &ours, err) < 0))
        return -1;
    if (!ours)
        return 0;
    return outdir_remove_name(od, od->path, rel, err);
}

static int replace_file(struct outdir *od, const struct outdir_file *file, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct bytes data;
    const char *temp = temp_of(od, file->path);
    int rc = file_read(path_join(&od->arena, od->staging, file->path), OUTDIR_FILE_MAX, &arena,
                       &data, err);
    if (rc == 0)
        rc = outdir_mkdirs_for(od, od->path, file->path, err);
    if (rc == 0)
        rc = outdir_create(od, temp, data.data, data.len, err);
    if (rc == 0)
        rc = outdir_rename(od, temp, path_join(&od->arena, od->path, file->path), err);
    if (rc < 0)
        unlink(temp);
    arena_release(&arena);
    return rc;
}

/* `disk` may be another one than that beside the folder. */
static int replace_files(struct outdir *od, int disk, struct err *err)
{
    if (claim_both(od, err) < 0)
        return -1;
    for (size_t i = 0; i < od->old->n; i++)
        if (remove_obsolete(od, od->old->files[i].path, err) < 0)
            return -1;
    for (size_t i = 0; i < od->now->n; i++)
        if (od->now->files[i].staged && replace_file(od, &od->now->files[i], err) < 0)
            return -1;
    /* The list that forgets the old files comes when they are gone for good. */
    if (outdir_sync_disk(disk, od->path, err) < 0 || replace_list(od, od->now, err) < 0)
        return -1;
    return outdir_remove_tree(od, od->staging, err);
}

static int replace_by_file(struct outdir *od, struct err *err)
{
    od->by_file = true;
    int disk = file_mkdirs(od->path, err) < 0 ? -1 : outdir_open_folder(od->path, err);
    if (disk < 0)
        return -1;
    int rc = replace_files(od, disk, err);
    close(disk);
    return rc;
}

/* ---- the end --------------------------------------------------------------------------- */

/* What a walk would count, where the folder is known to be as we left it. */
static void count_known(const struct outdir *od, struct outdir_stats *stats)
{
    stats->kept_foreign = od->known->n_foreign;
    for (size_t i = 0; i < od->old->n; i++)
        stats->removed +=
            !(od->kept && od->kept[i]) && !outdir_list_find(od->now, od->old->files[i].path);
}

int outdir_finish(struct outdir *od, struct outdir_stats *stats, struct diags *diags,
                  struct err *err)
{
    *stats = (struct outdir_stats){0};
    outdir_list_sort(od->now);
    if (outdir_merge_kept(od, err) < 0)
        return -1;
    for (size_t i = 0; i < od->now->n; i++)
        ++*(od->now->files[i].staged ? &stats->written : &stats->unchanged);
    if (od->known)
        count_known(od, stats);
    else if (outdir_count_foreign(od, stats, diags, err) < 0)
        return -1;
    if (stats->written == 0 && stats->removed == 0 && list_is_current(od))
        return outdir_remove_tree(od, od->staging, err);
    int rc = od->by_file ? OUTDIR_UNSUPPORTED : replace_tree(od, err);
    if (rc == OUTDIR_UNSUPPORTED)
        return replace_by_file(od, err);
    return rc < 0 ? -1 : clear_old_tree(od, err);
}

void outdir_abandon(struct outdir *od)
{
    struct err ignored = ERR_INIT;
    unsigned long long staged;
    if (outdir_tree_of(od, od->staging, &staged, &ignored) == 0 && staged != 0 &&
        staged == outdir_noted(od)) /* else it is the old tree */
        outdir_remove_tree(od, od->staging, &ignored);
}
