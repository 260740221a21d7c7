#include "verifier/claims/pipe_lines.h"

#include "base/figures/metrics.h"
#include "base/text.h"

#include <string.h>

bool pipe_line_is(const char *line)
{
    return line[strspn(line, " \t")] == '|';
}

bool pipe_line_is_rule(const char *line)
{
    return strchr(line, '-') && strspn(line, " \t|:-") == strlen(line);
}

size_t pipe_line_cells(const char *line, struct arena *arena, const char ***out)
{
    size_t n = 0;
    const char **cells = NULL, *s = line + strspn(line, " \t");
    s += *s == '|';
    while (*s) {
        size_t len = strcspn(s, "|");
        const char *cell = text_trim_n(arena, s, len);
        if (s[len] || *cell)
            *(const char **)ARENA_PUSH(arena, cells, n) = cell;
        s += len + (s[len] == '|');
    }
    *out = cells;
    return n;
}

static void read_pipe_row(struct row *row, const char *line, int number, struct arena *arena)
{
    const char **cells;
    *row = (struct row){.line = number};
    row->n_cells = pipe_line_cells(line, arena, &cells);
    row->cells = arena_array(arena, row->n_cells, sizeof *row->cells);
    for (size_t i = 0; i < row->n_cells; i++)
        row->cells[i] = (struct cell){.line = number, .text = cells[i]};
}

/* The table whose header is lines[0]; how many lines it has, 0 when it is none. */
static size_t read_pipe_table(struct table *t, char **lines, size_t n, int line,
                              struct arena *arena)
{
    size_t i = 1;
    *t = (struct table){.line = line};
    if (n < 2 || !pipe_line_is(lines[0]) || pipe_line_is_rule(lines[1]))
        return 0;
    t->n_columns = pipe_line_cells(lines[0], arena, &t->columns);
    if (!metrics_is_table(t))
        return 0;
    for (; i < n && pipe_line_is(lines[i]) && t->n_rows < PIPE_ROWS_MAX; i++)
        read_pipe_row(ARENA_PUSH(arena, t->rows, t->n_rows), lines[i], line + (int)i, arena);
    table_read_figures(t, arena);
    return t->n_rows ? i : 0;
}

size_t pipe_tables_find(const struct result *r, struct arena *arena, struct table **out)
{
    size_t n = 0;
    *out = NULL;
    for (size_t i = 0; i < r->n_performance; i++) {
        size_t n_lines = 0;
        const char *text = r->performance[i].text.zh;
        char **lines = text && strchr(text, '|') ? text_lines(arena, text, &n_lines) : NULL;
        for (size_t k = 0, step; k < n_lines && n < PIPE_TABLES_MAX; k += step) {
            struct table t;
            step =
                read_pipe_table(&t, lines + k, n_lines - k, r->performance[i].line + (int)k, arena);
            if (step)
                *(struct table *)ARENA_PUSH(arena, *out, n) = t;
            step = step ? step : 1;
        }
    }
    return n;
}
