/* stamp: a date and time at the start of a line, as monitors ("2023-03-27-11:20:05") and trainers
 * ("2023-03-27 11:20:05") write them. They name no zone and are counted as if they were UTC. */
#pragma once

#include "base/lines/span.h"

#define STAMP_LENGTH (sizeof "2023-03-27-11:20:05" - 1)

/* Seconds since 1970; `between` stands between the date and the time. NaN: there is none. */
double stamp_read(struct span s, char between);
