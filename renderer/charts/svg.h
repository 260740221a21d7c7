/*
 * chart_svg: the elements that all drawings are made of. Text is escaped here. No element has a
 * style attribute; numbers have one decimal.
 */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* What a drawing is called. */
struct svg_head {
    const char *id; /* the ids of title and description begin with it */
    const char *title, *description;
    const char *class; /* beside "chart" */
    double width, height;
    bool file; /* a file of its own: colours for light and dark in a <style>, and a ground */
};

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
