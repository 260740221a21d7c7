#include "verifier/runs/table_lines.h"

#include "base/cards/sample_blocks.h"
#include "base/cards/sample_columns.h"
#include "verifier/runs/monitor.h"

#define TABLES_MAX 16

/* The tables of tools, compiled, and what each has said of its next card. */
struct table_lines {
    struct card_lines lines;
    struct card_sample sample;
};

struct table_lines *table_lines_new(struct arena *arena)
{
    struct table_lines *to = arena_array(arena, TABLES_MAX, sizeof *to);
    struct err err = ERR_INIT; /* the tests compile every row */
    for (size_t i = 0; card_tables[i]; i++)
        if (card_lines_compile(card_tables[i], arena, &to[i].lines, &err) < 0)
            return NULL;
    return to;
}

/* A line of a table; the vendor whose it is, with the line of a card; NULL. */
const char *table_line_read(struct table_lines *tables, struct span line, struct card_reading *out)
{
    for (size_t i = 0; tables && card_tables[i]; i++)
        if (card_sample_read(&tables[i].sample, &tables[i].lines, line, out) == CARD_LINE_CARD)
            return card_tables[i]->vendor;
    return NULL;
}

bool monitor_shown(struct bytes head)
{
    struct arena arena = ARENA_INIT;
    struct table_lines *tables = table_lines_new(&arena);
    struct sample_columns columns = {.n = 0}, header;
    struct card_reading x;
    struct span rest = {head.data, head.len < MONITOR_HEAD ? head.len : MONITOR_HEAD};
    struct sample_blocks blocks = {.vendor = NULL};
    const char *vendor;
    bool found = false;
    while (rest.n && !found) {
        struct span line = span_trim(span_cut(&rest, '\n')), part = line;
        while (part.n && !found)
            found = sample_blocks_read(&blocks, &part, 0, &x, &vendor) == CARD_LINE_CARD;
        if (found || !line.n || line.n > CARD_LINE_MAX)
            continue;
        if (sample_columns_header(line, &header))
            columns = header;
        else
            found = (columns.n && sample_columns_read(&columns, line, &x)) ||
                    table_line_read(tables, line, &x);
    }
    arena_release(&arena);
    return found || sample_blocks_end(&blocks, &x, &vendor);
}
