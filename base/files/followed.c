#include "base/files/followed.h"

#include "base/arena.h"
#include "base/files/file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as many as the kernel follows */

struct walk {
    struct arena arena;
    char *done;       /* without links; "" is the root */
    const char *rest; /* behind it */
    int links;
};

/* Is it nobody else's? `in` is its folder. */
static bool is_trusted_link(const struct stat *link, const struct stat *in)
{
    return !(in->st_mode & S_IWOTH) || link->st_uid == geteuid() || link->st_uid == 0 ||
           link->st_uid == in->st_uid;
}

/* The link at `at` takes the place of its name. */
static int follow_link(struct walk *w, const char *at, const struct stat *st, struct err *err)
{
    struct stat in;
    char to[PATH_MAX];
    if (stat(*w->done ? w->done : "/", &in) < 0)
        return -1;
    if (!is_trusted_link(st, &in)) {
        err_set(err, ERR_USAGE,
                "%s: is another user's link, in a folder that everybody can write to; it is not "
                "followed",
                at);
        errno = EACCES;
        return -1;
    }
    ssize_t n = readlink(at, to, sizeof to);
    if (n < 0)
        return -1;
    if (++w->links > LINKS_MAX || n == sizeof to) {
        errno = n == sizeof to ? ENAMETOOLONG : ELOOP;
        return -1;
    }
    if (*to == '/')
        w->done = arena_strdup(&w->arena, "");
    w->rest = arena_printf(&w->arena, "%.*s/%s", (int)n, to, w->rest);
    return 0;
}

static int follow_step(struct walk *w, const char *name, size_t len, struct err *err)
{
    struct stat st;
    if (len == 0 || (len == 1 && *name == '.'))
        return 0;
    if (len == 2 && memcmp(name, "..", 2) == 0) {
        char *slash = strrchr(w->done, '/');
        if (slash)
            *slash = '\0';
        return 0;
    }
    char *at = arena_printf(&w->arena, "%s/%.*s", w->done, (int)len, name);
    if (lstat(at, &st) < 0)
        return -1;
    if (S_ISLNK(st.st_mode))
        return follow_link(w, at, &st, err);
    if (!S_ISDIR(st.st_mode) && *w->rest) {
        errno = ENOTDIR;
        return -1;
    }
    w->done = at;
    return 0;
}

static int follow_path(struct walk *w, const char *path, struct err *err)
{
    char *here = *path == '/' ? NULL : file_real(".");
    if (!here && *path != '/')
        return -1;
    w->done = arena_strdup(&w->arena, here && strcmp(here, "/") != 0 ? here : "");
    w->rest = path;
    free(here);
    if (!*path)
        errno = ENOENT;
    int rc = *path ? 0 : -1;
    while (rc == 0 && *w->rest) {
        const char *name = w->rest;
        size_t len = strcspn(name, "/");
        w->rest = name + len + (name[len] == '/');
        rc = follow_step(w, name, len, err);
    }
    return rc;
}

static char *copy_path(const char *path)
{
    char *made = strdup(path);
    if (!made)
        memory_end("a path, ", strlen(path));
    return made;
}

char *followed_real(const char *path, struct err *err)
{
    struct walk w = {.arena = ARENA_INIT};
    char *real = NULL;
    if (follow_path(&w, path, err) == 0)
        real = copy_path(*w.done ? w.done : "/");
    int code = errno;
    arena_release(&w.arena);
    errno = code;
    return real;
}

/* followed_real, or NULL without a message where nothing is there, be it behind a link that leads
 * nowhere. */
static char *real_if_there(const char *path, struct err *err)
{
    char *real = followed_real(path, err);
    if (!real && !err->kind && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
        err_errno(err, ERR_IO, "%s", path);
    return real;
}

char *followed_place(const char *path, struct err *err)
{
    struct err refused = ERR_INIT;
    struct arena arena = ARENA_INIT;
    const char *base = path_base(path),
               *folder = arena_strndup(&arena, path, (size_t)(base - path));
    char *real = real_if_there(path, &refused);
    if (!real && !refused.kind && *base) {
        char *in = real_if_there(*folder ? folder : ".", &refused);
        if (in)
            real = copy_path(arena_printf(&arena, "%s/%s", strcmp(in, "/") != 0 ? in : "", base));
        free(in);
    }
    if (refused.kind)
        err_set(err, refused.kind, "%s", refused.text);
    else if (!real)
        real = copy_path(path);
    arena_release(&arena);
    return real;
}
