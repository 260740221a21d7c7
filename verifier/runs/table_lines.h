/* table_lines: lines of the tables that card tools print (base/cards/card_tool.h), of a file of any
 * name. */
#pragma once

#include "base/cards/card_tool.h"

/* All tables, compiled, and what each has said of its next card. */
struct table_lines;

/* In the arena; NULL when a row cannot be compiled, which the tests do with all. */
struct table_lines *table_lines_new(struct arena *arena);

/* With the line of a card the vendor whose table it is; NULL for any other line. */
const char *table_line_read(struct table_lines *tables, struct span line, struct card_reading *out);
