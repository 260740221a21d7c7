/* Bytes of open files: read, written, mapped, cut, made durable, locked, closed. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_counted(int fd)
{
    return fd != STDERR_FILENO && !faults_filtered() &&
           (fd == STDOUT_FILENO || faults_inode(fd, S_IFREG));
}

ssize_t write(int fd, const void *data, size_t n)
{
    int todo = is_counted(fd) ? faults_due(FAULTS_STATE, "write", "") : 0;
    if (faults_fails(todo))
        return -1;
    ssize_t done = syscall(SYS_write, fd, data, todo == FAULTS_SHORT && n > 1 ? 1 : n);
    faults_write(fd, -1, data, done);
    return done;
}

static ssize_t pwrite_any(int fd, const void *data, size_t n, off_t at)
{
    int todo = faults_due(FAULTS_STATE, "pwrite", "");
    if (faults_fails(todo))
        return -1;
    ssize_t done = syscall(SYS_pwrite64, fd, data, todo == FAULTS_SHORT && n > 1 ? 1 : n, at);
    faults_write(fd, at, data, done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    return pwrite_any(fd, data, n, at);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    return pwrite_any(fd, data, n, at);
}

ssize_t read(int fd, void *data, size_t n)
{
    int todo = 0;
    if (faults_inode(fd, S_IFREG))
        todo = faults_due(FAULTS_READ, "read", "");
    else if (faults_inode(fd, S_IFIFO))
        todo = faults_due(FAULTS_PROCESS, "read of a pipe", "");
    todo = todo == EAGAIN || todo == ENOMEM || todo == EMFILE ? 0 : todo; /* not of a read */
    if (faults_fails(todo))
        return -1;
    return syscall(SYS_read, fd, data, todo == FAULTS_SHORT && n > 1 ? 1 : n);
}

static ssize_t pread_any(int fd, void *data, size_t n, off_t at)
{
    int todo = faults_due(FAULTS_READ, "pread", "");
    if (faults_fails(todo))
        return -1;
    return syscall(SYS_pread64, fd, data, todo == FAULTS_SHORT && n > 1 ? 1 : n, at);
}

ssize_t pread(int fd, void *data, size_t n, off_t at)
{
    return pread_any(fd, data, n, at);
}

ssize_t pread64(int fd, void *data, size_t n, off64_t at)
{
    return pread_any(fd, data, n, at);
}

static int truncate_any(int fd, off_t len)
{
    if (faults_fails(faults_due(FAULTS_STATE, "ftruncate", "")))
        return -1;
    int rc = (int)syscall(SYS_ftruncate, fd, len);
    if (rc == 0)
        faults_cut(faults_inode(fd, S_IFREG), len);
    return rc;
}

int ftruncate(int fd, off_t len)
{
    return truncate_any(fd, len);
}

int ftruncate64(int fd, off64_t len)
{
    return truncate_any(fd, len);
}

static void *mmap_any(void *want, size_t len, int protection, int flags, int fd, off_t at)
{
    bool changes = (flags & MAP_SHARED) && (protection & PROT_WRITE) && fd >= 0;
    if (changes && faults_fails(faults_due(FAULTS_STATE, "mmap", "")))
        return MAP_FAILED;
    if (!changes && fd < 0 && faults_fails(faults_due(FAULTS_MEMORY, "mmap", "")))
        return MAP_FAILED;
    /* As libc's: -1 with errno. */
    return (void *)syscall(SYS_mmap, want, len, protection, flags, fd, at); // NOLINT
}

void *mmap(void *want, size_t len, int protection, int flags, int fd, off_t at)
{
    return mmap_any(want, len, protection, flags, fd, at);
}

void *mmap64(void *want, size_t len, int protection, int flags, int fd, off64_t at)
{
    return mmap_any(want, len, protection, flags, fd, at);
}

static int sync_any(const char *name, int fd, int (*call)(int fd))
{
    if (faults_fails(faults_due(FAULTS_STATE, name, "")))
        return -1;
    if (faults_fails(faults_due(FAULTS_SYNC, name, ""))) {
        faults_lose(fd);
        return -1;
    }
    int rc = call(fd);
    if (rc == 0) {
        faults_sync(fd);
        faults_clean(fd);
    }
    return rc;
}

static int call_fsync(int fd)
{
    return (int)syscall(SYS_fsync, fd);
}

static int call_fdatasync(int fd)
{
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    return sync_any("fsync", fd, call_fsync);
}

int fdatasync(int fd)
{
    return sync_any("fdatasync", fd, call_fdatasync);
}

int syncfs(int fd)
{
    if (faults_fails(faults_due(FAULTS_STATE, "syncfs", "")))
        return -1;
    int rc = (int)syscall(SYS_syncfs, fd);
    if (rc == 0)
        faults_sync_all();
    return rc;
}

int flock(int fd, int how)
{
    return faults_fails(faults_due(FAULTS_STATE, "flock", "")) ? -1
                                                               : (int)syscall(SYS_flock, fd, how);
}

/* A close that fails has closed. */
int close(int fd)
{
    bool writes = faults_inode(fd, S_IFREG) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    int todo = writes ? faults_due(FAULTS_STATE, "close", "") : 0;
    int rc = (int)syscall(SYS_close, fd);
    return faults_fails(todo) ? -1 : rc;
}
