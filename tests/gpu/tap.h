/*
 * tap: what the programs that test on GPUs print, in the Test Anything Protocol: a line for each
 * check, the plan at the end, and "Bail out!" with the reason where nothing can be tested.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>

struct tap {
    int told, failed;
};

/* One check, described as by printf. */
void tap_tell(struct tap *t, bool ok, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "Bail out!", and the end of the program; by tap_must, unless rc is 0. */
_Noreturn void tap_stop(const struct err *err);
void tap_must(int rc, const struct err *err);

/* The plan, if anything was checked. Returns what main returns: whether any check failed. */
int tap_end(const struct tap *t);
