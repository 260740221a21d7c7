/*
 * data_table: a table for programs, as CSV (RFC 4180) and as JSON: what pages show, with plain
 * names of columns and text in every cell.
 *
 *     struct data_table t = {.arena = &arena, .name = "rules", .columns = names, .n_columns = 3};
 *     data_table_row(&t, (const char *[]){id, title, NULL});
 *     data_table_csv(&t, &out);
 *     data_table_json(&t, &writer);        "rules": [{"id": …}, …], null for NULL
 *
 * Text that a spreadsheet would take for a formula gets an apostrophe in front in CSV; JSON keeps
 * it. What is hidden (base/foreign.h) is U+FFFD in CSV, and escaped in JSON. Cells are borrowed.
 *
 * No cell of CSV is blank, for a spreadsheet has no null: what is not there has the word that its
 * column has for it ("not run", "not comparable"), and signs that vendors publish instead of a
 * figure have those of the English pages ("/": "withheld").
 */
#pragma once

#include "base/arena.h"
#include "base/json/json.h"

struct data_table {
    struct arena *arena;
    const char *name;
    const char *const *columns;
    size_t n_columns;
    const char *const **rows; /* rows[r][column]; NULL: nothing to say */
    size_t n;
};

/* A row of `n_columns` cells, which are copied as pointers. */
void data_table_row(struct data_table *t, const char *const *cells);
#define ROW(t, ...) data_table_row((t), (const char *const[]){__VA_ARGS__})

void data_table_csv(const struct data_table *t, struct buf *out);
void data_table_json(const struct data_table *t, struct json_writer *w);

/* The word for a sign that is published instead of a figure; NULL: it is one, or text. */
const char *data_figure_word(const char *text, struct arena *arena);

/* One cell of CSV, quoted where it must be. */
void data_cell(struct buf *out, const char *text);

/* What cells say: NULL for a text that is empty or none, and for a number that is not finite; row
 * and table, "1.2". */
const char *data_text(const char *text);
const char *data_number(struct arena *arena, double value, int digits);
const char *data_place(struct arena *arena, int table, int row);
const char *data_count(struct arena *arena, long long n); /* of 0, too */

/* A row of a table of tables: name, columns, how many, and what fills it. */
#define DATA_TABLE_ROW(name, columns, fill)                      \
    {                                                            \
        name, columns, sizeof(columns) / sizeof *(columns), fill \
    }
