#include "collector/page/csv_grid.h"

#include "base/text.h"

#include <string.h>

struct csv_reader {
    const char *at, *end;
    const char *file;
    char separator;
    int line;
    struct arena *arena;
    struct csv_grid *grid;
    struct err *err;
};

static char grid_separator(const char *at, const char *end)
{
    static const char separators[] = ",;\t";
    size_t counts[3] = {0}, best = 0;
    bool quoted = false;
    for (; at < end && (quoted || *at != '\n'); at++) {
        const char *s = *at ? strchr(separators, *at) : NULL;
        quoted ^= *at == '"';
        if (s && !quoted)
            counts[s - separators]++;
    }
    for (size_t i = 1; i < 3; i++)
        best = counts[i] > counts[best] ? i : best;
    return separators[best];
}

static const char *trimmed_cell(struct arena *arena, const char *text, size_t n)
{
    while (n && strchr(" \t\r\n", text[n - 1]))
        n--;
    while (n && strchr(" \t\r\n", *text))
        text++, n--;
    return arena_strndup(arena, text, n);
}

/* Behind its opening quotation mark; two of them are one. */
static int read_quoted_cell(struct csv_reader *r, const char **cell)
{
    char *text = arena_alloc(r->arena, (size_t)(r->end - r->at) + 1);
    size_t n = 0;
    for (; r->at < r->end; r->at++) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"'))
            break;
        r->at += *r->at == '"';
        r->line += *r->at == '\n';
        text[n++] = *r->at;
    }
    if (r->at == r->end)
        return err_set(r->err, ERR_INPUT, "%s:%d: found no end of a quoted cell", r->file, r->line);
    r->at++;
    *cell = trimmed_cell(r->arena, text, n);
    return 0;
}

static int read_csv_cell(struct csv_reader *r, const char **cell)
{
    const char *from = r->at;
    if (r->at < r->end && *r->at == '"') {
        r->at++;
        if (read_quoted_cell(r, cell) < 0)
            return -1;
        from = r->at;
    } else
        *cell = NULL;
    while (r->at < r->end && *r->at != r->separator && *r->at != '\n')
        r->at++;
    if (!*cell)
        *cell = trimmed_cell(r->arena, from, (size_t)(r->at - from));
    return 0;
}

/* One line of cells; its end is passed. */
static int read_csv_row(struct csv_reader *r)
{
    struct csv_row row = {.line = r->line};
    bool any = false, more = true;
    while (more) {
        const char **cell = ARENA_PUSH(r->arena, row.cells, row.n);
        if (row.n > CSV_GRID_CELLS_MAX)
            return err_set(r->err, ERR_INPUT, "%s:%d: found more than %d cells", r->file, r->line,
                           CSV_GRID_CELLS_MAX);
        if (read_csv_cell(r, cell) < 0)
            return -1;
        any |= **cell != '\0';
        more = r->at < r->end && *r->at == r->separator;
        r->at += r->at < r->end;
    }
    r->line++;
    if (any)
        *(struct csv_row *)ARENA_PUSH(r->arena, r->grid->rows, r->grid->n) = row;
    return 0;
}

int csv_grid_read(struct bytes in, const char *file, struct arena *arena, struct csv_grid *out,
                  struct err *err)
{
    const char *at = in.len ? (const char *)in.data : "";
    size_t valid = utf8_valid_until(at, in.len);
    struct csv_reader r = {at, at + in.len, file, ',', 1, arena, out, err};
    *out = (struct csv_grid){NULL, 0};
    if (valid < in.len || memchr(at, '\0', in.len))
        return err_set(err, ERR_INPUT, "%s: found bytes that are not UTF-8, expected a table",
                       file);
    if (in.len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        r.at += 3;
    r.separator = grid_separator(r.at, r.end);
    while (r.at < r.end) {
        if (out->n >= CSV_GRID_ROWS_MAX)
            return err_set(err, ERR_INPUT, "%s:%d: found more than %d rows", file, r.line,
                           CSV_GRID_ROWS_MAX);
        if (read_csv_row(&r) < 0)
            return -1;
    }
    return 0;
}

void csv_grid_pack(const struct csv_grid *grid, struct buf *out)
{
    pack_number(out, grid->n);
    for (size_t i = 0; i < grid->n; i++) {
        pack_number(out, (uint64_t)grid->rows[i].line);
        pack_number(out, grid->rows[i].n);
        for (size_t k = 0; k < grid->rows[i].n; k++)
            pack_text(out, grid->rows[i].cells[k]);
    }
}

void csv_grid_unpack(struct unpack *u, struct arena *arena, struct csv_grid *out)
{
    out->n = unpack_list(u, 2, CSV_GRID_ROWS_MAX, sizeof *out->rows);
    out->rows = arena_array(arena, out->n, sizeof *out->rows);
    for (size_t i = 0; i < out->n; i++) {
        struct csv_row *row = &out->rows[i];
        row->line = unpack_int(u);
        row->n = unpack_list(u, 1, CSV_GRID_CELLS_MAX, sizeof *row->cells);
        row->cells = arena_array(arena, row->n, sizeof *row->cells);
        for (size_t k = 0; k < row->n; k++)
            row->cells[k] = take_words(u, arena);
    }
}

const char *csv_cell(const struct csv_row *row, size_t i)
{
    return i < row->n && row->cells[i] ? row->cells[i] : "";
}
