/* checks_older: what rules find in the older table (verifier/claims/older_table.h), one function
 * for each. */
#ifndef VERIFIER_CHECKS_PAGE_OLDER_H
#define VERIFIER_CHECKS_PAGE_OLDER_H

#include "verifier/claims/audit.h"

/* Of a whole page: FP1001, FP2015, FP3008. */
void older_count_cells(struct audit *a);
void older_check_scaling(struct audit *a);
void older_check_cards(struct audit *a);

/* Of a row: FP1004, FP1011, FP1016 (peers.c), FP2006, FP2008, FP2017, FP2018. */
void older_check_numbers(struct audit *a, const struct older_table *t, const struct older_row *row);
void older_check_doubled(struct audit *a, const struct older_table *t, const struct older_row *row);
void older_check_words(struct audit *a, const struct older_table *t, const struct older_row *row);
void older_check_target(struct audit *a, const struct older_table *t, const struct older_row *row);
void older_check_twins(struct audit *a, const struct older_table *t, const struct older_row *row);
void older_check_form(struct audit *a, const struct older_table *t, const struct older_row *row);
void older_check_seconds(struct audit *a, const struct older_table *t, const struct older_row *row);

#endif
