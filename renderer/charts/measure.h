/*
 * chart_measure: how wide a text will be, without a font.
 *
 * Widths come from a table of character widths of a wide sans serif, so that other faces are
 * narrower and nothing that is laid out by them overlaps; characters of Chinese, Japanese and
 * Korean and full-width forms are one em, marks that combine are nothing.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>

/* In the unit of `size`; `text` is UTF-8 of any length. */
double text_width(const char *text, double size);

/* The text, or as much of it as fits into `width` with "…" behind. */
const char *text_fitted(struct arena *a, const char *text, double size, double width);

/* At most `max` lines of at most `width`; the last one is fitted. Breaks at spaces and around
 * ideographs. Returns the number of lines. */
size_t text_wrapped(struct arena *a, const char *text, double size, double width,
                    const char **lines, size_t max);
