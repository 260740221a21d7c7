/*
 * mlperf: what pages about MLPerf Training share; an accelerator's page lists its scores.
 *
 * Everything is read from the records (base/records/mlperf_record.h) in their order, by path:
 * round, package, system. A page of its own has each round, each benchmark of a round, each package
 * of a round, and each directory of runs (a score). Rows of these pages stand in no list of rows of
 * cases: results of cases and of MLPerf are never ranked with each other.
 */
#pragma once

#include "base/project/project.h"
#include "renderer/charts/scatter.h"
#include "renderer/site/sheet/kind.h"

/* One benchmark of one system. */
struct mlperf_place {
    const struct mlperf_record *record;
    const struct mlperf_score_record *score;
};

/* All scores, in the order of the records; of one round, one package or one benchmark where those
 * are not NULL. */
struct mlperf_places {
    struct mlperf_place *items;
    size_t n;
};
struct mlperf_places mlperf_places_of(const struct project *p, const char *round,
                                      const char *package, const char *benchmark,
                                      struct arena *arena);

/* The minutes of a score; NaN: it has none. */
double mlperf_minutes(const struct mlperf_score_record *score);

/* Verified: its sealed logs give the minutes that are stated; failed: they do not, or are not
 * there; unverified: none are sealed. */
enum state mlperf_score_state(const struct mlperf_score_record *score);

/* Paths below the language, "mlperf/v5.1/index.html" … */
const char *mlperf_round_path(const char *round, struct arena *arena);
const char *mlperf_benchmark_path(const char *round, const char *benchmark, struct arena *arena);
const char *mlperf_package_path(const char *round, const char *package, struct arena *arena);
const char *mlperf_score_path(const struct mlperf_place *place, struct arena *arena);

/* {"rounds": are there several, "rows": [{"system", "path", "round", "submitter", "submitter_path",
 * "benchmark", "benchmark_path", "division", "availability", "accelerator", "accelerators",
 * "minutes", "samples", "factor", "efficiency", "errors", "warnings", "state" …
 * (sheet.h)}]}; figures that are not there
 * are "". Efficiency is that of the submitter's systems with the same accelerator: the least of
 * them is 100
 * %. */
void mlperf_set_rows(struct sheet *s, struct view *v, const struct mlperf_places *places);

/* The same of all scores on this accelerator, in an object "mlperf" of the page with the line about
 * the trademark; an empty list of them where there are none, or `a` is NULL. They are listed and
 * not ranked with the rows of cases. */
void mlperf_set_rows_of_card(struct sheet *s, const struct accelerator *a);

/* A drawing of scores over their number of accelerators, a series for each accelerator, or of
 * `joined` ones for each benchmark: raw HTML at `key`; "" of fewer than two points. */
enum mlperf_measure { MLPERF_MINUTES, MLPERF_SAMPLES };
void mlperf_set_scatter(struct sheet *s, struct view *v, const char *key,
                        const struct mlperf_places *places, enum mlperf_measure measure,
                        bool joined);

/* {"title" "description"} of a page, and the line about the trademark: {"round", "round_path"}. */
void mlperf_set_page(struct sheet *s, const char *title, const char *round);

/* {key: [{"rule", "severity", "severity_word", "place", "message": pieces of it (sheet_set_said)}]}
 */
void mlperf_set_findings(struct sheet *s, struct view *v, const struct mlperf_score_record *score);
