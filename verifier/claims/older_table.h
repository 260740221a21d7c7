/*
 * older_table: the table of figures that pages had before the present one.
 *
 *   | 训练资源 | 配置文件        | 运行时长(s) | 目标精度 | 收敛精度 | Steps数 | 性能（samples/s) |
 *   | -------- | --------------- | ----------- | -------- | -------- | ------- | ---------------- |
 *   | 单机8卡  | config_A100x1x8 | 1315.42     | 0.67     | 0.6818   | 4689    | 355.63           |
 *
 * The record keeps it as text, because it stands where the present grammar has no table. Here it is
 * found in the texts of a result, so that the rules that fit it can be asked: every line that
 * begins with '|' belongs to it, until one does not.
 */
#pragma once

#include "base/figures/figure.h"
#include "base/records/result.h"

enum older_column {
    OLDER_RESOURCES, /* 训练资源: 单机8卡 */
    OLDER_CONFIG,    /* 配置文件: config_A100x1x8 */
    OLDER_SECONDS,   /* 运行时长(s) */
    OLDER_TARGET,    /* 目标精度, 目标val_loss */
    OLDER_REACHED,   /* 收敛精度, 收敛val_loss */
    OLDER_STEPS,     /* Steps数, epoch数 */
    OLDER_RATE,      /* 性能(samples/s) */
    OLDER_OTHER,
    OLDER_COLUMNS, /* how many kinds */
};

struct older_row {
    int line;
    const char **cells;
    const struct figure *figures; /* what each of them says */
    size_t n_cells;
};

struct older_table {
    int line;
    const char **headers;
    enum older_column *kinds; /* of the columns */
    size_t n_columns;
    bool has_rule;
    size_t rule_cells; /* of the second line */
    struct older_row *rows;
    size_t n_rows;
};

#define OLDER_TABLES_MAX 8
#define OLDER_ROWS_MAX 100

/* All of them, in the order of the page; at most OLDER_TABLES_MAX with OLDER_ROWS_MAX rows. */
size_t older_tables_find(const struct result *r, struct arena *arena, struct older_table **out);

/* Is there one? */
bool older_tables_any(const struct result *r);

/* The cell in the column of this kind; "" when there is none. */
const char *older_cell(const struct older_table *t, const struct older_row *row,
                       enum older_column kind);

/* What that cell says. */
const struct figure *older_figure(const struct older_table *t, const struct older_row *row,
                                  enum older_column kind);

/* Does any row give a time, a score, steps or a rate? */
bool older_table_says(const struct older_table *t);

/* Its header; "". */
const char *older_header(const struct older_table *t, enum older_column kind);

/* Tables that Markdown does not see.
 *
 * Lines of cells without the rule (|---|---|) below the first are text to Markdown, and the record
 * keeps them as text. They were meant as a table all the same, and a figure in them is a claim. */

#define PIPE_TABLES_MAX 8
#define PIPE_ROWS_MAX 400

/* Is it a line of cells, or the rule of a table? */
bool pipe_line_is(const char *line);
bool pipe_line_is_rule(const char *line);

/* Cells of "| a | b |", or without one of the outer marks, trimmed. */
size_t pipe_line_cells(const char *line, struct arena *arena, const char ***out);

/* Tables of figures (base/figures/metrics.h) among the texts of the performance section that have
 * no rule. */
size_t pipe_tables_find(const struct result *r, struct arena *arena, struct table **out);
