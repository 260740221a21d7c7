/* column_match: is the header of a column that name of a metric or setting? */
#pragma once

#include "verifier/claims/audit.h"

enum column_match { COLUMN_UNLIKE, COLUMN_ALIKE, COLUMN_EQUAL };

struct column_name {
    const char *folded;
    const struct metrics_column *column; /* NULL: none of ours */
};

struct column_name column_name(const struct audit *a, const char *text);

/* "memory(actual/total)" is "memory" or "mem"; "acc" is much like "final_acc1". */
enum column_match column_compare(const struct column_name *header, const struct column_name *name);
