/*
 * faults: a library for LD_PRELOAD that counts what a program asks of the system, makes the n-th of
 * it go wrong, and writes down what a disk would have to keep.
 *
 *   FAULTS_CLASS   what is counted: state (calls that change files), open (every open), read
 *                  (read and pread of files), memory (every allocation)
 *   FAULTS_AT      the n-th of these, from 1; 0 or nothing: only count
 *   FAULTS_DO      kill: SIGKILL before it; short: it does one byte at most; a number: it is not
 * done and fails with this errno FAULTS_STICKY  1: every later one, too FAULTS_COUNT   a file of 16
 * zero bytes that all processes of the run share: how many there were, and how many went wrong
 *   FAULTS_RECORD  a file that every change is appended to (tests/torture/power.py reads it)
 *   FAULTS_NO_EXCHANGE  two folders cannot be exchanged, as on file systems that do not know how
 *   FAULTS_TRACE   a file that each counted call's name is appended to, a line each
 *
 * Calls that libc makes inside itself (stdio, mkdtemp) are not seen; the programs here write none
 * of their files that way. Standard error is left alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum class { STATE, OPEN, READ, MEMORY, N_CLASSES };

#define DO_KILL (-1)
#define DO_SHORT (-2)

struct shared {
    atomic_long seen, failed;
};

/* What the environment says; set before main() and never again. */
static struct {
    bool on, sticky;
    enum class class;
    long at;
    int todo;
    int exchange;      /* what exchanging two folders gives: 0, or an errno */
    int record, trace; /* descriptors; -1: none */
    struct shared *shared;
} plan = {.record = -1, .trace = -1};

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

/* ---- the plan -------------------------------------------------------------------------- */

static int open_raw(const char *name, int flags)
{
    const char *path = getenv(name);
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        return -1;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 900); /* out of the way of who counts descriptors */
    syscall(SYS_close, fd);
    return high;
}

static struct shared *map_shared(void)
{
    static struct shared own;
    int fd = open_raw("FAULTS_COUNT", O_RDWR);
    if (fd < 0)
        return &own;
    long at = syscall(SYS_mmap, NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
    syscall(SYS_close, fd);
    return at == -1 ? &own : (struct shared *)at;
}

static enum class class_named(const char *name) {
    static const char *const names[N_CLASSES] = {"state", "open", "read", "memory"};
    for (int c = 0; name && c < N_CLASSES;
         c++) if (strcmp(names[c], name) == 0) return (enum class)c;
    return STATE;
}

static int todo_named(const char *name)
{
    if (!name || strcmp(name, "kill") == 0)
        return DO_KILL;
    return strcmp(name, "short") == 0 ? DO_SHORT : atoi(name);
}

__attribute__((constructor)) static void read_plan(void)
{
    const char *at = getenv("FAULTS_AT"), *sticky = getenv("FAULTS_STICKY");
    plan.class = class_named(getenv("FAULTS_CLASS"));
    plan.at = at ? atol(at) : 0;
    plan.sticky = sticky && *sticky == '1';
    plan.exchange = getenv("FAULTS_NO_EXCHANGE") ? EINVAL : 0;
    plan.todo = todo_named(getenv("FAULTS_DO"));
    plan.record = open_raw("FAULTS_RECORD", O_WRONLY | O_APPEND);
    plan.trace = open_raw("FAULTS_TRACE", O_WRONLY | O_APPEND);
    plan.shared = map_shared();
    plan.on = true;
}

static void trace(long n, const char *call, const char *what)
{
    char line[PATH_MAX + 64];
    int len = snprintf(line, sizeof line, "%ld %s %s\n", n, call, what ? what : "");
    if (len > 0)
        syscall(SYS_write, plan.trace, line, (size_t)len < sizeof line ? (size_t)len : sizeof line);
}

/* 0: go on; DO_SHORT; an errno: fail. Does not return when this is where it is killed. */
static int due(enum class class, const char *call, const char *what)
{
    if (!plan.on || plan.class != class)
        return 0;
    long n = atomic_fetch_add(&plan.shared->seen, 1) + 1;
    if (plan.trace >= 0)
        trace(n, call, what);
    if (!plan.at || n < plan.at || (n > plan.at && !plan.sticky))
        return 0;
    atomic_fetch_add(&plan.shared->failed, 1);
    if (plan.todo == DO_KILL)
        syscall(SYS_kill, getpid(), SIGKILL);
    return plan.todo;
}

static bool fails(int todo)
{
    if (todo <= 0)
        return false;
    errno = todo;
    return true;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

/* ---- the record ------------------------------------------------------------------------ */

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
    ssize_t n = readlink(link, out, PATH_MAX - 2);
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
    syscall(SYS_writev, plan.record, parts, len ? 2 : 1);
    errno = saved;
}

static unsigned long long inode_of(int fd, mode_t type)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type ? st.st_ino : 0;
}

static void record_path(char kind, int at, const char *path)
{
    char a[PATH_MAX];
    struct stat st = {0};
    if (plan.record < 0)
        return;
    fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW);
    record(kind, st.st_ino, whole(at, path, a), "", 0, NULL, 0);
}

static void record_two(char kind, int from_at, const char *from, int to_at, const char *to)
{
    char a[PATH_MAX], b[PATH_MAX];
    if (plan.record >= 0)
        record(kind, 0, whole(from_at, from, a), whole(to_at, to, b), 0, NULL, 0);
}

static void record_write(int fd, long long offset, const void *data, ssize_t len)
{
    unsigned long long inode = plan.record >= 0 && len > 0 ? inode_of(fd, S_IFREG) : 0;
    if (inode)
        record('W', inode, "", "", offset < 0 ? lseek(fd, 0, SEEK_CUR) - len : offset, data,
               (size_t)len);
}

/* Mapped memory changes a file without a call: what a file holds is read when it is synced. */
static void record_sync(int fd)
{
    unsigned long long inode = plan.record >= 0 ? inode_of(fd, S_IFREG) : 0;
    struct stat st;
    if (!inode) {
        inode = plan.record >= 0 ? inode_of(fd, S_IFDIR) : 0;
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

/* ---- opening --------------------------------------------------------------------------- */

static int open_any(const char *name, int at, const char *path, int flags, mode_t mode)
{
    struct stat st;
    bool changes = flags & (O_CREAT | O_TRUNC), is_new = changes && fstatat(at, path, &st, 0) < 0;
    int todo = due(OPEN, name, path);
    if (todo == 0 && changes)
        todo = due(STATE, name, path);
    if (fails(todo))
        return -1;
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && is_new)
        record_path('C', at, path);
    else if (fd >= 0 && (flags & O_TRUNC) && plan.record >= 0 && st.st_size)
        record('T', st.st_ino, "", "", 0, NULL, 0);
    return fd;
}

static mode_t mode_of(int flags, va_list *ap)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(*ap, mode_t) : 0;
}

#define OPEN(name)                                            \
    int name(const char *path, int flags, ...)                \
    {                                                         \
        va_list ap;                                           \
        va_start(ap, flags);                                  \
        mode_t mode = mode_of(flags, &ap);                    \
        va_end(ap);                                           \
        return open_any("open", AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(name)                                      \
    int name(int at, const char *path, int flags, ...)    \
    {                                                     \
        va_list ap;                                       \
        va_start(ap, flags);                              \
        mode_t mode = mode_of(flags, &ap);                \
        va_end(ap);                                       \
        return open_any("openat", at, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open_any("open", AT_FDCWD, path, flags, 0);
}
int __open64_2(const char *path, int flags)
{
    return open_any("open", AT_FDCWD, path, flags, 0);
}

/* ---- bytes ----------------------------------------------------------------------------- */

static bool is_counted(int fd)
{
    return fd != STDERR_FILENO && (fd == STDOUT_FILENO || inode_of(fd, S_IFREG));
}

ssize_t write(int fd, const void *data, size_t n)
{
    int todo = is_counted(fd) ? due(STATE, "write", "") : 0;
    if (fails(todo))
        return -1;
    ssize_t done = syscall(SYS_write, fd, data, todo == DO_SHORT && n > 1 ? 1 : n);
    record_write(fd, -1, data, done);
    return done;
}

static ssize_t pwrite_any(int fd, const void *data, size_t n, off_t at)
{
    int todo = due(STATE, "pwrite", "");
    if (fails(todo))
        return -1;
    ssize_t done = syscall(SYS_pwrite64, fd, data, todo == DO_SHORT && n > 1 ? 1 : n, at);
    record_write(fd, at, data, done);
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
    int todo = inode_of(fd, S_IFREG) ? due(READ, "read", "") : 0;
    if (fails(todo))
        return -1;
    return syscall(SYS_read, fd, data, todo == DO_SHORT && n > 1 ? 1 : n);
}

static ssize_t pread_any(int fd, void *data, size_t n, off_t at)
{
    int todo = due(READ, "pread", "");
    if (fails(todo))
        return -1;
    return syscall(SYS_pread64, fd, data, todo == DO_SHORT && n > 1 ? 1 : n, at);
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
    if (fails(due(STATE, "ftruncate", "")))
        return -1;
    int rc = (int)syscall(SYS_ftruncate, fd, len);
    if (rc == 0 && plan.record >= 0)
        record('T', inode_of(fd, S_IFREG), "", "", len, NULL, 0);
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
    if (changes && fails(due(STATE, "mmap", "")))
        return MAP_FAILED;
    if (!changes && fd < 0 && fails(due(MEMORY, "mmap", "")))
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

#define SYNC(name)                             \
    int name(int fd)                           \
    {                                          \
        if (fails(due(STATE, #name, "")))      \
            return -1;                         \
        int rc = (int)syscall(SYS_##name, fd); \
        if (rc == 0)                           \
            record_sync(fd);                   \
        return rc;                             \
    }
SYNC(fsync)
SYNC(fdatasync)

int syncfs(int fd)
{
    if (fails(due(STATE, "syncfs", "")))
        return -1;
    int rc = (int)syscall(SYS_syncfs, fd);
    if (rc == 0 && plan.record >= 0)
        record('F', 0, "", "", 0, NULL, 0);
    return rc;
}

int flock(int fd, int how)
{
    return fails(due(STATE, "flock", "")) ? -1 : (int)syscall(SYS_flock, fd, how);
}

/* A close that fails has closed. */
int close(int fd)
{
    bool writes = inode_of(fd, S_IFREG) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    int todo = writes ? due(STATE, "close", "") : 0;
    int rc = (int)syscall(SYS_close, fd);
    return fails(todo) ? -1 : rc;
}

/* ---- names ----------------------------------------------------------------------------- */

static int mkdir_any(int at, const char *path, mode_t mode)
{
    if (fails(due(STATE, "mkdir", path)))
        return -1;
    int rc = (int)syscall(SYS_mkdirat, at, path, mode);
    if (rc == 0)
        record_path('D', at, path);
    return rc;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdir_any(AT_FDCWD, path, mode);
}

int mkdirat(int at, const char *path, mode_t mode)
{
    return mkdir_any(at, path, mode);
}

char *mkdtemp(char *template)
{
    if (fails(due(STATE, "mkdtemp", template)))
        return NULL;
    char *made = REAL(char *, "mkdtemp", char *)(template);
    if (made)
        record_path('D', AT_FDCWD, made);
    return made;
}

static int rename_any(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    if (fails(due(STATE, "rename", to)) || ((flags & RENAME_EXCHANGE) && fails(plan.exchange)))
        return -1;
    int rc = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (rc == 0)
        record_two(flags & RENAME_EXCHANGE ? 'E' : 'R', from_at, from, to_at, to);
    return rc;
}

int rename(const char *from, const char *to)
{
    return rename_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    return rename_any(from_at, from, to_at, to, flags);
}

static int link_any(int from_at, const char *from, int to_at, const char *to, int flags)
{
    if (fails(due(STATE, "link", to)))
        return -1;
    int rc = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
    if (rc == 0)
        record_two('L', from_at, from, to_at, to);
    return rc;
}

int link(const char *from, const char *to)
{
    return link_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
    return link_any(from_at, from, to_at, to, flags);
}

static int unlink_any(int at, const char *path, int flags)
{
    if (fails(due(STATE, "unlink", path)))
        return -1;
    int rc = (int)syscall(SYS_unlinkat, at, path, flags);
    if (rc == 0)
        record_path('U', at, path);
    return rc;
}

int unlink(const char *path)
{
    return unlink_any(AT_FDCWD, path, 0);
}

int unlinkat(int at, const char *path, int flags)
{
    return unlink_any(at, path, flags);
}

int rmdir(const char *path)
{
    return unlink_any(AT_FDCWD, path, AT_REMOVEDIR);
}

int chmod(const char *path, mode_t mode)
{
    return fails(due(STATE, "chmod", path)) ? -1 : (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

int chown(const char *path, uid_t owner, gid_t group)
{
    if (fails(due(STATE, "chown", path)))
        return -1;
    return (int)syscall(SYS_fchownat, AT_FDCWD, path, owner, group, 0);
}

int utimensat(int at, const char *path, const struct timespec times[2], int flags)
{
    if (fails(due(STATE, "utimensat", path)))
        return -1;
    return (int)syscall(SYS_utimensat, at, path, times, flags);
}

/* ---- memory ---------------------------------------------------------------------------- */

void *malloc(size_t size)
{
    return fails(due(MEMORY, "malloc", "")) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(due(MEMORY, "calloc", "")) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails(due(MEMORY, "realloc", "")) ? NULL : __libc_realloc(old, size);
}
