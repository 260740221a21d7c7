/* product_of: the matrix product that was measured in the precision of a run. */
#pragma once

#include "base/arena.h"
#include "base/records/measured.h"

/* By a precision as rows state it: "bf16", "fp16,…", "amp", which is bf16; NULL. */
const struct measure *product_of(const struct measured *m, const char *precision,
                                 struct arena *arena);
