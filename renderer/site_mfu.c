/*
 * MFU (site_result.h): how it was computed for each row, and where each of the numbers is from.
 */
#include "renderer/site_result.h"
#include "renderer/site_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* `source` is in the language of the page, `cited` as a record has it; NULL: it does not say. */
struct mfu_input {
    const char *name_key, *value, *source, *cited;
    bool own; /* each row may have another: where they do, its line has it */
};

struct mfu_inputs {
    struct mfu_input *items;
    size_t n;
};

/* The peak of the card that the derivation divided by, and names at its end: cards have the same
 * for fp16 and bf16. */
static const struct peak *peak_of(const struct accelerator *a, double flops, const char *derivation)
{
    const struct peak *found = NULL;
    const char *named = strrchr(derivation, ',');
    for (size_t i = 0; a && i < a->n_peaks; i++) {
        if (fabs(a->peaks[i].tflops * 1e12 - flops) > 1e-6 * flops)
            continue;
        if (named && strstr(named, a->peaks[i].precision))
            return &a->peaks[i];
        found = found ? found : &a->peaks[i];
    }
    return found;
}

/* Rows of one case share most of their inputs: each is listed once. */
static void add(struct sheet *s, struct mfu_inputs *to, struct mfu_input input, double value)
{
    input.value = arena_printf(s->arena, "%.10g", value);
    for (size_t i = 0; i < to->n; i++) {
        struct mfu_input *seen = &to->items[i];
        if (strcmp(seen->name_key, input.name_key) != 0 || strcmp(seen->source, input.source) != 0)
            continue;
        if (strcmp(seen->value, input.value) == 0)
            return;
        if (input.own) {
            seen->value = sheet_t(s, "mfu.each");
            return;
        }
    }
    *(struct mfu_input *)ARENA_PUSH(s->arena, to->items, to->n) = input;
}

/* The derivation is "factor * N * rate / peak = …": its numbers, each with where it is from. */
static bool add_all(struct sheet *s, struct mfu_inputs *to, const struct site_row *row,
                    const struct metric *m)
{
    double factor, parameters, rate, peak;
    if (!m->derivation ||
        sscanf(m->derivation, "%lf * %lf * %lf / %lf =", &factor, &parameters, &rate, &peak) != 4)
        return false;
    const struct site_entry *e = row->entry;
    const struct peak *p = peak_of(row->accelerator, peak, m->derivation);
    bool measured = m->source && strcmp(m->source, "evidence") == 0;
    const char *card = row->card;
    if (p)
        card = arena_printf(s->arena, "%s, %s", sheet_card(s, row->accelerator), p->precision);
    const char *of_case = e->case_record
                              ? arena_printf(s->arena, "cases/%s.json", e->result->case_id)
                              : sheet_t(s, "mfu.convention");
    add(s, to, (struct mfu_input){.name_key = "mfu.factor", .source = of_case}, factor);
    add(s, to,
        (struct mfu_input){.name_key = "mfu.parameters",
                           .source = sheet_t(s, "mfu.nominal"),
                           .cited = e->model ? e->model->source : NULL},
        parameters);
    add(s, to,
        (struct mfu_input){.name_key = "mfu.rate",
                           .source = sheet_t(s, measured ? "source.evidence" : "mark.stated"),
                           .own = true},
        rate);
    add(s, to,
        (struct mfu_input){.name_key = "mfu.peak", .source = card, .cited = p ? p->source : NULL},
        peak);
    return true;
}

static void set_inputs(struct sheet *s, const struct mfu_inputs *inputs)
{
    struct view *list = view_set_list(s->view, "inputs");
    for (size_t i = 0; i < inputs->n; i++) {
        const struct mfu_input *input = &inputs->items[i];
        struct view *v = view_push_object(list);
        view_set_text(v, "name", sheet_t(s, input->name_key));
        view_set_text(v, "value", input->value);
        view_set_text(v, "source", input->source);
        view_set_text(v, "source_lang", sheet_foreign(s, input->source));
        sheet_set_said(s, v, "cited", input->cited ? input->cited : "");
    }
}

/* Metrics come in the order of rows: it is sought behind the one before. Row 0: the whole page. */
static const struct site_row *row_of(const struct site_entry *e, const struct metric *m,
                                     size_t *from)
{
    for (size_t tried = 0; tried < e->n_rows; tried++, *from = (*from + 1) % e->n_rows)
        if (e->rows[*from]->table == m->table && e->rows[*from]->row == m->row)
            return e->rows[*from];
    return e->rows[0];
}

void sheet_set_mfu(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "mfu");
    struct mfu_inputs inputs = {NULL, 0};
    bool exact = false;
    size_t from = 0;
    for (size_t i = 0; i < e->verdict->n_metrics; i++) {
        const struct metric *m = &e->verdict->metrics[i];
        bool is_exact = strcmp(m->name, "mfu_exact") == 0;
        exact |= is_exact && m->recomputed;
        if (!(is_exact || strcmp(m->name, "mfu") == 0) ||
            !add_all(s, &inputs, row_of(e, m, &from), m))
            continue;
        struct view *v = view_push_object(list);
        const struct metrics_column *column = metrics_by_key(m->name);
        sheet_set_said(s, v, "derivation", m->derivation);
        view_set_text(v, "name", column ? sheet_words(s, column->label) : m->name);
        sheet_set_place(s, v, m->table, m->row);
    }
    set_inputs(s, &inputs);
    view_set_flag(s->view, "has_mfu", list->n > 0);
    view_set_flag(s->view, "has_exact", exact);
}
