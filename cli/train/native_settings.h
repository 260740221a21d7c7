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
