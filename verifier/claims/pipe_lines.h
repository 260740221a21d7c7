/*
 * pipe_lines: tables that Markdown does not see.
 *
 * Lines of cells without the rule (|---|---|) below the first are text to Markdown, and the record
 * keeps them as text. They were meant as a table all the same, and a figure in them is a claim.
 */
#pragma once

#include "base/records/result.h"

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
