#include "base/files/lock.h"

#include "base/calendar.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define AGAIN_NS 20000000
#define LINE_MAX_LEN 256

/* One of the kernel's list: "3: FLOCK  ADVISORY  WRITE 712 fe:00:1311 0 EOF", with "-> " before the
 * FLOCK of who waits. */
static long holder_of_line(const char *line, const struct stat *st)
{
    char kind[16];
    long pid;
    unsigned major_of, minor_of;
    unsigned long long inode;
    if (sscanf(line, "%*d: %15s %*s %*s %ld %x:%x:%llu", kind, &pid, &major_of, &minor_of,
               &inode) != 5)
        return 0;
    bool is = strcmp(kind, "FLOCK") == 0 && inode == st->st_ino && major_of == major(st->st_dev) &&
              minor_of == minor(st->st_dev);
    return is && pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM) ? pid : 0;
}

long lock_holder(int fd)
{
    struct stat st;
    char line[LINE_MAX_LEN];
    long pid = 0;
    FILE *locks = fstat(fd, &st) == 0 ? fopen("/proc/locks", "re") : NULL;
    if (!locks)
        return 0;
    while (!pid && fgets(line, sizeof line, locks))
        pid = holder_of_line(line, &st);
    fclose(locks);
    return pid;
}

bool lock_is_held(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return held;
}

static int lock_patience(long *seconds, struct err *err)
{
    const char *text = getenv("FPREPORT_LOCK_TIMEOUT");
    *seconds = LOCK_SECONDS;
    if (!text || !*text)
        return 0;
    *seconds = strspn(text, "0123456789") == strlen(text) ? strtol(text, NULL, 10) : -1;
    if (*seconds >= 0 && *seconds <= LOCK_SECONDS_MAX)
        return 0;
    return err_set(err, ERR_USAGE, "FPREPORT_LOCK_TIMEOUT: found '%.40s', expected 0 to %d seconds",
                   text, LOCK_SECONDS_MAX);
}

int lock_wait(int fd, int kind, const char *path, const char *doing, struct err *err)
{
    long seconds = -1;
    long long begun = clock_ms();
    while (flock(fd, kind | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return err_errno(err, ERR_IO, "%s: cannot lock", path);
        if (seconds < 0 && lock_patience(&seconds, err) < 0)
            return -1;
        if (clock_ms() - begun >= seconds * 1000LL) {
            long pid = lock_holder(fd);
            if (!pid)
                return err_set(err, ERR_IO, "another fpreport is %s (it holds %s)", doing, path);
            return err_set(err, ERR_IO, "another fpreport is %s (process %ld holds %s)", doing, pid,
                           path);
        }
        nanosleep(&(struct timespec){.tv_nsec = AGAIN_NS}, NULL);
    }
    return 0;
}
