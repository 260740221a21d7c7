#include "renderer/charts/plan.h"

#include "base/text.h"
#include "renderer/charts/svg.h"
#include "renderer/words/strings.h"

#include <math.h>
#include <stdio.h>

#define CELL 34.0
#define CELL_STEP 38.0
#define ROW_OF_CELLS 8
#define PAD 10.0
#define BOX_GAP 14.0
#define BOX_TITLE 22.0
#define BRACKET 11.0   /* below each row of cells */
#define COUNTING 128.0 /* least width of a box that only counts */
#define LEGEND_LINE 24.0
#define STAGES_SHOWN 6

/* ---- who does what ---------------------------------------------------------------------- */

struct duty {
    long stage, replica;
};

static struct duty duty_of(const struct chart_plan *p, long rank)
{
    long group = rank / p->tp;
    if (p->order == PLAN_TP_PP_DP)
        return (struct duty){group % p->pp, group / p->pp};
    return (struct duty){group / p->dp, group % p->dp};
}

static bool is_drawable_plan(const struct chart_plan *p)
{
    const long all[] = {p->machines, p->cards, p->tp, p->pp, p->dp};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] < 1 || all[i] > CHART_PLAN_WORLD_MAX)
            return false;
    if (p->cards > CHART_PLAN_CARDS_MAX || p->machines > CHART_PLAN_WORLD_MAX / p->cards)
        return false;
    if (p->pp > CHART_PLAN_WORLD_MAX / p->tp || p->dp > CHART_PLAN_WORLD_MAX / (p->tp * p->pp))
        return false;
    return p->tp * p->pp * p->dp == p->machines * p->cards;
}

/* Do two machines hold the same stages, card by card, and the same parts of tensor groups? */
static bool machines_alike(const struct chart_plan *p, long a, long b)
{
    for (long c = 0; c < p->cards; c++) {
        long x = a * p->cards + c, y = b * p->cards + c;
        if (duty_of(p, x).stage != duty_of(p, y).stage || x % p->tp != y % p->tp)
            return false;
    }
    return true;
}

/* ---- boxes ------------------------------------------------------------------------------ */

/* A machine, or (machine < 0) the number of those that are not drawn. */
struct plan_box {
    long machine, count;
    const char *words; /* of a counting one */
    double x, y, width;
};

struct plan_drawing {
    const struct chart_plan *plan;
    double width;
    struct plan_box boxes[CHART_PLAN_BOXES + 1];
    size_t n;
    double box_height, box_width, counting_width;
    struct arena *arena;
};

static const char *words_with_number(struct arena *arena, const char *words, const char *n)
{
    return strings_fill(text_or_empty(words), &(struct string_value){"n", n}, 1, arena);
}

static const char *with_number(struct arena *arena, const char *words, long n)
{
    return words_with_number(arena, words, arena_printf(arena, "%ld", n));
}

static void choose_boxes(struct plan_drawing *d)
{
    const struct chart_plan *p = d->plan;
    size_t most = (size_t)(CHART_PLAN_CELLS / p->cards);
    most = most < CHART_PLAN_BOXES ? most : CHART_PLAN_BOXES;
    for (long m = 0; m < p->machines;) {
        long end = m + 1;
        while (end < p->machines && machines_alike(p, m, end))
            end++;
        long alike = end - m;
        long shown = alike > 2 ? 1 : alike;
        if (d->n + (size_t)shown + (alike > 2) > most) {
            d->boxes[d->n++] = (struct plan_box){
                -1, p->machines - m,  with_number(d->arena, p->others, p->machines - m), 0,
                0,  d->counting_width};
            return;
        }
        for (long i = 0; i < shown; i++)
            d->boxes[d->n++] = (struct plan_box){m + i, 1, NULL, 0, 0, d->box_width};
        if (alike > 2)
            d->boxes[d->n++] = (struct plan_box){
                -1, alike - 1, with_number(d->arena, p->alike, alike - 1), 0, 0, d->counting_width};
        m += alike;
    }
}

/* Beside each other as they fit. */
static double place_boxes(struct plan_drawing *d, double y)
{
    double x = 0;
    for (size_t i = 0; i < d->n; i++) {
        if (x > 0 && x + d->boxes[i].width > d->width) {
            x = 0;
            y += d->box_height + BOX_GAP;
        }
        d->boxes[i].x = x;
        d->boxes[i].y = y;
        x += d->boxes[i].width + BOX_GAP;
    }
    return y + d->box_height;
}

/* ---- cells ------------------------------------------------------------------------------ */

static const char *plan_stage_name(struct arena *arena, const struct chart_plan *p, long stage)
{
    if (p->pp <= 26)
        return arena_printf(arena, "%c", (char)('A' + stage));
    return arena_printf(arena, "%ld", stage + 1);
}

static void put_cell(struct buf *out, const struct chart_plan *p, double x, double y,
                     struct duty duty, struct arena *arena)
{
    char more[160];
    const char *colour = svg_palette[duty.stage % SVG_PALETTE_N];
    snprintf(more, sizeof more, "rx=\"3\" fill=\"%s\" fill-opacity=\".2\"", colour);
    svg_rect(out, x, y, CELL, CELL, more);
    snprintf(more, sizeof more, "fill=\"%s\"", colour);
    svg_rect(out, x, y + CELL - 3, CELL, 3, more);
    /* The stage above the replica; what there is only one of is not told. */
    const char *replica = arena_printf(arena, "%ld", duty.replica);
    bool staged = p->pp > 1, replicated = p->dp > 1;
    if (staged)
        svg_text(out, x + CELL / 2, y + (replicated ? 14 : 20), ANCHOR_MIDDLE, SVG_STRONG,
                 plan_stage_name(arena, p, duty.stage));
    if (replicated)
        svg_text(out, x + CELL / 2, y + (staged ? 27 : 20), ANCHOR_MIDDLE, "font-size=\"11\"",
                 replica);
}

/* Below neighbours that share a tensor group; open where the group goes on in another row. */
static void put_bracket(struct buf *out, double x, double y, double width, bool begins, bool ends)
{
    double to = x + width;
    buf_str(out, "<path fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".7\" d=\"");
    buf_printf(out, begins ? "M%.1f %.1fv5" : "M%.1f %.1f", x + 1, begins ? y : y + 5);
    buf_printf(out, ends ? "H%.1fv-5\"/>\n" : "H%.1f\"/>\n", to - 1);
}

static void put_brackets(struct buf *out, const struct chart_plan *p, double x, double y, long rank,
                         long cells)
{
    for (long c = 0; c < cells && p->tp > 1;) {
        long left = p->tp - (rank + c) % p->tp, here = left < cells - c ? left : cells - c;
        put_bracket(out, x + CELL_STEP * (double)c, y, CELL_STEP * (double)(here - 1) + CELL,
                    (rank + c) % p->tp == 0, left == here);
        c += here;
    }
}

static void put_machine(struct buf *out, const struct plan_drawing *d, const struct plan_box *b)
{
    const struct chart_plan *p = d->plan;
    svg_rect(out, b->x + 0.5, b->y + 0.5, b->width - 1, d->box_height - 1,
             "rx=\"5\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".4\"");
    const char *name = with_number(d->arena, p->machine, b->machine + 1);
    svg_text(out, b->x + PAD, b->y + 17, ANCHOR_START, "font-size=\"12\" " SVG_SOFT,
             text_fitted(d->arena, name, SVG_SMALL, b->width - 2 * PAD + 6));
    for (long c = 0; c < p->cards; c++) {
        long row = c / ROW_OF_CELLS, column = c % ROW_OF_CELLS, rank = b->machine * p->cards + c;
        double x = b->x + PAD + CELL_STEP * (double)column;
        double y = b->y + BOX_TITLE + 3 + (CELL + BRACKET) * (double)row;
        put_cell(out, p, x, y, duty_of(p, rank), d->arena);
        if (column == 0)
            put_brackets(out, p, x, y + CELL + 2, rank,
                         p->cards - c < ROW_OF_CELLS ? p->cards - c : ROW_OF_CELLS);
    }
}

static void put_counting(struct buf *out, const struct plan_drawing *d, const struct plan_box *b)
{
    const char *lines[4];
    size_t n = text_wrapped(d->arena, b->words, SVG_SMALL, b->width - 16, lines, 4);
    svg_rect(out, b->x + 0.5, b->y + 0.5, b->width - 1, d->box_height - 1,
             "rx=\"5\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".4\" "
             "stroke-dasharray=\"4 3\"");
    double y = b->y + d->box_height / 2 + 4 - 8 * ((double)n - 1);
    for (size_t i = 0; i < n; i++)
        svg_text(out, b->x + b->width / 2, y + 16 * (double)i, ANCHOR_MIDDLE,
                 i ? "font-size=\"12\" class=\"wrapped\"" : "font-size=\"12\"", lines[i]);
}

/* ---- legend ----------------------------------------------------------------------------- */

/* One entry: a small cell with a sign in it, or a bracket, and words. Moves x and y on. */
static void put_plan_entry(struct buf *out, const struct plan_drawing *d, double *x, double *y,
                           const char *sign, const char *ground, const char *words)
{
    const char *fitted = text_fitted(d->arena, words, SVG_SMALL, d->width - 32);
    double width = 28 + text_width(fitted, SVG_SMALL);
    if (*x > 0 && *x + width > d->width) {
        *x = 0;
        *y += LEGEND_LINE;
    }
    if (ground) {
        char more[128];
        snprintf(more, sizeof more, "rx=\"3\" fill=\"%s\" fill-opacity=\".2\"", ground);
        svg_rect(out, *x, *y, 20, 18, more);
        snprintf(more, sizeof more, "fill=\"%s\"", ground);
        svg_rect(out, *x, *y + 16, 20, 2, more);
    }
    if (sign)
        svg_text(out, *x + 10, *y + 13, ANCHOR_MIDDLE,
                 ground ? "font-size=\"12\" " SVG_STRONG : "font-size=\"11\"", sign);
    else
        put_bracket(out, *x - 1, *y + 8, 22, true, true);
    if (*words)
        svg_text(out, *x + 28, *y + 13, ANCHOR_START, "font-size=\"12\"", fitted);
    *x += width + (*words ? 18 : 0);
}

static double put_plan_legend(struct buf *out, const struct plan_drawing *d, double y)
{
    const struct chart_plan *p = d->plan;
    double x = 0;
    for (long s = 0; s < p->pp && s < STAGES_SHOWN && p->pp > 1; s++) {
        const char *name = plan_stage_name(d->arena, p, s);
        put_plan_entry(out, d, &x, &y, name, svg_palette[s % SVG_PALETTE_N],
                       words_with_number(d->arena, p->stage, name));
    }
    if (p->pp > STAGES_SHOWN) {
        const char *last = plan_stage_name(d->arena, p, p->pp - 1);
        if (p->pp > STAGES_SHOWN + 1)
            put_plan_entry(out, d, &x, &y, "…", NULL, "");
        put_plan_entry(out, d, &x, &y, last, svg_palette[(p->pp - 1) % SVG_PALETTE_N],
                       words_with_number(d->arena, p->stage, last));
    }
    if (p->dp > 1)
        put_plan_entry(out, d, &x, &y, "0", NULL, with_number(d->arena, p->replica, p->dp));
    if (p->tp > 1)
        put_plan_entry(out, d, &x, &y, NULL, NULL, with_number(d->arena, p->tensor, p->tp));
    return p->pp > 1 || p->dp > 1 || p->tp > 1 ? y + LEGEND_LINE : y;
}

/* ---- all -------------------------------------------------------------------------------- */

/* One box is as broad on any screen. */
static bool is_small_plan(const struct chart_plan *plan, enum chart_size size)
{
    return size == CHART_BOTH && plan->machines == 1;
}

static void write_plan_size(struct buf *out, const struct chart_plan *plan, bool narrow,
                            enum chart_size size)
{
    struct arena arena = ARENA_INIT;
    struct buf body = BUF_INIT(CHART_BYTES_MAX);
    long columns = plan->cards < ROW_OF_CELLS ? plan->cards : ROW_OF_CELLS;
    long rows = (plan->cards + ROW_OF_CELLS - 1) / ROW_OF_CELLS;
    struct svg_head head =
        svg_head_of(&arena, plan->id, plan->title, plan->description, narrow, size == CHART_FILE);
    if (is_small_plan(plan, size)) {
        head.id = arena_printf(&arena, "%.80s", plan->id);
        head.class = "chart-small";
    }
    struct plan_drawing d = {.plan = plan, .width = head.width, .arena = &arena};
    d.box_width = fmax(CELL_STEP * (double)columns - 4 + 2 * PAD, 96);
    d.box_height = BOX_TITLE + 3 + (CELL + BRACKET) * (double)rows;
    d.counting_width = narrow ? fmax(d.box_width, COUNTING) : COUNTING;
    double y = 16 + SVG_TITLE_LINE * (double)head.n_lines;
    svg_text(&body, 0, y, ANCHOR_START, "font-size=\"12\" " SVG_SOFT,
             arena_printf(&arena, "TP %ld × PP %ld × DP %ld = %ld", plan->tp, plan->pp, plan->dp,
                          plan->tp * plan->pp * plan->dp));
    choose_boxes(&d);
    y = place_boxes(&d, y + 12);
    for (size_t i = 0; i < d.n; i++)
        (d.boxes[i].machine < 0 ? put_counting : put_machine)(&body, &d, &d.boxes[i]);
    y = put_plan_legend(&body, &d, y + 12);
    head.height = ceil(y);
    svg_begin(out, &head);
    svg_ready(out, &head);
    buf_add(out, body.data, body.len);
    svg_end(out);
    buf_release(&body);
    arena_release(&arena);
}

bool chart_plan_write(struct buf *out, const struct chart_plan *plan, enum chart_size size)
{
    if (!is_drawable_plan(plan))
        return false;
    if (size != CHART_NARROW && !is_small_plan(plan, size))
        write_plan_size(out, plan, false, size);
    if (size == CHART_NARROW || size == CHART_BOTH)
        write_plan_size(out, plan, true, size);
    return true;
}
