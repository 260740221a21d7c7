/* step_line: where a log has its steps. */
#ifndef VERIFIER_CHECKS_LOSS_STEP_LINE_H
#define VERIFIER_CHECKS_LOSS_STEP_LINE_H

#include "verifier/logs/log.h"

#include <math.h>

int step_line(const struct log *log, double step);

#endif
