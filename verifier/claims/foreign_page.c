#include "verifier/claims/foreign_page.h"

#include "base/lines/span.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define COLUMNS_MAX 64
#define MFU_SLACK 0.015 /* of the stated one: figures are rounded */
#define SUM_SLACK 1e-9

enum column {
    COLUMN_NONE,
    COLUMN_MODEL,
    COLUMN_PARAMETERS,
    COLUMN_CARDS,
    COLUMN_CARD,
    COLUMN_LENGTH,
    COLUMN_MICRO,
    COLUMN_ACCUMULATION,
    COLUMN_GLOBAL,
    COLUMN_GLOBAL_TOKENS,
    COLUMN_CARD_RATE,
    COLUMN_RATE,
    COLUMN_FLOPS,
    COLUMN_TFLOPS,
    COLUMN_MFU,
    COLUMN_MEASURED, /* FlagPerf's base/ */
    COLUMN_NOMINAL,
    COLUMN_RATIO,
    COLUMN_KINDS
};

/* Headers as text_fold leaves them. */
static const struct header {
    const char *name;
    enum column column;
} headers[] = {
    {"model", COLUMN_MODEL},
    {"modelsize", COLUMN_MODEL},
    {"numparams", COLUMN_PARAMETERS},
    {"#gpus", COLUMN_CARDS},
    {"gpus", COLUMN_CARDS},
    {"numgpus", COLUMN_CARDS},
    {"#-gpus", COLUMN_CARDS},
    {"gpu", COLUMN_CARD},
    {"hardware", COLUMN_CARD},
    {"accelerator", COLUMN_CARD},
    {"seqlen(t)", COLUMN_LENGTH},
    {"seqlen", COLUMN_LENGTH},
    {"sequencelength", COLUMN_LENGTH},
    {"microbatchsize", COLUMN_MICRO},
    {"mbs", COLUMN_MICRO},
    {"gradaccum", COLUMN_ACCUMULATION},
    {"globalbatchsize", COLUMN_GLOBAL},
    {"gbs", COLUMN_GLOBAL},
    {"globalbatchsize(t)", COLUMN_GLOBAL_TOKENS},
    {"throughput(t/s/gpu)", COLUMN_CARD_RATE},
    {"tokens/sec/gpu", COLUMN_CARD_RATE},
    {"tokens/s/gpu", COLUMN_CARD_RATE},
    {"tokens/gpu/s", COLUMN_CARD_RATE},
    {"tps/gpu", COLUMN_CARD_RATE},
    {"tokens/sec/gpu(tps/gpu)", COLUMN_CARD_RATE},
    {"wps", COLUMN_CARD_RATE},
    {"tps", COLUMN_CARD_RATE},
    {"throughput(t/s)", COLUMN_RATE},
    {"modeltflop", COLUMN_FLOPS},
    {"modeltflop/s/gpu", COLUMN_TFLOPS},
    {"tflop/s/gpu", COLUMN_TFLOPS},
    {"tflops/gpu", COLUMN_TFLOPS},
    {"modeltflops/sec/gpu", COLUMN_TFLOPS},
    {"mfu", COLUMN_MFU},
    {"mfu(%)", COLUMN_MFU},
};

struct page_reader {
    const struct project *project;
    const char *file;
    const char *words; /* of the page so far, as text_fold_words leaves them */
    struct arena *arena;
    struct diags *diags;
    int line;
    double server_cards; /* FlagPerf: of the server; NaN */
    double servers;
    enum column columns[COLUMNS_MAX];
    const char *titles[COLUMNS_MAX];
    size_t n_columns;
    size_t understood; /* rows */
};

/* What a row says; NaN: nothing. */
struct page_row {
    double of[COLUMN_KINDS];
    const char *text[COLUMN_KINDS];
};

__attribute__((format(printf, 3, 4))) static void
note_page(struct page_reader *r, enum severity severity, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diags_vadd(r->diags, severity, r->file, r->line, 0, fmt, ap);
    va_end(ap);
}

/* --- cells --- */

static struct span next_cell_of_page(struct span *line)
{
    return span_trim(span_cut(line, '|'));
}

static enum column column_of_header(const char *title)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(title, headers[i].name) == 0)
            return headers[i].column;
    if (strstr(title, "标定比例"))
        return COLUMN_RATIO;
    if (strstr(title, "测试值"))
        return COLUMN_MEASURED;
    if (strstr(title, "标定值"))
        return COLUMN_NOMINAL;
    return strstr(title, "trainingthroughput") ? COLUMN_CARD_RATE : COLUMN_NONE;
}

static void read_foreign_header(struct page_reader *r, struct span line)
{
    r->n_columns = 0;
    if (span_starts(line, "|"))
        line = span_from(line, 1);
    while (line.n && r->n_columns < COLUMNS_MAX) {
        struct span cell = next_cell_of_page(&line);
        const char *title = text_fold(r->arena, arena_strndup(r->arena, cell.p, cell.n));
        r->titles[r->n_columns] = title;
        r->columns[r->n_columns++] = column_of_header(title);
    }
}

/* "**3760 token/gpu/sec**", "56.8%", "128 * A100", "4.2E+14", "7b": the number; NaN. */
static double number_of_cell(struct span cell, enum column column)
{
    double value;
    while (cell.n && cell.p[0] == '*')
        cell = span_from(cell, 1);
    size_t n = span_number(cell, &value);
    struct span rest = span_trim(span_from(cell, n));
    if (!n)
        return NAN;
    if (column == COLUMN_MODEL || column == COLUMN_PARAMETERS) {
        bool billions = span_starts(rest, "b") || span_starts(rest, "B");
        return billions ? value * 1e9 : column == COLUMN_PARAMETERS ? value : NAN;
    }
    bool percent = span_starts(rest, "%");
    return rest.n == 0 || percent || rest.p[0] == '*' || rest.p[0] == 't' || rest.p[0] == 'T' ||
                   rest.p[0] == 'G'
               ? value
               : NAN;
}

static void read_cells_of_row(struct page_reader *r, struct span line, struct page_row *row)
{
    if (span_starts(line, "|"))
        line = span_from(line, 1);
    for (size_t i = 0; i < COLUMN_KINDS; i++) {
        row->of[i] = NAN;
        row->text[i] = "";
    }
    for (size_t i = 0; i < r->n_columns && line.n; i++) {
        struct span cell = next_cell_of_page(&line);
        enum column c = r->columns[i];
        if (c == COLUMN_NONE || *row->text[c])
            continue;
        row->text[c] = arena_strndup(r->arena, cell.p, cell.n);
        row->of[c] = number_of_cell(cell, c);
    }
    /* "128 * A100" is both. */
    if (isnan(row->of[COLUMN_CARDS]) && strchr(row->text[COLUMN_CARD], '*'))
        row->of[COLUMN_CARDS] = row->of[COLUMN_CARD];
}

/* --- general tables --- */

static void judge_product(struct page_reader *r, const char *what, double product, double stated,
                          double slack)
{
    if (isnan(product) || isnan(stated) || fabs(product - stated) <= slack * fabs(stated) + slack)
        return;
    note_page(r, SEVERITY_ERROR, "%s is %.15g by the other cells of the row, stated as %.15g", what,
              product, stated);
}

static const struct accelerator *card_of_words(const struct page_reader *r, const char *text)
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

static double bf16_peak(const struct accelerator *card)
{
    for (size_t i = 0; card && i < card->n_peaks; i++)
        if (strcmp(card->peaks[i].precision, "bf16") == 0)
            return card->peaks[i].tflops * 1e12;
    return NAN;
}

static bool near_mfu(double percent, double stated)
{
    return fabs(percent - stated) <= MFU_SLACK * stated;
}

/* A model with attention by which the MFU is the stated one; NULL. */
static const struct model *model_of_mfu(const struct page_reader *r, const struct page_row *row,
                                        double peak)
{
    double exact = row->of[COLUMN_PARAMETERS], length = row->of[COLUMN_LENGTH];
    double parameters = isnan(exact) ? row->of[COLUMN_MODEL] : exact;
    for (size_t i = 0; i < r->project->n_models; i++) {
        const struct model *m = &r->project->models[i];
        double n = isnan(m->exact_parameters) ? m->nominal_parameters : m->exact_parameters;
        bool alike = m->shape && (m->nominal_parameters == parameters ||
                                  fabs(n - parameters) <= 0.08 * parameters);
        if (!alike)
            continue;
        double s = isnan(length) ? (double)m->shape->context : length;
        double operations = 6 * (isnan(exact) ? n : exact) +
                            12 * (double)m->shape->layers * (double)m->shape->hidden * s;
        if (near_mfu(100 * operations * row->of[COLUMN_CARD_RATE] / peak, row->of[COLUMN_MFU]))
            return m;
    }
    return NULL;
}

static void judge_mfu_of_row(struct page_reader *r, const struct page_row *row)
{
    const struct accelerator *card = card_of_words(r, row->text[COLUMN_CARD]);
    card = card ? card : card_of_words(r, r->words);
    double peak = bf16_peak(card), stated = row->of[COLUMN_MFU], rate = row->of[COLUMN_CARD_RATE];
    double flops =
        isnan(row->of[COLUMN_FLOPS]) ? row->of[COLUMN_TFLOPS] * 1e12 : row->of[COLUMN_FLOPS];
    double n =
        isnan(row->of[COLUMN_PARAMETERS]) ? row->of[COLUMN_MODEL] : row->of[COLUMN_PARAMETERS];
    double bare = 100 * 6 * n * rate / peak;
    if (stated > 100) {
        note_page(r, SEVERITY_ERROR, "an MFU of %.15g %% is above 100 %%", stated);
        return;
    }
    if (isnan(stated) || isnan(peak))
        return;
    double by_flops = 100 * flops / peak;
    const struct model *m = model_of_mfu(r, row, peak);
    if (!isnan(by_flops) && !near_mfu(by_flops, stated))
        note_page(r, SEVERITY_ERROR,
                  "the MFU is %.4g %% by the row's FLOP/s and the peak of %s, stated as %.15g %%",
                  by_flops, card->name, stated);
    else if (!isnan(bare) && near_mfu(bare, stated))
        note_page(r, SEVERITY_NOTICE, "an MFU of %.15g %% is 6 N * tokens/s / peak of %s", stated,
                  card->name);
    else if (m)
        note_page(r, SEVERITY_NOTICE,
                  "an MFU of %.15g %% is (6 N + 12 L d s) * tokens/s / peak of %s, with attention "
                  "operations of %s; without them %.4g %%",
                  stated, card->name, m->id, bare);
    else if (!isnan(by_flops))
        note_page(r, SEVERITY_NOTICE,
                  "an MFU of %.15g %% is the row's FLOP/s / peak of %s; 6 N * tokens/s would be "
                  "%.4g %%",
                  stated, card->name, bare);
    else if (!isnan(bare))
        note_page(r, bare > stated * (1 + MFU_SLACK) ? SEVERITY_WARNING : SEVERITY_NOTICE,
                  "an MFU of %.15g %% does not follow from the row: 6 N * tokens/s / peak of %s is "
                  "%.4g %%",
                  stated, card->name, bare);
}

static bool judge_general(struct page_reader *r, const struct page_row *row)
{
    const double *x = row->of;
    bool rate = !isnan(x[COLUMN_CARD_RATE]) || !isnan(x[COLUMN_RATE]);
    if (!rate && isnan(x[COLUMN_MFU]))
        return false;
    judge_product(r, "the global batch", x[COLUMN_CARDS] * x[COLUMN_MICRO] * x[COLUMN_ACCUMULATION],
                  x[COLUMN_GLOBAL], SUM_SLACK);
    judge_product(r, "the batch in tokens", x[COLUMN_GLOBAL] * x[COLUMN_LENGTH],
                  x[COLUMN_GLOBAL_TOKENS], SUM_SLACK);
    /* A rate of a card is rounded to one. */
    judge_product(r, "the rate of a card", x[COLUMN_RATE] / x[COLUMN_CARDS], x[COLUMN_CARD_RATE],
                  1.0 / fmax(x[COLUMN_CARD_RATE], 1));
    judge_mfu_of_row(r, row);
    return true;
}

/* --- FlagPerf's base/ and operation/ --- */

static const char *const precisions[] = {"FP64", "TF32", "FP32", "BF16", "FP16", "FP8", "INT8"};

/* The precision that a text names; NULL: none, or several. */
static const char *precision_in(const char *text)
{
    const char *found = NULL;
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        if (strcasestr(text, precisions[i])) {
            if (found)
                return NULL;
            found = precisions[i];
        }
    return found;
}

/* The folder "computation-INT8" above the page; NULL. */
static const char *precision_of_folder(struct page_reader *r)
{
    const char *at = strrchr(r->file, '/');
    const char *folder = strstr(r->file, "computation-");
    return folder && at && folder < at
               ? precision_in(arena_strndup(r->arena, folder, (size_t)(at - folder)))
               : NULL;
}

/* "…(8卡平均)" */
static double cards_of_title(const char *title)
{
    const char *of = strstr(title, "卡平均");
    double value = NAN;
    size_t n = 0;
    while (of && of - n > title && text_is_digit(of[-(long)n - 1]))
        n++;
    if (n)
        span_number((struct span){of - n, n}, &value);
    return value;
}

static void judge_titles(struct page_reader *r)
{
    const char *folder = precision_of_folder(r);
    for (size_t i = 0; i < r->n_columns; i++) {
        enum column c = r->columns[i];
        if (c != COLUMN_MEASURED && c != COLUMN_NOMINAL)
            continue;
        const char *named = precision_in(r->titles[i]);
        double cards = cards_of_title(r->titles[i]);
        if (folder && named && strcmp(folder, named) != 0)
            note_page(r, SEVERITY_ERROR, "the header '%s' is of %s, the folder of %s", r->titles[i],
                      named, folder);
        if (c == COLUMN_MEASURED && r->servers == 1 && cards != r->server_cards && !isnan(cards) &&
            !isnan(r->server_cards))
            note_page(r, SEVERITY_ERROR, "the header '%s' is of %.15g cards, the server used %.15g",
                      r->titles[i], cards, r->server_cards);
    }
}

/* "80.83.2%" */
static void judge_number(struct page_reader *r, const char *text)
{
    size_t points = 0, odd = 0;
    for (const char *c = text; *c; c++) {
        points += *c == '.';
        odd += !text_is_digit(*c) && *c != '.' && *c != '%';
    }
    if (points > 1 && !odd)
        note_page(r, SEVERITY_ERROR, "'%s' is not a number", text);
}

static bool is_of_terabytes(const char *text)
{
    return strstr(text, "TB") != NULL;
}

static bool judge_base(struct page_reader *r, const struct page_row *row)
{
    if (!*row->text[COLUMN_MEASURED] && !*row->text[COLUMN_RATIO])
        return false;
    double measured = row->of[COLUMN_MEASURED], nominal = row->of[COLUMN_NOMINAL],
           stated = row->of[COLUMN_RATIO];
    judge_number(r, row->text[COLUMN_MEASURED]);
    judge_number(r, row->text[COLUMN_NOMINAL]);
    judge_number(r, row->text[COLUMN_RATIO]);
    bool mixed =
        is_of_terabytes(row->text[COLUMN_MEASURED]) != is_of_terabytes(row->text[COLUMN_NOMINAL]);
    if (!(nominal > 0) || isnan(measured) || isnan(stated) || mixed)
        return true;
    double ratio = 100 * measured / nominal;
    /* TB is 1000 or 1024 GB, and what is shown is rounded. */
    if (fabs(ratio - stated) > 0.03 * stated + 0.06)
        note_page(r, SEVERITY_ERROR, "%.15g of %.15g is %.4g %%, stated as %.15g %%", measured,
                  nominal, ratio, stated);
    return true;
}

/* --- the page --- */

/* "* 服务器数量：1" */
static void read_server_count(struct span line, const char *name, double *to)
{
    struct span rest;
    if (!span_after(line, name, &rest))
        return;
    if (span_starts(rest, "："))
        rest = span_from(rest, sizeof "：" - 1);
    else if (span_starts(rest, ":"))
        rest = span_from(rest, 1);
    span_number(rest, to);
}

static bool is_rule_line(struct span line)
{
    size_t dashes = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (!strchr("|-: \t", line.p[i]))
            return false;
        dashes += line.p[i] == '-';
    }
    return dashes > 0 && memchr(line.p, '|', line.n);
}

static void read_page_line(struct page_reader *r, struct span before, struct span line)
{
    struct page_row row;
    if (is_rule_line(line)) {
        r->line--;
        read_foreign_header(r, before);
        judge_titles(r);
        r->line++;
    } else if (!line.n || !memchr(line.p, '|', line.n)) {
        r->n_columns = 0;
        r->words = arena_printf(r->arena, "%s %s", strlen(r->words) < 4000 ? r->words : "",
                                text_fold_words(r->arena, arena_strndup(r->arena, line.p, line.n)));
        read_server_count(line, "服务器数量", &r->servers);
        read_server_count(line, "单服务器内使用卡数", &r->server_cards);
    } else if (r->n_columns) {
        read_cells_of_row(r, line, &row);
        r->understood += judge_base(r, &row) || judge_general(r, &row);
    }
}

bool foreign_page_check(const struct project *p, const char *file, struct bytes text,
                        struct arena *arena, struct diags *diags, const char **missing)
{
    struct page_reader r = {.project = p,
                            .file = file,
                            .words = "",
                            .arena = arena,
                            .diags = diags,
                            .server_cards = NAN,
                            .servers = NAN};
    struct span rest = {text.data, text.len}, before = {NULL, 0};
    bool tables = false;
    while (rest.n) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        r.line++;
        tables = tables || is_rule_line(line);
        read_page_line(&r, before, line);
        before = line;
    }
    *missing = tables ? "its tables have neither tokens/s, MFU nor measured and nominal values"
                      : "it has no table";
    return r.understood > 0;
}
