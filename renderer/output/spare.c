#include "renderer/output/spare.h"

#include "base/files/file.h"
#include "renderer/output/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_MAX ((size_t)256 << 20)

/* ---- is it there ----------------------------------------------------------------------- */

void outdir_spare_look(struct outdir *od, const struct outdir_known *known)
{
    if (!known->spare.n || known->n_foreign || od->left->look)
        return;
    od->left->looked_at = known->spare;
    od->left->looked_at.root = od->spare;
    od->left->look = seen_begin(&od->left->looked_at);
}

bool outdir_spare_holds(struct outdir *od)
{
    size_t n = 1;
    if (od->known)
        outdir_spare_look(od, od->known);
    if (od->left->look)
        seen_end(od->left->look, &od->arena, &n);
    od->left->look = NULL;
    return od->known && !od->by_file && n == 0;
}

/* A link of that name, or a folder that others may look into, is none of ours: it may have come
 * with a checkout, and is left alone. A folder without a list of ours is somebody else's, but for
 * an empty one, of which the power failed before it was gone. What is handed over changes the
 * folder, and what goes changes the ctime of the files that stay. */
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

/* ---- up to date ------------------------------------------------------------------------ */

static void touch(struct outdir *od, const char *rel)
{
    *(const char **)ARENA_PUSH(&od->arena, od->left->touched, od->left->n_touched) = rel;
}

int outdir_spare_clear_way(struct outdir *od, const char *rel, struct err *err)
{
    struct stat st;
    char *path = path_join(&od->arena, od->staging, rel);
    for (char *slash = path + strlen(od->staging) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        int there = file_look(path, &st, err);
        if (there <= 0)
            return there;
        if (!S_ISDIR(st.st_mode))
            return outdir_unlink(od, path, err);
        *slash = '/';
    }
    int there = file_look(path, &st, err);
    if (there <= 0)
        return there;
    return S_ISDIR(st.st_mode) ? outdir_remove_tree(od, path, err) : outdir_unlink(od, path, err);
}

/* What the new tree does not have; of its folders those that are empty then. */
static int remove_file(struct outdir *od, const char *rel, struct err *err)
{
    struct stat st;
    char *path = path_join(&od->arena, od->staging, rel);
    int there = file_look(path, &st, err);
    if (there <= 0 || S_ISDIR(st.st_mode)) /* a folder has come in its place */
        return there < 0 ? -1 : 0;
    if (outdir_unlink(od, path, err) < 0)
        return -1;
    size_t root = strlen(od->staging);
    for (char *slash; (slash = strrchr(path + root + 1, '/'));) {
        *slash = '\0';
        if (outdir_rmdir_if_empty(od, path, err) < 0)
            return -1;
    }
    return 0;
}

static int link_file(struct outdir *od, const char *rel, struct err *err)
{
    if (outdir_spare_clear_way(od, rel, err) < 0 ||
        outdir_mkdirs_for(od, od->staging, rel, err) < 0)
        return -1;
    return outdir_link(od, path_join(&od->arena, od->path, rel),
                       path_join(&od->arena, od->staging, rel), err);
}

/* One line of a list: digest and path; what is left of the text, or NULL at its end. */
static char *next_list_line(char *text, const char **digest, const char **path)
{
    char *end = strchr(text, '\n');
    if (!end || end - text < HASH_HEX_LEN + 3 || memcmp(text + HASH_HEX_LEN, "  ", 2) != 0)
        return NULL;
    text[HASH_HEX_LEN] = *end = '\0';
    *digest = text;
    *path = text + HASH_HEX_LEN + 2;
    return end + 1;
}

static void touch_listed(struct outdir *od)
{
    for (size_t i = 0; i < od->known->differ.n; i++)
        touch(od, od->known->differ.paths[i]);
}

/* Paths that the two trees do not have alike, by their lists: that of the spare tree is as we wrote
 * it, in order, and 10 MB long, so it is only compared. */
static int touch_differences(struct outdir *od, struct err *err)
{
    struct bytes text;
    const struct outdir_list *old = od->old;
    size_t i = 0;
    if (file_read(path_join(&od->arena, od->staging, OUTDIR_LIST_NAME), LIST_MAX, &od->arena, &text,
                  err) < 0)
        return -1;
    const char *digest, *path;
    char *rest = strchr(text.data, '\n');
    for (rest = rest ? rest + 1 : NULL; rest && (rest = next_list_line(rest, &digest, &path));) {
        for (; i < old->n && strcmp(old->files[i].path, path) < 0; i++)
            touch(od, old->files[i].path);
        bool both = i < old->n && strcmp(old->files[i].path, path) == 0;
        bool alike = both && memcmp(old->files[i].digest, digest, HASH_HEX_LEN) == 0;
        if (!alike && !outdir_path_fault(path))
            touch(od, path);
        i += both;
    }
    for (; i < old->n; i++)
        touch(od, old->files[i].path);
    return 0;
}

/* Folders that were made have the mode that they have in the live tree. */
static int copy_modes(struct outdir *od, const char *rel, struct err *err)
{
    struct stat live, made;
    char *from = path_join(&od->arena, od->path, rel),
         *to = path_join(&od->arena, od->staging, rel);
    size_t n = strlen(od->path), m = strlen(od->staging);
    for (char *slash; (slash = strrchr(to + m + 1, '/'));) {
        *slash = from[n + (size_t)(slash - to) - m] = '\0';
        int there = file_look(from, &live, err);
        if (there > 0)
            there = file_look(to, &made, err);
        if (there < 0)
            return -1;
        if (there == 0 || !S_ISDIR(live.st_mode))
            continue;
        bool alike = live.st_mode == made.st_mode && live.st_uid == made.st_uid &&
                     live.st_gid == made.st_gid;
        int rc = alike ? 0 : outdir_copy_mode(to, &live, err);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int outdir_spare_update(struct outdir *od, struct err *err)
{
    if (od->known->differ.listed)
        touch_listed(od);
    else if (touch_differences(od, err) < 0)
        return -1;
    for (size_t i = 0; i < od->old->n; i++)
        if (!(od->kept && od->kept[i]) && !outdir_list_find(od->now, od->old->files[i].path))
            touch(od, od->old->files[i].path);
    size_t differ = od->left->n_touched;
    for (size_t i = 0; i < differ; i++)
        if (!outdir_list_find(od->now, od->left->touched[i]) &&
            remove_file(od, od->left->touched[i], err) < 0)
            return -1;
    for (size_t i = 0; i < differ; i++) {
        const struct outdir_file *file = outdir_list_find(od->now, od->left->touched[i]);
        int rc = file && !file->staged ? link_file(od, file->path, err) : 0;
        if (rc != 0)
            return rc;
    }
    for (size_t i = 0; i < od->now->n; i++)
        if (od->now->files[i].staged)
            touch(od, od->now->files[i].path);
    touch(od, OUTDIR_LIST_NAME);
    for (size_t i = 0; i < od->left->n_touched; i++) {
        int rc = copy_modes(od, od->left->touched[i], err);
        if (rc != 0)
            return rc;
    }
    return outdir_unlink(od, path_join(&od->arena, od->staging, OUTDIR_LIST_NAME), err);
}

/* ---- made at once ---------------------------------------------------------------------- */

int outdir_new_spare_begin(struct outdir *od, struct err *err)
{
    int live = 0, spare = 0;
    od->with_spare = od->with_spare && !od->by_file && !od->has_spare;
    if (od->with_spare &&
        ((live = file_is_there(od->path, err)) < 0 || (spare = file_is_there(od->spare, err)) < 0))
        return -1;
    od->with_spare = od->with_spare && !live && !spare;
    return od->with_spare ? outdir_mkdir(od, od->spare, 0700, err) : 0;
}

/* To ext4, what is in this folder is unrelated: each new folder in it gets a place of its own. */
static bool mark_unrelated(const char *folder)
{
    int flags, fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    bool done = fd >= 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0;
    if (done) {
        flags |= FS_TOPDIR_FL;
        done = ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
    }
    if (fd >= 0)
        close(fd);
    return done;
}

/* A new folder in place of an empty one, noted before anything is put in it. */
static int replace_empty(struct outdir *od, const char *new, mode_t mode, const char *empty,
                         struct err *err)
{
    if (outdir_mkdir(od, new, mode, err) < 0 || outdir_rename(od, new, empty, err) < 0 ||
        outdir_note_trees(od, od->staging, od->spare, err) < 0)
        return -1;
    if (fsync(od->lock_fd) < 0)
        return err_errno(err, ERR_IO, "%s: cannot sync", od->lock_path);
    return outdir_sync_beside(od, err);
}

/* Folders that are equally good are told apart by a hash of the name: another one each time. */
int outdir_new_spare_place(struct outdir *od, struct err *err)
{
    if (!od->with_spare || !mark_unrelated(od->spare))
        return 0;
    const char *name = arena_printf(&od->arena, "%llx", (unsigned long long)seen_clock());
    if (replace_empty(od, path_join(&od->arena, od->spare, name), 0777, od->staging, err) < 0)
        return -1;
    return replace_empty(od, path_join(&od->arena, od->staging, name), 0700, od->spare, err);
}

int outdir_new_spare_add(struct outdir *od, const char *rel, struct err *err)
{
    struct err ignored = ERR_INIT;
    if (!od->with_spare || (outdir_mkdirs_for(od, od->spare, rel, &ignored) == 0 &&
                            outdir_link(od, path_join(&od->arena, od->staging, rel),
                                        path_join(&od->arena, od->spare, rel), &ignored) == 0))
        return 0;
    od->with_spare = false;
    return outdir_remove_tree(od, od->spare, err);
}

struct seen_list outdir_new_spare_note(struct outdir *od, const struct seen_list *tree,
                                       struct arena *arena)
{
    struct seen_list list = {.root = od->spare,
                             .files = arena_array(arena, tree->n, sizeof *list.files)};
    for (size_t i = 0; i < tree->n; i++)
        if (S_ISDIR(tree->files[i].seen.mode) || strcmp(tree->files[i].path, OUTDIR_LIST_NAME) == 0)
            list.files[list.n++] = tree->files[i];
    seen_renew(&list, arena);
    return list;
}

/* ---- kept for the next ----------------------------------------------------------------- */

/* A file of ours that was made anew with the bytes it should have had: by the lists both trees
 * would be alike there, and they are not. */
static bool any_mended(const struct outdir *od)
{
    for (size_t i = 0; i < od->now->n; i++) {
        const struct outdir_file *f = &od->now->files[i];
        if (f->staged && outdir_list_has(od->old, f->path, f->digest))
            return true;
    }
    return false;
}

/* Folders and list of the old tree, which lies at the staging path; false: there is a name in it
 * that nobody knows. The exchange changes the ctime of the folder itself. Looking takes a while, in
 * which the caller of outdir may do something else. */
static bool look_at_old(struct outdir *od, struct seen_list *list)
{
    size_t n = 0;
    *list = (struct seen_list){.root = od->staging};
    for (size_t i = 0; i < od->known->tree.n; i++) {
        const struct seen_file *f = &od->known->tree.files[i];
        if (*f->path == '\0') {
            struct seen now = seen_in(list, "");
            now.changed = f->seen.changed;
            if (!seen_equal(&now, &f->seen))
                return false;
        } else if (S_ISDIR(f->seen.mode) || strcmp(f->path, OUTDIR_LIST_NAME) == 0) {
            *(struct seen_file *)ARENA_PUSH(&od->arena, list->files, list->n) = *f;
        }
    }
    struct seen_look *look = seen_begin(list);
    if (od->meanwhile)
        od->meanwhile(od->idle);
    seen_end(look, &od->arena, &n);
    return n == 0;
}

int outdir_spare_keep(struct outdir *od, struct err *err)
{
    struct seen_list list;
    struct err unseen = ERR_INIT;
    if (od->forget || !od->known || od->known->n_foreign || any_mended(od) ||
        file_is_there(od->spare, &unseen) != 0 || !look_at_old(od, &list) ||
        chmod(od->staging, 0700) < 0)
        return 1;
    if (outdir_rename(od, od->staging, od->spare, err) < 0)
        return -1;
    list.root = od->spare;
    *(struct seen_file *)ARENA_PUSH(&od->arena, list.files, list.n) =
        (struct seen_file){.path = "", .follow = true, .seen = seen_in(&list, "")};
    od->left->spare = list;
    return outdir_sync_beside(od, err);
}
