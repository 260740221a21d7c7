/* site_plan: the parallel plan of a row (private to renderer/site/). */
#pragma once

#include "renderer/site/index/index.h"

/* TP, PP and DP of a row's cell, else of its case; false: neither says, or nothing is parallel. */
struct site_plan {
    long tp, pp, dp, machines, cards;
};
bool site_plan_of(const struct site_row *row, struct site_plan *out);
