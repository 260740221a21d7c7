#include "base/files/seen.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/parallel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

struct seen seen_now(const struct seen_file *file)
{
    return see_file(AT_FDCWD, file->path, file->follow);
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

bool seen_equal(const struct seen *a, const struct seen *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* six numbers of one size: nothing lies between them */
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

/* What lies behind a link can be watched when it is one file. */
static void add_target(const struct walk *w, const char *path)
{
    const struct seen_file *f = add_seen(w, path, true);
    w->list->unsure |= f->seen.mode && !S_ISREG(f->seen.mode);
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
        if (S_ISLNK(f->seen.mode))
            add_target(w, inner);
        else if (S_ISDIR(f->seen.mode))
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

struct seen_look {
    const struct seen_list *list;
    int folder;
    bool *changed; /* by place in the list */
    struct parallel_job *job;
};

/* Folders that stay open as long as paths lead through them, by how deep they are: in a tree as it
 * is walked, a folder's path leads through another than its files' do, in turns. */
#define WAYS ((size_t)8)
struct ways {
    struct way {
        int folder; /* -1: none is open */
        const char *path;
        size_t len;
    } by_depth[WAYS], *last;
};

/* Bytes in front of the last two names of a path, without the '/' behind them; 0: there are no
 * more. */
static size_t way_to(const char *path)
{
    size_t end = strlen(path);
    for (int names = 0; end > 0; end--)
        if (path[end - 1] == '/' && ++names == 2)
            return end - 1;
    return 0;
}

static bool is_way(const struct way *w, const char *path, size_t len)
{
    return len == w->len && memcmp(w->path, path, len) == 0;
}

static size_t depth_of(const char *path, size_t len)
{
    size_t depth = 0;
    for (const char *at = path; (at = memchr(at, '/', len - (size_t)(at - path))); at++)
        depth++;
    return depth;
}

/* NULL: from where all paths are. */
static const struct way *way_of(struct ways *ways, int from, const char *path)
{
    size_t len = way_to(path);
    if (len == 0 || (ways->last && is_way(ways->last, path, len)))
        return len ? ways->last : NULL;
    struct way *w = ways->last = &ways->by_depth[depth_of(path, len) % WAYS];
    if (is_way(w, path, len))
        return w;
    close_root(w->folder);
    *w = (struct way){-1, path, len};
    char *front = strndup(path, len);
    if (front)
        w->folder = openat(from, front, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(front);
    return w;
}

/* Paths come in order, and the kernel finds two names in half the time of five. */
static void look_again(void *context, size_t piece, struct arena *arena)
{
    const struct seen_look *l = context;
    const struct seen_list *list = l->list;
    struct ways ways = {.last = NULL};
    for (size_t i = 0; i < WAYS; i++)
        ways.by_depth[i] = (struct way){.folder = -1, .path = ""};
    (void)arena;
    for (size_t i = piece * PIECE; i < list->n && i < (piece + 1) * PIECE; i++) {
        const struct seen_file *f = &list->files[i];
        const struct way *way = way_of(&ways, l->folder, f->path);
        struct seen now = way && way->folder >= 0
                              ? see_file(way->folder, f->path + way->len + 1, f->follow)
                              : see_file(l->folder, f->path, f->follow);
        l->changed[i] = !seen_equal(&now, &f->seen);
    }
    for (size_t i = 0; i < WAYS; i++)
        close_root(ways.by_depth[i].folder);
}

static size_t pieces_of(const struct seen_list *list)
{
    return (list->n + PIECE - 1) / PIECE;
}

struct seen_look *seen_begin(const struct seen_list *list)
{
    struct seen_look *l = memory_alloc(sizeof *l);
    *l = (struct seen_look){.list = list, .folder = open_root(list)};
    l->changed = memory_alloc(list->n + 1);
    l->job = parallel_begin(pieces_of(list), look_again, l);
    return l;
}

size_t *seen_end(struct seen_look *l, struct arena *arena, size_t *n)
{
    size_t *places = NULL;
    *n = 0;
    parallel_end(l->job, arena);
    close_root(l->folder);
    for (size_t i = 0; i < l->list->n; i++)
        if (l->changed[i])
            *(size_t *)ARENA_PUSH(arena, places, *n) = i;
    free(l->changed);
    free(l);
    return places;
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
