/*
 * worded: figures that a text claims, outside of the cells that hold figures.
 *
 * A number is claimed of a metric when its unit follows (99,999 tokens/s, 97% MFU, 八百万 token
 * 每秒) or a name of the metric stands before it (loss 0.9, 吞吐量达 99999). What a number may be
 * written as: base/figures/worded_number.h. Names and units are rows of worded.c. Other numbers
 * claim nothing: a version, a count of cards, the length of a sequence.
 */
#pragma once

#include "base/arena.h"

/* What a number is claimed of. */
enum worded_of {
    WORDED_OF_NONE,
    WORDED_OF_RATE,
    WORDED_OF_SHARE, /* of the peak: MFU */
    WORDED_OF_LOSS,
    WORDED_OF_SCORE,
    WORDED_OF_POWER,
    WORDED_OF_MEMORY,
    WORDED_OF_TIME,
    WORDED_OF_NOTHING /* that a table of figures has: a multiple, an efficiency */
};

struct worded {
    const char *text;   /* the number as it is written */
    const char *behind; /* what follows it */
    double value;       /* NaN: a multiple in words ("twice the speed") */
    int decimals;
    enum worded_of of;
};

/* Where a text stands: what belongs to the machine (the peak and power of a card) is no claim in a
 * list of its parts. */
enum worded_in { WORDED_IN_TEXT, WORDED_IN_MACHINE };

/* The form that the others read: small letters, without what only looks like them. */
const char *worded_plain(struct arena *arena, const char *text);

/* The next claim from *at on, which moves behind it. False: there is none. `label`: what names the
 * whole text, as of a row of a table; both are plain. NULL: nothing does. */
bool worded_next(const char *text, size_t *at, const char *label, enum worded_in in,
                 struct arena *arena, struct worded *out);

/* The first number that a reader can take for another figure of the cell that this is a remark of:
 * one that is claimed, one by itself, one that is called the best. */
bool worded_second(const char *remark, struct arena *arena, struct worded *out);

/* Is this whole text the unit of a rate of one card or of all, in seconds? */
bool worded_rate_of_second(const char *s);
