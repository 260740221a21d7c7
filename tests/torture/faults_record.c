/* What happened to files and folders, in its order, for power.py. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* A descriptor, set once; -1: nothing is written down. */
static int record_fd = -1;

void *__libc_malloc(size_t size);

void faults_record_begin(void)
{
    record_fd = faults_open_named("FAULTS_RECORD", O_WRONLY | O_APPEND);
}

/* "/a/b" from a folder's descriptor and a name, as the kernel would begin. */
static const char *whole(int at, const char *path, char out[PATH_MAX])
{
    char link[64];
    if (path[0] == '/')
        return path;
    if (at == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/self/cwd");
    else
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, out, PATH_MAX - 2);
    if (n < 0)
        return path;
    snprintf(out + n, (size_t)(PATH_MAX - n), "/%s", path);
    return out;
}

/* One event: a line of words separated by NUL and ended by '\n', and then `len` bytes. */
static void record(char kind, unsigned long long inode, const char *a, const char *b,
                   long long offset, const void *data, size_t len)
{
    char head[2 * PATH_MAX + 128];
    int saved = errno;
    int n = snprintf(head, sizeof head, "%c%c%llu%c%s%c%s%c%lld%c%zu\n", kind, 0, inode, 0, a, 0, b,
                     0, offset, 0, len);
    struct iovec parts[] = {{head, (size_t)n}, {(void *)(uintptr_t)data, len}};
    syscall(SYS_writev, record_fd, parts, len ? 2 : 1);
    errno = saved;
}

unsigned long long faults_inode(int fd, mode_t type)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type ? st.st_ino : 0;
}

void faults_path(char kind, int at, const char *path)
{
    char a[PATH_MAX];
    struct stat st = {0};
    if (record_fd < 0)
        return;
    faults_stat(at, path, &st, AT_SYMLINK_NOFOLLOW);
    record(kind, st.st_ino, whole(at, path, a), "", 0, NULL, 0);
}

void faults_two(char kind, int from_at, const char *from, int to_at, const char *to)
{
    char a[PATH_MAX], b[PATH_MAX];
    if (record_fd >= 0)
        record(kind, 0, whole(from_at, from, a), whole(to_at, to, b), 0, NULL, 0);
}

void faults_write(int fd, long long offset, const void *data, ssize_t len)
{
    unsigned long long inode =
        faults_is_on() && len > 0 && !faults_filtered() ? faults_inode(fd, S_IFREG) : 0;
    long long from = inode && offset < 0 ? lseek(fd, 0, SEEK_CUR) - len : offset;
    if (inode)
        faults_dirty(fd, from);
    if (inode && record_fd >= 0)
        record('W', inode, "", "", from, data, (size_t)len);
}

/* Mapped memory changes a file without a call: what a file holds is read when it is synced. */
void faults_sync(int fd)
{
    unsigned long long inode = record_fd >= 0 ? faults_inode(fd, S_IFREG) : 0;
    struct stat st;
    if (!inode) {
        inode = record_fd >= 0 ? faults_inode(fd, S_IFDIR) : 0;
        if (inode)
            record('S', inode, "", "", 0, NULL, 0);
        return;
    }
    fstat(fd, &st);
    char link[64], *bytes = __libc_malloc((size_t)st.st_size + 1);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int again = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
    ssize_t n = again < 0 ? 0 : syscall(SYS_pread64, again, bytes, (size_t)st.st_size, 0L);
    record('S', inode, "", "", 0, bytes, n > 0 ? (size_t)n : 0);
    if (again >= 0)
        syscall(SYS_close, again);
    free(bytes);
}

void faults_cut(unsigned long long inode, long long len)
{
    if (record_fd >= 0)
        record('T', inode, "", "", len, NULL, 0);
}

void faults_sync_all(void)
{
    if (record_fd >= 0)
        record('F', 0, "", "", 0, NULL, 0);
}
