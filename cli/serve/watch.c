#include "cli/serve/watch.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define DEPTH_MAX 64
#define CHANGES \
    (IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF)

bool serve_watch_counts(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && name[0] != '.' && name[n - 1] != '~' && strcmp(name, "4913") != 0 &&
           !text_ends(name, FILE_TEMP_SUFFIX);
}

/* One that is watched already keeps its watch. */
static int add_watch(struct serve_watch *w, const char *folder)
{
    int wd = inotify_add_watch(w->fd, folder, CHANGES | IN_ONLYDIR);
    w->full = w->full || (wd < 0 && errno == ENOSPC);
    return wd;
}

static void add_below(struct serve_watch *w, const char *folder, int depth)
{
    struct arena scratch = ARENA_INIT;
    struct dir_entry *entries;
    struct err ignored = ERR_INIT; /* a folder that just went is said by its parent */
    size_t n = 0;
    if (add_watch(w, folder) >= 0 && dir_list(folder, &scratch, &entries, &n, &ignored) == 0)
        for (size_t i = 0; i < n; i++)
            if (entries[i].is_dir && depth < DEPTH_MAX && serve_watch_counts(entries[i].name))
                add_below(w, path_join(&scratch, folder, entries[i].name), depth + 1);
    arena_release(&scratch);
}

static void add_all_watches(struct serve_watch *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (file_is_dir(w->roots[i].path))
            add_below(w, w->roots[i].path, 0);
}

static void add_root(struct serve_watch *w, const char *path)
{
    size_t len = strlen(path), i = w->n++;
    while (len > 1 && path[len - 1] == '/')
        len--;
    w->roots[i].path = arena_strndup(&w->arena, path, len);
    w->roots[i].name = path_base(w->roots[i].path);
    size_t parent = (size_t)(w->roots[i].name - w->roots[i].path);
    w->roots[i].parent = add_watch(w, parent ? arena_strndup(&w->arena, path, parent) : ".");
}

int serve_watch_open(struct serve_watch *w, const char *const *roots, size_t n, struct err *err)
{
    *w = (struct serve_watch){.arena = ARENA_INIT};
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd < 0)
        return err_errno(err, ERR_IO, "files cannot be watched; --no-build serves without");
    for (size_t i = 0; i < n; i++)
        add_root(w, roots[i]);
    add_all_watches(w);
    return 0;
}

void serve_watch_close(struct serve_watch *w)
{
    close(w->fd);
    arena_release(&w->arena);
}

/* In the folder around a root only the root counts. */
static bool is_watched_event(const struct serve_watch *w, const struct inotify_event *e)
{
    const char *name = e->len ? e->name : "";
    bool around = false;
    for (size_t i = 0; i < w->n; i++) {
        if (e->wd != w->roots[i].parent)
            continue;
        if (strcmp(name, w->roots[i].name) == 0)
            return true;
        around = true;
    }
    return !around && (e->len == 0 || serve_watch_counts(name));
}

bool serve_watch_read(struct serve_watch *w)
{
    char events[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
    bool changed = false, again = false;
    ssize_t n;
    while ((n = read(w->fd, events, sizeof events)) > 0)
        for (char *at = events; at < events + n;) {
            const struct inotify_event *e = (const struct inotify_event *)at;
            at += sizeof *e + e->len;
            again = again || (e->mask & (IN_ISDIR | IN_Q_OVERFLOW));
            changed = changed || (e->mask & IN_Q_OVERFLOW) ||
                      (!(e->mask & IN_IGNORED) && is_watched_event(w, e));
        }
    if (again)
        add_all_watches(w);
    return changed;
}
