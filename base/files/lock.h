/*
 * lock: one process at a time, by flock(): waiting for who has it, and saying who that is.
 *
 * The system lets go of such a lock when its holder dies. Who waits gives up after LOCK_SECONDS, or
 * as many as FPREPORT_LOCK_TIMEOUT says (0: at once).
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>

#define LOCK_SECONDS 60
#define LOCK_SECONDS_MAX 86400

/* Have the lock of this open file, `kind` being LOCK_EX or LOCK_SH; `path` is what messages call
 * it. ERR_IO when another has it all the time: "another fpreport is <doing> (process 12 holds
 * <path>)". ERR_USAGE when FPREPORT_LOCK_TIMEOUT is no number of seconds and there is anything to
 * wait for. */
int lock_wait(int fd, int kind, const char *path, const char *doing, struct err *err);

/* Is there a file of this name whose lock somebody holds? */
bool lock_is_held(const char *path);

/* Who holds the lock of this open file, and lives; 0: nobody, or the system does not say. */
long lock_holder(int fd);
