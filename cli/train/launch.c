#include "cli/train/launch.h"

#include "base/calendar.h"
#include "cli/cli.h"
#include "cli/stops.h"
#include "trainer/ranks/ranks.h"
#include "trainer/ranks/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

struct rank_report rank_report_find(void)
{
    const char *fd = getenv(RANK_REPORT_FD), *node = getenv(RANK_REPORT_NODE);
    struct rank_report none = {.fd = -1};
    char *end;
    long value = fd ? strtol(fd, &end, 10) : -1;
    if (!fd || !node || end == fd || *end || value < 3 || value > 1 << 20)
        return none;
    if (fcntl((int)value, F_SETFD, FD_CLOEXEC) < 0)
        return none;
    return (struct rank_report){.fd = (int)value, .node = node};
}

void rank_report_tell(int fd, int rank, enum rank_word word, int status, const char *text)
{
    char line[RANK_REPORT_MAX];
    int n = snprintf(line, sizeof line - 1, "%d %c %d %s", rank, (char)word, status, text);
    size_t len = (size_t)n < sizeof line - 1 ? (size_t)n : sizeof line - 2;
    for (char *at = line; (at = memchr(at, '\n', len - (size_t)(at - line)));)
        *at = ' '; /* one line */
    line[len++] = '\n';
    ssize_t ignored = write(fd, line, len); /* nobody is left to tell when that fails */
    (void)ignored;
}

#define ADDRESS "127.0.0.1" /* where they meet */
#define LOOK_MS 100         /* between two looks at whether a rank has ended */

/* Which of several faults is the cause: a rank that was killed is why others failed, and one that
 * failed is why others are lost. */
enum cause { CAUSE_NONE, CAUSE_LOST, CAUSE_SILENT, CAUSE_FAILED, CAUSE_KILLED };

struct launch {
    const struct launch_options *options;
    struct arena *arena;
    struct launch_end *end;
    pid_t *pids;        /* 0: gone */
    bool *reported;     /* has said why it ends */
    int left;           /* ranks that run */
    int listener, port; /* where they meet; rank 0 takes it over; -1: it has, or there is none */
    char job[RANKS_JOB];
    int report[2]; /* pipe */
    int signals;   /* signalfd */
    sigset_t before;
    int asked;       /* signal that we were asked to stop with */
    bool ending;     /* they have been asked to end */
    bool killed;     /* they have been killed */
    bool whole;      /* all that have ended have ended well */
    double deadline; /* when they are */
    enum cause cause;
    char line[RANK_REPORT_MAX]; /* of the pipe, as far as it was read */
    size_t n_line;
};

/* ---- starting ------------------------------------------------------------------------------- */

/* Our environment, but for what a rank is told. */
static char **environment(struct launch *l, int rank)
{
    const char *const environment[] = {
        arena_printf(l->arena, "RANK=%d", rank),
        arena_printf(l->arena, "WORLD_SIZE=%d", l->options->ranks),
        arena_printf(l->arena, "LOCAL_RANK=%d", rank),
        arena_printf(l->arena, "LOCAL_WORLD_SIZE=%d", l->options->ranks),
        "MASTER_ADDR=" ADDRESS,
        arena_printf(l->arena, "MASTER_PORT=%d", l->port),
        arena_printf(l->arena, "TORCHELASTIC_RUN_ID=%s", l->job),
        "TORCHELASTIC_USE_AGENT_STORE=False",
        arena_printf(l->arena, RANKS_LISTENER "=%d", rank == 0 ? l->listener : -1),
        arena_printf(l->arena, RANK_REPORT_FD "=%d", l->report[1]),
        arena_printf(l->arena, RANK_REPORT_NODE "=%s", l->options->node),
    };
    const size_t n_environment = sizeof environment / sizeof *environment;
    size_t n = 0, at = 0;
    while (environ[n])
        n++;
    char **all = arena_array(l->arena, n + n_environment + 1, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        bool ours = false;
        for (size_t k = 0; k < n_environment; k++)
            ours =
                ours || strncmp(environ[i], environment[k], strcspn(environment[k], "=") + 1) == 0;
        if (!ours)
            all[at++] = environ[i];
    }
    for (size_t k = 0; k < n_environment; k++)
        all[at++] = (char *)(uintptr_t)environment[k];
    return all;
}

static int start_rank(struct launch *l, int rank, struct err *err)
{
    pid_t parent = getpid();
    char **env = environment(l, rank);
    pid_t pid = fork();
    if (pid < 0)
        return err_errno(err, ERR_IO, "rank %d: fork", rank);
    if (pid == 0) {
        /* In the child. What libraries say on standard output goes where we say things. Signals
         * that ask to stop stay blocked: libraries start threads before the rank's main(), and one
         * that does not block them would let them end the rank at once. */
        setpgid(0, l->pids[0]); /* 0 for the first: a group of its own */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
            fcntl(l->report[1], F_SETFD, 0) == 0 &&
            (rank > 0 || fcntl(l->listener, F_SETFD, 0) == 0)) {
            execve(l->options->argv[0], (char *const *)(uintptr_t)l->options->argv, env);
        }
        rank_report_tell(l->report[1], rank, RANK_FAILED, EXIT_IO, strerror(errno));
        _exit(EXIT_IO);
    }
    l->pids[rank] = pid;
    l->left++;
    setpgid(pid, l->pids[0]); /* here too, for whoever is first */
    return 0;
}

/* ---- ending --------------------------------------------------------------------------------- */

static void signal_all_ranks(const struct launch *l, int signal)
{
    for (int r = 0; r < l->options->ranks; r++)
        if (l->pids[r] > 0)
            kill(l->pids[r], signal);
}

static void ask_to_end(struct launch *l, int signal, double grace)
{
    if (l->ending)
        return;
    l->ending = true;
    l->deadline = clock_seconds() + grace;
    signal_all_ranks(l, signal);
}

static void note_cause(struct launch *l, enum cause cause, int status, const char *reason)
{
    if (cause > l->cause) {
        l->cause = cause;
        l->end->exit_status = status ? status : EXIT_IO;
        l->end->reason = reason;
    }
    ask_to_end(l, SIGTERM, LAUNCH_GRACE_S);
}

/* A signal that nobody but us can have sent is no cause, nor is what a rank says that it brought
 * about. */
static bool is_ours(const struct launch *l, int signal)
{
    return (signal == SIGKILL && l->killed) || (signal == SIGTERM && l->ending) ||
           signal == l->asked;
}

static void note_end(struct launch *l, int rank, int status)
{
    l->pids[rank] = 0;
    l->left--;
    l->whole = l->whole && status == 0;
    if (WIFSIGNALED(status) && !is_ours(l, WTERMSIG(status)))
        note_cause(l, CAUSE_KILLED, EXIT_IO,
                   arena_printf(l->arena, "rank %d was killed by signal %d (%s)", rank,
                                WTERMSIG(status), strsignal(WTERMSIG(status))));
    else if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && !l->reported[rank])
        note_cause(
            l, CAUSE_SILENT, WEXITSTATUS(status),
            arena_printf(l->arena, "rank %d exited with status %d", rank, WEXITSTATUS(status)));
}

/* ---- news ----------------------------------------------------------------------------------- */

static void take_rank_line(struct launch *l, const char *line)
{
    int rank, status, text = 0;
    char word;
    if (sscanf(line, "%d %c %d %n", &rank, &word, &status, &text) < 3 || !text)
        return;
    enum cause cause = word == RANK_LOST ? CAUSE_LOST : CAUSE_FAILED;
    if (rank >= 0 && rank < l->options->ranks)
        l->reported[rank] = true;
    if (status > 128 && is_ours(l, status - 128))
        return;
    bool named = strncmp(line + text, "rank ", 5) == 0;
    note_cause(l, cause, status,
               named ? arena_strdup(l->arena, line + text)
                     : arena_printf(l->arena, "rank %d: %s", rank, line + text));
}

static void take_report(struct launch *l)
{
    char c;
    while (read(l->report[0], &c, 1) == 1) {
        if (c != '\n' && l->n_line < sizeof l->line - 1) {
            l->line[l->n_line++] = c;
            continue;
        }
        l->line[l->n_line] = '\0';
        l->n_line = 0;
        take_rank_line(l, l->line);
    }
}

static void take_signals(struct launch *l)
{
    struct signalfd_siginfo info;
    while (read(l->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int signal = (int)info.ssi_signo;
        if (signal == SIGCHLD || l->asked)
            continue;
        l->asked = signal;
        ask_to_end(l, signal, l->options->saves ? LAUNCH_SAVE_S : LAUNCH_STOP_S);
    }
}

/* A library's thread that was started before SIGCHLD was blocked may take that signal, and it is
 * gone; so it is only why we look sooner than we would. */
static void watch_ranks(struct launch *l)
{
    while (l->left > 0) {
        struct pollfd news[] = {{.fd = l->report[0], .events = POLLIN},
                                {.fd = l->signals, .events = POLLIN}};
        if (l->ending && !l->killed && l->deadline <= clock_seconds()) {
            l->killed = true;
            signal_all_ranks(l, SIGKILL);
        }
        poll(news, 2, LOOK_MS);
        take_signals(l);
        take_report(l);
        for (int r = 0; r < l->options->ranks; r++) {
            int status;
            pid_t first = l->pids[r];
            if (first <= 0 || waitpid(first, &status, WNOHANG) != first)
                continue;
            take_report(l); /* what it has said comes first */
            note_end(l, r, status);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static int prepare_launch(struct launch *l, struct err *err)
{
    l->listener = socket_listen(ADDRESS, &l->port, err);
    if (l->listener < 0 || ranks_name_job(l->job, err) < 0)
        return -1;
    sigset_t news = stops_block(&l->before);
    sigaddset(&news, SIGCHLD);
    sigprocmask(SIG_BLOCK, &news, NULL);
    l->signals = signalfd(-1, &news, SFD_NONBLOCK | SFD_CLOEXEC);
    if (l->signals < 0)
        return err_errno(err, ERR_IO, "signalfd");
    if (pipe2(l->report, O_CLOEXEC | O_NONBLOCK) < 0)
        return err_errno(err, ERR_IO, "cannot make a pipe");
    return 0;
}

static void release_launch(struct launch *l)
{
    int open[] = {l->report[0], l->report[1], l->signals, l->listener};
    if (l->signals >= 0)
        take_signals(l); /* one that came too late to stop anything */
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (open[i] >= 0)
            close(open[i]);
    sigprocmask(SIG_SETMASK, &l->before, NULL);
}

/* Somebody's wish to stop is why it ended, whatever the ranks said of it; it may have been said to
 * one of them. */
static void settle(struct launch *l)
{
    struct launch_end *end = l->end;
    if (!l->asked && end->exit_status > 128)
        end->signal = end->exit_status - 128;
    if (!l->asked || l->whole)
        return;
    end->signal = l->asked;
    end->exit_status = 128 + l->asked;
    end->reason = "stopped before its last step";
}

int launch_ranks(const struct launch_options *options, struct arena *arena, struct launch_end *end,
                 struct err *err)
{
    struct launch l = {.options = options,
                       .arena = arena,
                       .end = end,
                       .listener = -1,
                       .report = {-1, -1},
                       .signals = -1,
                       .whole = true};
    *end = (struct launch_end){0};
    sigprocmask(SIG_SETMASK, NULL, &l.before);
    l.pids = arena_array(arena, (size_t)options->ranks, sizeof *l.pids);
    l.reported = arena_array(arena, (size_t)options->ranks, sizeof *l.reported);
    int rc = prepare_launch(&l, err);
    for (int r = 0; rc == 0 && r < options->ranks; r++)
        rc = start_rank(&l, r, err);
    /* To rank 0: when that is gone, who comes is to be refused, and not to wait. */
    if (l.listener >= 0)
        close(l.listener);
    l.listener = -1;
    if (rc < 0)
        ask_to_end(&l, SIGTERM, 0);
    watch_ranks(&l);
    settle(&l);
    release_launch(&l);
    return rc;
}
