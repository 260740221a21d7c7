#include "renderer/site/index/row.h"

#include "base/figures/figure.h"
#include "base/figures/labels.h"
#include "base/figures/metrics.h"
#include "base/figures/row_key.h"
#include "base/markdown/markdown.h"
#include "base/signing/hash.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that hold a figure of lists, the preferred first. */
static const char *const columns_of[SITE_FIGURES][5] = {
    [SITE_RATE] = {"token_per_s_per_card", "throughput", "p_core", "p_train", "p_whole"},
    [SITE_MFU] = {"mfu"},
    [SITE_LOSS] = {"loss"},
    [SITE_MEMORY] = {"memory", "memory_total"},
};

/* Which precisions may stand side by side: whole words in the order in which they are looked for.
 * "bf16+fp8" is 8-bit work, "fp32(tf32)" is tf32. */
static const struct {
    const char *word, *class;
} precision_classes[] = {
    {"fp4", "4bit"},      {"nvfp4", "4bit"},   {"mxfp4", "4bit"},     {"int4", "4bit"},
    {"fp8", "fp8"},       {"int8", "fp8"},     {"mxfp8", "fp8"},      {"tf32", "tf32"},
    {"no amp", "fp32"},   {"bf16", "16bit"},   {"bfloat16", "16bit"}, {"fp16", "16bit"},
    {"float16", "16bit"}, {"half", "16bit"},   {"amp", "16bit"},      {"mixed", "16bit"},
    {"fp32", "fp32"},     {"float32", "fp32"}, {"fp64", "fp64"},      {"float64", "fp64"},
};

static const char *class_of(const char *precision, struct arena *arena)
{
    char *words = text_fold_words(arena, precision);
    for (char *plus = words; (plus = strchr(plus, '+'));)
        *plus = ' ';
    for (size_t i = 0; i < sizeof precision_classes / sizeof *precision_classes; i++)
        if (text_has_word(words, precision_classes[i].word))
            return precision_classes[i].class;
    return SITE_CLASS_UNKNOWN;
}

/* The cell of this row in the column of this key; "" when there is none. */
static const char *cell_of_column(const struct table *t, const struct row *row, const char *key)
{
    for (size_t c = 0; c < t->n_columns && c < row->n_cells; c++) {
        const struct metrics_column *column = metrics_column(t->columns[c]);
        if (column && strcmp(column->key, key) == 0)
            return row->cells[c].text;
    }
    return "";
}

/* "…（1x8）", "…（1x8*80G）": nodes and cards of each. */
static void read_cards(struct site_row *row)
{
    for (const char *s = row->configuration; *s; s++) {
        char *end, *last;
        if (*s < '1' || *s > '9' || (s > row->configuration && s[-1] >= '0' && s[-1] <= '9'))
            continue;
        long nodes = strtol(s, &end, 10);
        if ((*end != 'x' && *end != 'X') || end[1] < '1' || end[1] > '9')
            continue;
        long cards = strtol(end + 1, &last, 10);
        if (nodes <= 100000 && cards <= 1000 &&
            (*last == ')' || *last == '*' || *last == '\0' ||
             strncmp(last, "）", strlen("）")) == 0)) {
            row->nodes = nodes;
            row->cards = cards;
            return;
        }
    }
}

/* What the bullets of the environment say of this label; NULL. */
static const char *environment_item(const struct result *r, const char *key)
{
    for (size_t e = 0; e < r->n_environments; e++)
        for (size_t g = 0; g < r->environments[e].n_groups; g++) {
            const struct group *group = &r->environments[e].groups[g];
            for (size_t i = 0; i < group->n_items; i++) {
                const struct label *label =
                    group->items[i].label ? label_find(LABEL_ITEM, group->items[i].label) : NULL;
                if (label && strcmp(label->key, key) == 0)
                    return group->items[i].value;
            }
        }
    return NULL;
}

/* A cell of words, "" where it says that there is nothing. */
static const char *words_of_cell(const char *cell, struct arena *arena)
{
    return figure_absence(cell, arena) != FIGURE_TEXT ? "" : markdown_plain(arena, cell);
}

bool site_metric_wrong(const struct metric *m)
{
    return m && m->outcome == OUTCOME_FAIL && !m->warned;
}

const struct metric *site_row_metric(const struct site_row *row, const char *key)
{
    return site_place_metric(row->place, key);
}

/* Is the loss of `a` farther from its reference than that of `b`? One that was compared with
 * nothing comes before none. */
static bool is_worse(const struct row_evidence *a, const struct row_evidence *b)
{
    if (!b || !a->alignment || !b->alignment)
        return !b || (a->alignment && !b->alignment);
    return a->alignment->max_rel_error > b->alignment->max_rel_error;
}

/* Of several runs of a row the one that is farthest off: a list cannot be made to show the best. */
static const struct row_evidence *evidence_of(const struct site_row *row)
{
    const struct verdict *v = row->entry->verdict;
    const struct row_evidence *worst = NULL;
    for (size_t i = 0; i < v->n_evidence; i++) {
        const struct row_evidence *e = &v->evidence[i];
        bool of_row = e->row == 0 || (e->table == row->table && e->row == row->row);
        if (of_row && is_worse(e, worst))
            worst = e;
    }
    return worst;
}

/* The row's own comes before its page's, and that before the case's. */
static void read_precision(struct site_row *row, const struct verdict_row *taken, const char *cell,
                           struct arena *arena)
{
    const struct case_record *c = row->entry->case_record;
    if (taken && taken->precision)
        cell = taken->precision;
    else if (!*cell && c && c->precision)
        cell = c->precision;
    row->precision = words_of_cell(cell, arena);
    row->precision_cell = cell;
    row->precision_class = class_of(row->precision, arena);
}

/* As a part of a name in a page, another for each text: letters and digits, any other byte as its
 * number behind '_'; what is long as its beginning and its digest. */
#define NAME_BYTES 24
static const char *name_part(struct arena *arena, const char *text)
{
    const char *name = "";
    char digest[HASH_HEX_SIZE];
    for (size_t n = 0; text[n] && n < NAME_BYTES; n++)
        name = isalnum((unsigned char)text[n])
                   ? arena_printf(arena, "%s%c", name, text[n])
                   : arena_printf(arena, "%s_%02x", name, (unsigned char)text[n]);
    if (strlen(text) <= NAME_BYTES)
        return name;
    hash_sha256(text, strlen(text), digest);
    return arena_printf(arena, "%s_-%.16s", name, digest);
}

/* A precision that nobody knows is the same only in the same words; one that is not said is that of
 * its own result, which it may be compared with. */
const char *site_row_class(const struct site_row *row, struct arena *arena)
{
    const struct result *r = row->entry->result;
    if (strcmp(row->precision_class, SITE_CLASS_UNKNOWN) != 0)
        return row->precision_class;
    const char *what = *row->precision ? name_part(arena, text_fold(arena, row->precision))
                                       : arena_printf(arena, "of-%s", name_part(arena, r->vendor));
    return arena_printf(arena, SITE_CLASS_UNKNOWN "-%s", what);
}

double site_row_factor(const struct site_row *row)
{
    const struct case_record *c = row->entry->case_record;
    return !isnan(row->factor) ? row->factor : c && !isnan(c->mfu_factor) ? c->mfu_factor : 6;
}

double site_row_sequence(const struct site_row *row)
{
    const struct case_record *c = row->entry->case_record;
    return !isnan(row->sequence) ? row->sequence : c ? (double)c->sequence_length : 0;
}

/* Of factor and length only what is not the case's tells rows of one case from each other. */
static void read_group(struct site_row *row, const struct verdict_row *taken, struct arena *arena)
{
    row->factor = row->sequence = NAN;
    double factor = site_row_factor(row), sequence = site_row_sequence(row);
    row->group = site_row_class(row, arena);
    row->stage = taken && taken->stage ? taken->stage : "";
    row->factor = taken && taken->mfu_factor != factor ? taken->mfu_factor : NAN;
    row->sequence = taken && taken->sequence_length != sequence ? taken->sequence_length : NAN;
    if (*row->stage)
        row->group = arena_printf(arena, "%s-%s", row->group, name_part(arena, row->stage));
    if (!isnan(row->factor))
        row->group = arena_printf(arena, "%s-f%g", row->group, row->factor);
    if (!isnan(row->sequence))
        row->group = arena_printf(arena, "%s-s%.10g", row->group, row->sequence);
}

/* "deepspeed 0.11.1"; a native trainer's record has the version alone. */
static const char *software_of(const struct site_entry *e, struct arena *arena)
{
    const char *stated = environment_item(e->result, "framework");
    const char *words = stated ? words_of_cell(stated, arena) : "";
    bool native = e->case_record && strcmp(e->case_record->trainer, "native") == 0;
    return native && isdigit((unsigned char)*words) ? arena_printf(arena, "fpreport %s", words)
                                                    : words;
}

static struct site_row *make_row(const struct project *p, const struct site_entry *entry,
                                 const struct table *t, int table, int row, struct arena *arena)
{
    static const struct row no_cells = {.n_cells = 0};
    const struct row *cells = row ? &t->rows[row - 1] : &no_cells;
    struct site_row *made = arena_alloc(arena, sizeof *made);
    *made = (struct site_row){.entry = entry, .of = t, .table = table, .row = row};
    made->place = site_place_find(entry->places, table, row);
    made->configuration =
        row ? markdown_plain(arena, cell_of_column(t, cells, "configuration")) : "";
    const struct verdict_row *taken = made->place ? made->place->taken : NULL;
    made->key = taken ? taken->key : NULL;
    read_precision(made, taken, row ? cell_of_column(t, cells, "precision") : "", arena);
    read_group(made, taken, arena);
    const char *plan = made->row ? cell_of_column(made->of, cells, "parallel") : "";
    if (made->row && !*words_of_cell(plan, arena))
        plan = cell_of_column(made->of, cells, "strategy");
    made->plan = words_of_cell(plan, arena);
    made->changed =
        made->row ? words_of_cell(cell_of_column(made->of, cells, "hyperparameters"), arena) : "";
    read_cards(made);
    const char *cell = environment_item(made->entry->result, "accelerator");
    made->card_cell = cell ? cell : "";
    const char *card = words_of_cell(made->card_cell, arena);
    if (!*card && taken && taken->card) /* what the environment does not say, its own words may */
        card = taken->card;
    const char *vendor = made->entry->result->vendor;
    made->accelerator = project_find_accelerator(p, made->configuration, vendor);
    if (!made->accelerator && *card)
        made->accelerator = project_find_accelerator(p, card, vendor);
    if (!made->accelerator)
        made->accelerator = project_find_accelerator(p, made->configuration, NULL);
    if (!made->accelerator && *card)
        made->accelerator = project_find_accelerator(p, card, NULL);
    made->card = made->accelerator ? made->accelerator->name : card;
    made->card_id =
        made->accelerator ? made->accelerator->id : site_card_id(vendor, made->card, arena);
    for (int f = 0; f < SITE_FIGURES; f++)
        for (size_t k = 0; k < 5 && columns_of[f][k] && !made->figures[f]; k++)
            made->figures[f] = site_row_metric(made, columns_of[f][k]);
    made->evidence = evidence_of(made);
    made->software = software_of(entry, arena);
    return made;
}

/* A line that heads those below it ("| GPT3-6.7B | ------- | --- |"), or an empty one: the verifier
 * takes it for none. */
static bool is_heading_row(const struct site_places *places, const struct table *t, int table,
                           int row)
{
    const struct row *cells = &t->rows[row - 1];
    const struct site_place *place = site_place_find(places, table, row);
    if (place && place->taken)
        return false;
    for (size_t i = 1; i < cells->n_cells; i++) {
        const char *text = cells->cells[i].text;
        if (text[strspn(text, " -")])
            return false;
    }
    return true;
}

/* Of rows that the verifier took for none, or did not look at any more. */
static void name_others(const struct table *t, struct site_row **rows, size_t n,
                        struct arena *arena)
{
    const struct row_key *keys = NULL;
    for (size_t i = 0; i < n; i++) {
        if (rows[i]->key)
            continue;
        keys = keys ? keys : row_keys(t, arena);
        rows[i]->key = keys[rows[i]->row - 1].key;
    }
}

size_t site_rows_of(const struct project *project, const struct site_entry *entry,
                    struct arena *arena, const struct site_row *const **out)
{
    const struct table **tables;
    struct site_row **rows = NULL;
    size_t n = 0, n_tables = result_figure_tables(entry->result, arena, &tables);
    for (size_t t = 0; t < n_tables; t++) {
        size_t first = n;
        for (size_t r = 0; r < tables[t]->n_rows; r++)
            if (!is_heading_row(entry->places, tables[t], (int)t + 1, (int)r + 1))
                *(struct site_row **)ARENA_PUSH(arena, rows, n) =
                    make_row(project, entry, tables[t], (int)t + 1, (int)r + 1, arena);
        name_others(tables[t], rows + first, n - first, arena);
    }
    if (n == 0)
        *(struct site_row **)ARENA_PUSH(arena, rows, n) =
            make_row(project, entry, NULL, 0, 0, arena);
    *out = (const struct site_row *const *)rows;
    return n;
}
