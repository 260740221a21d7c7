/*
 * card_tool: the vendors' own tools, one const row each: what is run for a monitor's sample and for
 * the fingerprint, and what stands where in the output.
 *
 * The trainer runs them (trainer/cards/), the verifier reads what monitors kept of them
 * (verifier/runs/monitor.h); both read these rows. A tool is one file, which exports its row, and
 * one line in table.c.
 *
 * What stands where is said by patterns (base/lines/pattern.h) with the fields of card_fields[]:
 *
 *   driver runtime firmware serial uuid   words; model is a text
 *   card                                  the number of the card
 *   celsius watts power_limit             °C, W
 *   used memory used_share                MiB in use, MiB of the card, percent in use
 *   busy                                  utilisation in percent
 *   sm_mhz memory_mhz                     clocks
 *
 * Output is what somebody else's program printed: it is capped before it comes here
 * (trainer/cards/tool.h), every line by itself, and a value by CARD_VALUE_MAX; nothing in it is
 * taken for a length or a number of lines to come. What no pattern finds is not known. Which
 * layouts were seen on hardware, and which are only known from what others published, is said in
 * tests/data/tools/README.md.
 */
#pragma once

#include "base/lines/pattern.h"
#include "base/records/facts.h"

#include <stdbool.h>

enum card_field_id {
    CARD_DRIVER,
    CARD_RUNTIME,
    CARD_FIRMWARE,
    CARD_MODEL,
    CARD_SERIAL,
    CARD_UUID,
    CARD_NUMBER,
    CARD_CELSIUS,
    CARD_WATTS,
    CARD_POWER_LIMIT,
    CARD_USED_MIB,
    CARD_MEMORY_MIB,
    CARD_USED_SHARE, /* percent */
    CARD_BUSY,       /* percent */
    CARD_SM_MHZ,
    CARD_MEMORY_MHZ,
    CARD_FIELDS
};

/* The fact of a fingerprint that each field is; FACT_KINDS: none. */
extern const enum fact_id card_field_facts[CARD_FIELDS];
extern const struct pattern_names card_fields;

#define CARD_ARGUMENTS_MAX 9 /* the program, its arguments, NULL */
#define CARD_FILES_MAX 2
#define CARD_PICKS 5
#define CARD_FACT_LINES_MAX 16
#define CARD_SAMPLE_LINES_MAX 5
#define CARD_VALUE_MAX 120
#define CARD_LINE_MAX 1000 /* longer lines say nothing */
#define CARDS_MAX 1024     /* of one output */

struct card_tool {
    const char *vendor;                   /* as records call it */
    const char *files[CARD_FILES_MAX];    /* monitor files; the first one is written */
    const char *argv[CARD_ARGUMENTS_MAX]; /* for the monitor; argv[0] NULL: nothing is run */
    const char *ask[CARD_ARGUMENTS_MAX];  /* for the fingerprint; ask[0] NULL: the same */

    /* For the fingerprint: lines of the output that say facts. Of one fact the first pattern counts
     * that finds it in a line; of a number, the whole part. A card begins with the fact `begins`,
     * or with a fact that is said again; or each line says its {card} (`by_number`). */
    const char *facts[CARD_FACT_LINES_MAX];
    enum fact_id begins;
    bool by_number;
    bool one_firmware;  /* said once, for all cards */
    const char *not_of; /* words in the output where the cards are another vendor's; NULL */

    /* For the monitor: a line of each card begins with one of `cards`; `more` is another line, in
     * front of it. The first pattern that describes a line counts. */
    const char *cards[CARD_SAMPLE_LINES_MAX], *more[CARD_SAMPLE_LINES_MAX];
    /* Fields (from 1) of each line that holds "Default", for tools that print nvidia-smi's table:
     * temperature, power, used, total, use: what FlagPerf keeps of them. All 0: the whole output is
     * kept. */
    int picks[CARD_PICKS];
    bool paired; /* two ranks on a card, whose power stands on the odd ones */
    bool dump;   /* a table with headings and rules: other lines are no fault */
    bool summed; /* the monitor keeps a line of each card in our own form (declared.h) */
};

/* In the order in which they are looked for; ends with NULL. */
extern const struct card_tool *const card_tools[];
#define CARD_TOOLS_MAX 32 /* of the table */

/* Tables of tools as they are printed, whose lines are looked for in any monitor's file, and in
 * files without such a name (sample_tables.c). Ends with NULL. */
extern const struct card_tool *const card_tables[];

/* The row whose monitor writes a file of this name, or NULL. Names of declared tools only end so.
 */
const struct card_tool *card_tool_of_file(const char *base);

/* What a line of a sample says; a field that it does not say, and one that is not known, is NaN. */
struct card_reading {
    double value[CARD_FIELDS];
};

/* The patterns of a row, compiled; a NULL ends a list. */
struct card_lines {
    struct pattern_set *cards, *more, *facts;
};

/* ERR_INPUT and the place in the pattern, when a pattern cannot be compiled. A test compiles all.
 */
int card_lines_compile(const struct card_tool *t, struct arena *arena, struct card_lines *out,
                       struct err *err);

/* What the lines of a sample have said so far. */
struct card_sample {
    struct card_reading more; /* of the card whose line comes next, or came last */
    bool has_more;
};

enum card_line { CARD_LINE_OTHER, CARD_LINE_MORE, CARD_LINE_CARD };

/* What a line of a sample, which is trimmed, is. With the line of a card *out is what it says, and
 * what the line in front of it said. */
enum card_line card_sample_read(struct card_sample *s, const struct card_lines *lines,
                                struct span line, struct card_reading *out);
