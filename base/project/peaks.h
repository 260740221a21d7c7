/*
 * peaks: which rated peak of a card a precision is measured against.
 *
 * A precision may use more than one, best first: published pages divide fp32 by the tf32 peak where
 * a card has one, because that is what the matrix units run. A mix of two precisions has two, and
 * what is divided by them is a range.
 */
#pragma once

#include "base/project/project.h"

struct peaks {
    double peak;      /* FLOP/s */
    double low;       /* of the faster precision of a mix; NaN */
    const char *name; /* "NVIDIA H200-SXM-141GB bf16" */
};

/* Is this a precision (up to its first comma) that peaks are known for at all? */
bool peaks_knows(const char *precision, struct arena *arena);

/* False when the card's record has none for it. */
bool peaks_find(const struct accelerator *card, const char *precision, struct arena *arena,
                struct peaks *out);
