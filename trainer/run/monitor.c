#include "trainer/run/monitor.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "trainer/cards/tool.h"
#include "trainer/run/sampler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the helper may take for its last sample: a tool's time and some for ourselves. */
#define LAST_SAMPLE_MS (TOOL_TIMEOUT_MS + 5000)

/* ---- the helper ---------------------------------------------------------------------------- */

enum news { NOTHING, ENDED, DIED, DEAF };

/* What ends the helper's answer to "no more samples"; without it, the helper died. */
#define SAID_ALL '\n'

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
                              enum news *last, struct err *err)
{
    int interval_ms = o->interval_ms ? o->interval_ms : MONITOR_INTERVAL_MS;
    long long due = clock_ms();
    for (enum news news = NOTHING; news == NOTHING;) {
        long long now = clock_ms();
        due = due + interval_ms > now ? due + interval_ms : now + interval_ms;
        news = wait_for_sample(connection, due);
        *last = news;
        if (news == DEAF)
            return err_errno(err, ERR_IO, "cannot wait for the trainer");
        if (news != DIED && sampler_take(s, err) < 0)
            return -1;
    }
    return 0;
}

/* The trainer says that it has written how the run ended, or dies before that. */
static enum news wait_for_end(int connection, enum news last)
{
    char word;
    ssize_t n = 1;
    bool stopped = last == ENDED;
    if (last == DIED)
        return DIED;
    do {
        n = read(connection, &word, 1);
        if (n == 1 && stopped)
            return ENDED;
        stopped = stopped || n == 1; /* it failed before it was asked to stop */
    } while (n == 1 || (n < 0 && errno == EINTR));
    return DIED;
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
    enum news last = NOTHING;
    int rc = sample_until_ended(s, connection, options, &last, &err);
    sampler_free(s);
    /* What went wrong, or nothing, for whoever asks. */
    static const char end = SAID_ALL;
    struct err nobody_listens = ERR_INIT;
    if (rc < 0)
        file_write_all(connection, err.text, strlen(err.text), "trainer", &nobody_listens);
    file_write_all(connection, &end, 1, "trainer", &nobody_listens);
    shutdown(connection, SHUT_WR);
    if (wait_for_end(connection, last) == DIED && options->orphaned)
        options->orphaned(options->context);
    _exit(rc < 0);
}

/* ---- the trainer's side ---------------------------------------------------------------------- */

int monitor_open(struct monitor *m, const struct monitor_options *options, struct err *err)
{
    int ends[2];
    m->stopped = false;
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

static int wait_for_helper(struct monitor *m)
{
    int status = 0;
    while (m->pid > 0 && waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
        ;
    m->pid = 0;
    return status;
}

int monitor_stop(struct monitor *m, struct err *err)
{
    char text[ERR_TEXT_MAX] = "";
    m->stopped = true;
    send(m->connection, "", 1, MSG_NOSIGNAL);
    bool ended = listen_to_end(m->connection, text, sizeof text);
    int why = ended ? 0 : errno;
    size_t n = strlen(text);
    if (!ended) {
        kill(m->pid, SIGKILL);
        wait_for_helper(m);
    }
    if (why && why != ETIMEDOUT)
        return err_set(err, ERR_IO,
                       "monitor: cannot wait for the monitor process: "
                       "%s",
                       strerror(why));
    if (why)
        return err_set(err, ERR_IO,
                       "monitor: the monitor process did not end within %d "
                       "ms",
                       LAST_SAMPLE_MS);
    if (n == 0 || text[n - 1] != SAID_ALL)
        return err_set(err, ERR_IO,
                       "monitor: the monitor process died (status "
                       "%d)",
                       wait_for_helper(m));
    text[n - 1] = '\0';
    return *text ? err_set(err, ERR_IO, "monitor: %s", text) : 0;
}

int monitor_close(struct monitor *m, struct err *err)
{
    int rc = m->stopped ? 0 : monitor_stop(m, err);
    send(m->connection, "", 1, MSG_NOSIGNAL);
    close(m->connection);
    wait_for_helper(m);
    return rc;
}
