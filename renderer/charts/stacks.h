/*
 * chart_stacks: how many results had each state, one bar for each day of publication, the oldest
 * first. All bars have one scale; a part is named by its number and by its title.
 */
#pragma once

#include "base/records/verdict.h"
#include "renderer/charts/chart.h"

#define STACK_STATES (STATE_WITHDRAWN + 1)
#define CHART_STACKS_MAX 24 /* those before are not drawn */

struct chart_stack {
    const char *label; /* "2026-11-27" */
    size_t counts[STACK_STATES];
};

struct chart_stacks {
    const char *id, *title, *description; /* as in chart_text */
    const char *const *state_words;       /* of each state */
    const struct chart_stack *stacks;
    size_t n;
};

void chart_stacks_write(struct buf *out, const struct chart_stacks *stacks, enum chart_size size);
