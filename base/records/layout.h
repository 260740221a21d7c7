/*
 * layout: into how many ranks a run was divided, on how many machines and cards and by which plan,
 * as each of those says it that know something about it.
 *
 * The sources stand in the order in which they are believed: what the user said, what a launcher
 * said, what the framework printed, the logs of ranks, the cards that were busy. Of each size the
 * first source that says it counts; what the others say beside it is a contradiction to be told.
 *
 * run.json keeps it as "layout": [{"source": "--ranks", "ranks": 8}, …].
 */
#pragma once

#include "base/arena.h"
#include "base/json/json.h"

enum layout_size {
    LAYOUT_RANKS, /* all */
    LAYOUT_NODES,
    LAYOUT_CARDS, /* all */
    LAYOUT_TENSOR,
    LAYOUT_PIPELINE,
    LAYOUT_CONTEXT,
    LAYOUT_CHUNKS,
    LAYOUT_DATA,
    LAYOUT_SIZES
};

#define LAYOUT_SIZE_MAX 1000000
#define LAYOUT_SOURCES_MAX 64

/* Sources that are in the evidence itself, where whoever verifies a run asks them again. */
#define LAYOUT_BY_LOG "log"
#define LAYOUT_BY_RANK_LOGS "rank logs"
#define LAYOUT_BY_MONITORS "busy cards"

struct layout_source {
    const char *name;             /* "--ranks", "WORLD_SIZE", "torchrun --nproc-per-node", "log" */
    long long size[LAYOUT_SIZES]; /* 0: not said */
};

struct layout {
    struct layout_source *items;
    size_t n;
};

/* Behind the others, when it says anything. The plan of a source that names tensor or pipeline
 * ranks, and data ranks, says how many ranks there are. */
void layout_add(struct layout *l, const struct layout_source *source, struct arena *arena);

/* What counts. Ranks, cards (`ranks_per_card` ranks each) and data ranks follow from each other
 * where only one of them is said; without a plan every rank is a replica. Sizes of a plan that
 * nobody says stay 0. */
void layout_resolve(const struct layout *l, long long ranks_per_card, struct layout_source *out);

/* Does anybody say how the model is divided? */
bool layout_has_plan(const struct layout_source *resolved);

/* "TP4PP1DP2", with CP and VP where they are above 1. */
const char *layout_plan_text(const struct layout_source *resolved, struct arena *arena);

/* "number of ranks: --ranks says 4, log says 8", from *i = 0 on; NULL: there are no more. */
const char *layout_contradiction(const struct layout *l, size_t *i, struct arena *arena);

void layout_write(const struct layout *l, const char *key, struct json_writer *w);

/* From run.json's value; what is none of ours is passed over. False: it has no such list. */
bool layout_read(const struct json *list, struct arena *arena, struct layout *out);
