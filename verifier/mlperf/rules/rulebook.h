/*
 * rulebook: the rule files and reference convergence points that are installed, by round.
 *
 *   FOLDER/rules/training_5.1.0.json     ruleset.h
 *   FOLDER/rcps/training_5.1.0.json      score/rcp_points.h
 *
 * A file is read when its round is first asked for.
 */
#pragma once

#include "verifier/mlperf/rules/ruleset.h"

struct mlperf_round_rules {
    const char *version;                /* "5.1.0" */
    const struct mlperf_ruleset *rules; /* NULL: not read yet */
};

struct mlperf_rulebook {
    const char *folder;
    struct mlperf_round_rules *rounds; /* oldest first */
    size_t n_rounds;
    struct arena *arena;
};

/* Lists the rounds; -1 where there are none. */
int mlperf_rulebook_open(const char *folder, struct arena *arena, struct mlperf_rulebook *out,
                         struct err *err);

/* How a round was found. */
enum mlperf_chosen { CHOSEN_BY_OPTION, CHOSEN_BY_PATH, CHOSEN_AS_NEWEST };

/* The round that is `wanted`, else the one that the path names ("v5.1" in it), else the newest.
 * NULL: `wanted` is none of them. */
struct mlperf_round_rules *mlperf_rulebook_choose(struct mlperf_rulebook *book, const char *wanted,
                                                  const char *path, enum mlperf_chosen *how);

/* "4.0.0, 4.1.0, 5.0.0" */
const char *mlperf_rulebook_versions(const struct mlperf_rulebook *book);

/* Reads the rules of a round; NULL after diagnostics. */
const struct mlperf_ruleset *mlperf_rulebook_rules(struct mlperf_rulebook *book,
                                                   struct mlperf_round_rules *round,
                                                   struct diags *diags);

/* The newest round that has this benchmark; NULL: none. Reads the rules of rounds, the newest
 * first.
 */
const char *mlperf_rulebook_round_of(struct mlperf_rulebook *book, const char *benchmark,
                                     struct diags *diags);
