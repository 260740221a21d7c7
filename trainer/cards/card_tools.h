/*
 * card_tools: the vendors' own tools, as one const table: what to ask them for FlagPerf's monitor
 * file and for the fingerprint, and where in their output the facts stand (line_pattern.h).
 *
 * Output is what somebody else's program printed: it is capped before it comes here (tool.h), every
 * line by itself, and a value by CARD_VALUE_MAX; nothing in it is taken for a length or a number of
 * lines to come. What no pattern finds is not known. Which layouts were seen on hardware, and which
 * are only known from what others published, is said in tests/data/tools/README.md.
 */
#ifndef TRAINER_CARDS_CARD_TOOLS_H
#define TRAINER_CARDS_CARD_TOOLS_H

#include "base/arena.h"
#include "trainer/cards/accelerator.h"

#define CARD_TOOLS_MAX 32 /* of the table */
#define CARD_PICKS 5
#define CARD_ROWS_MAX 16
#define CARD_VALUE_MAX 120
#define CARDS_MAX 1024 /* of one output */

/* A fact and where it stands. Of one fact the first row that fits a line counts for it. */
struct card_row {
    enum fact_id fact;
    const char *pattern;
};

struct card_tool {
    const char *vendor, *file; /* monitor file */
    const char *argv[4];       /* for it */
    const char *ask[4];        /* for the fingerprint; ask[0] NULL: the same */
    /* Fields (from 1) of each line that holds "Default", for tools that print nvidia-smi's
     * table: temperature, power, used, total, use. All 0: the whole output is kept. */
    int picks[CARD_PICKS];
    enum fact_id counts; /* the fact with which a card begins */
    const char *index;   /* or where each line says its card: a pattern; NULL */
    const char *not_of;  /* words in the output where the cards are another vendor's; NULL */
    bool one_firmware;   /* said once, for all cards */
    struct card_row rows[CARD_ROWS_MAX];
};

const struct card_tool *card_tools(size_t *n);

/* What is run for the fingerprint. */
const char *const *card_tool_question(const struct card_tool *t);

/* Puts what the output says into `out`, the rest of which stays as it is. Values of several cards
 * as nvml.h has them; a card of which anything is said is counted. False when it says nothing at
 * all, or is about cards of somebody else. */
bool card_tool_read(const struct card_tool *t, const char *output, struct arena *arena,
                    struct accelerator_facts *out);

#endif
