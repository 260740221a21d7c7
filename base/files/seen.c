#include "base/files/seen.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/parallel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000u
#define PACKED_LEAST ((size_t)8) /* bytes of an entry: eight numbers */

static uint64_t nanoseconds(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

static uint64_t clock_now(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return nanoseconds(&now);
}

/* The kernel stamps files with its coarse clock, or with the fine one, which is ahead of it. */
uint64_t seen_clock(void)
{
    return clock_now(CLOCK_REALTIME_COARSE);
}

void seen_wait(void)
{
    struct timespec tick;
    clock_getres(CLOCK_REALTIME_COARSE, &tick);
    uint64_t from = clock_now(CLOCK_REALTIME);
    for (int i = 0; i < 64 && seen_clock() <= from; i++)
        nanosleep(&tick, NULL);
}

static struct seen see_file(int folder, const char *path, bool follow)
{
    struct stat st;
    int flags = (follow ? 0 : AT_SYMLINK_NOFOLLOW) | (folder >= 0 ? AT_EMPTY_PATH : 0);
    if (fstatat(folder, path, &st, flags) < 0)
        return (struct seen){0};
    return (struct seen){.device = st.st_dev,
                         .inode = st.st_ino,
                         .mode = st.st_mode,
                         .size = S_ISDIR(st.st_mode) ? 0 : (uint64_t)st.st_size,
                         .modified = nanoseconds(&st.st_mtim),
                         .changed = nanoseconds(&st.st_ctim)};
}

/* Where paths of the list begin: shorter ones are found sooner. -1: there is no such folder. */
static int open_root(const struct seen_list *list)
{
    return list->root ? open(list->root, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
}

static void close_root(int folder)
{
    if (folder >= 0)
        close(folder);
}

_Static_assert(sizeof(struct seen) == 6 * sizeof(uint64_t), "no padding");

/* A walk: the list, and where its paths begin. */
struct walk {
    struct seen_list *list;
    int folder;
    struct arena *arena;
};

static struct seen_file *add_seen(const struct walk *w, const char *path, bool follow)
{
    struct seen_list *list = w->list;
    struct seen_file *f = ARENA_PUSH(w->arena, list->files, list->n);
    f->path = path;
    f->follow = follow;
    errno = 0;
    f->seen = see_file(w->folder, path, follow);
    list->unsure |= !f->seen.mode && errno != ENOENT && errno != ENOTDIR;
    return f;
}

void seen_path(struct seen_list *list, const char *path, struct arena *arena)
{
    add_seen(&(struct walk){list, AT_FDCWD, arena}, arena_strdup(arena, path), true);
}

static void add_seen_folder(const struct walk *w, const char *path)
{
    struct dir_entry *entries;
    struct err ignored = ERR_INIT; /* whoever needs the folder says so */
    size_t n;
    const char *root = w->list->root;
    if (dir_list(root ? path_join(w->arena, root, path) : path, w->arena, &entries, &n, &ignored) <
        0) {
        w->list->unsure = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (w->list->n > DIR_WALK_ENTRIES_MAX) {
            w->list->unsure = true;
            return;
        }
        const char *inner = path_join(w->arena, path, entries[i].name);
        const struct seen_file *f = add_seen(w, inner, false);
        if (S_ISLNK(f->seen.mode)) { /* what lies behind it can be watched when it is one file */
            const struct seen_file *target = add_seen(w, inner, true);
            w->list->unsure |= target->seen.mode && !S_ISREG(target->seen.mode);
        } else if (S_ISDIR(f->seen.mode))
            add_seen_folder(w, inner);
    }
}

static void add_tree(const struct walk *w, const char *path)
{
    const struct seen_file *f = add_seen(w, path, true);
    if (S_ISDIR(f->seen.mode))
        add_seen_folder(w, f->path);
}

void seen_tree(struct seen_list *list, const char *root, struct arena *arena)
{
    add_tree(&(struct walk){list, AT_FDCWD, arena}, arena_strdup(arena, root));
}

void seen_below(struct seen_list *list, const char *root, struct arena *arena)
{
    list->root = arena_strdup(arena, root);
    int folder = open_root(list);
    add_tree(&(struct walk){list, folder, arena}, "");
    close_root(folder);
}

uint64_t seen_inside(struct seen_list *list, const char *path, struct arena *arena)
{
    int folder = open_root(list);
    uint64_t mode = add_seen(&(struct walk){list, folder, arena}, path, false)->seen.mode;
    close_root(folder);
    list->n -= !mode;
    return mode;
}

bool seen_moved(const struct seen_list *list, const char *root, struct seen_list *out,
                struct arena *arena)
{
    bool same = true;
    *out = (struct seen_list){.root = arena_strdup(arena, root)};
    int folder = open_root(out);
    for (size_t i = 0; i < list->n; i++) {
        struct seen was = list->files[i].seen;
        if (!S_ISDIR(was.mode))
            continue;
        struct seen_file *f = ARENA_PUSH(arena, out->files, out->n);
        *f = list->files[i];
        f->seen = see_file(folder, f->path, f->follow);
        if (!*f->path)
            was.changed = f->seen.changed;
        same &= memcmp(&was, &f->seen, sizeof was) == 0;
    }
    close_root(folder);
    return same;
}

/* Times in whole seconds are those of a file system that has no finer ones. */
static bool is_settled(uint64_t time, uint64_t now)
{
    uint64_t doubt = time % SECOND == 0 ? 2 * (uint64_t)SECOND : 0;
    return time + doubt < now;
}

bool seen_is_settled(const struct seen_list *list, uint64_t now)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->files[i].seen.mode && !is_settled(list->files[i].seen.changed, now))
            return false;
    return !list->unsure;
}

/* ---- looking again ----------------------------------------------------------------------- */

#define PIECE ((size_t)256) /* files that one thread looks at before it asks for more */

struct look {
    const struct seen_list *list;
    int folder;
    size_t *changed; /* by piece */
};

static void look_again(void *context, size_t piece, struct arena *arena)
{
    const struct look *l = context;
    (void)arena;
    for (size_t i = piece * PIECE; i < l->list->n && i < (piece + 1) * PIECE; i++) {
        const struct seen_file *f = &l->list->files[i];
        const struct seen now = see_file(l->folder, f->path, f->follow);
        /* Six numbers of one size: nothing lies between them. */
        l->changed[piece] += memcmp(&now, &f->seen, sizeof now) != 0;
    }
}

size_t seen_changed(const struct seen_list *list)
{
    struct arena arena = ARENA_INIT;
    size_t pieces = (list->n + PIECE - 1) / PIECE, changed = 0;
    const struct look l = {list, open_root(list), arena_array(&arena, pieces, sizeof(size_t))};
    parallel_each_long(pieces, look_again, (void *)&l, &arena);
    close_root(l.folder);
    for (size_t i = 0; i < pieces; i++)
        changed += l.changed[i];
    arena_release(&arena);
    return changed;
}

/* ---- kept -------------------------------------------------------------------------------- */

void seen_pack(const struct seen_list *list, struct buf *out)
{
    pack_number(out, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct seen_file *f = &list->files[i];
        const uint64_t numbers[] = {f->follow,    f->seen.device,   f->seen.inode,  f->seen.mode,
                                    f->seen.size, f->seen.modified, f->seen.changed};
        pack_text(out, f->path);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            pack_number(out, numbers[k]);
    }
}

void seen_unpack(struct seen_list *list, struct arena *arena, struct unpack *u)
{
    size_t n = unpack_count(u, PACKED_LEAST);
    *list = (struct seen_list){.files = arena_array(arena, n, sizeof *list->files)};
    for (size_t i = 0; i < n && !u->bad; i++) {
        struct seen_file *f = &list->files[i];
        f->path = unpack_text(u);
        f->follow = unpack_number(u) != 0;
        f->seen.device = unpack_number(u);
        f->seen.inode = unpack_number(u);
        f->seen.mode = unpack_number(u);
        f->seen.size = unpack_number(u);
        f->seen.modified = unpack_number(u);
        f->seen.changed = unpack_number(u);
        u->bad |= !f->path;
        list->n += !u->bad;
    }
}
