/* Sending a branch to a remote, and telling what became of it. */
#include "base/arena.h"
#include "base/text.h"
#include "renderer/publish/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Git itself talks to a remote: proxies, ssh's configuration, certificates and credential
 * helpers are those of the user.
 *
 * Nobody is asked on a terminal: git has none (a session of its own), and where nothing else is
 * said, its ssh is told to ask nothing. No hook of this repository is run. A git that says nothing
 * for FPREPORT_REMOTE_TIMEOUT seconds (120) is ended with all that it started. */

struct git_run {
    const char *git_folder; /* of the repository */
    const char *ssh;        /* GIT_SSH_COMMAND of it; NULL: as the user has it */
    struct arena *arena;
    const char *out; /* what it printed */
    const char *why; /* why it failed: our words where there are any, else its own last line */
};

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

/* `arguments` are those of git, NULL at their end. False when it did not end with 0. */
static bool git_run(struct git_run *r, const char *const *arguments)
{
    const char *argv[ARGUMENTS_MAX + 6] = {"git", "--git-dir", r->git_folder, "-c",
                                           "core.hooksPath=/dev/null"};
    struct buf text[STREAMS] = {BUF_INIT(SAID_MAX), BUF_INIT(SAID_MAX)};
    int from[STREAMS], status = -1, seconds = patience_seconds();
    for (size_t i = 0; i < ARGUMENTS_MAX && arguments[i]; i++)
        argv[5 + i] = arguments[i];
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
    r->out = buf_text(&text[OUT], r->arena);
    const char *said = buf_text(&text[SAID], r->arena);
    r->why = pid <= 0 ? arena_printf(r->arena, "git cannot be started: %s", strerror(errno))
             : heard  ? explain(r->arena, said, status)
                      : arena_printf(r->arena, "it said nothing for %d s", seconds);
    return heard && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct push {
    struct repo_branch *b;
    struct arena arena;
    const char *given, *name; /* as the user named it; without a password */
    const char *url;          /* where it is pushed to */
    struct git_run git;
    git_oid at; /* the remote's commit of the branch; zero: none */
};

/* Of the configuration, "" where that is not set. */
static const char *push_setting(struct push *p, const char *key)
{
    git_config *config = NULL;
    const char *value = NULL;
    if (git_repository_config_snapshot(&config, p->b->repo) < 0)
        return "";
    if (git_config_get_string(&value, config, key) == 0)
        value = arena_strdup(&p->arena, value);
    git_config_free(config);
    return text_or_empty(value);
}

/* ssh needs its user's name, and takes no password. */
const char *repo_remote_shown(const char *remote, struct arena *arena)
{
    return strncmp(remote, "ssh://", 6) == 0 ? remote : repo_url_shown(remote, arena);
}

static int open_push(struct push *p, struct repo_branch *b, const char *remote, struct err *err)
{
    *p = (struct push){.b = b, .given = remote};
    p->name = repo_remote_shown(remote, &p->arena);
    const char *url = push_setting(p, arena_printf(&p->arena, "remote.%s.url", remote));
    const char *other = push_setting(p, arena_printf(&p->arena, "remote.%s.pushurl", remote));
    p->url = *other ? other : remote;
    if (!*url && !*other && !strpbrk(remote, "/:"))
        return err_set(err, ERR_USAGE,
                       "there is no remote '%s'; `git remote add %s URL` makes one, `git remote` "
                       "lists them",
                       p->name, p->name);
    bool own =
        getenv("GIT_SSH_COMMAND") || getenv("GIT_SSH") || *push_setting(p, "core.sshCommand");
    p->git = (struct git_run){.git_folder = b->info.git_folder,
                              .ssh = own ? NULL : "ssh -v -o BatchMode=yes",
                              .arena = &p->arena};
    return 0;
}

/* git leaves passwords out of what it says; a program that it asks may not. */
static const char *why_not(struct push *p)
{
    const char *urls[] = {p->url, p->given};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        const char *from = strstr(urls[i], "://"), *to = from ? strrchr(from, '@') : NULL;
        if (to && strncmp(urls[i], "ssh://", 6) != 0 &&
            strstr(p->git.why, arena_strndup(&p->arena, from + 3, (size_t)(to - from - 3))))
            return "what git says of it has the password in it";
    }
    return p->git.why;
}

/* p->at: where the branch is there. */
static int ask_remote(struct push *p, struct err *err)
{
    const char *const arguments[] = {"ls-remote", "--", p->url, p->b->ref, NULL};
    p->at = (git_oid){{0}};
    if (!git_run(&p->git, arguments))
        return err_set(err, ERR_IO,
                       "%s: cannot be reached: %s; `git push -- %s %s` says what git does", p->name,
                       why_not(p), p->name, p->b->name);
    size_t n;
    char **lines = text_lines(&p->arena, p->git.out, &n);
    for (size_t i = 0; i < n; i++) {
        const char *tab = strchr(lines[i], '\t');
        if (tab && strcmp(tab + 1, p->b->ref) == 0 && git_oid_fromstr(&p->at, lines[i]) < 0)
            return repo_git_err(err, ERR_IO, "%s: its commit of %s", p->name, p->b->name);
    }
    return 0;
}

static int check_forward(struct push *p, const git_oid *to, struct err *err)
{
    const char *name = p->b->name;
    if (git_oid_is_zero(&p->at) || git_oid_equal(&p->at, to) ||
        git_graph_descendant_of(p->b->repo, to, &p->at) == 1)
        return 0;
    return err_set(err, ERR_CHECK,
                   "%s has published %.12s on %s, which is not what this would build upon; `git "
                   "fetch %s %s:refs/remotes/%s/%s`, then publish again",
                   p->name, repo_hex(&p->arena, &p->at), name, p->name, name, p->name, name);
}

int repo_branch_ask(struct repo_branch *b, const char *remote, struct arena *arena, const char **at,
                    struct err *err)
{
    struct push p;
    bool failed = open_push(&p, b, remote, err) < 0 || ask_remote(&p, err) < 0 ||
                  check_forward(&p, &b->base, err) < 0;
    *at = repo_hex(arena, &p.at);
    arena_release(&p.arena);
    return failed ? -1 : 0;
}

/* No answer about our branch: the remote is asked where it is. */
static int find_out(struct push *p, const git_oid *to, struct err *err)
{
    struct err second = ERR_INIT;
    const char *why = why_not(p);
    if (ask_remote(p, &second) < 0)
        return err_set(err, ERR_UNKNOWN,
                       "%s may have taken %s or not (%s), and cannot be asked now; publish again "
                       "to find out",
                       p->name, p->b->name, why);
    if (git_oid_equal(&p->at, to))
        return 0;
    return err_set(
        err, ERR_IO,
        "%s did not take %s: %s; it is committed here only, `git push -- %s %s` says what git does",
        p->name, p->b->name, why, p->name, p->b->name);
}

int repo_branch_push(struct repo_branch *b, const char *remote, const char *id, struct err *err)
{
    struct push p;
    git_oid to;
    int rc = open_push(&p, b, remote, err);
    if (rc == 0 && git_oid_fromstr(&to, id) < 0)
        rc = repo_git_err(err, ERR_IO, "%s", id);
    const char *const arguments[] = {"push",
                                     "--porcelain",
                                     "--progress",
                                     "--no-verify",
                                     "--no-follow-tags",
                                     "--recurse-submodules=no",
                                     "--",
                                     remote,
                                     arena_printf(&p.arena, "%s:%s", id, b->ref),
                                     NULL};
    if (rc == 0 && !git_run(&p.git, arguments)) {
        /* `git push --porcelain` says "!\tFROM:TO\t[remote rejected] (why)" of what the remote or
         * git refused; that the remote did not say what became of it is "[remote failure]". */
        const char *refused = NULL;
        size_t n;
        char **lines = text_lines(&p.arena, p.git.out, &n);
        for (size_t i = 0; i < n; i++) {
            const char *what = strrchr(lines[i], '\t');
            if (text_starts(lines[i], "!\t") && what && !text_starts(what + 1, "[remote failure]"))
                refused = what + 1;
        }
        rc = refused ? err_set(err, ERR_CHECK, "%s refused %s: %s; it is committed here only",
                               p.name, b->name, refused)
                     : find_out(&p, &to, err);
    }
    arena_release(&p.arena);
    return rc;
}
