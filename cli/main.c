/* main: what every program does around its command (program.h lists them). */
#include "cli/program.h"

#include "base/signing/hash.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Verdicts of fifty thousand results as JSON. */
#define OUT_MAX ((size_t)1 << 30)

/* Free memory that is not given back to the system, and what is asked of it piece by piece: each
 * file that is read, each page that is made, needs as much again. */
#define KEPT_MAX (16 << 20)
#define PIECE_MIN (4 << 20)

/* Libraries that find no memory may end the process themselves, and so with a number that means
 * something else here (libarchive: 1). That this was the reason is a guess. */
static void at_exit(int code, void *is_over)
{
    bool *over = is_over;
    if (!*over && code == EXIT_CHECK) {
        fprintf(stderr,
                "%s: fatal: a library ended the program with 1, perhaps for want of memory\n",
                program.name);
        _exit(MEMORY_EXIT);
    }
    free(over);
}

/* Threads get as much, and a stack that is used up ends the process without a message. Commands
 * were seen to run with a quarter of it. */
#define STACK_MIN ((rlim_t)512 << 10)

static bool has_stack(void)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) < 0 || stack.rlim_cur >= STACK_MIN)
        return true;
    fprintf(stderr,
            "%s: error: the stack is limited to %llu KiB, expected %llu or more; `ulimit -s 8192` "
            "sets the usual limit\n",
            program.name, (unsigned long long)stack.rlim_cur >> 10,
            (unsigned long long)STACK_MIN >> 10);
    return false;
}

int main(int argc, char **argv)
{
    if (!has_stack())
        return EXIT_IO;
    struct cli cli = {.n_args = 0};
    bool *over = memory_alloc(sizeof *over);
    on_exit(at_exit, over);
    hash_start();
    mallopt(M_TRIM_THRESHOLD, KEPT_MAX);
    mallopt(M_MMAP_THRESHOLD, PIECE_MIN);
    signal(SIGCHLD, SIG_DFL); /* who starts us may ignore it: then no child could be waited for */
    signal(SIGXFSZ, SIG_IGN); /* a limit of the file size is an error (EFBIG) like a full disk */
    arena_init(&cli.arena);
    diags_init(&cli.diags, &cli.arena);
    buf_init(&cli.out, OUT_MAX);
    int code = cli_parse(&cli, argc, argv);
    if (code == 0 && (cli.opt.help || !cli.command))
        cli_help(&cli, cli.command, cli_action(&cli));
    else if (code == 0 && cli.command->needs_project &&
             !(cli.command->archive_suffices && cli.opt.archive))
        code = cli_need_project(&cli);
    if (code == 0 && !cli.opt.help && cli.command)
        code = cli.command->actions ? cli_action(&cli)->run(&cli) : cli.command->run(&cli);
    code = exit_worse(code, cli_diags(&cli));
    code = exit_worse(code, cli_flush(&cli));
    if (fclose(stdout) != 0 && code != EXIT_IO) {
        fprintf(stderr, "%s: error: cannot write to standard output\n", program.name);
        code = EXIT_IO;
    }
    buf_release(&cli.out);
    arena_release(&cli.arena);
    *over = true;
    return code;
}
