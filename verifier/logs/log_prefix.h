/*
 * log_prefix: what launchers, loggers and terminals put in front of a line or into it.
 *
 *   [default15]: [trainer0|15]: [rank3]: 3: 10.0.0.1: worker-0: [1,3]<stdout>: (Train pid=7)  who
 *   2023-05-01 12:00:00,123 12:00:00 [2023-06-14 12:05:23,170]                   when
 *   INFO [ INFO] [INFO|trainer.py:12] root __main__:train:120                    how, with - and |
 *
 * Only lines that no format knows as they are lose these, one at a time, so that a line of a
 * format that begins with a bracket stays whole.
 */
#pragma once

#include "base/arena.h"
#include "base/lines/span.h"

#define LOG_PREFIXES_MAX 8 /* in front of one line */

/* Drops the first prefix of *s; false when there is none. A rank that it names goes to *rank. */
bool log_prefix_drop(struct span *s, short *rank);

/* Without the colours and other control sequences of terminals; the copy is in `scratch`. */
struct span log_prefix_plain(struct span s, struct buf *scratch);
