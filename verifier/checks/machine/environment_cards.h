/* environment_cards: the cards that the environment names, and whose they can be. */
#pragma once

#include "verifier/claims/audit.h"

/* "A", or "A and B". */
const char *environment_card_names(struct audit *a);

/* Who submits without cards of its own in the records runs on those of others. A processor is no
 * card: it has no driver. */
bool environment_vendor_makes_cards(struct audit *a);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words environment_card_messages[];
