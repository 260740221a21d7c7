/*
 * cells: what the cells that are no figures say.
 *
 *   configuration     A100单机8卡（1x8）   C500四机32卡（4x8）（pretrain）   H100-55机440卡（55x8）
 *   parallel plan     TP8PP4DP1   PP2DP4EP4TP2   DP8         in any order
 *   hyperparameters   GAS=64(globalbs=2M tokens)   MPE=2048 LBS=3 recompute=True,(theoryflops=495T)
 *
 * The words and the bracket of a configuration are kept apart, because checking that they agree
 * is the point. K is 1024 and M 1024² where tokens are counted (where both readings can be meant
 * both are kept), and 10³, 10⁶ elsewhere. Everything
 * that a cell does not say is 0 (counts) or NaN (figures). Strings live in the arena.
 */
#pragma once

#include "base/arena.h"

struct configuration {
    const char *accelerator; /* as published, trimmed; "" when withheld or absent */
    long nodes, cards;       /* in words: 两机16卡 gives 2 and 16 (all or per node) */
    long by, of;             /* in the bracket: (2x8) gives 2 nodes of 8 cards */
    double card_memory;      /* "*80G" in the bracket, in GB */
    const char *stage;       /* "pretrain", "finetune" or another second bracket; NULL */
    const char *precision;   /* "(1x8)(fp16)", "A100 bf16 (1x8)": folded; NULL */
};

/* False when the cell is no configuration (a group line, a note). */
bool configuration_parse(const char *text, struct arena *arena, struct configuration *out);

/* All cards: from the bracket, else from the words; 0 when neither says. */
long configuration_cards(const struct configuration *c);

struct plan {
    long tensor, pipeline, data, expert, context; /* 0: not named */
};

/* The whole cell must be a plan. */
bool plan_parse(const char *text, struct arena *arena, struct plan *out);

/* A plan of at least two letters' groups anywhere in a text ("实施细节：PP4DP2TP8"). */
bool plan_find(const char *text, struct arena *arena, struct plan *out);

/* Ranks: TP * PP * DP * CP. Expert and sequence parallelism share the ranks of the others. */
long plan_world(const struct plan *p);

struct hyperparameters {
    double lbs, gas, mpe, gbs;   /* batch, accumulation, sequence length, global batch */
    double gbs_tokens;           /* the global batch in tokens */
    const char *gbs_tokens_text; /* as it is printed: "4.8M tokens"; NULL */
    double gbs_tokens_place;     /* one unit in its last printed place */
    double gbs_tokens_decimal;   /* the same count with K = 10³ and M = 10⁶; NaN for Ki and Mi */
    double theory_flops;         /* FLOP/s that the page divides by */
    const char *precision;       /* "数据精度=fp16", "precision: fp16", "LBS=4, fp16"; NULL */
};

/* Unknown keys are passed over. */
void hyperparameters_parse(const char *text, struct arena *arena, struct hyperparameters *out);

/* As text_fold, but numbers that stand apart stay so: "amdepyc7763_64-core", in which there is no
 * number 776364. */
const char *cells_fold_numbers(const char *text, struct arena *arena);

/* Does `part` stand in `text`, both folded so, where no number goes on at either end? "C500" is in
 * "MXC500", not in "MXC5000". Nothing stands everywhere. */
bool cells_hold(const char *text, const char *part);

/*
 * Does a word of `text` that tells a model from others stand in `name` (folded)? Such words have at
 * least three characters and a digit: "7742", "A100"; with `letters` also a letter: "A100", "C500".
 */
bool cells_share_designator(const char *text, const char *name, bool letters, struct arena *arena);

/* "config_A100x1x8.py" or "config_TP1PP1SH2SP8A10080Gx1x8": accelerator and nodes x cards. */
struct config_name {
    const char *accelerator;
    long nodes, cards;
};
bool config_name_parse(const char *text, struct arena *arena, struct config_name *out);

/* Is this one precision ("bf16", "amp"), in the form of text_fold()? */
bool precision_is_name(const char *s, size_t n);
