/* degrees: the degrees of parallelism as strategies, names and plans spell them. */
#pragma once

#include "verifier/claims/audit.h"

#define DEGREE_TENSOR "tensor_parallel_degree="

#define DEGREE_PIPELINE "line_parallel_degree=" /* most pages write "pipline" */

long degree_ranks_per_card(const struct audit *a, const struct claim *c);

/* "PP0", which no plan can have. */
bool degree_is_zero(const char *text);

/* The whole number behind `key`, as in "tensor_parallel_degree=2", or `otherwise`. */
long degree_after(const char *folded, const char *key, long otherwise);
