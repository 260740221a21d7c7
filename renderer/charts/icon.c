#include "renderer/charts/icon.h"

#include "renderer/charts/pen.h"

/* Paths around 0,0: what is filled with the colour, what is drawn in it, and what is drawn on the
 * filled in the ground. */
static const struct {
    const char *filled, *drawn, *inside;
} signs[] = {
#define DISC "M0-6a6 6 0 1 1 0 12a6 6 0 1 1 0-12z"
#define RING "M0-5a5 5 0 1 1 0 10a5 5 0 1 1 0-10z"
    [STATE_VERIFIED] = {DISC, NULL, "M-2.8 .2l2 2l3.6-4.2"},
    [STATE_PARTIAL] = {"M0-5a5 5 0 1 0 0 10z", RING, NULL},
    [STATE_UNVERIFIED] = {NULL, RING, NULL},
    [STATE_FAILED] = {DISC, NULL, "M-2.2-2.2l4.4 4.4M2.2-2.2l-4.4 4.4"},
    [STATE_WITHDRAWN] = {NULL, RING "M-3.5 3.5l7-7", NULL},
};

static const struct icon_ink inks[] = {
#define GROUND "var(--chart-ground,#fff)"
    [STATE_VERIFIED] = {"var(--chart-good,#1a7f37)", GROUND},
    [STATE_PARTIAL] = {"var(--chart-warn,#9a6700)", GROUND},
    [STATE_UNVERIFIED] = {"currentColor", GROUND},
    [STATE_FAILED] = {"var(--chart-bad,#d1242f)", GROUND},
    [STATE_WITHDRAWN] = {"currentColor", GROUND},
};

struct icon_ink icon_ink_of(enum state state)
{
    return inks[state];
}

void icon_write(struct buf *out, enum state state, double x, double y, struct icon_ink ink)
{
    buf_str(out, "<g transform=\"translate(");
    pen_number(out, x);
    buf_char(out, ' ');
    pen_number(out, y);
    buf_str(out, ")\">");
    if (signs[state].filled)
        buf_printf(out, "<path fill=\"%s\" d=\"%s\"/>", ink.colour, signs[state].filled);
    if (signs[state].drawn)
        buf_printf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"%s\"/>",
                   ink.colour, signs[state].drawn);
    if (signs[state].inside)
        buf_printf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"%s\"/>",
                   ink.ground, signs[state].inside);
    buf_str(out, "</g>\n");
}
