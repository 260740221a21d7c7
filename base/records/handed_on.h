/*
 * handed_on: what a worker (base/process/worker.h) hands on beside records, as shapes: a curve, the
 * facts of a fingerprint, diagnostics, who says how many ranks there were, figures that were made.
 *
 * Whoever takes them believes nothing (shape_take): steps of a curve rise strictly and its lists
 * are of one length; each fact has a value or a reason.
 */
#pragma once

#include "base/json/shape.h"

extern const struct shape
    figure_shape; /* struct figure (base/figures/figure.h) of a number or flag */
extern const struct shape curve_shape;  /* struct curve (base/records/verdict.h) */
extern const struct shape facts_shape;  /* struct facts, with what was measured */
extern const struct shape diags_shape;  /* struct diags, but for its arena */
extern const struct shape layout_shape; /* struct layout_source (base/records/layout.h) */

/* Names of enum severity, by number. */
extern const char *const severity_names[];
