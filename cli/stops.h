/*
 * stops: the signals that ask a training to end: SIGINT, SIGTERM and SIGHUP. One that we were told
 * to ignore, as by nohup, is none.
 *
 * They are blocked and read (signalfd), so that a run can end at a step and say so. A thread that
 * does not block them would let them end the process at once, and a library may start threads
 * whenever it is used: block them before that.
 */
#pragma once

#include <signal.h>

/* Block them; `before` is for sigprocmask(SIG_SETMASK) later. Returns what they are. */
sigset_t stops_block(sigset_t *before);
