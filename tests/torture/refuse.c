/* One file that the system will not open, for LD_PRELOAD: REFUSE is the last part of its path,
 * REFUSE_WITH the errno (tests/cli/rights.sh). */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_any(int at, const char *path, int flags, mode_t mode)
{
    const char *name = getenv("REFUSE"), *with = getenv("REFUSE_WITH"), *slash = strrchr(path, '/');
    if (!name || !with || strcmp(slash ? slash + 1 : path, name) != 0)
        return (int)syscall(SYS_openat, at, path, flags, mode);
    errno = atoi(with);
    return -1;
}

static mode_t mode_of(int flags, va_list *ap)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(*ap, mode_t) : 0;
}

#define OPEN(name, at, ...)                                \
    int name(__VA_ARGS__ const char *path, int flags, ...) \
    {                                                      \
        va_list ap;                                        \
        va_start(ap, flags);                               \
        mode_t mode = mode_of(flags, &ap);                 \
        va_end(ap);                                        \
        return open_any(at, path, flags, mode);            \
    }
#define FOLDER int at,
OPEN(open, AT_FDCWD, )
OPEN(open64, AT_FDCWD, )
OPEN(openat, at, FOLDER)
OPEN(openat64, at, FOLDER)
