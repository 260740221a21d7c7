#include "trainer/cards/tool.h"

#include "base/calendar.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PIECE_BYTES 16384
#define LOOK_MS 2

bool tool_exists(const char *name)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        char full[4096];
        size_t len = strcspn(at, ":");
        int n = snprintf(full, sizeof full, "%.*s/%s", (int)len, at, name);
        if (len && n < (int)sizeof full && access(full, X_OK) == 0)
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

/* Its own process group, so that a tool that is a script can be killed with its children. */
static int start_tool(const char *const *argv, int output, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    int rc =
        posix_spawnp(pid, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return rc;
}

/* Read to the end; false, and why in errno, when the time is up first (ETIMEDOUT) or it cannot be
 * waited for. */
static bool drain(int fd, long long until, struct buf *out)
{
    char piece[PIECE_BYTES];
    for (;;) {
        struct pollfd ready = {fd, POLLIN, 0};
        long long left = until - clock_ms();
        if (left <= 0)
            errno = ETIMEDOUT;
        int found = left <= 0 ? -1 : poll(&ready, 1, (int)left);
        if (found < 0 && errno != EINTR)
            return false;
        if (found <= 0)
            continue;
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        size_t room = TOOL_OUTPUT_MAX > out->len ? TOOL_OUTPUT_MAX - out->len : 0;
        buf_add(out, piece, (size_t)n < room ? (size_t)n : room);
    }
}

/* Its end, which may come long after that of its output; false: the time is up first. */
static bool wait_until(pid_t pid, long long until, int *status)
{
    static const struct timespec pause = {0, LOOK_MS * 1000000L};
    pid_t ended;
    while ((ended = waitpid(pid, status, WNOHANG)) == 0 && clock_ms() < until)
        nanosleep(&pause, NULL);
    return ended != 0;
}

int tool_output(const char *const *argv, int timeout_ms, struct buf *out, struct err *err)
{
    int ends[2], status = 0;
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_errno(err, ERR_IO, "%s: cannot make a pipe", argv[0]);
    int why = start_tool(argv, ends[1], &pid);
    close(ends[1]);
    if (why) {
        close(ends[0]);
        return err_set(err, ERR_IO, "%s: cannot be run: %s", argv[0], strerror(why));
    }
    const long long until = clock_ms() + timeout_ms;
    bool finished = drain(ends[0], until, out);
    why = finished ? 0 : errno;
    close(ends[0]);
    if (finished && !wait_until(pid, until, &status))
        why = ETIMEDOUT;
    if (why) {
        /* With its children; what a driver holds fast ends when that lets go of it. */
        kill(-pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (why && why != ETIMEDOUT)
        return err_set(err, ERR_IO, "%s: cannot wait for the reply of the worker process: %s",
                       argv[0], strerror(why));
    if (why)
        return err_set(err, ERR_IO, "%s: no answer within %d ms", argv[0], timeout_ms);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ERR_IO, "%s: failed with status %d", argv[0],
                       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
