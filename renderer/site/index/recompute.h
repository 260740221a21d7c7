/*
 * site_recompute: does a row compute activations a second time instead of keeping them? It costs
 * time and saves memory, so that rows which differ in it differ in both (private to
 * renderer/site/).
 *
 * The row's own cells say so first ("recompute=True", "gradient_checkpointing: full"), then the
 * strategies of its page ("recompute-activations"), then the case, where fpreport itself trains.
 */
#pragma once

#include "renderer/site/index/index.h"

enum site_recompute {
    RECOMPUTE_UNSAID,
    RECOMPUTE_NONE,
    RECOMPUTE_SOME,
    RECOMPUTE_PART,
    RECOMPUTE_ALL
};

/* RECOMPUTE_SOME: it is used, and nobody says how. */
enum site_recompute site_recompute_of(const struct site_row *row);

/* In what rows must be alike before they may be compared, and what is only said
 * beside them; what each side of a comparison has of it, and whether that is the same (private to
 * renderer/site/).
 *
 * Values are those of data/, alike where they are the same text; pages say them in words
 * (sheet_criteria). */

enum site_criterion {
    CRITERION_CASE,
    CRITERION_PRECISION, /* the class of it */
    CRITERION_STAGE,
    CRITERION_FACTOR,
    CRITERION_SEQUENCE,
    /* These keep nothing apart. */
    CONDITION_RECOMPUTE,
    CONDITION_PRECISION, /* as the row says it */
};
#define SITE_CRITERIA (CRITERION_SEQUENCE + 1)
#define SITE_CONDITIONS (CONDITION_PRECISION + 1) /* and all criteria */

/* Its name in data: "precision_class". */
const char *site_criterion_name(enum site_criterion c);

/* What a row has: "16bit", "2048"; NULL: nobody says. */
const char *site_criterion_value(const struct site_row *row, enum site_criterion c,
                                 struct arena *arena);

/* One row for each value that rows of the result have, in the order of the page. `out` has room
 * for all rows of the result. */
size_t site_criterion_rows(const struct site_entry *e, enum site_criterion c, struct arena *arena,
                           const struct site_row **out);

/* PARTLY, of results: some rows of both are alike. UNKNOWN, of conditions: a side does not say, or
 * not well enough to tell. */
enum site_likeness { LIKENESS_UNKNOWN, LIKENESS_DIFFERENT, LIKENESS_PARTLY, LIKENESS_SAME };

enum site_likeness site_rows_alike(const struct site_row *a, const struct site_row *b,
                                   enum site_criterion c);
enum site_likeness site_results_alike(const struct site_compared *pair, enum site_criterion c);
