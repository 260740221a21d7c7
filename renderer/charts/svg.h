/*
 * chart_svg: the elements that all drawings are made of. Text is escaped here. No element has a
 * style attribute; numbers have one decimal.
 */
#pragma once

#include "base/arena.h"
#include "base/records/verdict.h"

#include <stdbool.h>
#include <stddef.h>

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* What a drawing is called, and the room that it takes. */
struct svg_head {
    const char *id; /* the ids of title and description begin with it */
    const char *title, *description;
    const char *class; /* beside "chart" */
    double width, height;
    bool file; /* a file of its own: colours for light and dark in a <style>, and a ground */
    const char *lines[3]; /* of the title as it is drawn, SVG_TITLE_LINE units each */
    size_t n_lines;
};
#define SVG_TITLE_LINE 20.0

/* Of one size of a drawing (chart.h). Its height is left to the caller. */
struct svg_head svg_head_of(struct arena *arena, const char *id, const char *title,
                            const char *description, bool narrow, bool file);

/* The svg element, still open for attributes: a writer adds its own, then svg_ready. */
void svg_begin(struct buf *out, const struct svg_head *head);
void svg_ready(struct buf *out, const struct svg_head *head); /* title and description */
void svg_end(struct buf *out);

/* `more`: attributes as they are written, or "". */
void svg_text(struct buf *out, double x, double y, enum anchor anchor, const char *more,
              const char *text);
/* Words between two tags, cut as all texts are. */
void svg_words(struct buf *out, const char *text);
/* Of the element that it is the first child of: said when it is pointed at. */
void svg_title(struct buf *out, const char *text);
void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *more);
void svg_rect(struct buf *out, double x, double y, double width, double height, const char *more);
void svg_circle(struct buf *out, double x, double y, double r, const char *more);

/* A quoted attribute's value, at most 60 bytes of it. */
void svg_attribute(struct buf *out, const char *name, const char *value);

/* Kinds of text and line that all drawings share. */
#define SVG_SOFT "fill-opacity=\".72\""
#define SVG_STRONG "font-weight=\"600\""
#define SVG_GRID "stroke=\"currentColor\" stroke-opacity=\".14\""
#define SVG_AXIS "stroke=\"currentColor\" stroke-opacity=\".55\""
/* Letters on a line: the ground shows around them. */
#define SVG_HALO                                                                       \
    "paint-order=\"stroke\" stroke=\"var(--chart-ground,Canvas)\" stroke-width=\"4\" " \
    "stroke-linejoin=\"round\""

#define SVG_SIZE 13.0  /* of text, in units */
#define SVG_SMALL 12.0 /* of figures at axes */

#define SVG_BOLD 1.14 /* how much wider strong text is */

/* Six colours that eyes of all kinds tell apart, at 3:1 on white and on black. */
#define SVG_PALETTE_N 6
extern const char *const svg_palette[SVG_PALETTE_N];

/* The five states as signs of 12 units, told apart by shape and not by colour alone:
 * a check, a half-filled circle, an empty circle, a cross, a circle that is struck out. */

struct icon_ink {
    const char *colour; /* of the sign */
    const char *ground; /* of what is drawn inside of a filled one */
};

/* The middle is at x, y. */
void icon_write(struct buf *out, enum state state, double x, double y, struct icon_ink ink);

/* What a state is drawn with in a page: CSS variables --chart-good, --chart-warn, --chart-bad. */
struct icon_ink icon_ink_of(enum state state);

/* How wide a text will be, without a font.
 *
 * Widths come from a table of character widths of a wide sans serif, so that other faces are
 * narrower and nothing that is laid out by them overlaps; characters of Chinese, Japanese and
 * Korean and full-width forms are one em, marks that combine are nothing. */

/* In the unit of `size`; `text` is UTF-8 of any length. */
double text_width(const char *text, double size);

/* The text, or as much of it as fits into `width` with "…" behind. */
const char *text_fitted(struct arena *a, const char *text, double size, double width);

/* At most `max` lines of at most `width`; the last one is fitted. Breaks at spaces and around
 * ideographs. Returns the number of lines. */
size_t text_wrapped(struct arena *a, const char *text, double size, double width,
                    const char **lines, size_t max);
