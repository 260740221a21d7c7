/*
 * checkout: the configuration files of one result in a FlagPerf checkout.
 *
 *   <checkout>/training/<vendor>/<case>/config/config_A100x1x8.py     seqlength = 4096 …
 *                                              ds_config.json         gradient_accumulation_steps
 *
 * The checkout is the one that the project names, else the one that the page itself lies in. It
 * belongs to somebody else and is data: files are read up to a limit and never executed. Of Python
 * only assignments at the start of a line count, `name = value` or `name: type = value`, whose
 * value is a number or a product of numbers; `from config_common import *` brings those of that
 * file of the same folder. What is written in another way has no value here, and a value that is
 * not known contradicts nobody.
 */
#pragma once

#include "verifier/claims/audit.h"

#define CHECKOUT_FILE_MAX ((size_t)256 << 10)
#define CHECKOUT_FILES_MAX 200

struct checkout {
    const char *folder; /* …/config */
    const char **files; /* names of the regular files in it, sorted */
    size_t n_files;
    struct bytes *texts; /* of the files; {NULL, 0}: one cannot be taken */
};

/* False when there is no checkout, or no such folder in it. A machine that cannot read one is said
 * in the verdict. */
bool checkout_open(const struct audit *a, struct checkout *out);

/* The same, read now, for audit.checkout; NULL. */
const struct checkout *checkout_keep(const struct audit *a);

/* As the page spells it: with or without ".py". */
bool checkout_has(const struct checkout *c, const char *file, struct arena *arena);

/* The one configuration of this many nodes and cards, or of as many devices where a card shows
 * `ranks` of them; NULL when there is none or more than one. */
const char *checkout_of_size(const struct checkout *c, long nodes, long cards, long ranks,
                             struct arena *arena);

/* What the file sets for a batch size ("LBS", "MPE", "GAS", "GBS", "TP", "PP"); NaN when it does
 * not, or not as a number. *name is what the file calls it. */
double checkout_value(const struct checkout *c, const char *file, const char *symbol,
                      const char **name);
