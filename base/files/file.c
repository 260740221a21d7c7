#include "base/files/file.h"

#include "base/files/followed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEPTH_MAX 64

#define WHERE_IT_STANDS SIZE_MAX
#define FILE_MAP_LEAST 16384 /* bytes of a file that is not sooner copied */

/* Read until the end or `max` bytes, from `at` on. */
static ssize_t read_up_to(int fd, char *data, size_t at, size_t max)
{
    size_t got = 0;
    while (got < max) {
        ssize_t n = at != WHERE_IT_STANDS ? pread(fd, data + got, max - got, (off_t)(at + got))
                                          : read(fd, data + got, max - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

int file_read_open(int fd, const char *path, size_t max, struct arena *arena, struct bytes *out,
                   struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", path);
    if ((unsigned long long)st.st_size > max)
        return err_set(err, ERR_INPUT, "%s: found %lld bytes, expected at most %zu", path,
                       (long long)st.st_size, max);
    size_t room = (size_t)st.st_size + 1;
    char *data = arena_room(arena, room + 1);
    ssize_t n = read_up_to(fd, data, WHERE_IT_STANDS, room); /* the size is only a first guess */
    if (n < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    if ((size_t)n == room)
        return err_set(err, ERR_INPUT, "%s: grew while it was read", path);
    data[n] = '\0';
    *out = (struct bytes){data, (size_t)n};
    return 0;
}

/* Behind the last byte there is a NUL on its page, which is written, so that it is ours and stays.
 */
int file_map_open(int fd, const char *path, size_t max, struct arena *arena, struct bytes *out,
                  struct err *err)
{
    struct stat st;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < FILE_MAP_LEAST ||
        (unsigned long long)st.st_size > max || (size_t)st.st_size % page == 0)
        return file_read_open(fd, path, max, arena, out, err);
    n = (size_t)st.st_size;
    char *data = mmap(NULL, n + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return file_read_open(fd, path, max, arena, out, err);
    madvise(data, n, MADV_POPULATE_READ); /* a kernel before 5.14 does so page by page, later */
    data[n] = '\0';
    *out = (struct bytes){data, n};
    return 0;
}

int file_read_at(int fd, const char *path, size_t at, size_t len, struct arena *arena,
                 struct bytes *out, struct err *err)
{
    char *data = arena_room(arena, len + 1);
    ssize_t n = read_up_to(fd, data, at, len);
    if (n < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    if ((size_t)n != len)
        return err_set(err, ERR_INPUT, "%s: found %zd bytes at %zu, expected %zu", path, n, at,
                       len);
    data[n] = '\0';
    *out = (struct bytes){data, len};
    return 0;
}

int file_read(const char *path, size_t max, struct arena *arena, struct bytes *out, struct err *err)
{
    /* O_NONBLOCK: a FIFO must be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    int rc = file_read_open(fd, path, max, arena, out, err);
    close(fd);
    return rc;
}

int file_write_all(int fd, const void *data, size_t len, const char *what, struct err *err)
{
    const char *at = data;
    while (len > 0) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, ERR_IO, "%s: cannot write", what);
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

int file_sync_folder_of(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int rc = fd < 0 || fsync(fd) < 0 ? err_errno(err, ERR_IO, "%s: cannot sync folder", path) : 0;
    if (fd >= 0)
        close(fd);
    free(dir);
    return rc;
}

/* Is the open file still what the name stands for, and nobody else's? Its last writer may have put
 * it in place while we waited for the lock. */
enum temp { TEMP_OURS, TEMP_GONE, TEMP_FOREIGN, TEMP_UNSEEN };

bool file_is_own(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_uid == geteuid();
}

static enum temp look_at_temp(int fd, const char *temp)
{
    struct stat mine, there;
    if (fstat(fd, &mine) < 0)
        return TEMP_UNSEEN;
    if (lstat(temp, &there) < 0)
        return errno == ENOENT ? TEMP_GONE : TEMP_UNSEEN; /* asked again for ever otherwise */
    if (mine.st_ino != there.st_ino || mine.st_dev != there.st_dev)
        return TEMP_GONE;
    return file_is_own(&mine) ? TEMP_OURS : TEMP_FOREIGN;
}

/* One writer at a time, empty. Where files cannot be locked, two at once are not kept apart. */
static int open_temp(const char *temp, struct err *err)
{
    for (;;) {
        int fd = open(temp, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (fd < 0)
            return err_errno(err, ERR_IO, "%s: cannot create", temp);
        while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
            ;
        enum temp found = look_at_temp(fd, temp);
        if (found == TEMP_OURS && ftruncate(fd, 0) == 0)
            return fd;
        if (found == TEMP_OURS || found == TEMP_UNSEEN)
            err_errno(err, ERR_IO, "%s: cannot write", temp);
        close(fd);
        if (found == TEMP_FOREIGN)
            err_set(err, ERR_IO, "%s: fpreport did not write this file and does not replace it",
                    temp);
        if (found != TEMP_GONE)
            return -1;
    }
}

/* How a file comes into its place. */
enum { DURABLY = 1, FRESH = 2 }; /* FRESH: nothing may be there yet */

/* File systems that cannot do both at once have a moment between. */
static int rename_fresh(const char *temp, const char *path)
{
    int rc = renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_NOREPLACE);
    if (rc == 0 || (errno != EINVAL && errno != ENOSYS))
        return rc;
    errno = EEXIST;
    return file_exists(path) ? -1 : rename(temp, path);
}

/* Who comes next may have it when it is closed: it is out of the way before. */
static int finish_temp(int fd, const char *temp, const char *path, int how, struct err *err)
{
    if (how & DURABLY && fsync(fd) < 0)
        return err_errno(err, ERR_IO, "%s: cannot sync", temp);
    if ((how & FRESH ? rename_fresh(temp, path) : rename(temp, path)) == 0)
        return 0;
    return how & FRESH && errno == EEXIST
               ? FILE_THERE
               : err_errno(err, ERR_IO, "%s: cannot rename into place", path);
}

/* Temporary file beside the target, renamed over it. */
static int replace(const char *path, struct bytes content, int how, struct err *err)
{
    char *temp;
    if (file_mkdirs_for(path, err) < 0)
        return -1;
    if (asprintf(&temp, "%s" FILE_TEMP_SUFFIX, path) < 0)
        return err_set(err, ERR_IO, "%s: out of memory", path);
    int fd = open_temp(temp, err),
        rc = fd < 0 ? -1 : file_write_all(fd, content.data, content.len, temp, err);
    if (rc == 0)
        rc = finish_temp(fd, temp, path, how, err);
    if (rc != 0 && fd >= 0)
        unlink(temp);
    if (fd >= 0 && close(fd) < 0 && rc == 0)
        rc = err_errno(err, ERR_IO, "%s: cannot close", path);
    if (rc == 0 && (rc = file_sync_folder_of(path, err)) < 0)
        err_prefix(err, "%s: is in place, but a power failure now could undo it", path);
    free(temp);
    return rc;
}

char *file_real(const char *path)
{
    char *real = realpath(path, NULL);
    if (!real && errno == ENOMEM)
        memory_end("realpath, ", strlen(path));
    return real;
}

int file_write(const char *path, const void *data, size_t len, struct err *err)
{
    /* A device or a pipe is written to: a file in its place would destroy it. */
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (fd < 0)
            return err_errno(err, ERR_IO, "%s: cannot open", path);
        int rc = file_write_all(fd, data, len, path, err);
        if (close(fd) < 0 && rc == 0)
            rc = err_errno(err, ERR_IO, "%s: cannot close", path);
        return rc;
    }
    char *target = followed_place(path, err); /* a link that leads nowhere is replaced */
    int rc = target ? replace(target, (struct bytes){data, len}, DURABLY, err) : -1;
    free(target);
    return rc;
}

int file_check_there(const char *path, struct err *err)
{
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: found %s, expected a regular file to replace", path,
                       S_ISLNK(st.st_mode) ? "a link" : "something else");
    return 0;
}

int file_write_there(const char *path, const void *data, size_t len, struct err *err)
{
    return file_check_there(path, err) < 0 ? -1
                                           : replace(path, (struct bytes){data, len}, DURABLY, err);
}

int file_write_new(const char *path, const void *data, size_t len, struct err *err)
{
    return file_exists(path) ? FILE_THERE
                             : replace(path, (struct bytes){data, len}, DURABLY | FRESH, err);
}

/* ---- while it is made -------------------------------------------------------------------- */

int file_cache_begin(struct file_cache *c, const char *path, size_t front_len, struct err *err)
{
    struct stat st;
    *c = (struct file_cache){.path = strdup(path), .fd = -1, .len = front_len};
    if (!c->path || asprintf(&c->temp, "%s" FILE_TEMP_SUFFIX, path) < 0)
        return c->temp = NULL, err_set(err, ERR_IO, "%s: out of memory", path);
    if (lstat(path, &st) == 0 && !file_is_own(&st))
        return err_set(err, ERR_IO,
                       "%s: fpreport did not write this file and does not replace "
                       "it",
                       path);
    c->fd = open_temp(c->temp, err);
    if (c->fd >= 0 && lseek(c->fd, (off_t)front_len, SEEK_SET) < 0)
        return err_errno(err, ERR_IO, "%s: cannot write", c->temp);
    return c->fd < 0 ? -1 : 0;
}

int file_cache_add(struct file_cache *c, const void *data, size_t len, struct err *err)
{
    c->len += len;
    return file_write_all(c->fd, data, len, c->temp, err);
}

int file_cache_end(struct file_cache *c, const void *front, size_t front_len, struct err *err)
{
    if (lseek(c->fd, 0, SEEK_SET) < 0)
        return err_errno(err, ERR_IO, "%s: cannot write", c->temp);
    if (file_write_all(c->fd, front, front_len, c->temp, err) < 0 ||
        finish_temp(c->fd, c->temp, c->path, 0, err) < 0)
        return -1;
    close(c->fd);
    c->fd = -1;
    return 0;
}

void file_cache_drop(struct file_cache *c)
{
    if (c->fd >= 0) {
        unlink(c->temp);
        close(c->fd);
    }
    free(c->temp);
    free(c->path);
    *c = (struct file_cache){.fd = -1};
}

int file_mkdirs(const char *path, struct err *err)
{
    char *copy = strdup(path);
    if (!copy)
        return err_set(err, ERR_IO, "%s: out of memory", path);
    int rc = 0;
    for (char *end = copy; rc == 0 && end; end = end ? end + 1 : NULL) {
        end = strchr(end + (*end == '/'), '/');
        if (end)
            *end = '\0';
        if (*copy)
            rc = mkdir(copy, 0777) == 0 ? file_sync_folder_of(copy, err)
                 : errno == EEXIST      ? 0
                                        : err_errno(err, ERR_IO, "%s: cannot make folder", copy);
        if (!end)
            break;
        *end = '/';
    }
    if (rc == 0 && !file_is_dir(path))
        rc = err_set(err, ERR_IO, "%s: not a folder", path);
    free(copy);
    return rc;
}

int file_mkdirs_for(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return 0;
    char *dir = strndup(path, (size_t)(slash - path));
    if (!dir)
        return err_set(err, ERR_IO, "%s: out of memory", path);
    int rc = file_mkdirs(dir, err);
    free(dir);
    return rc;
}

/* Asked twice: what is not there by the machine's word only may be there all the same. errno has
 * the second answer. */
static bool stat_twice(const char *path, struct stat *st, int flags)
{
    int rc = fstatat(AT_FDCWD, path, st, flags);
    if (rc < 0 && err_is_of_machine(errno))
        rc = fstatat(AT_FDCWD, path, st, flags);
    return rc == 0;
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat_twice(path, &st, AT_SYMLINK_NOFOLLOW);
}

int file_look(const char *path, struct stat *st, struct err *err)
{
    if (stat_twice(path, st, AT_SYMLINK_NOFOLLOW))
        return 1;
    return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(err, ERR_IO, "%s", path);
}

int file_is_there(const char *path, struct err *err)
{
    struct stat st;
    return file_look(path, &st, err);
}

bool file_is_dir(const char *path)
{
    struct stat st;
    return stat_twice(path, &st, 0) && S_ISDIR(st.st_mode);
}

int file_is_folder(const char *path, struct err *err)
{
    struct stat st;
    if (stat_twice(path, &st, 0))
        return S_ISDIR(st.st_mode);
    return err_is_of_machine(errno) ? err_errno(err, ERR_IO, "%s", path) : 0;
}

static int remove_at(int parent, const char *name, const char *shown, int depth, struct err *err);

static int remove_children(int fd, const char *shown, int depth, struct err *err)
{
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return err_errno(err, ERR_IO, "%s: cannot list", shown);
    }
    int rc = 0;
    for (struct dirent *e; rc == 0 && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            rc = remove_at(dirfd(dir), e->d_name, shown, depth + 1, err);
    closedir(dir);
    return rc;
}

static int remove_at(int parent, const char *name, const char *shown, int depth, struct err *err)
{
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (depth > DEPTH_MAX)
        return err_set(err, ERR_IO, "%s: folders are nested more than %d deep", shown, DEPTH_MAX);
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot remove %s", shown, name);
    if (remove_children(fd, shown, depth, err) < 0)
        return -1;
    if (unlinkat(parent, name, AT_REMOVEDIR) < 0)
        return err_errno(err, ERR_IO, "%s: cannot remove %s", shown, name);
    return 0;
}

int file_remove_tree(const char *path, struct err *err)
{
    return remove_at(AT_FDCWD, path, path, 0, err);
}

char *path_join(struct arena *arena, const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (!n || *b == '/')
        return arena_strdup(arena, b);
    if (!m)
        return arena_strdup(arena, a);
    bool slash = a[n - 1] != '/';
    char *path = arena_alloc(arena, n + slash + m + 1);
    memcpy(path, a, n);
    path[n] = '/';
    memcpy(path + n + slash, b, m);
    return path;
}

const char *path_published(struct arena *arena, const char *root, const char *path)
{
    size_t len = strlen(root);
    while (len > 1 && root[len - 1] == '/')
        len--;
    bool tells = *root == '/' || strncmp(root, "../", 3) == 0 || strstr(root, "/../");
    if (!path || !tells || strncmp(path, root, len) != 0 || path[len] != '/')
        return path;
    size_t name = len;
    while (name > 0 && root[name - 1] != '/')
        name--;
    return arena_strdup(arena, path + name);
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_folder(struct arena *arena, const char *path)
{
    size_t n = (size_t)(path_base(path) - path);
    return !n ? "." : arena_strndup(arena, path, n > 1 ? n - 1 : n);
}

const char *path_trimmed(struct arena *arena, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return arena_strndup(arena, path, n);
}
