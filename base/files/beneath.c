#include "base/files/beneath.h"

#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One part of a path, of n bytes. */
static int open_beneath_step(int from, const char *at, size_t n, bool last)
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
    /* A link is not followed, and fails in one way, whatever it leads to. */
    int kind = last ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY;
    int fd = openat(from, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    int why = errno;
    struct stat st;
    if (fd < 0 && fstatat(from, part, &st, AT_SYMLINK_NOFOLLOW) < 0)
        why = err_is_of_machine(errno) ? errno : why;
    else if (fd < 0 && S_ISLNK(st.st_mode))
        why = ELOOP;
    errno = why;
    return fd;
}

int beneath_open(const char *folder, const char *path)
{
    int fd = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *at = path;
    for (bool last = false; fd >= 0 && !last;) {
        size_t n = strcspn(at, "/");
        last = !at[n];
        int next = open_beneath_step(fd, at, n, last), why = errno;
        close(fd);
        errno = why;
        fd = next;
        at += n + 1;
    }
    return fd;
}

/* Findings are published, and where a folder lies is its owner's: its name, where it has one. */
static const char *folder_shown(const char *folder)
{
    const char *base = path_base(folder);
    return *base ? base : *folder ? folder : ".";
}

typedef int read_file_fn(int fd, const char *path, size_t max, struct arena *arena,
                         struct bytes *out, struct err *err);

/* What beneath_open() gave; closes it. */
static int read_opened(int fd, read_file_fn *read_file, const char *folder, const char *path,
                       size_t max, struct arena *arena, struct bytes *out, struct err *err)
{
    int why = errno;
    struct arena scratch = ARENA_INIT;
    const char *name = path_join(&scratch, folder, path);
    int rc = -1;
    if (fd >= 0)
        rc = read_file(fd, name, max, arena, out, err);
    else if (why == ELOOP)
        err_set(err, ERR_INPUT, "%s: found a link, expected a regular file inside %s", name,
                folder_shown(folder));
    else if (why == EINVAL)
        err_set(err, ERR_INPUT, "%s: expected a path below %s", name, folder_shown(folder));
    else
        errno = why, err_errno(err, ERR_INPUT, "%s", name);
    if (fd >= 0)
        close(fd);
    arena_release(&scratch);
    return rc;
}

int beneath_read(const char *folder, const char *path, size_t max, struct arena *arena,
                 struct bytes *out, struct err *err)
{
    return read_opened(beneath_open(folder, path), file_read_open, folder, path, max, arena, out,
                       err);
}

int beneath_map(const char *folder, const char *path, size_t max, struct arena *arena,
                struct bytes *out, struct err *err)
{
    return read_opened(beneath_open(folder, path), file_map_open, folder, path, max, arena, out,
                       err);
}

int beneath_read_if_there(const char *folder, const char *path, size_t max, struct arena *arena,
                          struct bytes *out, struct err *err)
{
    int fd = beneath_open(folder, path);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return BENEATH_NONE;
    return read_opened(fd, file_read_open, folder, path, max, arena, out, err);
}
