#include "base/followed.h"

#include "base/arena.h"
#include "base/file.h"

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

static bool is_meant(const struct stat *link, const char *folder)
{
    struct stat in;
    if (stat(*folder ? folder : "/", &in) < 0)
        return false;
    return !(in.st_mode & S_IWOTH) || link->st_uid == geteuid() || link->st_uid == 0 ||
           link->st_uid == in.st_uid;
}

/* The link at `at` takes the place of its name. */
static int follow(struct walk *w, const char *at, const struct stat *st, struct err *err)
{
    char to[PATH_MAX];
    if (!is_meant(st, w->done)) {
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

static int step(struct walk *w, const char *name, size_t len, struct err *err)
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
        return follow(w, at, &st, err);
    if (!S_ISDIR(st.st_mode) && *w->rest) {
        errno = ENOTDIR;
        return -1;
    }
    w->done = at;
    return 0;
}

static int walk(struct walk *w, const char *path, struct err *err)
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
        rc = step(w, name, len, err);
    }
    return rc;
}

static char *copy(const char *path)
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
    if (walk(&w, path, err) == 0)
        real = copy(*w.done ? w.done : "/");
    int code = errno;
    arena_release(&w.arena);
    errno = code;
    return real;
}

char *followed_place(const char *path, struct err *err)
{
    struct err refused = ERR_INIT;
    char *real = followed_real(path, &refused);
    struct arena arena = ARENA_INIT;
    const char *base = path_base(path),
               *folder = arena_strndup(&arena, path, (size_t)(base - path));
    if (!real && !refused.kind && *base) {
        real = followed_real(*folder ? folder : ".", &refused);
        const char *place =
            real ? arena_printf(&arena, "%s/%s", strcmp(real, "/") != 0 ? real : "", base) : path;
        free(real);
        real = refused.kind ? NULL : copy(place);
    } else if (!real && !refused.kind) {
        real = copy(path);
    }
    if (refused.kind)
        err_set(err, refused.kind, "%s", refused.text);
    arena_release(&arena);
    return real;
}
