/*
 * spelled: do two ways of writing something about a machine mean the same?
 *
 * People shorten names and versions, turn lists around and leave words out; none of that is a
 * disagreement. Another number is: "H20" is not the beginning of "H200", nor "5.4.0-2" that of
 * "5.4.0-26". Of two that are both longer than any name, only the same text is.
 */
#pragma once

#include "verifier/claims/audit.h"

enum same {
    SAME_TEXT,    /* one holds the other, up to the end of a number */
    SAME_SYSTEM,  /* or words and number of one are in the other: Ubuntu 22.04 LTS */
    SAME_KERNEL,  /* as text, with or without "linux" in front */
    SAME_VERSION, /* one begins with the parts of the other: 535.54 and 535.54.03 */
    SAME_MODEL,   /* as text, or a word with a digit is in both, or it is one card of the records */
    SAME_LIBRARIES, /* of those that both name the versions are the same */
    SAME_NUMBER,    /* 8 and 8.0 */
    SAME_MEMORY,    /* GB are not told from GiB; of several cards one is enough */
    SAME_PRECISION, /* torch.bfloat16 is bf16 */
    SAME_COMMIT,    /* one begins with the other */
    SAME_FITS,      /* at most what the machine has: who says it decides, not how it is written */
};

bool spelled_same(enum same kind, const char *x, const char *y, const struct audit *a,
                  struct arena *arena);
