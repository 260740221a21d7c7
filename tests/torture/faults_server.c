/*
 * A program that is linked and initialised once, and stops before main(). Each request makes a
 * child of it that goes on from there: a run costs no start, and has its addresses where the others
 * have theirs.
 *
 * A request: its length (4 bytes), then words that end with NUL: the folder to be in, and settings
 * of the environment. The answer: the child's number and, once it ended, its status (4 bytes each).
 */
#include "faults.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                       void (*)(void), void *);
typedef int real_main(int, char **, char **);

static real_main *begin;

static bool read_all(int fd, void *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        long got = syscall(SYS_read, fd, (char *)data + done, n - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static char *next_request(int from, uint32_t *len)
{
    static char words[16384];
    if (!read_all(from, len, sizeof *len) || *len >= sizeof words || !read_all(from, words, *len))
        return NULL;
    words[*len] = '\0';
    return words;
}

static void say(int to, int32_t number)
{
    if (syscall(SYS_write, to, &number, sizeof number) != sizeof number)
        _exit(1);
}

static int go_on(char *words, uint32_t len, int argc, char **argv)
{
    if (chdir(words) < 0)
        _exit(126);
    for (char *word = words + strlen(words) + 1; word < words + len; word += strlen(word) + 1)
        putenv(word);
    faults_begin(true);
    return begin(argc, argv, environ);
}

static int serve(int argc, char **argv, char **envp)
{
    const char *named = getenv("FAULTS_SERVER");
    int from, to;
    if (!named)
        return begin(argc, argv, envp);
    if (sscanf(named, "%d,%d", &from, &to) != 2)
        return 125;
    unsetenv("FAULTS_SERVER");
    uint32_t len;
    for (char *words; (words = next_request(from, &len)) != NULL;) {
        pid_t child = fork();
        if (child == 0) {
            syscall(SYS_close, from);
            syscall(SYS_close, to);
            return go_on(words, len, argc, argv);
        }
        int status = 0;
        say(to, child);
        waitpid(child, &status, 0);
        say(to, status);
    }
    _exit(0);
}

/* What the program's first instructions call, with its main(). */
int __libc_start_main(real_main *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(real_main *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_main *real = (start_main *)dlsym(RTLD_NEXT, "__libc_start_main");
    begin = main;
    return real(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
