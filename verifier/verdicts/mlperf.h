/*
 * verdict_mlperf: a verdict about MLPerf results for people (MLPERF.md 9): a line for each log that
 * fails, the findings, and a line about the whole. Findings of one rule that differ in numbers at
 * most are gathered: "10 logs: …".
 */
#pragma once

#include "verifier/verdicts/verdicts.h"

void verdict_mlperf_text(const struct verdict *v, const struct verdicts *options, struct buf *out);
