/*
 * case_kinds: what the models of FlagPerf's cases are trained for, and on what.
 *
 * One row for each family of models that FlagPerf has cases of. Source: the README.md of
 * training/benchmarks/ in FlagPerf 1b5a0303, and the papers that it names. Words are in folded form
 * (text_fold); lists are separated by '|', and one of them within a text is enough. NULL: a
 * family that is trained for several things or on several data sets; nothing is expected of it.
 */
#pragma once

#include "base/arena.h"

struct case_kind {
    const char *family; /* letters, digits and points: "transformerxl", "llava1.5" */
    const char *task;   /* "图像分类|imageclassification" */
    const char *data;   /* "imagenet" */
    const char *scores; /* within keys of base/figures/metrics.h: "acc" is in "final_acc1" */
};

const struct case_kind *case_kinds(size_t *n);

/* By the family's whole name; and the longest family that a case's bare name begins with
 * ("llama27b" is of llama2). NULL. */
const struct case_kind *case_kind_find(const char *family);
const struct case_kind *case_kind_of(const char *bare_name);

/* Letters, digits and points of a name, folded: "transformer_xl" is "transformerxl". */
const char *case_kind_bare(const char *name, struct arena *arena);

/* Does one word of the list stand in the text? A list that is NULL has none. */
bool case_kind_has(const char *list, const char *text);
