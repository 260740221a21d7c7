/* Tables of pipes: those of imported pages, and those that stand in the prose of records. */
#include "tests/fuzz/fuzz.h"

#include "base/figures/pipe_table.h"
#include "verifier/claims/older_table.h"

#include <stdlib.h>
#include <string.h>

#define LINES_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    char *lines[LINES_MAX];
    struct bytes raw[LINES_MAX];
    size_t n = 0, used, n_cells;
    struct cell *cells;
    const char **texts;
    char *text = arena_strndup(&arena, (const char *)data, size), *rest = text;
    for (char *line; n < LINES_MAX && (line = strsep(&rest, "\n")); n++) {
        lines[n] = line;
        raw[n] = (struct bytes){line, strlen(line)};
        pipe_cells(&arena, line, &cells, &n_cells);
        if (pipe_line_is(line) && !pipe_line_is_rule(line))
            pipe_line_cells(line, &arena, &texts);
    }
    for (size_t i = 0; i + 1 < n; i += used) {
        used = 1;
        if (pipe_table_columns(&arena, lines[i], lines[i + 1]) == 0)
            continue;
        pipe_table_read(&arena, &lines[i], &raw[i], n - i, (int)i + 1, &used);
        if (used < 2 || used > n - i)
            abort();
    }
    arena_release(&arena);
    return 0;
}
