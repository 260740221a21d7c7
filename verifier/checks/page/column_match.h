/* column_match: is the header of a column that name of a metric or setting? */
#pragma once

#include "verifier/claims/audit.h"

enum column_match { COLUMN_UNLIKE, COLUMN_ALIKE, COLUMN_EQUAL };

/* "memory(actual/total)" is "memory" or "mem"; "acc" is much like "final_acc1". */
enum column_match column_compare(const struct audit *a, const char *header, const char *name);
