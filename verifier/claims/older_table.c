#include "verifier/claims/older_table.h"

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

#define FIRST_HEADER "训练资源"

static const struct kind {
    const char *prefix;
    enum older_column kind;
} kinds[] = {
    {FIRST_HEADER, OLDER_RESOURCES}, {"配置文件", OLDER_CONFIG}, {"运行时长", OLDER_SECONDS},
    {"目标", OLDER_TARGET},          {"收敛", OLDER_REACHED},    {"Steps", OLDER_STEPS},
    {"epoch", OLDER_STEPS},          {"性能", OLDER_RATE},
};

static void read_headers(struct older_table *t, const char *line, struct arena *arena)
{
    t->n_columns = pipe_line_cells(line, arena, &t->headers);
    t->kinds = arena_array(arena, t->n_columns, sizeof *t->kinds);
    for (size_t i = 0; i < t->n_columns; i++) {
        t->kinds[i] = OLDER_OTHER;
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (text_starts(t->headers[i], kinds[k].prefix))
                t->kinds[i] = kinds[k].kind;
    }
}

static const struct figure *read_older_figures(const char *const *cells, size_t n,
                                               struct arena *arena)
{
    struct figure *figures = arena_array(arena, n, sizeof *figures);
    for (size_t i = 0; i < n; i++)
        figure_parse(cells[i], arena, &figures[i]);
    return figures;
}

/* The table whose header is lines[0]; how many lines it has. */
static size_t read_older_table(struct older_table *t, char **lines, size_t n, int line,
                               struct arena *arena)
{
    *t = (struct older_table){.line = line};
    read_headers(t, lines[0], arena);
    size_t i = 1;
    for (; i < n && pipe_line_is(lines[i]); i++) {
        const char **cells;
        size_t n_cells = pipe_line_cells(lines[i], arena, &cells);
        if (i == 1 && pipe_line_is_rule(lines[i])) {
            t->has_rule = true;
            t->rule_cells = n_cells;
        } else if (t->n_rows < OLDER_ROWS_MAX) {
            *(struct older_row *)ARENA_PUSH(arena, t->rows, t->n_rows) = (struct older_row){
                line + (int)i, cells, read_older_figures(cells, n_cells, arena), n_cells};
        }
    }
    return i;
}

static bool is_header(const char *line)
{
    line += strspn(line, " \t");
    return *line == '|' && text_starts(line + 1 + strspn(line + 1, " \t*"), FIRST_HEADER);
}

static void find_in(const char *text, int line, struct arena *arena, struct older_table **out,
                    size_t *n)
{
    size_t n_lines;
    if (!text || !strstr(text, FIRST_HEADER))
        return;
    char **lines = text_lines(arena, text, &n_lines);
    for (size_t i = 0, step; i < n_lines && *n < OLDER_TABLES_MAX; i += step) {
        struct older_table t;
        step = 1;
        if (!is_header(lines[i]))
            continue;
        step = read_older_table(&t, lines + i, n_lines - i, line + (int)i, arena);
        *(struct older_table *)ARENA_PUSH(arena, *out, *n) = t;
    }
}

size_t older_tables_find(const struct result *r, struct arena *arena, struct older_table **out)
{
    size_t n = 0;
    *out = NULL;
    find_in(r->preamble, r->preamble_line ? r->preamble_line : 1, arena, out, &n);
    for (size_t i = 0; i < r->n_extras; i++)
        find_in(r->extras[i].text, r->extras[i].line, arena, out, &n);
    for (size_t i = 0; i < r->n_performance; i++)
        find_in(r->performance[i].text.zh, r->performance[i].line, arena, out, &n);
    return n;
}

bool older_tables_any(const struct result *r)
{
    struct arena scratch = ARENA_INIT;
    struct older_table *tables;
    size_t n = older_tables_find(r, &scratch, &tables);
    arena_release(&scratch);
    return n > 0;
}

static size_t column_of(const struct older_table *t, enum older_column kind)
{
    size_t i = 0;
    while (i < t->n_columns && t->kinds[i] != kind)
        i++;
    return i;
}

const char *older_cell(const struct older_table *t, const struct older_row *row,
                       enum older_column kind)
{
    size_t i = column_of(t, kind);
    return i < t->n_columns && i < row->n_cells ? row->cells[i] : "";
}

const struct figure *older_figure(const struct older_table *t, const struct older_row *row,
                                  enum older_column kind)
{
    size_t i = column_of(t, kind);
    return i < t->n_columns && i < row->n_cells ? &row->figures[i] : &figure_missing;
}

const char *older_header(const struct older_table *t, enum older_column kind)
{
    size_t i = column_of(t, kind);
    return i < t->n_columns ? t->headers[i] : "";
}

bool older_table_says(const struct older_table *t)
{
    static const enum older_column figures[] = {OLDER_SECONDS, OLDER_REACHED, OLDER_STEPS,
                                                OLDER_RATE};
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
            if (*older_cell(t, &t->rows[i], figures[k]))
                return true;
    return false;
}
