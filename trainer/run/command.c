#include "trainer/run/command.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/records/seen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PIECE_BYTES 65536

struct running {
    const struct command_options *options;
    struct command_result *result;
    pid_t pid;   /* also the process group */
    int output;  /* our end of the pipe; -1 after its end */
    int signals; /* signalfd */
    int log;
    int seen; /* -1: times of lines are not kept, or no longer */
    long long lines;
    size_t entries;    /* in it */
    int exec_errno;    /* why it could not be started; 0: it was */
    bool exited;       /* the command itself; its group may live on */
    long long give_up; /* ms: when to stop waiting for the pipe's end, after the exit */
    char last;         /* last byte in the log, so that our lines begin on one */
};

/* ---- signals: blocked, and read from a descriptor, so that no handler needs a global -------- */

static void note_exit(struct running *r)
{
    int status;
    pid_t pid = waitpid(r->pid, &status, WNOHANG);
    if (pid != r->pid)
        return;
    bool killed = WIFSIGNALED(status);
    r->exited = true;
    r->result->signal = killed ? WTERMSIG(status) : 0;
    r->result->exit_status = killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    r->give_up = clock_ms() + (r->options->grace_ms ? r->options->grace_ms : COMMAND_GRACE_MS);
}

/* ---- output ------------------------------------------------------------------------------- */

static int to_log(struct running *r, const char *data, size_t len, struct err *err)
{
    if (len == 0)
        return 0;
    r->last = data[len - 1];
    return file_write_all(r->log, data, len, r->options->log_path, err);
}

static int note_in_log(struct running *r, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int note_in_log(struct running *r, struct err *err, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    size_t at = (size_t)snprintf(line, sizeof line, "%s[fpreport] ", r->last == '\n' ? "" : "\n");
    va_start(ap, fmt);
    int n = vsnprintf(line + at, sizeof line - at - 1, fmt, ap);
    va_end(ap);
    at += (size_t)n < sizeof line - at - 1 ? (size_t)n : sizeof line - at - 2;
    line[at++] = '\n';
    return to_log(r, line, at, err);
}

/* A terminal that went away must not end a run of hours: remember it and stop writing there. */
static void echo(struct running *r, const char *data, size_t len)
{
    struct err ignored = ERR_INIT;
    if (!r->options->echo || r->result->echo_errno)
        return;
    errno = 0;
    if (file_write_all(STDOUT_FILENO, data, len, "standard output", &ignored) < 0)
        r->result->echo_errno = errno ? errno : EIO;
}

/* A run is as good without the times of its lines: where they cannot be written, they end. */
static void note_seen(struct running *r, const char *data, size_t len)
{
    char entry[48];
    struct err unsaid = ERR_INIT;
    long long before = r->lines;
    for (const char *at = data, *end = data + len;
         at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        r->lines++;
    if (r->seen < 0 || r->lines == before)
        return;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int n = snprintf(entry, sizeof entry, "%lld %lld\n", r->lines,
                     (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    if (file_write_all(r->seen, entry, (size_t)n, r->options->seen_path, &unsaid) == 0 &&
        ++r->entries < SEEN_ENTRIES_MAX)
        return;
    close(r->seen);
    r->seen = -1;
}

static int take_output(struct running *r, struct err *err)
{
    char piece[PIECE_BYTES];
    ssize_t n = read(r->output, piece, sizeof piece);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (n <= 0) {
        close(r->output);
        r->output = -1;
        return 0;
    }
    size_t max = r->options->log_max ? r->options->log_max : COMMAND_LOG_MAX;
    size_t logged = r->result->bytes - r->result->dropped;
    size_t keep = (size_t)n < max - logged ? (size_t)n : max - logged;
    r->result->bytes += (size_t)n;
    r->result->dropped += (size_t)n - keep;
    note_seen(r, piece, keep);
    echo(r, piece, (size_t)n);
    return to_log(r, piece, keep, err);
}

/* ---- the process -------------------------------------------------------------------------- */

struct start {
    const char *const *argv;
    int output, failure;  /* pipes' writing ends: what it says, and errno if exec fails */
    const sigset_t *mask; /* to be restored */
    pid_t parent;
};

/* In the child: only async-signal-safe calls from here on. */
static void become_command(const struct start *s)
{
    int null = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == s->parent && null >= 0 && dup2(null, 0) >= 0 && dup2(s->output, 1) >= 0 &&
        dup2(s->output, 2) >= 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        sigprocmask(SIG_SETMASK, s->mask, NULL);
        execvp(s->argv[0], (char *const *)(uintptr_t)s->argv);
    }
    int why = errno;
    ssize_t ignored = write(s->failure, &why, sizeof why);
    _exit(ignored == sizeof why ? 127 : 126);
}

/* 0 when exec succeeded, else its errno. */
static int wait_for_exec(int failure)
{
    int why = 0;
    ssize_t n;
    do
        n = read(failure, &why, sizeof why);
    while (n < 0 && errno == EINTR);
    return n == sizeof why ? why : 0;
}

static int spawn(struct running *r, const sigset_t *mask, struct err *err)
{
    int output[2], failure[2];
    if (pipe2(output, O_CLOEXEC) < 0)
        return err_errno(err, ERR_IO, "cannot make a pipe");
    if (pipe2(failure, O_CLOEXEC) < 0) {
        close(output[0]);
        close(output[1]);
        return err_errno(err, ERR_IO, "cannot make a pipe");
    }
    struct start start = {r->options->argv, output[1], failure[1], mask, getpid()};
    r->pid = fork();
    if (r->pid == 0)
        become_command(&start);
    int saved = errno;
    close(output[1]);
    close(failure[1]);
    r->output = output[0];
    r->exec_errno = r->pid > 0 ? wait_for_exec(failure[0]) : 0;
    close(failure[0]);
    errno = saved;
    if (r->pid < 0)
        return err_errno(err, ERR_IO, "cannot start a process");
    setpgid(r->pid, r->pid); /* whoever is first: the child does it too */
    r->result->started = r->exec_errno == 0;
    if (r->result->started)
        return 0;
    return note_in_log(r, err, "cannot run '%.200s': %s", r->options->argv[0],
                       strerror(r->exec_errno));
}

/* Take back members of the group that have ended; true when nobody is left in it. We are their
 * new parent when their own has gone (PR_SET_CHILD_SUBREAPER). */
static bool group_is_gone(const struct running *r)
{
    while (waitpid(-r->pid, NULL, WNOHANG) > 0)
        ;
    return kill(-r->pid, 0) < 0 && errno == ESRCH;
}

static bool wait_for_group(const struct running *r, long long until)
{
    static const struct timespec pause = {0, 5000000};
    while (!group_is_gone(r)) {
        if (clock_ms() >= until)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

static int loop(struct running *r, struct err *err)
{
    while (!r->exited || (r->output >= 0 && clock_ms() < r->give_up)) {
        struct pollfd fds[] = {{r->signals, POLLIN, 0}, {r->output, POLLIN, 0}};
        long long left = r->exited ? r->give_up - clock_ms() : -1;
        if (poll(fds, 2, left < 0 && r->exited ? 0 : (int)left) < 0 && errno != EINTR)
            return err_errno(err, ERR_IO, "cannot wait for the command");
        if (fds[0].revents) {
            struct signalfd_siginfo info;
            while (read(r->signals, &info, sizeof info) == (ssize_t)sizeof info) {
                if (info.ssi_signo == SIGCHLD) {
                    note_exit(r);
                    continue;
                }
                bool again = r->result->asked != 0;
                r->result->asked = again ? r->result->asked : (int)info.ssi_signo;
                kill(-r->pid, again ? SIGKILL : (int)info.ssi_signo);
            }
        }
        if (fds[1].revents && take_output(r, err) < 0)
            return -1;
    }
    return 0;
}

static int last_lines(struct running *r, struct err *err)
{
    if (r->result->dropped &&
        note_in_log(r, err, "output beyond %zu bytes was left out (%zu bytes)",
                    r->result->bytes - r->result->dropped, r->result->dropped) < 0)
        return -1;
    if (r->result->left_over &&
        note_in_log(r, err, "processes that the command left running were killed") < 0)
        return -1;
    if (fsync(r->log) < 0 && errno != EINVAL) /* EINVAL: a device, which has nothing to sync */
        return err_errno(err, ERR_IO, "%s: cannot sync", r->options->log_path);
    return 0;
}

static int run_with_log(struct running *r, const sigset_t *mask, struct err *err)
{
    int rc = spawn(r, mask, err);
    if (r->pid <= 0)
        return -1;
    if (rc == 0)
        rc = loop(r, err);
    /* End what is left of the group. The second wait has an end too: a process that hangs in a
     * driver cannot be killed. */
    if (!r->exited) {
        kill(-r->pid, SIGKILL);
        r->result->signal = SIGKILL;
        r->result->exit_status = 128 + SIGKILL;
        waitpid(r->pid, NULL, 0);
    } else if (!wait_for_group(r, r->give_up)) {
        r->result->left_over = true;
        kill(-r->pid, SIGKILL);
    }
    wait_for_group(r, clock_ms() + COMMAND_GRACE_MS);
    if (r->output >= 0)
        close(r->output);
    if (r->exec_errno) /* as a shell tells it */
        r->result->exit_status = r->exec_errno == ENOENT ? 127 : 126;
    return rc < 0 ? -1 : last_lines(r, err);
}

int command_run(const struct command_options *options, struct command_result *result,
                struct err *err)
{
    struct running r = {
        .options = options, .result = result, .output = -1, .seen = -1, .last = '\n'};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe_action;
    sigset_t ours, before;
    *result = (struct command_result){0};
    r.log = open(options->log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (r.log < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", options->log_path);
    if (options->seen_path)
        r.seen = open(options->seen_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        struct sigaction action;
        if (sigaction(passed_on[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&ours, passed_on[i]);
    }
    sigprocmask(SIG_BLOCK, &ours, &before);
    sigaction(SIGPIPE, &ignore, &pipe_action);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    r.signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    int rc = r.signals < 0 ? err_errno(err, ERR_IO, "cannot listen for signals")
                           : run_with_log(&r, &before, err);
    if (r.signals >= 0)
        close(r.signals);
    close(r.log);
    if (r.seen >= 0)
        close(r.seen);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    sigaction(SIGPIPE, &pipe_action, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}
