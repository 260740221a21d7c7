#include "trainer/run/monitor.h"

#include "base/clock.h"
#include "base/files/file.h"
#include "trainer/cards/tool.h"
#include "trainer/run/sampler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the helper may take for its last sample: a tool's time and some for ourselves. */
#define LAST_SAMPLE_MS (TOOL_TIMEOUT_MS + 5000)

/* ---- the helper ---------------------------------------------------------------------------- */

enum news { NOTHING, ENDED, DIED, DEAF };

/* Sleep until `due`, or until the trainer says that it ends, or dies before it has said so, or it
 * cannot be waited for (errno). */
static enum news wait_for_sample(int connection, long long due)
{
    for (;;) {
        struct pollfd end = {connection, POLLIN, 0};
        long long left = due - clock_ms();
        int n = poll(&end, 1, left > 0 ? (int)left : 0);
        char word;
        if (n > 0)
            return read(connection, &word, 1) == 1 ? ENDED : DIED;
        if (n == 0 && clock_ms() >= due)
            return NOTHING;
        if (n < 0 && errno != EINTR)
            return DEAF;
    }
}

static int sample_until_ended(struct sampler *s, int connection, const struct monitor_options *o,
                              struct err *err)
{
    int interval_ms = o->interval_ms ? o->interval_ms : MONITOR_INTERVAL_MS;
    long long due = clock_ms();
    for (enum news news = NOTHING; news == NOTHING;) {
        long long now = clock_ms();
        due = due + interval_ms > now ? due + interval_ms : now + interval_ms;
        news = wait_for_sample(connection, due);
        if (news == DEAF)
            return err_errno(err, ERR_IO, "cannot wait for the trainer");
        if (news == DIED && o->orphaned)
            o->orphaned(o->context);
        if (news != DIED && sampler_take(s, err) < 0)
            return -1;
    }
    return 0;
}

/* The terminal's signals are for the trainer; we end when it does. */
static void help(const struct monitor_options *options, int connection)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    struct err err = ERR_INIT;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    setpgid(0, 0);
    struct sampler *s = sampler_new(options);
    int rc = sample_until_ended(s, connection, options, &err);
    sampler_free(s);
    if (rc < 0) {
        struct err nobody_listens = ERR_INIT;
        file_write_all(connection, err.text, strlen(err.text), "trainer", &nobody_listens);
    }
    _exit(rc < 0);
}

/* ---- the trainer's side ---------------------------------------------------------------------- */

int monitor_open(struct monitor *m, const struct monitor_options *options, struct err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return err_errno(err, ERR_IO, "monitor: cannot make a connection");
    m->pid = fork();
    if (m->pid == 0) {
        close(ends[0]);
        help(options, ends[1]);
    }
    close(ends[1]);
    m->connection = ends[0];
    if (m->pid > 0)
        return 0;
    close(ends[0]);
    return err_errno(err, ERR_IO, "monitor: cannot start a process");
}

/* What the helper says until it ends; false, and why in errno, when it does not end in time
 * (ETIMEDOUT) or cannot be waited for. */
static bool listen_to_end(int connection, char *text, size_t size)
{
    long long until = clock_ms() + LAST_SAMPLE_MS;
    size_t at = 0;
    for (;;) {
        struct pollfd end = {connection, POLLIN, 0};
        long long left = until - clock_ms();
        if (left <= 0)
            errno = ETIMEDOUT;
        int found = left <= 0 ? -1 : poll(&end, 1, (int)left);
        if (found < 0 && errno != EINTR)
            return false;
        if (found <= 0)
            continue;
        ssize_t n = read(connection, text + at, size - 1 - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    text[at] = '\0';
    return true;
}

int monitor_close(struct monitor *m, struct err *err)
{
    char text[ERR_TEXT_MAX] = "";
    int status = 0;
    send(m->connection, "", 1, MSG_NOSIGNAL);
    shutdown(m->connection, SHUT_WR);
    bool ended = listen_to_end(m->connection, text, sizeof text);
    int why = ended ? 0 : errno;
    close(m->connection);
    if (!ended)
        kill(m->pid, SIGKILL);
    while (waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (why && why != ETIMEDOUT)
        return err_set(err, ERR_IO, "monitor: its process cannot be waited for: %s", strerror(why));
    if (why)
        return err_set(err, ERR_IO, "monitor: did not end within %d ms", LAST_SAMPLE_MS);
    if (*text)
        return err_set(err, ERR_IO, "monitor: %s", text);
    if (status)
        return err_set(err, ERR_IO, "monitor: its process died (status %d)", status);
    return 0;
}
