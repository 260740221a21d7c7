/*
 * site_places: what a verdict says of each row, found by the row's place (private to
 * renderer/site).
 *
 * A result may have thousands of rows, and pages ask for figures and errors of each: a walk through
 * the whole verdict for each row would make a build as slow as the square of its rows.
 */
#pragma once

#include "base/arena.h"
#include "base/records/verdict.h"

/* What is said of one row; of a place without row (0) what has that place. */
struct site_place {
    int table, row;
    const struct metric *const *metrics; /* in the order of the verdict */
    size_t n_metrics;
    const struct verdict_row *taken;  /* what the checks took it to be; NULL: it claims nothing */
    const struct check_result *error; /* its first error about the claims; NULL: none */
    bool contradicted;                /* has an error, about the claims or not */
};

struct site_places {
    const struct site_place *items; /* by table and row */
    size_t n;
    const struct check_result *whole; /* the first error about the claims that names no row; NULL */
    const struct check_result *other; /* the first that names one; NULL */
};

const struct site_places *site_places_of(const struct verdict *v, struct arena *arena);

/* NULL: nothing is said of it, or `places` is NULL. */
const struct site_place *site_place_find(const struct site_places *places, int table, int row);

/* The first figure of that name; NULL, also of no place. */
const struct metric *site_place_metric(const struct site_place *place, const char *name);
