/* The first steps of a challenge's case by fptrain, where that lies beside this program: it answers
 * the challenge as a vendor does, and is stopped when it has as many steps as are wanted. */
#include "cli/reproduce/retrain.h"

#include "base/calendar.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "cli/stops.h"
#include "cli/train/training.h"
#include "verifier/diff/side.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 300000000 /* between two looks at its log */

struct child {
    struct retrain *r;
    char *folder; /* of its own, for the run directory */
    pid_t pid;
    double end;
    bool ended;
    sigset_t stops, before; /* what asks us to end (cli/stops.h); the signals as they were */
    int stopped;            /* the one that came; otherwise 0 or less */
};

static _Noreturn void become(const struct child *c, const char *program)
{
    const struct retrain *r = c->r;
    const char *const argv[] = {program,
                                "train",
                                r->record.file,
                                "--challenge",
                                r->cli->opt.challenge,
                                "--records",
                                cli_records(r->cli),
                                "--no-measure",
                                "-q",
                                "-o",
                                c->folder,
                                NULL};
    setpgid(0, 0); /* its ranks end with it */
    sigprocmask(SIG_SETMASK, &c->before, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(program, (char *const *)(uintptr_t)argv);
    _exit(EXIT_IO);
}

/* The one run directory in its folder; NULL: not yet. */
static const char *run_of_child(const struct child *c, struct arena *arena)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (dir_list(c->folder, arena, &entries, &n, &ignored) < 0 || n != 1)
        return NULL;
    return path_join(arena, c->folder, entries[0].name);
}

/* Steps that its log has so far. */
static size_t steps_of_child(const struct child *c)
{
    struct arena own = ARENA_INIT;
    struct err ignored = ERR_INIT;
    struct diags quiet = DIAGS_INIT(&own);
    struct diff_side side;
    const char *run = run_of_child(c, &own);
    size_t n =
        run && diff_side_open(run, run, &side, &own, &quiet, &ignored) == 0 ? side.curve.n : 0;
    arena_release(&own);
    return n;
}

static int take_gpu_losses(struct child *c)
{
    struct retrain *r = c->r;
    const char *run = run_of_child(c, &r->cli->arena);
    if (run && steps_of_child(c) > 0)
        return retrain_take(r, run);
    cli_note(r->cli, "fptrain trained no step");
    return EXIT_AGREED;
}

/* Its folder goes with it, whether we end as we were asked to or go on. */
static void leave_child(struct child *c)
{
    struct err ignored = ERR_INIT;
    file_remove_tree(c->folder, &ignored);
    sigprocmask(SIG_SETMASK, &c->before, NULL);
    if (c->stopped > 0)
        raise(c->stopped);
}

int retrain_by_gpu(struct retrain *r)
{
    struct cli *cli = r->cli;
    const char *program = training_gpu_program(cli), *place = getenv("TMPDIR");
    struct err err = ERR_INIT;
    struct child c = {.r = r, .end = clock_seconds() + r->seconds_max};
    if (!program)
        return EXIT_AGREED;
    c.folder =
        arena_printf(&cli->arena, "%s/fpreport-challenge-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(c.folder)) {
        err_errno(&err, ERR_IO, "%s: cannot make a folder", c.folder);
        return cli_fail(cli, &err);
    }
    cli_note(cli, "%s trains the first %d steps in %s (at most %.0f min)", program, r->steps,
             r->stated, r->seconds_max / 60);
    c.stops = stops_block(&c.before);
    c.pid = fork();
    if (c.pid == 0)
        become(&c, program);
    if (c.pid > 0) {
        /* Until it has the steps, has ended, its time is up, or we are to stop. */
        while (!c.ended && c.stopped <= 0 && clock_seconds() < c.end &&
               steps_of_child(&c) < (size_t)c.r->steps) {
            c.stopped = sigtimedwait(&c.stops, NULL, &(struct timespec){.tv_nsec = LOOK_NS});
            c.ended = waitpid(c.pid, NULL, WNOHANG) == c.pid;
        }
        kill(-c.pid, SIGKILL);
        if (!c.ended)
            waitpid(c.pid, NULL, 0);
    }
    const int code = c.stopped > 0 ? EXIT_AGREED : take_gpu_losses(&c);
    leave_child(&c);
    return code;
}
