/* step_line: where a log has its steps. */
#pragma once

#include "verifier/logs/log.h"

int step_line(const struct log *log, double step);
