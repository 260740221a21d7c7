/*
 * json_scan: the strict half of the JSON reader (json.h says what is refused).
 *
 * It allocates nothing per value but a mark: where the value and its name stand, in document
 * order, which is also the order in which json.c walks cJSON's tree.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

struct json_mark {
    int line, col, byte; /* col counts characters, byte bytes */
    int key_line, key_col;
    size_t begin, end; /* bytes of the value's own text (numbers need it) */
};

int json_scan(const char *file, struct bytes in, size_t max, struct arena *arena,
              struct json_mark **marks, size_t *n, struct diags *diags);
