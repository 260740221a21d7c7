#include "renderer/site/sheet/scaling.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/markdown/markdown.h"
#include "base/text.h"
#include "renderer/charts/plan.h"
#include "renderer/site/index/recompute.h"
#include "renderer/site/sheet/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The number behind these two letters, in any case; 1 when they are not there. */
static long plan_size(const char *text, const char *letters)
{
    for (; *text; text++)
        if (strncasecmp(text, letters, 2) == 0 && text[2] >= '1' && text[2] <= '9') {
            long size = 0;
            for (text += 2; *text >= '0' && *text <= '9' && size < CHART_PLAN_WORLD_MAX; text++)
                size = size * 10 + (*text - '0');
            return size;
        }
    return 1;
}

static const char *plan_cell(const struct site_row *row)
{
    for (size_t c = 0; row->of && c < row->of->n_columns; c++) {
        const struct metrics_column *column = metrics_column(row->of->columns[c]);
        const struct row *cells = &row->of->rows[row->row - 1];
        if (column && column->kind == COLUMN_PARALLEL && c < cells->n_cells)
            return cells->cells[c].text;
    }
    return NULL;
}

bool site_plan_of(const struct site_row *row, struct site_plan *out)
{
    const char *cell = plan_cell(row);
    const struct case_record *c = row->entry->case_record;
    *out =
        (struct site_plan){.tp = 1, .pp = 1, .dp = 1, .machines = row->nodes, .cards = row->cards};
    if (cell) {
        out->tp = plan_size(cell, "TP");
        out->pp = plan_size(cell, "PP");
        out->dp = plan_size(cell, "DP");
    } else if (c && c->parallel) {
        out->tp = c->parallel->tensor > 0 ? (long)c->parallel->tensor : 1;
        out->pp = c->parallel->pipeline > 0 ? (long)c->parallel->pipeline : 1;
        out->dp = c->parallel->data > 0 ? (long)c->parallel->data : 1;
    }
    return out->tp > 1 || out->pp > 1 || out->dp > 1;
}

/* ---- which rows --------------------------------------------------------------------------- */

double site_row_rate(const struct site_row *row)
{
    const struct metric *m = site_row_metric(row, "token_per_s_per_card");
    return m && figure_has_value(m->says) && m->says->value > 0 ? m->says->value : NAN;
}

long site_row_cards(const struct site_row *row)
{
    return row->nodes * row->cards;
}

static bool same_data(const struct case_data *a, const struct case_data *b)
{
    return a && b && text_equal(a->kind, b->kind) && text_equal(a->name, b->name) &&
           text_equal(a->sha256, b->sha256);
}

static bool scale_together(const struct site_row *a, const struct site_row *b)
{
    const struct case_record *x = a->entry->case_record, *y = b->entry->case_record;
    if (a->accelerator != b->accelerator ||
        strcmp(a->entry->result->vendor, b->entry->result->vendor) != 0)
        return false;
    if (site_rows_compare(a, b))
        return true;
    return x && y && a->entry->model && a->entry->model == b->entry->model &&
           text_equal(x->trainer, y->trainer) && same_data(x->data, y->data) &&
           strcmp(a->precision_class, SITE_CLASS_UNKNOWN) != 0 &&
           strcmp(a->precision_class, b->precision_class) == 0 && strcmp(a->stage, b->stage) == 0 &&
           site_row_factor(a) == site_row_factor(b) && site_row_sequence(a) == site_row_sequence(b);
}

static int by_cards(const void *x, const void *y)
{
    const struct site_row *a = *(const struct site_row *const *)x;
    const struct site_row *b = *(const struct site_row *const *)y;
    long cards = site_row_cards(a) - site_row_cards(b);
    if (cards)
        return cards < 0 ? -1 : 1;
    if (a->entry->place != b->entry->place)
        return a->entry->place < b->entry->place ? -1 : 1;
    return a->table != b->table ? a->table - b->table : a->row - b->row;
}

size_t site_scalings_of(const struct site_row *const *rows, size_t n, struct arena *arena,
                        struct site_scaling **out)
{
    struct site_scaling *all = NULL;
    size_t found = 0;
    for (size_t i = 0, k; i < n; i++) {
        if (rows[i]->entry->verdict->state != STATE_VERIFIED || !rows[i]->accelerator ||
            site_row_cards(rows[i]) <= 0 || isnan(site_row_rate(rows[i])))
            continue;
        for (k = 0; k < found && !scale_together(all[k].rows[0], rows[i]);)
            k++;
        if (k == found)
            *(struct site_scaling *)ARENA_PUSH(arena, all, found) = (struct site_scaling){.n = 0};
        *(const struct site_row **)ARENA_PUSH(arena, all[k].rows, all[k].n) = rows[i];
    }
    *out = all;
    /* Those on one number of cards only show nothing. */
    size_t kept = 0;
    for (size_t i = 0; i < found; i++) {
        qsort(all[i].rows, all[i].n, sizeof *all[i].rows, by_cards);
        if (site_row_cards(all[i].rows[0]) < site_row_cards(all[i].rows[all[i].n - 1]))
            all[kept++] = all[i];
    }
    return kept;
}

/* ---- in pages ----------------------------------------------------------------------------- */

static const char *scaling_number(struct sheet *s, double value, int digits)
{
    return arena_printf(s->arena, "%.*f", digits, value);
}

const char *site_row_plan(const struct site_row *row, struct arena *arena)
{
    const struct case_record *c = row->entry->case_record;
    struct site_plan p;
    const char *plan = row->plan;
    if (!*plan && (site_plan_of(row, &p) || site_row_cards(row) == 1))
        plan = arena_printf(arena, "TP%ldPP%ldDP%ld", p.tp, p.pp, p.dp);
    if (c && c->parallel && c->parallel->zero > 0)
        plan = arena_printf(arena, "%s%sZeRO-%lld", plan, *plan ? " " : "", c->parallel->zero);
    return *plan ? plan : NULL;
}

long long site_row_micro_batch(const struct site_row *row, long long *accumulation)
{
    const struct case_record *c = row->entry->case_record;
    *accumulation = c && c->gradient_accumulation > 0 ? c->gradient_accumulation : 1;
    return c && c->micro_batch > 0 ? c->micro_batch : 0;
}

static void push_scaling_row(struct sheet *s, struct view *list, const struct site_row *row,
                             const struct site_row *first)
{
    struct view *v = view_push_object(list);
    double rate = site_row_rate(row);
    view_set_text(v, "path", row->entry->path);
    view_set_text(v, "case", row->entry->result->case_id);
    view_set_printf(v, "anchor", row->row ? "f%d-%d" : "figures", row->table, row->row);
    view_set_printf(v, "cards", "%ld", site_row_cards(row));
    view_set_printf(v, "layout", "%ld×%ld", row->nodes, row->cards);
    sheet_set_figure(s, v, "rate", site_row_metric(row, "token_per_s_per_card"));
    sheet_set_figure(s, v, "mfu", site_row_metric(row, "mfu"));
    view_set_text(v, "total", scaling_number(s, rate * (double)site_row_cards(row), 0));
    view_set_text(v, "efficiency", scaling_number(s, rate / site_row_rate(first) * 100, 1));
    /* What followed the number of cards: "DP4 · ZeRO-1 · 3 × 1". */
    long long accumulation, batch = site_row_micro_batch(row, &accumulation);
    const char *none = sheet_t(s, "figure.none"), *plan = site_row_plan(row, s->arena);
    view_set_text(v, "plan", plan ? sheet_short(s, plan) : none);
    view_set_text(v, "batch",
                  batch ? arena_printf(s->arena, "%lld × %lld", batch, accumulation) : none);
    view_set_text(v, "recompute", sheet_recompute(s, site_recompute_of(row)));
}

size_t sheet_set_scalings(struct sheet *s, struct view *v, const struct site_row *const *rows,
                          size_t n)
{
    struct view *list = view_set_list(v, "scalings");
    struct site_scaling *all;
    size_t found = site_scalings_of(rows, n, s->arena, &all);
    for (size_t i = 0; i < found; i++) {
        const struct site_row *first = all[i].rows[0];
        struct view *one = view_push_object(list), *of = view_set_list(one, "rows");
        view_set_printf(one, "number", "%zu", i + 1);
        view_set_text(one, "name",
                      arena_printf(s->arena, "%s · %s · %s", sheet_vendor(s, first->entry),
                                   sheet_short(s, first->accelerator->name),
                                   sheet_group(s, first)));
        view_set_text(one, "name_lang", sheet_language(s, view_get(one, "name")->text));
        for (size_t r = 0; r < all[i].n; r++)
            push_scaling_row(s, of, all[i].rows[r], first);
        struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
        sheet_write_scaling(s, &svg, arena_printf(s->arena, "scaling-%zu", i + 1), &all[i]);
        view_set_raw(one, "svg", svg.len ? svg.data : "");
        buf_release(&svg);
    }
    view_set_flag(v, "has_scalings", found > 0);
    return found;
}
