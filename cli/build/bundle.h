/*
 * build_bundles: for each result what its verdict was made of, in one file beside its page
 * (base/project/bundle.h), so that `fpreport verify` of that file alone gives the verdict again.
 *
 * In it are of the records those that the verdict can have used: the vendors, accelerators and
 * models that the record or its evidence names, its case, and other results of the case or that a
 * finding names. Evidence is what the site publishes: what the archive's log withholds is in no
 * bundle. The same build gives the same bytes.
 */
#pragma once

#include "cli/build/build.h"

/* Emit that of each result which has one. */
int build_bundles(struct build *b, struct err *err);
