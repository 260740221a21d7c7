/*
 * chart_bars: one figure of several results beside each other, within one comparable group.
 *
 * Verified results come first, best first. All others stand below them under a heading of
 * their own, with dashed outlines instead of bars: those that no check contradicts, then those
 * that one does, each by their value, which is an order and no ranking. They are never sorted among
 * the verified, nor do they set the scale: an outline that is open at its end is longer than can be
 * drawn, which its figure says. Nor does a row that a check contradicts, as long as there is
 * another. A result without a figure says why in words, at the end of its block. Every row has its
 * state as a sign and a word. Bars begin at zero; each ends in its figure as it was published, so
 * that there is no axis to read from; its label, figure and state are its title as well. A row with
 * a mark says in data-place where it begins and how high it is, so that a script can put it
 * elsewhere.
 */
#pragma once

#include "base/records/verdict.h"
#include "renderer/charts/chart.h"

#define CHART_BARS_MAX 64 /* those behind are not drawn */

struct chart_bar {
    const char *label;      /* "NVIDIA A100 1x8" */
    const char *figure;     /* as published: "3698.7" */
    double value;           /* of it; what cannot be drawn gets no bar */
    const char *missing;    /* "withheld", "not run", "not comparable"; NULL: there is a figure */
    enum state state;       /* STATE_VERIFIED ranks, the others do not */
    const char *state_word; /* "verified" */
    bool contradicted;      /* a check failed on its row: it sets no scale */
    const char *mark;       /* data-mark of its row, for a script; NULL: none */
};

struct chart_bars {
    const char *id, *title, *description; /* as in chart_text */
    const char *unit;                     /* below the title: "tokens/s per card, more is better" */
    const char *others_heading;           /* above the others: "not verified, not ranked" */
    const char *sorted_heading; /* the same once a script has moved them; NULL: none does */
    const char *cut;            /* behind the figure of a bar that is cut; NULL: "" */
    const char *empty;
    bool less_is_better;
    const struct chart_bar *bars;
    size_t n;
};

void chart_bars_write(struct buf *out, const struct chart_bars *bars, enum chart_size size);
