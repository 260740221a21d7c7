/* environment_cards: the cards that the environment names, and whose they can be. */
#ifndef VERIFIER_CHECKS_MACHINE_ENVIRONMENT_CARDS_H
#define VERIFIER_CHECKS_MACHINE_ENVIRONMENT_CARDS_H

#include "verifier/claims/audit.h"

/* "A", or "A and B". */
const char *environment_card_names(const struct audit *a);

/* Who submits without cards of its own in the records runs on those of others. A processor is no
 * card: it has no driver. */
bool environment_vendor_makes_cards(const struct audit *a);

#endif
