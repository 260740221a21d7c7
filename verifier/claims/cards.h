/*
 * cards: are two names of a card the same card?
 *
 * Known cards are compared by record; "A100" is also the A100-SXM4-40GB, which contains its name.
 * Where a record does not tell, the spelling may; where that does not, it is unknown.
 */
#pragma once

#include "verifier/claims/audit.h"

enum identity { IDENTITY_SAME, IDENTITY_DIFFERENT, IDENTITY_UNKNOWN };

/* Two texts that may each name a known card. */
enum identity cards_compare(const struct project *p, const char *text, const char *other,
                            struct arena *arena);

/* Is the card called `name` one that the environment names? A known card of another vendor that
 * the environment does not name at all is different. */
enum identity cards_in_environment(const struct audit *a, const char *name);

/* The card of another vendor that a text names beside one of the page's own vendor
 * ("MXC500 A100"); NULL. */
const char *cards_foreign(const struct audit *a, const char *text);

/* Is it one of the page: of the environment, or of a row? */
enum identity cards_on_page(const struct audit *a, const char *name);

/* The spelling of a card of the environment from which the unknown `name` is one typing error
 * away; NULL. Digits count: A100 and A800 are two cards, BI-VV150 is none. */
const char *cards_misspelt(const struct audit *a, const char *name);

/* The spelling of a card of the result's vendor that an unknown text almost has: a word that is
 * one typing error away, or has two neighbours exchanged ("Ascend901A"), or a blank within a word
 * ("Atla s800T"); NULL. */
const char *cards_near(const struct audit *a, const char *text);

/* The GB that "64G", "80GB" or "(40G)" at text[*at] or behind it names; *at moves behind it. NaN at
 * the end. */
double cards_next_memory(const char *text, size_t *at);

/* The memory that a text names, in GB; NaN when none or several. */
double cards_named_memory(const char *text);
