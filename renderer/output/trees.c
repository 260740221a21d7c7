/* The walks over the two trees of outdir.c: what stays is linked into the new one; of the old one
 * what is ours is removed, and what is somebody else's is handed over. */
#include "base/files/dir.h"
#include "base/files/file.h"
#include "renderer/output/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int outdir_is_ours(struct outdir_list *list, const char *root, const char *rel, struct arena *arena,
                   bool *ours, struct err *err)
{
    char digest[HASH_HEX_SIZE];
    struct stat st;
    struct err unread = ERR_INIT;
    const char *path = path_join(arena, root, rel);
    *ours = false;
    if (!outdir_list_find(list, rel))
        return 0;
    int there = file_look(path, &st, err);
    if (there <= 0 || !S_ISREG(st.st_mode))
        return there < 0 ? -1 : 0;
    if (hash_file(path, OUTDIR_FILE_MAX, digest, &unread) == 0)
        *ours = outdir_list_has(list, rel, digest);
    else if (unread.kind == ERR_IO) /* not: somebody changed what we may read */
        return err_set(err, ERR_IO, "%s", unread.text);
    return 0;
}

/* ---- what stays ------------------------------------------------------------------------ */

/* A walk over the live tree. */
struct keeper {
    struct outdir *od;
    struct outdir_stats *stats;
    struct diags *diags;
    bool link;        /* else only count and warn */
    int live, staged; /* with `link`: the two trees */
    struct err *err;
};

static int keep_link(struct keeper *k, const char *rel)
{
    struct outdir *od = k->od;
    if (!k->link)
        return 0;
    if (outdir_mkdirs_for(od, od->staging, rel, k->err) < 0)
        return -1;
    return outdir_link(od, k->live, k->staged, rel, k->err);
}

static int keep_entry(struct keeper *k, const char *rel)
{
    struct outdir *od = k->od;
    const struct outdir_file *file = outdir_list_find(od->now, rel);
    if (outdir_list_is(rel))
        return 0;
    if (file)
        return file->staged ? 0 : keep_link(k, rel);
    bool ours;
    if (outdir_is_ours(od->old, od->path, rel, &od->arena, &ours, k->err) < 0)
        return -1;
    if (ours) {
        k->stats->removed += !k->link;
        return 0;
    }
    k->stats->kept_foreign += !k->link;
    if (k->diags && !k->link && outdir_list_find(od->old, rel))
        diags_add(k->diags, SEVERITY_WARNING, path_join(&od->arena, od->shown, rel), 0, 0,
                  "kept: no longer written by us, but somebody changed it since");
    return keep_link(k, rel);
}

static int keep_folder(struct keeper *k, const char *rel);

int outdir_copy_mode(const char *to, const struct stat *from, struct err *err)
{
    if (geteuid() != 0 && (from->st_uid != geteuid() || !(from->st_mode & S_IWUSR)))
        return OUTDIR_UNSUPPORTED;
    if (geteuid() == 0 && chown(to, from->st_uid, from->st_gid) < 0)
        return err_errno(err, ERR_IO, "%s: cannot set owner", to);
    if (chmod(to, from->st_mode & 07777) < 0)
        return err_errno(err, ERR_IO, "%s: cannot set mode", to);
    return 0;
}

/* With its mode, and its times where it is another's. */
static int keep_looks(struct keeper *k, const char *rel, bool foreign)
{
    struct outdir *od = k->od;
    struct stat st, made;
    if (fstatat(k->live, rel, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        fstatat(k->staged, rel, &made, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? 0
                   : err_errno(k->err, ERR_IO, "%s/%s: cannot read", od->path, rel);
    if (!S_ISDIR(made.st_mode))
        return 0;
    const char *staged = path_join(&od->arena, od->staging, rel);
    struct timespec times[] = {st.st_atim, st.st_mtim};
    bool alike = st.st_mode == made.st_mode && st.st_uid == made.st_uid && st.st_gid == made.st_gid;
    int rc = alike ? 0 : outdir_copy_mode(staged, &st, k->err);
    if (rc == 0 && foreign && utimensat(AT_FDCWD, staged, times, 0) < 0)
        return err_errno(k->err, ERR_IO, "%s: cannot set times", staged);
    return rc;
}

/* A folder of ours lives as long as something is in it; others' are kept. */
static int keep_inner_folder(struct keeper *k, const char *rel)
{
    struct outdir *od = k->od;
    int rc = keep_folder(k, rel);
    if (rc != 0 || !k->link)
        return rc;
    bool foreign = !outdir_list_has_below(od->old, rel);
    if (foreign && outdir_mkdirs_for(od, od->staging, path_join(&od->arena, rel, "."), k->err) < 0)
        return -1;
    return keep_looks(k, rel, foreign);
}

static int keep_folder(struct keeper *k, const char *rel)
{
    struct outdir *od = k->od;
    struct dir_entry *entries;
    size_t n;
    if (dir_list(path_join(&od->arena, od->path, rel), &od->arena, &entries, &n, k->err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *inner = path_join(&od->arena, rel, entries[i].name);
        int rc = entries[i].is_dir ? keep_inner_folder(k, inner) : keep_entry(k, inner);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* Where all that is in the folder is ours and as we left it, nobody need look for more. What comes
 * in this moment is handed over later (outdir_absorb). */
static int keep_known(struct keeper *k)
{
    const struct seen_list *tree = &k->od->known->tree;
    const struct outdir_list *now = k->od->now;
    int rc = 0;
    for (size_t i = 0; i < now->n && rc == 0; i++)
        rc = now->files[i].staged ? 0 : keep_link(k, now->files[i].path);
    for (size_t i = tree->n; i-- > 1 && rc == 0;) /* what is in a folder comes behind it */
        if (S_ISDIR(tree->files[i].seen.mode))
            rc = keep_looks(k, tree->files[i].path, false);
    return rc;
}

int outdir_link_tree(struct outdir *od, struct outdir_stats *stats, struct diags *diags,
                     struct err *err)
{
    struct keeper k = {.od = od, .stats = stats, .diags = diags, .link = true, .err = err};
    k.live = outdir_open_folder(od->path, err);
    k.staged = k.live < 0 ? -1 : outdir_open_folder(od->staging, err);
    bool ours = od->known && od->known->n_foreign == 0;
    int rc = k.staged < 0 ? -1 : ours ? keep_known(&k) : keep_folder(&k, "");
    if (k.live >= 0)
        close(k.live);
    if (k.staged >= 0)
        close(k.staged);
    return rc;
}

int outdir_count_foreign(struct outdir *od, struct outdir_stats *stats, struct diags *diags,
                         struct err *err)
{
    struct keeper k = {.od = od, .stats = stats, .diags = diags, .err = err};
    struct stat st;
    int there = file_look(od->path, &st, err);
    return there > 0 && S_ISDIR(st.st_mode) ? keep_folder(&k, "") : there < 0 ? -1 : 0;
}

/* ---- what goes ------------------------------------------------------------------------- */

/* A tree that is not the live one any more, on its way out. */
struct absorber {
    struct outdir *od;
    const char *root; /* where it lies */
    struct outdir_list *was, *now;
    struct err *err;
    /* The live tree is gone, and with it what somebody changed in a file of ours: that may be the
     * same file here. */
    bool removed;
};

static int is_same_file(const char *a, const char *b, bool *same, struct err *err)
{
    struct stat x, y;
    int first = file_look(a, &x, err), second = first > 0 ? file_look(b, &y, err) : 0;
    *same = second > 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return first < 0 || second < 0 ? -1 : 0;
}

/* Somebody else's file that the live tree does not have: give it its place there, or, where
 * another one has come to lie, a name beside it. */
static int hand_over_file(const struct absorber *b, const char *from, const char *rel)
{
    struct outdir *od = b->od;
    const char *to = path_join(&od->arena, od->path, rel);
    int there;
    for (int i = 1; (there = file_is_there(to, b->err)) > 0; i++)
        to = arena_printf(&od->arena, "%s/%s.fpreport-kept-%d", od->path, rel, i);
    if (there < 0 || file_mkdirs(od->path, b->err) < 0 ||
        outdir_mkdirs_for(od, od->path, rel, b->err) < 0)
        return -1;
    return outdir_rename(od, from, to, b->err);
}

static int absorb_entry(const struct absorber *b, const char *rel)
{
    struct outdir *od = b->od;
    const char *old = path_join(&od->arena, b->root, rel);
    bool replaced = (b->removed || outdir_list_find(b->now, rel)) && outdir_list_find(b->was, rel);
    if (outdir_list_is(rel))
        return 0; /* last of all: a run that is killed here needs it again */
    bool ours = replaced;
    if (!ours && is_same_file(old, path_join(&od->arena, od->path, rel), &ours, b->err) < 0)
        return -1;
    if (!ours && outdir_is_ours(b->was, b->root, rel, &od->arena, &ours, b->err) < 0)
        return -1;
    return ours ? outdir_unlink(od, old, b->err) : hand_over_file(b, old, rel);
}

static int absorb_folder(const struct absorber *b, const char *rel)
{
    struct outdir *od = b->od;
    struct dir_entry *entries;
    size_t n;
    if (dir_list(path_join(&od->arena, b->root, rel), &od->arena, &entries, &n, b->err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *inner = path_join(&od->arena, rel, entries[i].name);
        if ((entries[i].is_dir ? absorb_folder : absorb_entry)(b, inner) < 0)
            return -1;
    }
    if (!*rel)
        return 0;
    return outdir_rmdir_if_empty(od, path_join(&od->arena, b->root, rel), b->err);
}

/* ---- lists ----------------------------------------------------------------------------- */

/* Where the parts of a list are to lie. */
struct list_parts {
    struct outdir *od;
    const char *folder;
};

/* One that is there may be a part of the list that is true until now. */
static int put_list_part(void *self, const char *name, struct bytes part, struct err *err)
{
    const struct list_parts *p = self;
    const char *path = path_join(&p->od->arena, p->folder, name);
    return outdir_same_bytes(path, part.data, part.len)
               ? 0
               : outdir_create(p->od, path, part.data, part.len, err);
}

int outdir_write_list(struct outdir *od, const struct outdir_list *list, const char *folder,
                      const char *path, struct err *err)
{
    struct buf text;
    struct list_parts parts = {od, folder};
    buf_init(&text, BUF_DEFAULT_MAX);
    int rc = outdir_list_write(list, od->list_part, &text, put_list_part, &parts, err);
    if (rc == 0)
        rc = buf_check(&text, path, err);
    if (rc == 0)
        rc = outdir_create(od, path, text.data, text.len, err);
    buf_release(&text);
    return rc;
}

int outdir_list_tree(struct outdir *od, struct err *err)
{
    const char *list = path_join(&od->arena, od->staging, OUTDIR_LIST_NAME);
    return outdir_write_list(od, od->now, od->staging, list, err) < 0
               ? -1
               : outdir_drop_parts(od, od->staging, od->now, err);
}

/* The names of the parts that a list has. */
struct part_names {
    struct arena *arena;
    const char **names;
    size_t n;
};

static int note_part_name(void *self, const char *name, struct bytes part, struct err *err)
{
    struct part_names *p = self;
    (void)part;
    (void)err;
    *(const char **)ARENA_PUSH(p->arena, p->names, p->n) = arena_strdup(p->arena, name);
    return 0;
}

static bool part_is_named(const struct part_names *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->names[i], name) == 0)
            return true;
    return strcmp(name, OUTDIR_LIST_NAME) == 0;
}

int outdir_drop_parts(struct outdir *od, const char *folder, const struct outdir_list *list,
                      struct err *err)
{
    struct part_names kept = {.arena = &od->arena};
    struct dir_entry *entries;
    struct buf text;
    size_t n = 0;
    buf_init(&text, BUF_DEFAULT_MAX);
    int rc = list ? outdir_list_write(list, od->list_part, &text, note_part_name, &kept, err) : 0;
    if (rc == 0)
        rc = dir_list(folder, &od->arena, &entries, &n, err);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (outdir_list_is(entries[i].name) && !part_is_named(&kept, entries[i].name))
            rc = outdir_unlink(od, path_join(&od->arena, folder, entries[i].name), err);
    buf_release(&text);
    return rc;
}

int outdir_absorb(struct outdir *od, const char *from, struct outdir_list *was,
                  struct outdir_list *now, struct err *err)
{
    int live = file_is_there(od->path, err);
    struct absorber b = {od, from, was, now, err, live == 0};
    const char *list = path_join(&od->arena, from, OUTDIR_LIST_NAME);
    struct dir_entry *left;
    size_t n, parts = 0;
    if (live < 0 || absorb_folder(&b, "") < 0 || file_sync_folder_of(list, err) < 0 ||
        dir_list(from, &od->arena, &left, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!outdir_list_is(left[i].name))
            return 0; /* somebody is at work in there: the next run looks again */
        parts += strcmp(left[i].name, OUTDIR_LIST_NAME) != 0;
    }
    if (outdir_unlink(od, list, err) < 0)
        return -1;
    /* A list without its parts could not be read: it is gone for good before they go. */
    if (parts > 0 &&
        (file_sync_folder_of(list, err) < 0 || outdir_drop_parts(od, from, NULL, err) < 0))
        return -1;
    return outdir_rmdir_if_empty(od, from, err);
}
