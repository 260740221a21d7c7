#include "base/figures/pipe_table.h"

#include "base/text.h"

#include <string.h>

void pipe_cells(struct arena *arena, const char *line, struct cell **cells, size_t *n)
{
    const char *s = line + strspn(line, " \t");
    bool seen = *s == '|';
    *cells = NULL;
    *n = 0;
    s += seen;
    while (*s) {
        /* Length of what stands before the next pipe that is not escaped, or of all the rest. */
        size_t len = 0;
        while (s[len] && s[len] != '|')
            len += s[len] == '\\' && s[len + 1] ? 2 : 1;
        bool last = s[len] == '\0';
        if (last && (!seen || strspn(s, " \t") == len))
            return;
        seen = true;
        struct cell *c = ARENA_PUSH(arena, *cells, *n);
        c->col = (int)(s - line + (ptrdiff_t)strspn(s, " \t")) + 1;
        /* The bytes of a cell with `\|` as `|`, trimmed. */
        char *copy = arena_alloc(arena, len + 1);
        size_t used = 0;
        for (size_t i = 0; i < len; i++)
            if (!(s[i] == '\\' && i + 1 < len && s[i + 1] == '|'))
                copy[used++] = s[i];
        c->text = text_trim_n(arena, copy, used);
        s += last ? len : len + 1;
    }
}

static bool is_delimiter_cell(const char *s)
{
    s += *s == ':';
    size_t dashes = strspn(s, "-");
    s += dashes;
    s += *s == ':';
    return dashes > 0 && *s == '\0';
}

size_t pipe_table_columns(struct arena *arena, const char *header, const char *delimiter)
{
    struct cell *cells;
    size_t n, n_header;
    if (delimiter[strspn(delimiter, "|:- \t")] != '\0' || !strchr(header, '|'))
        return 0;
    pipe_cells(arena, delimiter, &cells, &n);
    for (size_t i = 0; i < n; i++)
        if (!is_delimiter_cell(cells[i].text))
            return 0;
    pipe_cells(arena, header, &cells, &n_header);
    return n_header == n ? n : 0;
}

/* Column `col` of the page's own line is not known when a byte before it is no longer the page's:
 * U+FFFD stands for one to four of them. */
static void place_cell(struct cell *cell, int col, const struct bytes *raw)
{
    const char *s = raw->data;
    int characters = 1;
    if (memmem(s, (size_t)col - 1, "\xEF\xBF\xBD", 3)) {
        cell->col = 0;
        return;
    }
    for (int i = 0; i < col - 1; i++)
        characters += ((unsigned char)s[i] & 0xC0) != 0x80;
    cell->col = col;
    cell->character = characters;
}

static void place_cells(struct cell *cells, size_t n, int line, const char *text,
                        const struct bytes *raw)
{
    const char *at = memmem(raw->data, raw->len, text, strlen(text));
    for (size_t i = 0; i < n; i++) {
        cells[i].line = line;
        if (at)
            place_cell(&cells[i], cells[i].col + (int)(at - raw->data), raw);
        else
            cells[i].col = 0;
    }
}

struct table *pipe_table_read(struct arena *arena, char **lines, const struct bytes *raw, size_t n,
                              int line, size_t *used)
{
    struct table *t = arena_alloc(arena, sizeof *t);
    struct cell *cells;
    pipe_cells(arena, lines[0], &cells, &t->n_columns);
    t->line = line;
    t->columns = arena_array(arena, t->n_columns, sizeof *t->columns);
    for (size_t i = 0; i < t->n_columns; i++)
        t->columns[i] = cells[i].text;
    for (*used = 2; *used < n; ++*used) {
        size_t n_cells;
        pipe_cells(arena, lines[*used], &cells, &n_cells);
        if (n_cells == 0)
            break;
        int at = line + (int)*used;
        place_cells(cells, n_cells, at, lines[*used], &raw[*used]);
        struct row *row = ARENA_PUSH(arena, t->rows, t->n_rows);
        *row = (struct row){.line = at, .cells = cells, .n_cells = n_cells};
    }
    return t;
}
