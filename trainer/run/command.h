/*
 * command: somebody else's trainer, run as the case.
 *
 * The command runs in a process group of its own, its standard input is empty, and its standard
 * output and error are one pipe, so that their order is kept. What comes out is appended to a
 * log and, if asked for, written to our standard output too.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach us are passed on to the whole group; a second
 * one kills it. (A signal that we were told to ignore, as by nohup, stays ignored.) When the
 * command has ended, what it left running in its group gets `grace_ms` to close the pipe and is
 * then killed; if we are killed ourselves, the command is killed too. A process that made itself
 * a new session escapes this; its further output is not waited for.
 *
 * Beside it the lines' times are kept, if asked for: "LINES MS" a line, so many lines had come when
 * it was that Unix time in milliseconds (base/records/seen.h).
 *
 * The log has a maximum: the rest is read and thrown away, and a last line says how much. Lines
 * of ours in the log begin with "[fpreport] ".
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define COMMAND_LOG_MAX ((size_t)200 << 20)
#define COMMAND_GRACE_MS 2000

struct command_options {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
    const char *log_path;    /* appended to; made when it is not there */
    const char *seen_path;   /* when lines came; NULL: not kept */
    bool echo;               /* also to our standard output */
    size_t log_max;          /* 0: COMMAND_LOG_MAX */
    int grace_ms;            /* 0: COMMAND_GRACE_MS */
};

struct command_result {
    int exit_status; /* as a shell has it: 127 not found, 126 cannot be run, 128+N signal N */
    int signal;      /* that ended it; 0: none */
    int asked;       /* the first signal that reached us and was passed on; 0: none */
    bool started;    /* false: exec failed */
    bool left_over;  /* processes of its group had to be killed after it ended */
    size_t bytes;    /* of output */
    size_t dropped;  /* of these, beyond log_max */
    int echo_errno;  /* writing to our standard output failed; 0: it did not */
};

/*
 * Run it to its end. 0 also when the command failed or could not be started (see result); -1
 * ERR_IO when we could not do our part: no process, or the log cannot be written, in which case
 * the command is stopped, because a run without its log is worth nothing.
 */
int command_run(const struct command_options *options, struct command_result *result,
                struct err *err);
