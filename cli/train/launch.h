/*
 * launch: the ranks of a training on this machine, started and watched over.
 *
 * Each rank is a process that runs the same program again, with torchrun's variables (ranks.h), a
 * socket that listens at a free port of this machine, which becomes rank 0's, and a job's name that
 * nobody can guess. They are one process
 * group, apart from ours: what a terminal sends reaches us alone, and we pass it on.
 *
 * When one of them dies or fails, the others hear of it by their meeting (rendezvous.h) and are
 * asked to end; those that have not within LAUNCH_GRACE_S are killed. When we are asked to stop, so
 * are they, with LAUNCH_STOP_S to finish their step, or LAUNCH_SAVE_S where they write a checkpoint
 * behind it. When we die, the kernel kills them.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

#define LAUNCH_GRACE_S 5
#define LAUNCH_STOP_S 20
#define LAUNCH_SAVE_S 600

struct launch_options {
    const char *const *argv; /* of a rank: argv[0] is the program's path */
    int ranks;
    const char *node; /* see rank_report_find() */
    bool saves;       /* checkpoints */
};

struct launch_end {
    int exit_status;    /* 0: all ranks ended well */
    int signal;         /* that we were asked to stop with; 0: none */
    const char *reason; /* names the rank and the cause; NULL when all ended well */
};

/* Returns when no rank is left. ERR_IO when they cannot be started. */
int launch_ranks(const struct launch_options *options, struct arena *arena, struct launch_end *end,
                 struct err *err);

/* What a rank that launch.h started says to the process that watches over it.
 *
 * A rank finds out by two variables of its environment that it was started so: FPREPORT_REPORT is
 * the descriptor of a pipe, FPREPORT_NODE the folder of the run directory where rank 0's log goes.
 * The run directory itself belongs to who started it. A report is one line, written at once:
 *
 *   RANK WORD STATUS TEXT        1 F 4 the training diverged … */

#define RANK_REPORT_MAX 2048 /* bytes of a line; less than PIPE_BUF, so that lines stay whole */
#define RANK_REPORT_FD "FPREPORT_REPORT"
#define RANK_REPORT_NODE "FPREPORT_NODE"

enum rank_word {
    RANK_FAILED = 'F', /* by itself */
    RANK_LOST = 'L',   /* another rank */
};

struct rank_report {
    int fd;           /* -1: not started by us */
    const char *node; /* the environment's */
};

/* Also keeps the pipe from processes that this one starts. */
struct rank_report rank_report_find(void);

void rank_report_tell(int fd, int rank, enum rank_word word, int status, const char *text);
