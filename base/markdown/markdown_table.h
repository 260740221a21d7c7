/*
 * markdown_table: a paragraph that holds pipe tables (base/figures/pipe_table.h), as HTML.
 * CommonMark knows none: base/markdown hands over here what it takes for paragraphs; nobody else
 * has to call this.
 *
 * Each cell is inline Markdown and as safe as markdown_inline_html makes it. Text before and behind
 * a table stays a paragraph. A row has the cells that it was written with: one that is too short
 * is not filled, since rows of one pipe below a wide head would make much of little.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

/* Append the paragraph; false, and nothing is appended: there is no table in it. */
bool markdown_table_html(struct buf *out, const char *paragraph, struct arena *arena);
