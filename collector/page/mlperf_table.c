#include "collector/page/mlperf_table.h"

#include "base/foreign.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEADER_ROWS_MAX 20 /* a header stands within so many rows */
#define CELL_SHOWN_MAX 60
#define MINUTES_MAX 1e7

enum table_column {
    COLUMN_UNKNOWN,
    COLUMN_PASSED_OVER,
    COLUMN_ID,
    COLUMN_DIVISION,
    COLUMN_AVAILABILITY,
    COLUMN_SUBMITTER,
    COLUMN_SYSTEM,
    COLUMN_NODES,
    COLUMN_PROCESSOR,
    COLUMN_PROCESSORS,
    COLUMN_ACCELERATOR,
    COLUMN_ACCELERATORS,
    COLUMN_FRAMEWORK,
    COLUMN_DETAILS,
    TABLE_COLUMNS
};

/* Folded names. */
static const struct {
    const char *name;
    enum table_column column;
} column_names[] = {
    {"id", COLUMN_ID},
    {"publicid", COLUMN_ID},
    {"division", COLUMN_DIVISION},
    {"availability", COLUMN_AVAILABILITY},
    {"submitter", COLUMN_SUBMITTER},
    {"organization", COLUMN_SUBMITTER},
    {"system", COLUMN_SYSTEM},
    {"systemname", COLUMN_SYSTEM},
    {"numberofnodes", COLUMN_NODES},
    {"nodes", COLUMN_NODES},
    {"ofnodes", COLUMN_NODES},
    {"hostprocessormodelname", COLUMN_PROCESSOR},
    {"processor", COLUMN_PROCESSOR},
    {"hostprocessorscount", COLUMN_PROCESSORS},
    {"ofprocessors", COLUMN_PROCESSORS},
    {"acceleratormodelname", COLUMN_ACCELERATOR},
    {"accelerator", COLUMN_ACCELERATOR},
    {"acceleratorscount", COLUMN_ACCELERATORS},
    {"ofaccelerators", COLUMN_ACCELERATORS},
    {"framework", COLUMN_FRAMEWORK},
    {"software", COLUMN_FRAMEWORK},
    {"detailsurl", COLUMN_DETAILS},
    {"details", COLUMN_DETAILS},
    {"codeurl", COLUMN_PASSED_OVER},
    {"code", COLUMN_PASSED_OVER},
    {"notes", COLUMN_PASSED_OVER},
    {"privateid", COLUMN_PASSED_OVER},
    {"hash", COLUMN_PASSED_OVER},
};

struct table_reader {
    const struct csv_grid *grid;
    const char *file;
    const struct mlperf_table_benchmark *benchmarks;
    size_t n_benchmarks;
    size_t header;                 /* its row */
    size_t columns[TABLE_COLUMNS]; /* of each kind, the place behind it; 0: there is none */
    size_t *benchmark_columns;     /* of each benchmark, the same */
    const char *section;           /* the heading of the rows that follow */
    struct arena *arena;
    struct mlperf_table *out;
    struct diags *diags;
};

static enum table_column column_named(struct arena *arena, const char *cell)
{
    const char *name = text_fold_letters(arena, cell);
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++)
        if (strcmp(column_names[i].name, name) == 0)
            return column_names[i].column;
    return COLUMN_UNKNOWN;
}

static size_t place_of_table_column(const struct csv_row *row, enum table_column column,
                                    struct arena *arena)
{
    for (size_t i = 0; i < row->n; i++)
        if (column_named(arena, csv_cell(row, i)) == column)
            return i + 1;
    return 0;
}

/* The row that names submitter and system; the number of rows where none does. */
static size_t find_table_header(const struct csv_grid *grid, struct arena *arena)
{
    for (size_t i = 0; i < grid->n && i < HEADER_ROWS_MAX; i++)
        if (place_of_table_column(&grid->rows[i], COLUMN_SUBMITTER, arena) &&
            place_of_table_column(&grid->rows[i], COLUMN_SYSTEM, arena))
            return i;
    return grid->n;
}

const char *mlperf_table_round(const struct csv_grid *grid, struct arena *arena)
{
    size_t header = find_table_header(grid, arena);
    size_t at = header < grid->n ? place_of_table_column(&grid->rows[header], COLUMN_ID, arena) : 0;
    for (size_t i = header + 1; at && i < grid->n; i++) {
        const char *id = csv_cell(&grid->rows[i], at - 1);
        size_t major = strspn(id, "0123456789");
        size_t minor = major && id[major] == '.' ? strspn(id + major + 1, "0123456789") : 0;
        if (minor && id[major + 1 + minor] == '-')
            return arena_strndup(arena, id, major + 1 + minor);
    }
    return NULL;
}

/* ---- header -------------------------------------------------------------------------------- */

static bool names_benchmark(struct table_reader *r, const char *cell,
                            const struct mlperf_table_benchmark *b)
{
    const char *name = text_fold_letters(r->arena, cell);
    const char *whole = arena_printf(r->arena, "%s%s%s", b->area, b->data, b->model);
    return *name && (strcmp(name, text_fold_letters(r->arena, b->id)) == 0 ||
                     strcmp(name, text_fold_letters(r->arena, b->model)) == 0 ||
                     strcmp(name, text_fold_letters(r->arena, whole)) == 0);
}

/* The benchmark that the header or a line above it names; SIZE_MAX. */
static size_t benchmark_of_column(struct table_reader *r, size_t column)
{
    for (size_t i = r->header + 1; i-- > 0;)
        for (size_t b = 0; b < r->n_benchmarks; b++)
            if (names_benchmark(r, csv_cell(&r->grid->rows[i], column), &r->benchmarks[b]))
                return b;
    return SIZE_MAX;
}

static bool is_empty_column(const struct table_reader *r, size_t column)
{
    for (size_t i = r->header + 1; i < r->grid->n; i++)
        if (*csv_cell(&r->grid->rows[i], column))
            return false;
    return true;
}

static const char *shown_cell(struct table_reader *r, const char *cell)
{
    return foreign_line(r->arena, cell, CELL_SHOWN_MAX);
}

static void know_column(struct table_reader *r, size_t i)
{
    const struct csv_row *header = &r->grid->rows[r->header];
    enum table_column column = column_named(r->arena, csv_cell(header, i));
    size_t b = column ? SIZE_MAX : benchmark_of_column(r, i);
    size_t *to = b < r->n_benchmarks ? &r->benchmark_columns[b] : &r->columns[column];
    if (column == COLUMN_PASSED_OVER || (b == SIZE_MAX && !column && is_empty_column(r, i)))
        return;
    if (b == SIZE_MAX && !column)
        diags_add(r->diags, SEVERITY_WARNING, r->file, header->line, 0,
                  "column %zu, '%s', is neither a benchmark of the round nor a column of its "
                  "table: left out",
                  i + 1, shown_cell(r, csv_cell(header, i)));
    else if (*to)
        diags_add(r->diags, SEVERITY_WARNING, r->file, header->line, 0,
                  "column %zu, '%s', is repeated: left out", i + 1,
                  shown_cell(r, csv_cell(header, i)));
    else
        *to = i + 1;
}

static int read_table_header(struct table_reader *r)
{
    size_t known = 0;
    r->header = find_table_header(r->grid, r->arena);
    if (r->header == r->grid->n) {
        diags_add(r->diags, SEVERITY_ERROR, r->file, 1, 0,
                  "found no columns 'submitter' and 'system' in the first %d rows, expected the "
                  "table of results of a round of MLPerf Training",
                  HEADER_ROWS_MAX);
        return -1;
    }
    r->benchmark_columns = arena_array(r->arena, r->n_benchmarks, sizeof *r->benchmark_columns);
    for (size_t i = 0; i < r->grid->rows[r->header].n; i++)
        know_column(r, i);
    for (size_t b = 0; b < r->n_benchmarks; b++)
        known += r->benchmark_columns[b] > 0;
    if (known && r->columns[COLUMN_DIVISION])
        return 0;
    diags_add(r->diags, SEVERITY_ERROR, r->file, r->grid->rows[r->header].line, 0,
              known ? "found no column 'division', which the table of a round has"
                    : "found no column of a benchmark of this round (--ruleset chooses another)");
    return -1;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static const char *cell_of(const struct table_reader *r, const struct csv_row *row,
                           enum table_column column)
{
    return r->columns[column] ? csv_cell(row, r->columns[column] - 1) : "";
}

/* NULL of an empty one: the field is absent. */
static const char *text_of_cell(struct table_reader *r, const struct csv_row *row,
                                enum table_column column)
{
    const char *cell = cell_of(r, row, column);
    return *cell ? foreign_line(r->arena, cell, 0) : NULL;
}

static long long count_of_cell(const struct table_reader *r, const struct csv_row *row,
                               enum table_column column)
{
    char *end;
    double x = strtod(cell_of(r, row, column), &end);
    return x >= 1 && x <= SHAPE_COUNT_MAX && x == floor(x) && !*end ? (long long)x : 0;
}

/* As published; what the summarizer writes to the last digit is rounded as the round does (three
 * decimals). NULL: it is no time. */
static const char *minutes_of_cell(struct table_reader *r, const char *cell)
{
    size_t whole = strspn(cell, "0123456789");
    size_t decimals = cell[whole] == '.' ? strspn(cell + whole + 1, "0123456789") : 0;
    double x = strtod(cell, NULL);
    if (!whole || cell[whole + (decimals ? decimals + 1 : 0)] || !(x > 0) || x > MINUTES_MAX)
        return NULL;
    return decimals > 3 ? arena_printf(r->arena, "%.3f", x) : arena_strdup(r->arena, cell);
}

static bool is_blank_minutes(const char *cell)
{
    static const char *const words[] = {"", "-", "nan", "none", "n/a"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(cell, words[i]) == 0)
            return true;
    return false;
}

static void add_table_scores(struct table_reader *r, const struct csv_row *row,
                             struct mlperf_record *to)
{
    for (size_t b = 0; b < r->n_benchmarks; b++) {
        const char *cell =
            r->benchmark_columns[b] ? csv_cell(row, r->benchmark_columns[b] - 1) : "";
        const char *minutes = minutes_of_cell(r, cell);
        if (minutes) {
            struct mlperf_score_record *score = ARENA_PUSH(r->arena, to->results, to->n_results);
            mlperf_score_init(score, r->benchmarks[b].id);
            score->minutes = minutes;
            score->published = true;
        } else if (!is_blank_minutes(cell))
            diags_add(r->diags, SEVERITY_WARNING, r->file, row->line, 0,
                      "%s: found '%s', expected minutes: left out", r->benchmarks[b].id,
                      shown_cell(r, cell));
    }
}

/* Of a text that others wrote, a name that a file may have. */
static const char *name_of_text(struct arena *arena, const char *text)
{
    char *copy = arena_strdup(arena, text), *to = copy;
    for (const char *from = copy; *from; from++) {
        if (isalnum((unsigned char)*from) || strchr("._+-", *from))
            *to++ = *from;
        else if (to > copy && to[-1] != '_')
            *to++ = '_';
    }
    while (to > copy && to[-1] == '_')
        to--;
    *to = '\0';
    return copy + strspn(copy, "._+-");
}

static bool is_taken(const struct table_reader *r, const char *package, const char *system)
{
    for (size_t i = 0; i < r->out->n; i++)
        if (strcasecmp(r->out->rows[i].record.package, package) == 0 &&
            strcasecmp(r->out->rows[i].record.system, system) == 0)
            return true;
    return false;
}

/* …/ORG/systems/SYSTEM.json */
static bool name_by_details(struct table_reader *r, const char *url, struct mlperf_record *to)
{
    const char *at = strstr(url, "/systems/");
    size_t n = at ? strcspn(at + 9, "/") : 0, org = 0;
    if (!at || at[9 + n] || n <= 5 || !text_ends(url, ".json"))
        return false;
    while (at - org > url && at[-1 - (ptrdiff_t)org] != '/')
        org++;
    to->package = arena_strndup(r->arena, at - org, org);
    to->system = arena_strndup(r->arena, at + 9, n - 5);
    return shape_is_id(to->package) && shape_is_id(to->system) &&
           !is_taken(r, to->package, to->system);
}

static bool name_table_row(struct table_reader *r, const struct csv_row *row,
                           struct mlperf_table_row *to)
{
    struct mlperf_record *record = &to->record;
    to->named = name_by_details(r, cell_of(r, row, COLUMN_DETAILS), record);
    if (to->named)
        return true;
    const char *system = name_of_text(r->arena, cell_of(r, row, COLUMN_SYSTEM));
    record->package = name_of_text(r->arena, cell_of(r, row, COLUMN_SUBMITTER));
    record->system = system;
    for (int i = 2; is_taken(r, record->package, record->system); i++)
        record->system = arena_printf(r->arena, "%s-%d", system, i);
    return shape_is_id(record->package) && shape_is_id(record->system);
}

static void read_system_row(struct table_reader *r, const struct csv_row *row)
{
    const char *availability = text_of_cell(r, row, COLUMN_AVAILABILITY), *why = NULL;
    struct mlperf_table_row to = {.named = false};
    to.record = (struct mlperf_record){
        .line = row->line,
        .submitter = text_of_cell(r, row, COLUMN_SUBMITTER),
        .system_name = text_of_cell(r, row, COLUMN_SYSTEM),
        .division = text_of_cell(r, row, COLUMN_DIVISION),
        .availability = availability ? availability : r->section,
        .accelerator = text_of_cell(r, row, COLUMN_ACCELERATOR),
        .processor = text_of_cell(r, row, COLUMN_PROCESSOR),
        .framework = text_of_cell(r, row, COLUMN_FRAMEWORK),
        .nodes = count_of_cell(r, row, COLUMN_NODES),
        .accelerators = count_of_cell(r, row, COLUMN_ACCELERATORS),
        .processors = count_of_cell(r, row, COLUMN_PROCESSORS),
    };
    if (!to.record.submitter || !to.record.system_name || !to.record.division)
        why = "the row names no submitter, no system or no division";
    else if (!name_table_row(r, row, &to))
        why = "submitter and system give no name for a record: letters, digits and . _ + - only";
    else
        add_table_scores(r, row, &to.record);
    if (!why && !to.record.n_results)
        why = "the row has no minutes";
    if (why)
        diags_add(r->diags, SEVERITY_WARNING, r->file, row->line, 0, "left out: %s", why);
    else
        *(struct mlperf_table_row *)ARENA_PUSH(r->arena, r->out->rows, r->out->n) = to;
}

static size_t count_said_cells(const struct csv_row *row, const char **first)
{
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++)
        if (*csv_cell(row, i)) {
            *first = n ? *first : csv_cell(row, i);
            n++;
        }
    return n;
}

int mlperf_table_read(const struct csv_grid *grid, const char *file,
                      const struct mlperf_table_benchmark *benchmarks, size_t n_benchmarks,
                      struct arena *arena, struct mlperf_table *out, struct diags *diags)
{
    struct table_reader r = {.grid = grid,
                             .file = file,
                             .benchmarks = benchmarks,
                             .n_benchmarks = n_benchmarks,
                             .arena = arena,
                             .out = out,
                             .diags = diags};
    *out = (struct mlperf_table){NULL, 0};
    if (read_table_header(&r) < 0)
        return -1;
    for (size_t i = r.header + 1; i < grid->n; i++) {
        const char *heading = "";
        if (count_said_cells(&grid->rows[i], &heading) == 1)
            r.section = foreign_line(arena, heading, 0);
        else
            read_system_row(&r, &grid->rows[i]);
    }
    return 0;
}
