/*
 * native_settings: a case record and its model, as what the native trainer is given.
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"
#include "trainer/training/train.h"

/* What the case leaves open gets the usual values of Llama pretraining. */
struct training native_settings(const struct case_record *c, const struct model_shape *shape,
                                struct arena *arena);

/* A path that the case names, which is relative to its file. */
const char *native_beside(struct arena *arena, const struct case_record *c, const char *path);

/* FlagPerf's MFU of a native run (verifier/claims/mfu.h has the formula), for its log.
 *
 *     MFU = mfu_factor * N * tokens_per_second_per_card / peak
 *
 * factor and N of the case and the model, the peak of the precision of the card as records know it.
 */

/* A ratio; NaN where the records know no such card, or no peak of this precision. */
double native_mfu(struct cli *cli, const struct case_record *c, double nominal_parameters,
                  const char *device, double tokens_per_second_per_card);
