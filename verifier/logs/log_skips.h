/*
 * log_skips: lines that say that steps were skipped, or that numbers overflowed, beside the reports
 * of the steps.
 *
 *   [Rank 0] step=20, skipped=7, lr=[…]               DeepSpeed: so far
 *   [deepspeed] OVERFLOW! Rank 0 Skipping step. …     DeepSpeed's loss scaler
 *   Gradient overflow.  Skipping step, …              apex
 *   …, overflow cond: True, …   is_skip: True         MindFormers
 *   {"step": 3, "loss": 2.1, "skipped": true}         JSON a line
 *
 * The words stand in one table. A step that was skipped counts as samples and as time, and trains
 * nothing. What a report itself says of them is in its point (log.h).
 */
#pragma once

#include "base/lines/span.h"
#include "verifier/logs/log.h"

/* A segment, whichever format knows it. Does it say so? */
bool log_skips(struct log_reader *r, struct span s);
