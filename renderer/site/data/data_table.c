#include "renderer/site/data/data_table.h"

#include "base/figures/figure.h"
#include "base/foreign.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

void data_table_row(struct data_table *t, const char *const *cells)
{
    const char **row = arena_array(t->arena, t->n_columns, sizeof *row);
    memcpy(row, cells, t->n_columns * sizeof *row);
    *(const char *const **)ARENA_PUSH(t->arena, t->rows, t->n) = row;
}

/* Where a cell ends for who takes the table apart at semicolons or tabs, as spreadsheets of many
 * locales do: to them a quotation mark within a cell opens nothing. */
static const char ends[] = ";\t\r\n";

/* "-1.5" is a number wherever it is read. */
static bool is_csv_number(const char *text)
{
    double value;
    int decimals;
    size_t n = figure_scan_number(text, &value, &decimals);
    return n > 0 && (text[n] == '\0' || strchr(ends, text[n]));
}

/* Also the full-width forms, which spreadsheets of Chinese and Japanese locales take for these. */
static bool is_formula(const char *text)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};
    static const char first[] = "=+-@\t\r\xEF"; /* bytes of these */
    for (size_t i = 0; *text && strchr(first, *text) && i < sizeof signs / sizeof *signs; i++)
        if (text_starts(text, signs[i]))
            return !is_csv_number(text);
    return false;
}

/* CSV has no escapes: hidden characters and invalid bytes are U+FFFD, as in pages. */
static void put_csv_visible(struct buf *out, const char *text, size_t len)
{
    static const bool special[128] = {['"'] = true};
    size_t step;
    for (size_t at = 0; at < len; at += step ? step : 1) {
        uint32_t code = 0;
        step = text_plain_run(text + at, len - at, special);
        buf_add(out, text + at, step);
        if (step)
            continue;
        step = utf8_next(text + at, len - at, &code);
        if (text[at] == '"')
            buf_char(out, '"');
        if (!step || foreign_is_hidden(code))
            buf_str(out, "\xEF\xBF\xBD");
        else
            buf_add(out, text + at, step);
    }
}

/* A part of a cell, up to its end, which a spreadsheet could take for a formula; "-" says that
 * there is nothing. Who ends cells within it takes quotation marks at its beginning for his own. */
static bool is_guarded(const char *part, bool first)
{
    const char *sign = part + strspn(part, first ? " " : " \"");
    if (!first && (strchr(ends, *sign) || strchr(ends, sign[1])))
        return false;
    return is_formula(sign) && sign[1];
}

void data_cell(struct buf *out, const char *text)
{
    bool quoted = is_formula(text) || is_guarded(text, true) || strpbrk(text, ",;\t\"\r\n") != NULL;
    if (quoted)
        buf_char(out, '"');
    for (const char *at = text, *part = text; *part; at = part) {
        if (is_guarded(at, at == text))
            buf_char(out, '\'');
        part = at + strcspn(at, ends);
        part += *part != '\0';
        put_csv_visible(out, at, (size_t)(part - at));
    }
    if (quoted)
        buf_char(out, '"');
}

/* ---- what is not there ---------------------------------------------------------------------- */

const char *data_figure_word(const char *text, struct arena *arena)
{
    /* Those of the English pages (figure.* of strings.json). */
    static const char *const words[] = {
        [FIGURE_MISSING] = "missing",
        [FIGURE_WITHHELD] = "withheld",
        [FIGURE_OOM] = "out of memory",
        [FIGURE_PENDING] = "not run",
    };
    enum figure_kind kind = figure_absence(text, arena);
    return kind <= FIGURE_PENDING ? words[kind] : NULL;
}

/* Columns by their names, which mean the same in every table. */
static const struct column_words {
    const char *name, *absent;
    bool published; /* as the vendor wrote it: it may be a sign for none */
} column_words[] = {
    {"stated", "not stated", true},
    {"first_stated", "not stated", true},
    {"second_stated", "not stated", true},
    {"mfu_stated", "not stated", true},
    {"value", "not stated", true},
    {"before", "not stated", true},
    {"now", "not stated", true},
    {"recomputed", "not run", false},
    {"first_recomputed", "not run", false},
    {"second_recomputed", "not run", false},
    {"reproduced", "not run", false},
    {"reproduced_outcome", "not run", false},
    {"difference", "not comparable", false},
    {"difference_percent", "not comparable", false},
    {"deviation_percent", "not comparable", false},
    {"likeness", "not comparable", false},
    {"reference", "not comparable", false},
    {"tolerance", "not applicable", false},
    {"severity", "not applicable", false},
    {"rule", "not applicable", false},
    {"derivation", "not applicable", false},
    {"reason", "not applicable", false},
    {"unit", "not applicable", false},
    {"place", "not applicable", false},
    {"group", "not applicable", false},
    {"reproduction", "not applicable", false},
    {"slowest", "not applicable", false},
    {"slowest_rank", "not applicable", false},
    {"by", "not applicable", false},
};

void data_table_csv(const struct data_table *t, struct buf *out)
{
    struct column_words *words = arena_array(t->arena, t->n_columns, sizeof *words);
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct column_words *known =
            text_find(column_words, sizeof column_words / sizeof *column_words,
                      sizeof *column_words, t->columns[c]);
        words[c] = known ? *known : (struct column_words){t->columns[c], "not stated", false};
        buf_str(out, c ? "," : "");
        data_cell(out, t->columns[c]);
    }
    for (size_t r = 0; r < t->n; r++) {
        buf_str(out, "\r\n");
        for (size_t c = 0; c < t->n_columns; c++) {
            buf_str(out, c ? "," : "");
            const char *text = t->rows[r][c];
            const char *word = text && words[c].published ? data_figure_word(text, t->arena) : NULL;
            data_cell(out, word ? word : text && *text ? text : words[c].absent);
        }
    }
    buf_str(out, "\r\n");
}

void data_table_json(const struct data_table *t, struct json_writer *w)
{
    json_begin_array(w, t->name);
    for (size_t r = 0; r < t->n; r++) {
        json_begin_object_flat(w, NULL);
        for (size_t c = 0; c < t->n_columns; c++)
            json_string(w, t->columns[c], t->rows[r][c]);
        json_end_object(w);
    }
    json_end_array(w);
}

const char *data_text(const char *text)
{
    return text && *text ? text : NULL;
}

const char *data_number(struct arena *arena, double value, int digits)
{
    return isfinite(value) ? arena_printf(arena, "%.*g", digits, value) : NULL;
}

const char *data_count(struct arena *arena, long long n)
{
    return n > 0 ? arena_printf(arena, "%lld", n) : NULL;
}

const char *data_place(struct arena *arena, int table, int row)
{
    return arena_printf(arena, "%d.%d", table, row);
}
