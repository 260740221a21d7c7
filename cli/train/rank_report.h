/*
 * rank_report: what a rank that launch.h started says to the process that watches over it.
 *
 * A rank finds out by two variables of its environment that it was started so: FPREPORT_REPORT is
 * the descriptor of a pipe, FPREPORT_NODE the folder of the run directory where rank 0's log goes.
 * The run directory itself belongs to who started it. A report is one line, written at once:
 *
 *   RANK WORD STATUS TEXT        1 F 4 the training diverged …
 */
#pragma once

#include <stdbool.h>

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
