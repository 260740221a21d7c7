/* open and openat under their names. */
#include "faults.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_any(const char *name, int at, const char *path, int flags, mode_t mode)
{
    struct stat st;
    bool changes = flags & (O_CREAT | O_TRUNC),
         is_new = changes && faults_stat(at, path, &st, 0) < 0;
    int todo = faults_due(FAULTS_OPEN, name, path);
    if (todo == 0 && changes)
        todo = faults_due(FAULTS_STATE, name, path);
    if (faults_fails(todo))
        return -1;
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && is_new)
        faults_path('C', at, path);
    else if (fd >= 0 && (flags & O_TRUNC) && st.st_size)
        faults_cut(st.st_ino, 0);
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
