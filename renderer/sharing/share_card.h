/*
 * share_card: a picture of 1200 × 630 that shows what a link leads to: whose site, what page, and
 * the answer with its state. Text is Latin: what is not is left out. The same card has the same
 * bytes on one machine; its letters are those of the machine's sans serif.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/records/verdict.h"
#include "renderer/sharing/cairo_library.h"

#define SHARE_CARD_WIDTH 1200
#define SHARE_CARD_HEIGHT 630

struct share_card {
    const char *site;  /* its title */
    const char *kind;  /* "model" */
    const char *name;  /* "Llama 3 8B" */
    const char *said;  /* the answer, in up to three lines */
    const char *more;  /* one line below */
    const char *state; /* its word; NULL: it has none */
    enum state of;
};

/* Appends a PNG. */
int share_card_write(const struct cairo_library *cairo, const struct share_card *card,
                     struct buf *out, struct err *err);
