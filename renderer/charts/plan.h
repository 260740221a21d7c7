/*
 * chart_plan: a parallel plan drawn over machines and cards.
 *
 * A machine is a box, a card a cell with the letter of its pipeline stage and the number of its
 * data-parallel replica, where there is more than one; the stage has a colour as well. A bracket
 * holds the cards that share every tensor. Machines one behind the other with the same stages are
 * drawn once, with "6 more alike" behind them; what is beyond CHART_PLAN_BOXES boxes or
 * CHART_PLAN_CELLS cells is counted in words.
 *
 * A plan on one machine is one drawing for all screens (class chart-small) where both are asked
 * for.
 *
 * Ranks are laid out as Megatron-LM does by default: tensor-parallel neighbours are adjacent, then
 * data-parallel ones, and pipeline stages are farthest apart (PLAN_TP_DP_PP); or with stages
 * before replicas (PLAN_TP_PP_DP). Rank 0 is the first card of the first machine.
 *
 * "{n}" in the words is where a number goes, "{n|card|cards}" what it counts
 * (renderer/words/strings.h).
 */
#pragma once

#include "renderer/charts/chart.h"

#define CHART_PLAN_BOXES 12
#define CHART_PLAN_CELLS 96
#define CHART_PLAN_CARDS_MAX 16         /* of one machine */
#define CHART_PLAN_WORLD_MAX (1L << 20) /* cards in all */

enum plan_order { PLAN_TP_DP_PP, PLAN_TP_PP_DP };

struct chart_plan {
    const char *id, *title, *description; /* as in chart_text */
    const char *machine;                  /* "machine {n}" */
    const char *alike;                    /* "{n} more machines with the same stages" */
    const char *others;                   /* "{n} more machines" */
    const char *stage;                    /* "stage {n}": the letter goes there */
    const char *replica;                  /* "{n} data-parallel replicas" */
    const char *tensor;                   /* "tensor-parallel group of {n} cards" */
    long machines, cards;                 /* cards of one machine */
    long tp, pp, dp;
    enum plan_order order;
};

/* False, and nothing is written, unless tp x pp x dp are all cards of all machines and within the
 * limits above. */
bool chart_plan_write(struct buf *out, const struct chart_plan *plan, enum chart_size size);
