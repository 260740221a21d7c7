#include "renderer/charts/bars.h"

#include "base/text.h"
#include "renderer/charts/scale.h"
#include "renderer/charts/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROW_WIDE 27.0
#define ROW_NARROW 44.0
#define BAR 14.0 /* its thickness */
#define HEADING 30.0
#define ICON 18.0 /* a sign with the room behind it */
#define LABEL_MAX 250.0
#define LABEL_LINES 3
#define LABEL_STEP 16.0 /* from one line of a label to the next */

/* ---- order ------------------------------------------------------------------------------ */

static bool has_bar(const struct chart_bar *b)
{
    return !b->missing && value_is_drawable(b->value);
}

/* A row with what it is sorted by: block, then with a figure, then what no check contradicts, then
 * by its value, then as given. */
struct bar_row {
    const struct chart_bar *bar;
    int unranked, missing, contradicted;
    double key;
    size_t given;
    const char *lines[LABEL_LINES]; /* of its label, once it is known how wide they may be */
    size_t n_lines;
};

static int compare_bar_ranks(const void *a, const void *b)
{
    const struct bar_row *x = a, *y = b;
    if (x->unranked != y->unranked)
        return x->unranked - y->unranked;
    if (x->missing != y->missing)
        return x->missing - y->missing;
    if (x->contradicted != y->contradicted)
        return x->contradicted - y->contradicted;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->given < y->given ? -1 : x->given > y->given;
}

static size_t rank_bars(const struct chart_bars *bars, struct bar_row *rows)
{
    size_t n = bars->n < CHART_BARS_MAX ? bars->n : CHART_BARS_MAX;
    for (size_t i = 0; i < n; i++) {
        const struct chart_bar *b = &bars->bars[i];
        bool unranked = b->state != STATE_VERIFIED;
        double key = !has_bar(b) ? 0 : bars->less_is_better ? b->value : -b->value;
        rows[i] = (struct bar_row){.bar = b,
                                   .unranked = unranked,
                                   .missing = !has_bar(b),
                                   .contradicted = unranked && b->contradicted,
                                   .key = key,
                                   .given = i};
    }
    qsort(rows, n, sizeof *rows, compare_bar_ranks);
    return n;
}

/* ---- columns ---------------------------------------------------------------------------- */

struct columns {
    bool narrow;
    double width;
    double bars_from, bars_to; /* the longest bar with its figure behind ends at bars_to */
    double state;              /* left of the signs; narrow: state words end at the right edge */
    double figures;            /* the widest figure */
    double most;               /* the value of the longest bar */
    const char *cut;           /* what is said of those that are longer */
};

static const char *bar_figure(const struct chart_bar *b)
{
    return text_or_empty(b->missing ? b->missing : b->figure);
}

static double row_height(const struct bar_row *r, bool narrow)
{
    double more = r->n_lines > 1 ? LABEL_STEP * (double)(r->n_lines - 1) : 0;
    return (narrow ? ROW_NARROW : ROW_WIDE) + more;
}

static struct columns bar_columns(const struct bar_row *rows, size_t n, const char *cut,
                                  bool narrow, double width)
{
    struct columns c = {.narrow = narrow, .width = width, .cut = cut};
    double labels = 0, states = 0, verified = 0, others = 0, contradicted = 0;
    for (size_t i = 0; i < n; i++) {
        const struct chart_bar *b = rows[i].bar;
        labels = fmax(labels, text_width(text_or_empty(b->label), SVG_SIZE));
        states = fmax(states, text_width(text_or_empty(b->state_word), SVG_SMALL));
        if (has_bar(b)) {
            double *block = b->contradicted    ? &contradicted
                            : rows[i].unranked ? &others
                                               : &verified;
            *block = fmax(*block, b->value);
            c.figures = fmax(c.figures, text_width(bar_figure(b), SVG_SMALL * SVG_BOLD));
        }
    }
    /* A figure that nobody verified may not make the verified ones look small, and a row that
     * is contradicted no other. */
    c.most = verified > 0 ? fmax(verified, fmin(others, verified * 1.25))
             : others > 0 ? others
                          : contradicted;
    bool is_cut = fmax(fmax(verified, others), contradicted) > c.most;
    states = fmin(states, 110) + 1;
    c.figures = fmin(c.figures, 120) + (is_cut ? text_width(cut, SVG_SMALL * SVG_BOLD) : 0);
    c.state = c.width - states - ICON;
    c.bars_from = narrow ? 0 : fmin(labels, LABEL_MAX) + 12;
    c.bars_to = (narrow ? c.width : c.state - 14) - c.figures - 8;
    return c;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Open at its end when the value is beyond the scale. */
static void put_bar_outline(struct buf *out, double x, double y, double length, bool failed,
                            bool open)
{
    buf_printf(out, "<path fill=\"%s\" fill-opacity=\".14\"",
               failed ? "var(--chart-bad,#a61b1b)" : "currentColor");
    buf_str(out, " stroke=\"currentColor\" stroke-opacity=\".6\" stroke-dasharray=\"3 2\"");
    buf_printf(out,
               open ? " d=\"M%.1f %.1fH%.1fV%.1fH%.1f\"/>\n"
                    : " d=\"M%.1f %.1fH%.1fV%.1fH%.1fz\"/>\n",
               x + length - 0.5, y + 0.5, x + 0.5, y + BAR - 0.5, x + length - 0.5);
}

static void put_bar(struct buf *out, const struct columns *c, const struct bar_row *r, double y,
                    struct arena *arena)
{
    const struct chart_bar *b = r->bar;
    double part = c->most > 0 && has_bar(b) ? fmin(fmax(b->value, 0) / c->most, 1) : 0;
    double length = part * (c->bars_to - c->bars_from), end = c->bars_from + length;
    if (has_bar(b) && !r->unranked)
        svg_rect(out, c->bars_from, y, length, BAR, "fill=\"var(--chart-1,#0072b2)\"");
    if (has_bar(b) && r->unranked)
        put_bar_outline(out, c->bars_from, y, length, b->state == STATE_FAILED, b->value > c->most);
    end += has_bar(b) ? 6 : 0;
    double room = (c->narrow ? c->width : c->state - 14) - end;
    bool is_cut = has_bar(b) && b->value > c->most;
    const char *said = arena_printf(arena, "%s%s", bar_figure(b), is_cut ? c->cut : "");
    const char *figure = text_fitted(arena, said, SVG_SMALL * SVG_BOLD, room);
    svg_text(out, end, y + BAR - 2.6, ANCHOR_START,
             has_bar(b) ? "font-size=\"12\" " SVG_STRONG : "font-size=\"12\" " SVG_SOFT, figure);
}

static void put_bar_row(struct buf *out, const struct columns *c, const struct bar_row *r, double y,
                        struct arena *arena)
{
    buf_str(out, "<g class=\"chart-row\"");
    if (r->bar->mark) {
        buf_str(out, " data-mark=\"");
        svg_words(out, r->bar->mark);
        buf_printf(out, "\" data-place=\"%g %g\"", y, row_height(r, c->narrow));
    }
    buf_str(out, ">\n");
    svg_title(out, arena_printf(arena, "%s, %s: %s", bar_figure(r->bar),
                                text_or_empty(r->bar->state_word), text_or_empty(r->bar->label)));
    for (size_t i = 0; i < r->n_lines; i++)
        svg_text(out, 0, y + 13 + LABEL_STEP * (double)i, ANCHOR_START,
                 i ? "class=\"wrapped\"" : "", r->lines[i]);
    icon_write(out, r->bar->state, c->state + 6, y + 13 - 4.4, icon_ink_of(r->bar->state));
    svg_text(out, c->state + ICON, y + 13, ANCHOR_START, "font-size=\"12\"",
             text_fitted(arena, text_or_empty(r->bar->state_word), SVG_SMALL,
                         c->width - c->state - ICON));
    put_bar(out, c, r, c->narrow ? y + row_height(r, true) - ROW_NARROW + 19 : y + 2, arena);
    buf_str(out, "</g>\n");
}

/* ---- all -------------------------------------------------------------------------------- */

static double height_of(const struct bar_row *rows, size_t n, bool narrow, double top)
{
    double height = top + (n && rows[n - 1].unranked ? HEADING : 0) + (n ? 4 : 60);
    for (size_t i = 0; i < n; i++)
        height += row_height(&rows[i], narrow);
    return height;
}

static void put_heading(struct buf *out, const struct chart_bars *bars, const struct columns *c,
                        double y, struct arena *arena)
{
    svg_line(out, 0, y + 4, c->width, y + 4, SVG_AXIS);
    struct buf more = BUF_INIT(BUF_DEFAULT_MAX);
    buf_str(&more, "font-size=\"12\" " SVG_SOFT);
    if (bars->sorted_heading) {
        buf_str(&more, " data-sorted=\"");
        svg_words(&more, text_fitted(arena, bars->sorted_heading, SVG_SMALL, c->width));
        buf_char(&more, '"');
    }
    svg_text(out, 0, y + 20, ANCHOR_START, more.data,
             text_fitted(arena, text_or_empty(bars->others_heading), SVG_SMALL, c->width));
    buf_release(&more);
}

static void write_bars_size(struct buf *out, const struct chart_bars *bars, bool narrow, bool file)
{
    struct arena arena = ARENA_INIT;
    struct bar_row rows[CHART_BARS_MAX];
    struct svg_head head =
        svg_head_of(&arena, bars->id, bars->title, bars->description, narrow, file);
    size_t n = rank_bars(bars, rows);
    struct columns c = bar_columns(rows, n, text_or_empty(bars->cut), narrow, head.width);
    /* A label that is cut may read as another one does: long ones have several lines. */
    double room = (c.narrow ? c.state : c.bars_from) - 10;
    for (size_t i = 0; i < n; i++)
        rows[i].n_lines = text_wrapped(&arena, text_or_empty(rows[i].bar->label), SVG_SIZE, room,
                                       rows[i].lines, LABEL_LINES);
    double below = SVG_TITLE_LINE * (double)head.n_lines;
    double top = below + (bars->unit && *bars->unit ? 22 : 0) + 12;
    head.height = ceil(height_of(rows, n, narrow, top));
    svg_begin(out, &head);
    svg_ready(out, &head);
    svg_text(out, 0, 16 + below, ANCHOR_START, "font-size=\"12\" " SVG_SOFT,
             text_fitted(&arena, text_or_empty(bars->unit), SVG_SMALL, head.width));
    double y = top;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].unranked && (i == 0 || !rows[i - 1].unranked)) {
            put_heading(out, bars, &c, y, &arena);
            y += HEADING;
        }
        put_bar_row(out, &c, &rows[i], y, &arena);
        y += row_height(&rows[i], narrow);
    }
    if (n == 0)
        svg_text(out, head.width / 2, top + 30, ANCHOR_MIDDLE, SVG_SOFT,
                 text_or_empty(bars->empty));
    svg_end(out);
    arena_release(&arena);
}

void chart_bars_write(struct buf *out, const struct chart_bars *bars, enum chart_size size)
{
    if (size != CHART_NARROW)
        write_bars_size(out, bars, false, size == CHART_FILE);
    if (size == CHART_NARROW || size == CHART_BOTH)
        write_bars_size(out, bars, true, false);
}
