#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A link is not followed, and fails in one way, whatever it leads to. */
static int open_part(int from, const char *part, bool last)
{
    int kind = last ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY;
    int fd = openat(from, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    int why = errno;
    struct stat st;
    if (fd < 0 && fstatat(from, part, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
        why = ELOOP;
    errno = why;
    return fd;
}

/* One part of a path, of n bytes. */
static int step(int from, const char *at, size_t n, bool last)
{
    char part[NAME_MAX + 1];
    if (n > NAME_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(part, at, n);
    part[n] = '\0';
    if (n == 0 || strcmp(part, ".") == 0 || strcmp(part, "..") == 0) {
        errno = EINVAL;
        return -1;
    }
    return open_part(from, part, last);
}

int beneath_open(const char *folder, const char *path)
{
    int fd = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *at = path;
    for (bool last = false; fd >= 0 && !last;) {
        size_t n = strcspn(at, "/");
        last = !at[n];
        int next = step(fd, at, n, last), why = errno;
        close(fd);
        errno = why;
        fd = next;
        at += n + 1;
    }
    return fd;
}

bool beneath_exists(const char *folder, const char *path)
{
    int fd = beneath_open(folder, path);
    bool is = fd >= 0 || (errno != ENOENT && errno != ENOTDIR);
    if (fd >= 0)
        close(fd);
    return is;
}

int beneath_read(const char *folder, const char *path, size_t max, struct arena *arena,
                 struct bytes *out, struct err *err)
{
    int fd = beneath_open(folder, path);
    struct arena scratch = ARENA_INIT;
    const char *name = path_join(&scratch, folder, path);
    int rc = -1;
    if (fd >= 0)
        rc = file_read_open(fd, name, max, arena, out, err);
    else if (errno == ELOOP)
        err_set(err, ERR_INPUT, "%s: found a link, expected a file that lies in %s itself", name,
                *folder ? folder : ".");
    else if (errno == EINVAL)
        err_set(err, ERR_INPUT, "%s: expected a path below %s", name, *folder ? folder : ".");
    else
        err_errno(err, ERR_INPUT, "%s", name);
    if (fd >= 0)
        close(fd);
    arena_release(&scratch);
    return rc;
}
