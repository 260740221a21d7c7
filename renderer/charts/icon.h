/*
 * chart_icon: the five states as signs of 12 units, told apart by shape and not by colour alone:
 * a check, a half-filled circle, an empty circle, a cross, a circle that is struck out.
 */
#pragma once

#include "base/buf.h"
#include "base/records/verdict.h"

struct icon_ink {
    const char *colour; /* of the sign */
    const char *ground; /* of what is drawn inside of a filled one */
};

/* The middle is at x, y. */
void icon_write(struct buf *out, enum state state, double x, double y, struct icon_ink ink);

/* What a state is drawn with in a page: CSS variables --chart-good, --chart-warn, --chart-bad. */
struct icon_ink icon_ink_of(enum state state);
