/* Rows of a CSV file: together their fields are no longer than the file. */
#include "tests/fuzz/fuzz.h"

#include "trainer/score/csv.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct csv_row *rows;
    size_t n, bytes = 0;
    if (csv_parse("rows.csv", (struct bytes){(const char *)data, size}, &arena, &rows, &n, &err) ==
        0)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < rows[i].n; k++)
                bytes += strlen(rows[i].fields[k]);
    if (bytes > size)
        __builtin_trap();
    arena_release(&arena);
    return 0;
}
