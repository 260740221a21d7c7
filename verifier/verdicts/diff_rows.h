/*
 * diff_rows: the rows of one result in two documents of verdicts, paired by
 * base/records/row_pairs.h (private to verifier/verdicts/diff.c).
 */
#pragma once

#include "verifier/verdicts/diff.h"

/* Replace the runs of the change by copies whose members have their `pair`, and the place of the
 * new document where both have it, and list the rows that are in one alone. */
void diff_rows_pair(struct run_change *c, struct arena *arena);
