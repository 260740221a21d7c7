/*
 * store_clock: the time of an entry, and when the machine's clock is not believed.
 *
 * What a clock says once stays in the log for good, and decides which keys counted: so one that
 * cannot be right beside the last entry needs somebody who says that it is (store.h: trust_clock).
 */
#pragma once

#include "base/store/store.h"

/* An entry of one machine may come a little before that of another whose clock is ahead. */
#define STORE_CLOCK_SLACK 300 /* seconds */

/* Longer between two entries is a clock that is ahead, until somebody says that it is right. */
#define STORE_CLOCK_GAP (400LL * 86400)

/* Can the next entry have this time? ERR_USAGE: no, with both times. */
int store_clock_check(const struct store *s, struct err *err);

/* Its time and, where that is not what the clock says, its clock. */
void store_clock_set(const struct store *s, struct store_entry *e);
