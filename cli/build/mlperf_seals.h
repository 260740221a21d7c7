/* mlperf_seals: sealed logs of MLPerf results are verified, and handed out with the site. */
#pragma once

#include "cli/build/build.h"

/* Every score whose record names evidence gets its seal (base/records/mlperf_record.h): its archive
 * is read and the score computed again. One that does not agree is a warning. */
void build_mlperf_seals(struct build *b);
