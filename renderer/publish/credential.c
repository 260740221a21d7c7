#include "renderer/publish/credential.h"

#include "base/buf.h"
#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_MAX 65536
#define PIPE_BUF_MAX 32768 /* bytes that a pipe takes without a reader */

extern char **environ;

/* Ours, with the last word on prompts. */
static char **without_prompts(struct arena *arena)
{
    static const char prompt[] = "GIT_TERMINAL_PROMPT=";
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **env = arena_array(arena, n + 2, sizeof *env);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], prompt, strlen(prompt)) != 0)
            env[kept++] = environ[i];
    env[kept] = arena_printf(arena, "%s0", prompt);
    return env;
}

/* `git credential WHAT` between two pipes; its process id, or -1. */
static pid_t start_git_credential(const char *git_folder, const char *what, int in, int out,
                                  struct arena *arena)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t usual;
    pid_t pid = -1;
    const char *argv[] = {"git", "--git-dir", git_folder, "credential", what, NULL};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (posix_spawnp(&pid, "git", &files, &attributes, (char *const *)(uintptr_t)argv,
                     without_prompts(arena)) != 0)
        pid = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

static size_t read_answer(int fd, char *answer)
{
    size_t n = 0;
    while (n < ANSWER_MAX - 1) {
        ssize_t got = read(fd, answer + n, ANSWER_MAX - 1 - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    answer[n] = '\0';
    return n;
}

/* The question fits into a pipe, so that nobody waits for anybody; a git that ends without reading
 * it (its configuration is broken) is an answer of none, and not our end. */
static bool ask_git_credential(const char *git_folder, const char *what, const struct buf *question,
                               char *answer, struct arena *arena)
{
    int to[2], from[2], status = -1;
    struct err ignored = ERR_INIT;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    if (pipe2(to, O_CLOEXEC) < 0)
        return false;
    if (pipe2(from, O_CLOEXEC) < 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    sigaction(SIGPIPE, &ignore, &before);
    pid_t pid = start_git_credential(git_folder, what, to[0], from[1], arena);
    close(to[0]);
    close(from[1]);
    if (pid > 0)
        file_write_all(to[1], question->data, question->len, "git credential", &ignored);
    close(to[1]);
    sigaction(SIGPIPE, &before, NULL);
    if (pid > 0)
        read_answer(from[0], answer);
    close(from[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A line break in a value would be another line to git. */
static bool add_question_line(struct buf *question, const char *key, const char *value)
{
    if (value && strpbrk(value, "\r\n"))
        return false;
    if (value)
        buf_printf(question, "%s=%s\n", key, value);
    return true;
}

static const char *answer_line(const char *answer, const char *key, struct arena *arena)
{
    size_t n = strlen(key);
    for (const char *line = answer; line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, key, n) == 0 && line[n] == '=')
            return arena_strndup(arena, line + n + 1, strcspn(line + n + 1, "\n"));
    return NULL;
}

bool repo_credential_fill(const char *git_folder, const char *url, const char *user,
                          struct arena *arena, const char **name, const char **password)
{
    struct buf question;
    char *answer = arena_alloc(arena, ANSWER_MAX);
    buf_init(&question, PIPE_BUF_MAX);
    bool good =
        add_question_line(&question, "url", url) && add_question_line(&question, "username", user);
    buf_char(&question, '\n');
    good = good && ask_git_credential(git_folder, "fill", &question, answer, arena);
    *name = good ? answer_line(answer, "username", arena) : NULL;
    *password = good ? answer_line(answer, "password", arena) : NULL;
    buf_release(&question);
    if (!*name || !*password)
        *name = *password = NULL;
    return *name != NULL;
}

void repo_credential_tell(const char *git_folder, const char *url, const char *name,
                          const char *password, const char *what)
{
    struct arena scratch = ARENA_INIT;
    struct buf question;
    if (!what)
        return;
    buf_init(&question, PIPE_BUF_MAX);
    if (add_question_line(&question, "url", url) &&
        add_question_line(&question, "username", name) &&
        add_question_line(&question, "password", password)) {
        buf_char(&question, '\n');
        ask_git_credential(git_folder, what, &question, arena_alloc(&scratch, ANSWER_MAX),
                           &scratch);
    }
    buf_release(&question);
    arena_release(&scratch);
}
