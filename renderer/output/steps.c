#include "renderer/output/steps.h"

#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void outdir_step(struct outdir *od)
{
    if (od->step)
        od->step(od->self);
}

int outdir_open_folder(const char *folder, struct err *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? err_errno(err, ERR_IO, "%s: cannot open", folder) : fd;
}

int outdir_open_beside(struct outdir *od, struct err *err)
{
    size_t len = (size_t)(path_base(od->path) - od->path);
    od->beside_fd = outdir_open_folder(arena_strndup(&od->arena, od->path, len), err);
    return od->beside_fd < 0 ? -1 : 0;
}

int outdir_sync_beside(struct outdir *od, struct err *err)
{
    if (fsync(od->beside_fd) == 0)
        return 0;
    return err_errno(err, ERR_IO, "%s: cannot sync its folder", od->path);
}

int outdir_sync_disk(int fd, const char *shown, struct err *err)
{
    return syncfs(fd) == 0 ? 0 : err_errno(err, ERR_IO, "%s: cannot sync", shown);
}

int outdir_mkdir(struct outdir *od, const char *path, mode_t mode, struct err *err)
{
    outdir_step(od);
    if (mkdir(path, mode) == 0)
        return 0;
    return err_errno(err, ERR_IO, "%s: cannot make folder", path);
}

static int make_outdir_folder(struct outdir *od, const char *path, struct err *err)
{
    struct stat st;
    outdir_step(od);
    if (mkdir(path, 0777) == 0)
        return 0;
    int why = errno;
    if (why == EEXIST && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return 0;
    errno = why;
    return err_errno(err, ERR_IO, "%s: cannot make folder", path);
}

/* Is the folder of `rel` the one that was made last? */
static bool is_made(const struct outdir *od, const char *root, const char *rel)
{
    size_t front = strlen(root), folder = (size_t)(path_base(rel) - rel);
    return od->made && strncmp(od->made, root, front) == 0 && od->made[front] == '/' &&
           strncmp(od->made + front + 1, rel, folder) == 0 && !od->made[front + 1 + folder];
}

/* Files come folder by folder: most lie in the one that was made for the file before. */
int outdir_mkdirs_for(struct outdir *od, const char *root, const char *rel, struct err *err)
{
    if (is_made(od, root, rel))
        return 0;
    char *path = path_join(&od->arena, root, rel);
    size_t folder = (size_t)(path_base(path) - path);
    const char *there = od->made;
    od->made = NULL;
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        if (there && strncmp(there, path, (size_t)(slash - path) + 1) == 0)
            continue;
        *slash = '\0';
        if (make_outdir_folder(od, path, err) < 0)
            return -1;
        *slash = '/';
    }
    od->made = arena_strndup(&od->arena, path, folder);
    return 0;
}

int outdir_create(struct outdir *od, const char *path, const void *data, size_t len,
                  struct err *err)
{
    outdir_step(od);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", path);
    outdir_step(od);
    int rc = file_write_all(fd, data, len, path, err);
    if (rc == 0 && od->by_file && fsync(fd) < 0)
        rc = err_errno(err, ERR_IO, "%s: cannot sync", path);
    if (close(fd) < 0 && rc == 0)
        rc = err_errno(err, ERR_IO, "%s: cannot close", path);
    return rc;
}

int outdir_rename(struct outdir *od, const char *from, const char *to, struct err *err)
{
    outdir_step(od);
    od->made = NULL;
    if (rename(from, to) == 0)
        return 0;
    return err_errno(err, ERR_IO, "%s: cannot rename to %s", from, to);
}

int outdir_unlink(struct outdir *od, const char *path, struct err *err)
{
    outdir_step(od);
    if (unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR)
        return 0;
    return err_errno(err, ERR_IO, "%s: cannot remove", path);
}

int outdir_rmdir_if_empty(struct outdir *od, const char *path, struct err *err)
{
    outdir_step(od);
    od->made = NULL;
    if (rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST ||
        errno == ENOTDIR)
        return 0;
    return err_errno(err, ERR_IO, "%s: cannot remove", path);
}

int outdir_remove_name(struct outdir *od, const char *root, const char *rel, struct err *err)
{
    char *path = path_join(&od->arena, root, rel);
    if (outdir_unlink(od, path, err) < 0)
        return -1;
    size_t front = strlen(root);
    for (char *slash; (slash = strrchr(path + front + 1, '/'));) {
        *slash = '\0';
        if (outdir_rmdir_if_empty(od, path, err) < 0)
            return -1;
    }
    return 0;
}

int outdir_remove_tree(struct outdir *od, const char *path, struct err *err)
{
    outdir_step(od);
    od->made = NULL;
    return file_remove_tree(path, err);
}

/* Does this errno say that the file system, rather than the moment, is in the way? */
static bool says_unsupported(int code)
{
    static const int codes[] = {EINVAL, ENOSYS, EPERM, EXDEV, EMLINK, EOPNOTSUPP, EBUSY};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (code == codes[i])
            return true;
    return false;
}

int outdir_exchange(struct outdir *od, const char *a, const char *b, struct err *err)
{
    outdir_step(od);
    od->made = NULL;
    if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0)
        return 0;
    if (says_unsupported(errno))
        return OUTDIR_UNSUPPORTED;
    return err_errno(err, ERR_IO, "%s: cannot exchange with %s", a, b);
}

int outdir_link(struct outdir *od, int from, int to, const char *rel, struct err *err)
{
    outdir_step(od);
    if (linkat(from, rel, to, rel, 0) == 0)
        return 0;
    if (says_unsupported(errno))
        return OUTDIR_UNSUPPORTED;
    return err_errno(err, ERR_IO, "%s/%s: is in the way of what is to be written", od->path, rel);
}

bool outdir_same_bytes(const char *path, const void *data, size_t len)
{
    char piece[65536];
    const char *rest = data;
    struct stat st;
    if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size != len)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool same = fd >= 0;
    for (size_t done = 0; same && done < len;) {
        ssize_t n = read(fd, piece, sizeof piece);
        same = n > 0 && (size_t)n <= len - done && memcmp(piece, rest + done, (size_t)n) == 0;
        done += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    return same;
}
