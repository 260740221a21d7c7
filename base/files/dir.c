#include "base/files/dir.h"

#include "base/files/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is gone since it was listed is neither. */
static int classify(int fd, unsigned char type, struct dir_entry *e)
{
    struct stat st;
    e->is_dir = type == DT_DIR;
    e->is_regular = type == DT_REG;
    if (type != DT_UNKNOWN)
        return 0;
    if (fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : -1;
    e->is_dir = S_ISDIR(st.st_mode);
    e->is_regular = S_ISREG(st.st_mode);
    return 0;
}

int dir_list(const char *path, struct arena *arena, struct dir_entry **out, size_t *n,
             struct err *err)
{
    return dir_list_within(DIR_ENTRIES_MAX, path, arena, out, n, err);
}

int dir_list_within(size_t most, const char *path, struct arena *arena, struct dir_entry **out,
                    size_t *n, struct err *err)
{
    DIR *dir = opendir(path);
    if (!dir)
        return err_errno(err, ERR_INPUT, "%s: cannot list folder", path);
    int rc = 0;
    *out = NULL;
    *n = 0;
    struct dirent *e;
    while (rc == 0 && (errno = 0, e = readdir(dir))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (*n == most) {
            rc = err_set(err, ERR_INPUT,
                         "%s: found more than %zu entries, expected at most as many in one folder",
                         path, most);
            break;
        }
        struct dir_entry *item = ARENA_PUSH(arena, *out, *n);
        item->name = arena_strdup(arena, e->d_name);
        if (classify(dirfd(dir), e->d_type, item) < 0)
            break;
    }
    if (rc == 0 && errno)
        rc = err_errno(err, ERR_INPUT, "%s: cannot list folder", path);
    closedir(dir);
    if (rc == 0 && *n > 1)
        qsort(*out, *n, sizeof **out, text_by_bytes);
    return rc;
}

const char *dir_entry_instead(const struct dir_entry *entry)
{
    return entry->is_regular ? NULL : entry->is_dir ? "a folder" : "a link or a special file";
}

struct walk {
    const char *root;
    const struct dir_limits *most;
    struct dir_limits left;
    struct arena *arena;
    const char **paths;
    size_t n;
};

static int walk_below(struct walk *w, const char *rel, int depth, struct err *err);

static int walk_entry(struct walk *w, const char *rel, const struct dir_entry *e, int depth,
                      struct err *err)
{
    /* Counted before anything is kept of it. */
    size_t len = strlen(rel) + strlen(e->name) + 2; /* with '/' and the end */
    if (w->left.entries == 0 || len > w->left.text)
        return err_set(
            err, ERR_INPUT,
            "%s: the folder is too large: fpreport reads at most %zu files and folders, with %zu "
            "bytes of names",
            w->root, w->most->entries, w->most->text);
    w->left.entries--;
    w->left.text -= len;
    const char *path = path_join(w->arena, rel, e->name);
    if (e->is_dir && walk_below(w, path, depth + 1, err) < 0)
        return -1;
    if (e->is_regular)
        *(const char **)ARENA_PUSH(w->arena, w->paths, w->n) = path;
    return 0;
}

static int walk_below(struct walk *w, const char *rel, int depth, struct err *err)
{
    struct dir_entry *entries;
    struct arena list = ARENA_INIT;
    size_t n = 0;
    if (depth > w->left.depth)
        return err_set(err, ERR_INPUT, "%s/%s: folders are nested too deep", w->root, rel);
    int rc = dir_list(path_join(&list, w->root, rel), &list, &entries, &n, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = walk_entry(w, rel, &entries[i], depth, err);
    arena_release(&list);
    return rc;
}

int dir_walk_within(const struct dir_limits *limits, const char *root, struct arena *arena,
                    const char ***out, size_t *n, struct err *err)
{
    struct walk w = {.root = root, .most = limits, .left = *limits, .arena = arena};
    int there = file_is_there(root, err);
    if (there < 0 || (there && walk_below(&w, "", 0, err) < 0))
        return -1;
    if (w.n > 1)
        qsort(w.paths, w.n, sizeof *w.paths, text_by_bytes);
    *out = w.paths;
    *n = w.n;
    return 0;
}

int dir_walk(const char *root, struct arena *arena, const char ***out, size_t *n, struct err *err)
{
    static const struct dir_limits limits = {
        .entries = DIR_WALK_ENTRIES_MAX, .text = DIR_WALK_TEXT_MAX, .depth = DIR_WALK_DEPTH_MAX};
    return dir_walk_within(&limits, root, arena, out, n, err);
}
