/*
 * MFU (result.h): how it was computed for each row, and where each of the numbers is from.
 */
#include "renderer/site/result/result.h"

#include "base/records/verdict.h"

#include <math.h>
#include <string.h>

struct mfu_place {
    int table, row;
};

/* `source` is in the language of the page, `cited` as a record has it; NULL: it does not say. */
struct mfu_input {
    const char *name_key, *value, *source, *cited;
    bool own; /* each row may have another: where they do, its line has it */
    struct mfu_place *places;
    size_t n_places;
};

struct mfu_inputs {
    struct mfu_input *items;
    size_t n;
};

/* Rows of one case share most of their inputs: each is listed once, with the rows that it is of. */
static struct mfu_input *find_mfu_input(struct sheet *s, struct mfu_inputs *to,
                                        const struct mfu_input *input)
{
    for (size_t i = 0; i < to->n; i++) {
        struct mfu_input *seen = &to->items[i];
        if (strcmp(seen->name_key, input->name_key) != 0 ||
            strcmp(seen->source, input->source) != 0)
            continue;
        if (strcmp(seen->value, input->value) == 0)
            return seen;
        if (input->own) {
            seen->value = sheet_t(s, "mfu.each");
            return seen;
        }
    }
    struct mfu_input *added = ARENA_PUSH(s->arena, to->items, to->n);
    *added = *input;
    return added;
}

static void add_mfu_input(struct sheet *s, struct mfu_inputs *to, const struct metric *of,
                          struct mfu_input input, double value)
{
    input.value = arena_printf(s->arena, "%.10g", value);
    struct mfu_input *in = find_mfu_input(s, to, &input);
    struct mfu_place *place = ARENA_PUSH(s->arena, in->places, in->n_places);
    *place = (struct mfu_place){of->table, of->row};
}

/* What the verifier goes by where it does not take the case's factor: the row's stage, or LoRA that
 * is named. */
static const char *factor_source(struct sheet *s, const struct site_entry *e, double factor)
{
    static const struct {
        double factor;
        const char *key;
    } reasons[] = {{2, "mfu.ofstage"}, {4, "mfu.oflora"}};
    if (e->case_record && e->case_record->mfu_factor == factor)
        return arena_printf(s->arena, "cases/%s.json", e->result->case_id);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].factor == factor)
            return sheet_t(s, reasons[i].key);
    return sheet_t(s, "mfu.convention");
}

/* The peak of this card that is named so: "BI-V150 bf16"; NULL. */
static const struct peak *named_peak(const struct accelerator *a, const char *named)
{
    size_t n = strlen(a->name);
    if (strncmp(named, a->name, n) != 0 || named[n] != ' ')
        return NULL;
    for (size_t i = 0; i < a->n_peaks; i++)
        if (strcmp(named + n + 1, a->peaks[i].precision) == 0)
            return &a->peaks[i];
    return NULL;
}

/* What was divided by may be the peak of the run's card instead of the row's, and where it is no
 * card's the row states it. */
static struct mfu_input peak_input(struct sheet *s, const struct site_row *row, const char *named)
{
    const struct project *p = s->site->project;
    for (size_t i = 0; i <= p->n_accelerators; i++) {
        /* The row's own comes first: vendors may call theirs alike. */
        const struct accelerator *a = i ? &p->accelerators[i - 1] : row->accelerator;
        const struct peak *peak = a ? named_peak(a, named) : NULL;
        if (peak)
            return (struct mfu_input){
                .name_key = "mfu.peak",
                .source = arena_printf(s->arena, "%s, %s", sheet_card(s, a), peak->precision),
                .cited = peak->source};
    }
    return (struct mfu_input){
        .name_key = "mfu.peak", .source = sheet_t(s, "mfu.ofrow"), .own = true};
}

/* The numbers of the row's derivation, each with where it is from. */
static bool add_row_mfu_inputs(struct sheet *s, struct mfu_inputs *to, const struct site_row *row,
                               const struct metric *m)
{
    struct mfu_numbers x;
    if (!mfu_numbers_of(m, &x) || x.exact)
        return false;
    const struct site_entry *e = row->entry;
    bool measured = m->source && strcmp(m->source, "evidence") == 0;
    add_mfu_input(
        s, to, m,
        (struct mfu_input){.name_key = "mfu.factor", .source = factor_source(s, e, x.factor)},
        x.factor);
    add_mfu_input(s, to, m,
                  (struct mfu_input){.name_key = "mfu.parameters",
                                     .source = sheet_t(s, "mfu.nominal"),
                                     .cited = e->model ? e->model->source : NULL},
                  x.parameters);
    add_mfu_input(
        s, to, m,
        (struct mfu_input){.name_key = "mfu.rate",
                           .source = sheet_t(s, measured ? "source.evidence" : "mark.stated"),
                           .own = true},
        x.rate);
    add_mfu_input(s, to, m, peak_input(s, row, x.peak_name), x.peak);
    return true;
}

/* What an exact MFU takes instead of N; the rest is that of the row's MFU. */
static bool add_exact_mfu_inputs(struct sheet *s, struct mfu_inputs *to, const struct site_row *row,
                                 const struct metric *m)
{
    static const char *const names[] = {"mfu.allparameters", "mfu.layers", "mfu.hidden",
                                        "mfu.sequence"};
    struct mfu_numbers x;
    if (!mfu_numbers_of(m, &x) || !x.exact)
        return false;
    const double taken[] = {x.parameters, x.layers, x.hidden, x.sequence};
    const char *shape = arena_printf(s->arena, "models/%s.json", row->entry->model_id);
    const char *length = isnan(row->sequence)
                             ? arena_printf(s->arena, "cases/%s.json", row->entry->result->case_id)
                             : sheet_t(s, "mfu.ofrow");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_mfu_input(
            s, to, m,
            (struct mfu_input){.name_key = names[i], .source = i < 3 ? shape : length, .own = true},
            taken[i]);
    return true;
}

/* Where rows differ in an input, each of its lines says which rows it is for. */
static void set_places(struct sheet *s, struct view *v, const struct mfu_inputs *inputs, size_t i)
{
    const struct mfu_input *input = &inputs->items[i];
    struct view *list = view_set_list(v, "places");
    size_t alike = 0;
    for (size_t k = 0; k < inputs->n; k++)
        alike += strcmp(inputs->items[k].name_key, input->name_key) == 0;
    for (size_t k = 0; alike > 1 && k < input->n_places; k++)
        sheet_set_place(s, view_push_object(list), input->places[k].table, input->places[k].row);
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
        sheet_set_said(s, v, "cited", input->cited ? input->cited : "", NULL);
        set_places(s, v, inputs, i);
    }
}

/* Metrics come in the order of rows: it is sought behind the one before. Row 0: the whole page. */
static const struct site_row *row_of_metric(const struct site_entry *e, const struct metric *m,
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
        exact |= is_exact && m->found;
        if (!is_exact && strcmp(m->name, "mfu") != 0)
            continue;
        const struct site_row *row = row_of_metric(e, m, &from);
        if (!(is_exact ? add_exact_mfu_inputs(s, &inputs, row, m)
                       : add_row_mfu_inputs(s, &inputs, row, m)))
            continue;
        struct view *v = view_push_object(list);
        const struct metrics_column *column = metrics_by_key(m->name);
        sheet_set_said(s, v, "derivation", m->derivation, m->derivation_made);
        view_set_text(v, "name", column ? sheet_words(s, column->label) : m->name);
        sheet_set_place(s, v, m->table, m->row);
    }
    set_inputs(s, &inputs);
    view_set_flag(s->view, "has_mfu", list->n > 0);
    view_set_flag(s->view, "has_exact", exact);
}
