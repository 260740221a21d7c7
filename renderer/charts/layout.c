#include "renderer/charts/layout.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define LEGEND_LINE 20.0
#define LABEL_LINE 22.0  /* a panel's label, above its plot */
#define PANEL_GAP 12.0   /* between one plot and the next label */
#define TICK_ROW 18.0    /* from the last plot to the figures below it */
#define X_LABEL_ROW 17.0 /* from there to the x label */
#define END_GAP 16.0     /* between labels at line ends */
#define END_SPACE 14.0   /* from the plot's edge to them */
#define END_WIDTH_MAX 170.0

bool chart_line_is_dense(const struct chart_layout *l, const struct chart_line *line)
{
    const char *mean = l->chart->text.mean;
    return mean && *mean && !l->chart->is_time &&
           (double)line->series.n > (l->right - l->left) * .75;
}

bool chart_is_empty(const struct chart *chart)
{
    return range_is_empty(chart->x);
}

static bool has_label(const struct chart_line *line)
{
    return *text_or_empty(line->series.label);
}

/* ---- axes ------------------------------------------------------------------------------- */

static void panel_axis(struct panel_layout *l)
{
    const struct chart_panel *p = l->panel;
    struct range r = range_widened(range_is_empty(p->y) ? (struct range){0, 1} : p->y);
    if (p->exact)
        ticks_make(&l->ticks, r, p->log, 4);
    else
        ticks_make_rounded(&l->ticks, &r, p->log, p->height < 100 ? 2 : 4);
    l->y = (struct scale){.data = r, .from = l->bottom, .to = l->top, .log = p->log};
}

static double widest_tick(const struct ticks *t)
{
    double width = 0;
    for (size_t i = 0; i < t->n; i++)
        width = fmax(width, text_width(t->at[i].text, SVG_SMALL));
    return width;
}

/* Steps begin at 1, and their axis at 0; one step alone has its neighbours around it. */
static struct range x_range(const struct chart *c)
{
    struct range r = c->x;
    if (r.low == r.high && !c->is_time && fabs(r.low) < 1e9)
        r = (struct range){r.low - 1, r.high + 1};
    r = range_widened(r);
    return r.low > 0 && r.low < r.high / 20 ? (struct range){0, r.high} : r;
}

/* ---- margins ---------------------------------------------------------------------------- */

static bool labels_lines(const struct chart_layout *l)
{
    return !l->narrow && !l->chart->legend;
}

static double end_labels_width(const struct chart_layout *l)
{
    double width = 0;
    for (size_t i = 0; i < l->chart->n_panels && !l->narrow; i++) {
        const struct chart_panel *p = &l->chart->panels[i];
        for (size_t k = 0; k < p->n_lines && labels_lines(l); k++)
            if (has_label(&p->lines[k]))
                width = fmax(width, text_width(p->lines[k].series.label, SVG_SMALL));
        for (size_t k = 0; k < p->n_rules; k++)
            width = fmax(width, text_width(p->rules[k].text, SVG_SMALL));
    }
    return fmin(width, END_WIDTH_MAX);
}

static void set_margins(struct chart_layout *l)
{
    double ticks = 0, ends = end_labels_width(l);
    for (size_t i = 0; i < l->chart->n_panels; i++)
        ticks = fmax(ticks, widest_tick(&l->panels[i].ticks));
    l->left = fmin(fmax(ticks, 22), l->head.width / 4) + 8;
    l->right = l->head.width - (ends > 0 ? ends + END_SPACE + 2 : 14);
}

/* ---- above the panels ------------------------------------------------------------------- */

static double add_legend_entry(struct chart_layout *l, const char *text,
                               const struct chart_line *line, struct place *next,
                               struct arena *arena)
{
    const char *fitted = text_fitted(arena, text, SVG_SMALL, l->head.width - LEGEND_SWATCH - 6);
    double width = LEGEND_SWATCH + 6 + text_width(fitted, SVG_SMALL);
    if (next->x > 0 && next->x + width > l->head.width)
        *next = (struct place){0, next->y + LEGEND_LINE, NULL};
    l->legend[l->n_legend++] =
        (struct legend_entry){{next->x + LEGEND_SWATCH + 6, next->y, fitted}, line};
    next->x += width + 20;
    return next->y;
}

/* The lines of the first panel that has the most: small multiples share their cards. */
static double set_legend(struct chart_layout *l, double top, struct arena *arena)
{
    const struct chart *c = l->chart;
    const struct chart_panel *p = NULL;
    struct place next = {0, top + 13, NULL};
    double last = top - 7;
    bool banded = false;
    for (size_t i = 0; i < c->n_panels; i++) {
        if (!p || c->panels[i].n_lines > p->n_lines)
            p = &c->panels[i];
        banded |= c->panels[i].n_lines && c->panels[i].lines[0].series.low;
    }
    if (labels_lines(l) || !p)
        return top;
    for (size_t i = 0; i < p->n_lines; i++)
        if (has_label(&p->lines[i]))
            last = add_legend_entry(l, p->lines[i].series.label, &p->lines[i], &next, arena);
    if (banded && c->text.band)
        last = add_legend_entry(l, c->text.band, NULL, &next, arena);
    return l->n_legend ? last + 9 : top;
}

/* ---- labels at line ends ---------------------------------------------------------------- */

/* Where a line ends: at its last point, or at the mean of the last ones where that is drawn. */
static bool chart_line_end(const struct chart_layout *l, const struct chart_line *line, double *x,
                           double *y)
{
    const struct chart_series *s = &line->series;
    double sum = 0, n = 0, first = l->chart->x.high;
    for (size_t i = s->n; i > 0; i--) {
        if (!value_is_drawable(s->x[i - 1]) || !value_is_drawable(s->y[i - 1]))
            continue;
        if (n == 0) {
            *x = s->x[i - 1];
            if (chart_line_is_dense(l, line)) /* a bucket of the mean: 5 units */
                first = *x - 5 / (l->right - l->left) * (l->x.data.high - l->x.data.low);
        } else if (s->x[i - 1] < first) {
            break;
        }
        sum += s->y[i - 1];
        n++;
    }
    *y = sum / n;
    return n > 0;
}

static void add_end(const struct chart_layout *l, struct panel_layout *p, const char *text,
                    double x, double y, const struct chart_line *line, struct arena *arena)
{
    const char *fitted = text_fitted(arena, text, SVG_SMALL, l->head.width - l->right - END_SPACE);
    struct end_label e = {{l->right + END_SPACE, y, fitted}, line, x, y};
    size_t i = p->n_ends++;
    for (; i > 0 && p->ends[i - 1].from_y > e.from_y; i--)
        p->ends[i] = p->ends[i - 1];
    p->ends[i] = e;
}

static void set_ends(const struct chart_layout *l, struct panel_layout *p, struct arena *arena)
{
    double x, y;
    for (size_t i = 0; i < p->panel->n_lines && labels_lines(l); i++) {
        const struct chart_line *line = &p->panel->lines[i];
        if (has_label(line) && chart_line_end(l, line, &x, &y))
            add_end(l, p, line->series.label, scale_place(&l->x, x), scale_place(&p->y, y), line,
                    arena);
    }
    for (size_t i = 0; i < p->panel->n_rules && !l->narrow; i++)
        add_end(l, p, p->panel->rules[i].text, l->right, scale_place(&p->y, p->panel->rules[i].y),
                NULL, arena);
    /* Labels in the order of their lines: pushed down from the top until they are apart, then up
     * from the bottom where that went too far. */
    double limit = p->top - LABEL_LINE / 2;
    for (size_t i = 0; i < p->n_ends; i++) {
        p->ends[i].at.y = fmax(p->ends[i].at.y, limit);
        limit = p->ends[i].at.y + END_GAP;
    }
    limit = p->bottom + 4;
    for (size_t i = p->n_ends; i > 0; i--) {
        p->ends[i - 1].at.y = fmin(p->ends[i - 1].at.y, limit);
        limit = p->ends[i - 1].at.y - END_GAP;
    }
}

/* ---- labels inside a plot --------------------------------------------------------------- */

struct box {
    double left, top, right, bottom;
};

#define BOXES_MAX (CHART_RULES_MAX + 2)

struct boxes {
    struct box at[BOXES_MAX];
    size_t n;
};

static struct box box_of(double left, double baseline, const char *text)
{
    double width = text_width(text, SVG_SMALL * SVG_BOLD);
    return (struct box){left - 3, baseline - SVG_SMALL, left + width + 3, baseline + 4};
}

static bool box_is_free(const struct boxes *taken, struct box b)
{
    for (size_t i = 0; i < taken->n; i++) {
        const struct box *t = &taken->at[i];
        if (b.left < t->right && t->left < b.right && b.top < t->bottom && t->top < b.bottom)
            return false;
    }
    return true;
}

static struct place take_label_place(struct boxes *taken, double left, double baseline,
                                     const char *text)
{
    taken->at[taken->n++] = box_of(left, baseline, text);
    return (struct place){left, baseline, text};
}

static const char *fitted_inside(const struct chart_layout *l, const char *text,
                                 struct arena *arena)
{
    return text_fitted(arena, text, SVG_SMALL * SVG_BOLD, l->right - l->left - 12);
}

/* Beside the boundary, at the top of the plot: inside the shade if there is room. */
static void set_boundary(const struct chart_layout *l, struct panel_layout *p, struct boxes *taken,
                         struct arena *arena)
{
    const char *text = l->chart->boundary_text;
    if (!l->boundary || !text || !*text || p->panel != &l->chart->panels[l->chart->n_panels - 1])
        return;
    text = fitted_inside(l, text, arena);
    double width = text_width(text, SVG_SMALL), x = l->boundary - width - 5;
    if (x < l->left + 2)
        x = l->boundary + 5 + width < l->right ? l->boundary + 5 : l->right - width - 2;
    p->boundary = take_label_place(taken, x, p->top + 13, text);
}

/* Does this stretch of a line enter the box? */
static bool enters(const struct box *b, double x0, double y0, double x1, double y1)
{
    if (x1 < b->left || x0 > b->right)
        return false;
    double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    double from = x0 < b->left ? y0 + slope * (b->left - x0) : y0;
    double to = x1 > b->right ? y0 + slope * (b->right - x0) : y1;
    return fmin(from, to) < b->bottom && fmax(from, to) > b->top;
}

static bool lines_enter(const struct chart_layout *l, const struct panel_layout *p, struct box b)
{
    for (size_t i = 0; i < p->panel->n_lines; i++) {
        const struct chart_series *s = &p->panel->lines[i].series;
        double x = NAN, y = NAN; /* of the point before; comparisons with NAN enter nothing */
        for (size_t k = 0; k < s->n; k++) {
            double to_x = scale_place(&l->x, s->x[k]), to_y = scale_place(&p->y, s->y[k]);
            if (isfinite(x) && isfinite(y) && isfinite(to_x) && isfinite(to_y) &&
                enters(&b, x, y, to_x, to_y))
                return true;
            x = to_x;
            y = to_y;
        }
    }
    return false;
}

/* Beside its line where nothing is written, clear of all curves if there is such a row. */
static double rule_baseline(const struct chart_layout *l, const struct panel_layout *p,
                            const struct boxes *taken, const struct chart_rule *rule,
                            const char *text, double x)
{
    static const double rows[] = {-5, 14, -21, 30, -37, 46}; /* above and below by turns */
    const size_t n = sizeof rows / sizeof *rows;
    double y = scale_place(&p->y, rule->y);
    for (size_t i = 0; i < 2 * n; i++) {
        double baseline = y + rows[(i % n) ^ (rule->y < 0 ? 1 : 0)];
        struct box box = box_of(x, baseline, text);
        if (baseline - SVG_SMALL < p->top - 2 || baseline + 2 > p->bottom)
            continue;
        if (box_is_free(taken, box) && (i >= n || !lines_enter(l, p, box)))
            return baseline;
    }
    return y - 5;
}

/* Near the ring, where nothing else is written: the first free place of a few, clear of all lines
 * if there is one. */
static void set_mark(const struct chart_layout *l, struct panel_layout *p, struct boxes *taken,
                     struct arena *arena)
{
    const struct chart_mark *mark = NULL;
    for (size_t i = 0; i < p->panel->n_marks && !mark; i++)
        mark = p->panel->marks[i].text ? &p->panel->marks[i] : NULL;
    if (!mark)
        return;
    const char *text = fitted_inside(l, mark->text, arena);
    double width = text_width(text, SVG_SMALL * SVG_BOLD);
    double x = scale_place(&l->x, mark->x), y = scale_place(&p->y, mark->y);
    const double rows[] = {4, -10, 20, -26, 36, -42, 52};
    const size_t n = 2 * sizeof rows / sizeof *rows;
    for (size_t i = 0; i < 2 * n; i++) {
        bool clear = i < n;
        double baseline = y + rows[i % n / 2], side = i % 2 ? x - 9 - width : x + 9;
        double left = fmin(fmax(side, l->left + 3), l->right - width - 3);
        bool on_ring = i % n < 2 && left != side;
        if (on_ring || baseline - SVG_SMALL < p->top || baseline + 4 > p->bottom)
            continue;
        struct box box = box_of(left, baseline, text);
        if (!box_is_free(taken, box) || (clear && lines_enter(l, p, box)))
            continue;
        p->mark = take_label_place(taken, left, baseline, text);
        return;
    }
    p->mark = take_label_place(taken, l->left + 3, (p->top + p->bottom) / 2, text);
}

static void set_inside(const struct chart_layout *l, struct panel_layout *p, struct arena *arena)
{
    struct boxes taken = {.n = 0};
    set_boundary(l, p, &taken, arena);
    if (l->narrow) {
        for (size_t i = 0; i < p->panel->n_rules; i++) {
            const struct chart_rule *rule = &p->panel->rules[i];
            const char *text = fitted_inside(l, rule->text, arena);
            double x = l->right - text_width(text, SVG_SMALL);
            p->rules[p->n_rules++] =
                take_label_place(&taken, x, rule_baseline(l, p, &taken, rule, text, x), text);
        }
    }
    set_mark(l, p, &taken, arena);
}

/* ---- all -------------------------------------------------------------------------------- */

bool chart_axis_is_broken(const struct panel_layout *p)
{
    return p->panel->broken && p->y.data.low > 0;
}

/* What the panel shows, and that its axis leaves out zero where that has a meaning. */
static const char *panel_label(const struct chart_layout *l, const struct panel_layout *p,
                               struct arena *arena)
{
    const char *label = p->panel->label ? p->panel->label : "", *broken = l->chart->text.broken;
    if (broken && chart_axis_is_broken(p))
        label = arena_printf(arena, "%s%s%s", label, *label ? " · " : "", broken);
    return text_fitted(arena, label, SVG_SMALL, l->head.width);
}

static double set_panels(struct chart_layout *l, double top, struct arena *arena)
{
    for (size_t i = 0; i < l->chart->n_panels; i++) {
        struct panel_layout *p = &l->panels[i];
        p->panel = &l->chart->panels[i];
        const char *label = p->panel->label ? p->panel->label : "";
        double row = *label ? LABEL_LINE : 6;
        p->top = top + row;
        p->bottom = p->top + p->panel->height * (l->narrow ? 0.92 : 1);
        panel_axis(p);
        p->label = (struct place){0, top + 12, panel_label(l, p, arena)};
        top = p->bottom + PANEL_GAP;
    }
    return top - PANEL_GAP;
}

static void set_x_boundary(struct chart_layout *l)
{
    double at = l->chart->boundary;
    if (!(at > l->x.data.low) || !(at <= l->x.data.high))
        return;
    double place = scale_place(&l->x, at);
    if (place > l->left + 2) /* less is not seen */
        l->boundary = place;
}

/* The x label at the right, what the thick lines are at the left. */
static double set_foot(struct chart_layout *l, double y, struct arena *arena)
{
    const char *label = l->chart->text.x_label, *mean = l->chart->text.mean;
    double left = label ? text_width(label, SVG_SMALL) + 20 : 0;
    double room = l->right - l->left - left;
    if (label && *label)
        l->x_label = (struct place){l->right, y + X_LABEL_ROW,
                                    text_fitted(arena, label, SVG_SMALL, l->right)};
    for (size_t i = 0; i < l->chart->n_panels && room > 60; i++)
        for (size_t k = 0; k < l->chart->panels[i].n_lines; k++)
            if (chart_line_is_dense(l, &l->chart->panels[i].lines[k]))
                l->note = (struct place){l->left, y + X_LABEL_ROW,
                                         text_fitted(arena, mean, SVG_SMALL, room)};
    return l->note.text || l->x_label.text ? y + X_LABEL_ROW : y;
}

void chart_layout(struct chart_layout *l, const struct chart *chart, bool narrow,
                  struct arena *arena)
{
    *l = (struct chart_layout){.chart = chart, .narrow = narrow};
    l->head = svg_head_of(arena, chart->text.id, chart->text.title, chart->text.description, narrow,
                          false);
    double y = l->head.n_lines ? 8 + SVG_TITLE_LINE * (double)l->head.n_lines : 0;
    if (chart_is_empty(chart)) {
        l->head.height = y + 80;
        return;
    }
    y = set_legend(l, y, arena);
    y = set_panels(l, y, arena);
    set_margins(l);
    /* As many ticks as can stand beside each other, none of them beyond the drawing. */
    l->x = (struct scale){.data = x_range(l->chart), .from = l->left, .to = l->right};
    for (int want = l->narrow ? 5 : 8; want > 0; want--) {
        ticks_make(&l->ticks, l->x.data, false, want);
        double tick_distance =
            l->ticks.step / (l->x.data.high - l->x.data.low) * (l->right - l->left);
        bool between_steps = l->ticks.step < 1 && l->x.data.high - l->x.data.low >= 1;
        if (!chart->is_time && between_steps) /* where nothing is */
            continue;
        if (l->ticks.n < 2 || widest_tick(&l->ticks) + 10 < tick_distance)
            break;
    }
    size_t n = 0;
    for (size_t i = 0; i < l->ticks.n; i++) {
        double half = text_width(l->ticks.at[i].text, SVG_SMALL) / 2;
        double at = scale_place(&l->x, l->ticks.at[i].value);
        if (at - half >= 0 && at + half <= l->head.width)
            l->ticks.at[n++] = l->ticks.at[i];
    }
    l->ticks.n = n;
    set_x_boundary(l);
    for (size_t i = 0; i < chart->n_panels; i++) {
        set_ends(l, &l->panels[i], arena);
        set_inside(l, &l->panels[i], arena);
    }
    l->head.height = ceil(set_foot(l, y + TICK_ROW, arena) + 6);
}
