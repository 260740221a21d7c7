#include "verifier/foreign/foreign_page.h"

#include "base/lines/span.h"
#include "base/text.h"
#include "verifier/foreign/foreign_row.h"

#include <string.h>

/* Without reading and writing nothing is slower. */
static void judge_core(struct page_reader *r, const char *what, const struct figure *whole,
                       const struct figure *core)
{
    if (core->value < whole->value)
        foreign_note(r, SEVERITY_ERROR,
                     "%s: the rate without I/O, %.15g, is below the rate with I/O, %.15g", what,
                     core->value, whole->value);
}

/* Peaks that a precision may be held to: fp32 runs as tf32 where the card has it. */
static const struct {
    const char *precision, *peak;
} peaks[] = {
    {"fp16", "fp16"}, {"bf16", "bf16"}, {"fp32", "tf32"}, {"fp32", "fp32"}, {"tf32", "tf32"},
};

/* The card and peak by which 2 N * tokens/s is the stated share; NULL. */
static const struct accelerator *card_of_inference(const struct page_reader *r,
                                                   const struct page_row *row, double operations,
                                                   const char **peak)
{
    const char *precision = text_fold(r->arena, row->text[FOREIGN_PRECISION]);
    for (size_t i = 0; i < r->project->n_accelerators; i++) {
        const struct accelerator *a = &r->project->accelerators[i];
        bool named = false;
        for (size_t k = 0; k < a->n_aliases; k++)
            named = named || text_has_word(r->words, text_fold_words(r->arena, a->aliases[k]));
        for (size_t k = 0; named && k < sizeof peaks / sizeof *peaks; k++) {
            double share = 100 * operations / (foreign_peak(a, peaks[k].peak) * 1e12);
            *peak = peaks[k].peak;
            if (strcmp(precision, peaks[k].precision) == 0 &&
                fabs(share - row->of[FOREIGN_MFU]) <= FOREIGN_MFU_SLACK * row->of[FOREIGN_MFU])
                return a;
        }
    }
    return NULL;
}

static void judge_inference_mfu(struct page_reader *r, const struct page_row *row)
{
    const struct model *m = foreign_model_of(r, r->words);
    double stated = row->of[FOREIGN_MFU], rate = row->of[FOREIGN_INFER_CORE];
    const char *peak;
    if (stated > 100)
        foreign_note(r, SEVERITY_ERROR, "an MFU of %.15g %% is above 100 %%", stated);
    if (!(stated <= 100) || !m || isnan(m->nominal_parameters))
        return;
    rate = isnan(rate) ? row->of[FOREIGN_VAL_CORE] : rate;
    const struct accelerator *card =
        card_of_inference(r, row, 2 * m->nominal_parameters * rate, &peak);
    if (card)
        foreign_note(
            r, SEVERITY_NOTICE,
            "an MFU of %.15g %% is 2 * N * tokens/s / peak, with N of %s and the peak of %s in %s",
            stated, m->id, card->name, peak);
    else if (foreign_card_of(r, r->words))
        foreign_note(r, SEVERITY_WARNING,
                     "an MFU of %.15g %% does not follow from the row: with N of %s, 2 * N * "
                     "tokens/s is %.4g TFLOP/s",
                     stated, m->id, 2 * m->nominal_parameters * rate / 1e12);
}

static bool foreign_judge_inference(struct page_reader *r, const struct page_row *row)
{
    if (!*row->text[FOREIGN_INFER_WHOLE] && !*row->text[FOREIGN_INFER_CORE] &&
        !*row->text[FOREIGN_VAL_WHOLE])
        return false;
    judge_core(r, "validation", row->figure[FOREIGN_VAL_WHOLE], row->figure[FOREIGN_VAL_CORE]);
    judge_core(r, "inference", row->figure[FOREIGN_INFER_WHOLE], row->figure[FOREIGN_INFER_CORE]);
    const struct figure *memory = row->figure[FOREIGN_MEMORY];
    if (memory->kind == FIGURE_PAIR && memory->value > memory->second)
        foreign_note(r, SEVERITY_ERROR, "%.15g GiB are used, but the card has only %.15g GiB",
                     memory->value, memory->second);
    judge_inference_mfu(r, row);
    return true;
}

#define WORDS_MAX 4000

void foreign_note(struct page_reader *r, enum severity severity, const char *fmt, ...)
{
    struct foreign_findings *to = r->findings;
    va_list ap;
    if (to->n == FOREIGN_FINDINGS_MAX)
        return;
    va_start(ap, fmt);
    const char *message = sentence_say_cut(r->arena, fmt, ap);
    va_end(ap);
    *(struct foreign_finding *)ARENA_PUSH(r->arena, to->items, to->n) =
        (struct foreign_finding){severity, r->line, message};
}

double foreign_slack(const struct figure *f)
{
    return isnan(f->value) || f->value == 0 ? NAN
                                            : figure_last_place(f->decimals) / 2 / fabs(f->value);
}

const struct accelerator *foreign_card_of(const struct page_reader *r, const char *text)
{
    const char *words = text_fold_words(r->arena, text);
    for (size_t i = 0; i < r->project->n_accelerators; i++) {
        const struct accelerator *a = &r->project->accelerators[i];
        for (size_t k = 0; k < a->n_aliases; k++)
            if (text_has_word(words, text_fold_words(r->arena, a->aliases[k])))
                return a;
    }
    return NULL;
}

double foreign_peak(const struct accelerator *card, const char *precision)
{
    for (size_t i = 0; card && i < card->n_peaks; i++)
        if (strcmp(card->peaks[i].precision, precision) == 0)
            return card->peaks[i].tflops;
    return NAN;
}

const struct model *foreign_model_of(const struct page_reader *r, const char *text)
{
    const char *words = text_fold_words(r->arena, text);
    const struct model *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < r->project->n_models; i++) {
        const struct model *m = &r->project->models[i];
        for (size_t k = 0; k <= m->n_aliases; k++) {
            const char *alias = text_fold_words(r->arena, k ? m->aliases[k - 1] : m->id);
            if (strlen(alias) <= longest || !text_has_word(words, alias))
                continue;
            longest = strlen(alias);
            found = m;
        }
    }
    return found;
}

/* --- cells --- */

/* "7b" in a column of models is so many parameters; "128 * A100" so many cards. */
static double value_of_cell(const struct figure *f, const char *text, enum foreign_column c)
{
    double value;
    if (c == FOREIGN_MODEL || c == FOREIGN_PARAMETERS) {
        bool billions = strcasecmp(f->unit, "b") == 0;
        return billions ? f->value * 1e9 : c == FOREIGN_PARAMETERS ? f->value : NAN;
    }
    if (c == FOREIGN_CARD)
        return strchr(text, '*') && span_number(span_of(text), &value) ? value : NAN;
    return f->value;
}

/* Without marks of bold and of a footnote. */
static const char *bare_cell(struct page_reader *r, const char *text)
{
    const char *begin = text + strspn(text, "* "), *note = strstr(begin, "[^");
    size_t n = note ? (size_t)(note - begin) : strlen(begin);
    while (n && strchr("* ", begin[n - 1]))
        n--;
    return arena_strndup(r->arena, begin, n);
}

static void read_cells_of_row(struct page_reader *r, const struct row *from, struct page_row *row)
{
    for (size_t i = 0; i < FOREIGN_COLUMNS; i++) {
        row->of[i] = NAN;
        row->text[i] = "";
        row->figure[i] = &figure_missing;
    }
    for (size_t i = 0; i < r->n_columns && i < from->n_cells; i++) {
        enum foreign_column c = r->columns[i];
        if (c == FOREIGN_NONE || *row->text[c])
            continue;
        row->text[c] = bare_cell(r, from->cells[i].text);
        row->figure[c] = figure_read(row->text[c], r->arena);
        row->of[c] = value_of_cell(row->figure[c], row->text[c], c);
    }
    if (isnan(row->of[FOREIGN_CARDS]))
        row->of[FOREIGN_CARDS] = row->of[FOREIGN_CARD];
}

/* --- texts --- */

/* "* 服务器数量：1" */
static void read_listed_number(struct span line, const char *name, double *to)
{
    struct span rest;
    if (!span_after(line, name, &rest))
        return;
    if (span_starts(rest, "："))
        rest = span_from(rest, sizeof "：" - 1);
    else if (span_starts(rest, ":"))
        rest = span_from(rest, 1);
    span_number(span_trim(rest), to);
}

static void read_text_line(struct page_reader *r, struct span line)
{
    const char *words = text_fold_words(r->arena, arena_strndup(r->arena, line.p, line.n));
    if (span_starts(line, "#") || span_starts(line, "**"))
        r->heading = words;
    r->words = arena_printf(r->arena, "%s %s", strlen(r->words) < WORDS_MAX ? r->words : "", words);
    read_listed_number(line, "服务器数量", &r->servers);
    read_listed_number(line, "单服务器内使用卡数", &r->server_cards);
    if (isnan(r->tdp))
        read_listed_number(line, "TDP", &r->tdp);
}

static void read_text(struct page_reader *r, const char *text)
{
    struct span rest = span_of(text_or_empty(text));
    while (rest.n)
        read_text_line(r, span_trim(span_cut(&rest, '\n')));
}

static void read_listed_items(struct page_reader *r, const struct item *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        read_text(r, items[i].label);
        read_text(r, items[i].value);
    }
}

/* What stands in front of the tables. */
static void read_front(struct page_reader *r)
{
    const struct result *page = r->page;
    read_text(r, page->case_id);
    read_text(r, page->preamble);
    read_text(r, page->title);
    for (size_t i = 0; i < page->n_environments; i++)
        for (size_t k = 0; k < page->environments[i].n_groups; k++)
            read_listed_items(r, page->environments[i].groups[k].items,
                              page->environments[i].groups[k].n_items);
    for (size_t i = 0; i < page->n_extras; i++)
        read_text(r, page->extras[i].text);
}

/* --- the page --- */

static void read_foreign_header(struct page_reader *r, const struct table *t)
{
    r->n_columns = 0;
    r->line = t->line;
    for (size_t i = 0; i < t->n_columns && i < FOREIGN_COLUMNS_MAX; i++) {
        r->titles[i] = text_fold(r->arena, t->columns[i]);
        r->columns[i] = foreign_column(t->columns[i], r->arena);
        r->n_columns++;
    }
    foreign_judge_titles(r);
}

static bool judge_foreign_row(struct page_reader *r, const struct page_row *row)
{
    /* All that fit: a table may have figures of several kinds. */
    bool known = foreign_judge_measured(r, row);
    known |= foreign_judge_operation(r, row);
    known |= foreign_judge_power(r, row);
    if (foreign_judge_inference(r, row))
        return true;
    return foreign_judge_training(r, row) || known;
}

static void read_foreign_table(struct page_reader *r, const struct table *t)
{
    struct page_row row;
    read_foreign_header(r, t);
    for (size_t i = 0; i < t->n_rows; i++) {
        r->line = t->rows[i].line;
        read_cells_of_row(r, &t->rows[i], &row);
        r->understood += judge_foreign_row(r, &row);
    }
}

bool foreign_page_is(const struct result *r, struct arena *arena)
{
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].table && foreign_table_is(r->performance[i].table, arena))
            return true;
    return false;
}

/* The first pipe table of a text that has a column of figures, or any known one; NULL. */
static const char *known_column(struct page_reader *r, const char *text)
{
    struct span rest = span_of(text_or_empty(text)), before = SPAN("");
    const char *found = NULL;
    while (rest.n) {
        struct span line = span_cut(&rest, '\n');
        const char *header = arena_strndup(r->arena, before.p, before.n);
        const char *below = arena_strndup(r->arena, line.p, line.n);
        struct cell *cells;
        size_t n = 0;
        before = line;
        if (!pipe_table_columns(r->arena, header, below))
            continue;
        pipe_cells(r->arena, header, &cells, &n);
        for (size_t i = 0; i < n; i++)
            if (foreign_column(cells[i].text, r->arena) != FOREIGN_NONE)
                found = cells[i].text;
    }
    return found;
}

/* What there is of a page of which no table was understood, and what is not. */
static const char *missing_of_page(struct page_reader *r, bool tables)
{
    const char *column = known_column(r, r->page->preamble);
    for (size_t i = 0; i < r->page->n_performance && !column; i++) {
        const struct table *t = r->page->performance[i].table;
        for (size_t k = 0; t && k < t->n_columns && !column; k++)
            if (foreign_column(t->columns[k], r->arena) != FOREIGN_NONE)
                column = t->columns[k];
        column = column ? column : known_column(r, r->page->performance[i].text.zh);
    }
    if (column)
        return sentence_say(r->arena,
                            "fpreport knows only the column '%s' in the tables of the page; "
                            "expected also a column for model, GPU, number of cards, batch or "
                            "length",
                            column);
    return tables ? "the tables of the page have neither tokens/s, MFU nor measured and nominal "
                    "values"
                  : "the page has no table of tokens/s, MFU, or measured and nominal values";
}

void foreign_page_check(const struct project *p, const struct result *page, struct arena *arena,
                        struct foreign_findings *out)
{
    *out = (struct foreign_findings){0};
    struct page_reader r = {.project = p,
                            .page = page,
                            .words = "",
                            .heading = "",
                            .arena = arena,
                            .findings = out,
                            .peak = {0, INFINITY},
                            .tdp = NAN,
                            .server_cards = NAN,
                            .servers = NAN};
    bool tables = false;
    read_front(&r);
    for (size_t i = 0; i < page->n_performance; i++) {
        const struct block *b = &page->performance[i];
        read_text(&r, b->text.zh);
        tables = tables || b->table;
        if (b->table && foreign_table_is(b->table, arena))
            read_foreign_table(&r, b->table);
    }
    foreign_judge_peak(&r);
    if (!r.understood)
        out->missing = missing_of_page(&r, tables);
}
