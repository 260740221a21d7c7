#include "renderer/publish/git_run.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_DEFAULT 120
#define PATIENCE_MAX 86400
#define SAID_MAX ((size_t)1 << 20)
#define ARGUMENTS_MAX 16
#define NOT_FOUND 127
#define HOST_KEY "Server host key: "

enum { OUT, SAID, STREAMS };

/* What they say is explained; what is done never depends on it. */
static const struct {
    const char *said, *why;
    bool by_ssh;
} explained[] = {
    {"Host key verification failed",
     "its host key is not in ~/.ssh/known_hosts, or another one is; `ssh-keygen -F HOST` shows "
     "what is",
     true},
    {"Permission denied (",
     "it accepts none of the ssh-agent's keys (`ssh-add -l` lists them), nor one of ~/.ssh", true},
    {"ertificate",
     "its certificate leads to no authority that is known here, or is for another host, or out of "
     "date",
     false},
    {"could not read Username",
     "it wants a name and a password, and git's credential helpers know none", false},
    {"could not read Password", "it wants a password, and git's credential helpers know none",
     false},
    {"Authentication failed",
     "the name and password that the URL has or git's credential helpers know were refused", false},
};

static _Noreturn void become_git(const struct git_run *r, const char *const *argv, pid_t parent,
                                 const int to[STREAMS])
{
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool ready = none >= 0 && prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent;
    ready = ready && setsid() > 0 && setenv("LC_ALL", "C", 1) == 0;
    ready = ready && setenv("GIT_TERMINAL_PROMPT", "0", 1) == 0;
    if (r->ssh)
        ready = ready && setenv("GIT_SSH_COMMAND", r->ssh, 1) == 0;
    if (ready && dup2(none, STDIN_FILENO) >= 0 && dup2(to[OUT], STDOUT_FILENO) >= 0 &&
        dup2(to[SAID], STDERR_FILENO) >= 0)
        execvp("git", (char *const *)(uintptr_t)argv);
    _exit(NOT_FOUND);
}

static int patience_seconds(void)
{
    const char *text = getenv("FPREPORT_REMOTE_TIMEOUT");
    long n = text ? strtol(text, NULL, 10) : 0;
    return n > 0 && n <= PATIENCE_MAX ? (int)n : PATIENCE_DEFAULT;
}

/* What is there now; false where nothing is. Of what is too long the last part is kept. */
static bool hear_part(int fd, struct buf *text)
{
    char bytes[4096];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n > 0 && text->len + (size_t)n > SAID_MAX)
        buf_clear(text);
    if (n > 0)
        buf_add(text, bytes, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Until git has closed its output; what it started may keep its other one open (ssh's
 * ControlPersist). False: nothing was said for so long. */
static bool hear_git(const int from[STREAMS], struct buf text[STREAMS], int seconds)
{
    struct pollfd fds[STREAMS] = {{.fd = from[OUT], .events = POLLIN},
                                  {.fd = from[SAID], .events = POLLIN}};
    while (fds[OUT].fd >= 0) {
        int n = poll(fds, STREAMS, seconds * 1000);
        if (n == 0)
            return false;
        for (int i = 0; n > 0 && i < STREAMS; i++)
            if (fds[i].revents && !hear_part(fds[i].fd, &text[i]))
                fds[i].fd = -1;
    }
    return true;
}

static const char *last_line_with(struct arena *arena, const char *text, const char *part)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found = at + strlen(part);
    return found ? arena_strndup(arena, found, strcspn(found, "\r\n")) : NULL;
}

static const char *explain(struct arena *arena, const char *said, int status)
{
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
        if (strstr(said, explained[i].said)) {
            const char *key = explained[i].by_ssh ? last_line_with(arena, said, HOST_KEY) : NULL;
            bool alone = explained[i].by_ssh && !getenv("SSH_AUTH_SOCK");
            return arena_printf(arena, "%s%s%s%s", explained[i].why,
                                key ? "; its host key is " : "", text_or_empty(key),
                                alone ? "; there is no ssh-agent (SSH_AUTH_SOCK)" : "");
        }
    const char *fatal = last_line_with(arena, said, "fatal: ");
    const char *error = fatal ? fatal : last_line_with(arena, said, "error: ");
    if (error)
        return error;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return "git cannot be run (Debian: git)";
    return WIFEXITED(status) ? "git says no more" : "git was ended by a signal";
}

static pid_t start_git(const struct git_run *r, const char *const *argv, int from[STREAMS])
{
    int out[2] = {-1, -1}, said[2] = {-1, -1};
    pid_t parent = getpid(), pid = -1;
    if (pipe2(out, O_CLOEXEC) == 0 && pipe2(said, O_CLOEXEC | O_NONBLOCK) == 0)
        pid = fork();
    if (pid == 0)
        become_git(r, argv, parent, (const int[STREAMS]){out[1], said[1]});
    close(out[1]);
    close(said[1]);
    from[OUT] = out[0];
    from[SAID] = said[0];
    return pid;
}

bool git_run(struct git_run *r, const char *const *arguments)
{
    const char *argv[ARGUMENTS_MAX + 6] = {"git", "--git-dir", r->git_folder, "-c",
                                           "core.hooksPath=/dev/null"};
    struct buf text[STREAMS];
    int from[STREAMS], status = -1, seconds = patience_seconds();
    for (size_t i = 0; i < ARGUMENTS_MAX && arguments[i]; i++)
        argv[5 + i] = arguments[i];
    for (int i = 0; i < STREAMS; i++)
        buf_init(&text[i], SAID_MAX);
    pid_t pid = start_git(r, argv, from);
    bool heard = pid > 0 && hear_git(from, text, seconds);
    if (pid > 0 && !heard)
        kill(-pid, SIGKILL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    while (pid > 0 && hear_part(from[SAID], &text[SAID]))
        ;
    for (int i = 0; i < STREAMS; i++)
        close(from[i]);
    r->out = arena_strndup(r->arena, text[OUT].len ? text[OUT].data : "", text[OUT].len);
    const char *said =
        arena_strndup(r->arena, text[SAID].len ? text[SAID].data : "", text[SAID].len);
    r->why = pid <= 0 ? arena_printf(r->arena, "git cannot be started: %s", strerror(errno))
             : heard  ? explain(r->arena, said, status)
                      : arena_printf(r->arena, "it said nothing for %d s", seconds);
    for (int i = 0; i < STREAMS; i++)
        buf_release(&text[i]);
    return heard && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
