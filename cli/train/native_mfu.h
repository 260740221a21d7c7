/*
 * native_mfu: FlagPerf's MFU of a native run (verifier/claims/mfu.h has the formula), for its log.
 *
 *     MFU = mfu_factor * N * tokens_per_second_per_card / peak
 *
 * factor and N of the case and the model, the peak of the precision of the card as records know it.
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"

/* A ratio; NaN where the records know no such card, or no peak of this precision. */
double native_mfu(struct cli *cli, const struct case_record *c, double nominal_parameters,
                  const char *device, double tokens_per_second_per_card);
