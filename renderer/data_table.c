#include "renderer/data_table.h"

#include "base/figure.h"
#include "base/foreign.h"
#include "base/text.h"

#include <string.h>

void data_table_row(struct data_table *t, const char *const *cells)
{
    const char **row = arena_array(t->arena, t->n_columns, sizeof *row);
    memcpy(row, cells, t->n_columns * sizeof *row);
    *(const char *const **)ARENA_PUSH(t->arena, t->rows, t->n) = row;
}

/* "-1.5" is a number wherever it is read. */
static bool is_number(const char *text)
{
    double value;
    int decimals;
    size_t n = figure_scan_number(text, &value, &decimals);
    return n > 0 && text[n] == '\0';
}

/* Also the full-width forms, which spreadsheets of Chinese and Japanese locales take for these. */
static bool is_formula(const char *text)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return !is_number(text);
    return false;
}

/* CSV has no escapes: hidden characters and invalid bytes are U+FFFD, as in pages. */
static void put_shown(struct buf *out, const char *text)
{
    size_t len = strlen(text), step;
    for (size_t at = 0; at < len; at += step ? step : 1) {
        uint32_t code = 0;
        step = utf8_next(text + at, len - at, &code);
        if (text[at] == '"')
            buf_char(out, '"');
        if (!step || foreign_is_hidden(code))
            buf_str(out, "\xEF\xBF\xBD");
        else
            buf_add(out, text + at, step);
    }
}

void data_cell(struct buf *out, const char *text)
{
    bool formula = is_formula(text);
    bool quoted = formula || strpbrk(text, ",;\t\"\r\n") != NULL;
    if (quoted)
        buf_char(out, '"');
    if (formula && text[1])
        buf_char(out, '\'');
    put_shown(out, text);
    if (quoted)
        buf_char(out, '"');
}

static void put_line(const struct data_table *t, const char *const *cells, struct buf *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        if (c)
            buf_char(out, ',');
        data_cell(out, cells[c] ? cells[c] : "");
    }
    buf_str(out, "\r\n");
}

void data_table_csv(const struct data_table *t, struct buf *out)
{
    put_line(t, t->columns, out);
    for (size_t r = 0; r < t->n; r++)
        put_line(t, t->rows[r], out);
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
