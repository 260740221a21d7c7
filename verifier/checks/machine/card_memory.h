/* card_memory: how much memory a card has, by the page and by the records. */
#pragma once

#include "verifier/claims/audit.h"

/* GiB printed as GB, or the other way round: 2^30 / 10^9. */
#define GIB_PER_GB 1.0737

/* Memory of the claim's card in GB: by the environment's words, else by the card's record. */
double card_memory(const struct audit *a, const struct claim *c, const char **source);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words card_memory_messages[];
