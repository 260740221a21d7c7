#include "base/cards/card_tool.h"

#include "base/cards/declared.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static const struct pattern_name names[CARD_FIELDS] = {
    [CARD_DRIVER] = {"driver", PATTERN_WORD},
    [CARD_RUNTIME] = {"runtime", PATTERN_WORD},
    [CARD_FIRMWARE] = {"firmware", PATTERN_WORD},
    [CARD_MODEL] = {"model", PATTERN_TEXT},
    [CARD_SERIAL] = {"serial", PATTERN_WORD},
    [CARD_UUID] = {"uuid", PATTERN_WORD},
    [CARD_NUMBER] = {"card", PATTERN_READING},
    [CARD_CELSIUS] = {"celsius", PATTERN_READING},
    [CARD_WATTS] = {"watts", PATTERN_READING},
    [CARD_POWER_LIMIT] = {"power_limit", PATTERN_READING},
    [CARD_USED_MIB] = {"used", PATTERN_READING},
    [CARD_MEMORY_MIB] = {"memory", PATTERN_READING},
    [CARD_USED_SHARE] = {"used_share", PATTERN_READING},
    [CARD_BUSY] = {"busy", PATTERN_READING},
    [CARD_SM_MHZ] = {"sm_mhz", PATTERN_READING},
    [CARD_MEMORY_MHZ] = {"memory_mhz", PATTERN_READING},
};

const struct pattern_names card_fields = {names, CARD_FIELDS};

const enum fact_id card_field_facts[CARD_FIELDS] = {
    [CARD_DRIVER] = FACT_ACCELERATOR_DRIVER,
    [CARD_RUNTIME] = FACT_ACCELERATOR_RUNTIME,
    [CARD_FIRMWARE] = FACT_ACCELERATOR_FIRMWARE,
    [CARD_MODEL] = FACT_ACCELERATOR_MODEL,
    [CARD_SERIAL] = FACT_ACCELERATOR_SERIAL,
    [CARD_UUID] = FACT_ACCELERATOR_UUID,
    [CARD_NUMBER] = FACT_ACCELERATOR_COUNT,
    [CARD_CELSIUS] = FACT_ACCELERATOR_TEMPERATURE,
    [CARD_WATTS] = FACT_KINDS,
    [CARD_POWER_LIMIT] = FACT_ACCELERATOR_POWER_LIMIT,
    [CARD_USED_MIB] = FACT_ACCELERATOR_MEMORY_USED,
    [CARD_MEMORY_MIB] = FACT_ACCELERATOR_MEMORY,
    [CARD_USED_SHARE] = FACT_KINDS,
    [CARD_BUSY] = FACT_KINDS,
    [CARD_SM_MHZ] = FACT_KINDS,
    [CARD_MEMORY_MHZ] = FACT_KINDS,
};

const struct card_tool *card_tool_of_file(const char *base)
{
    for (size_t i = 0; card_tools[i]; i++)
        for (size_t k = 0; k < CARD_FILES_MAX && card_tools[i]->files[k]; k++)
            if (card_tools[i]->cards[0] && strcmp(base, card_tools[i]->files[k]) == 0)
                return card_tools[i];
    return text_ends(base, DECLARED_FILE_END) ? &card_tool_declared : NULL;
}

static int compile(const char *const *texts, size_t max, struct arena *arena,
                   struct pattern_set **out, struct err *err)
{
    size_t n = 0;
    while (n < max && texts[n])
        n++;
    return pattern_set_new(texts, n, &card_fields, arena, out, err);
}

int card_lines_compile(const struct card_tool *t, struct arena *arena, struct card_lines *out,
                       struct err *err)
{
    *out = (struct card_lines){NULL, NULL, NULL};
    if (compile(t->cards, CARD_SAMPLE_LINES_MAX, arena, &out->cards, err) < 0 ||
        compile(t->more, CARD_SAMPLE_LINES_MAX, arena, &out->more, err) < 0)
        return -1;
    return compile(t->facts, CARD_FACT_LINES_MAX, arena, &out->facts, err);
}

static bool read_card_line(const struct pattern_set *lines, struct span line,
                           struct card_reading *out)
{
    struct pattern_found f;
    if (pattern_set_match(lines, line, 0, &f) == PATTERN_NONE)
        return false;
    for (size_t i = 0; i < CARD_FIELDS; i++)
        out->value[i] = pattern_number(&f, i);
    return true;
}

enum card_line card_sample_read(struct card_sample *s, const struct card_lines *lines,
                                struct span line, struct card_reading *out)
{
    if (line.n <= CARD_LINE_MAX && read_card_line(lines->cards, line, out)) {
        /* What the other line of the card said, where this one is silent. */
        for (size_t i = 0; i < CARD_FIELDS && s->has_more; i++)
            if (isnan(out->value[i]))
                out->value[i] = s->more.value[i];
        s->has_more = false;
        return CARD_LINE_CARD;
    }
    if (line.n > CARD_LINE_MAX || !read_card_line(lines->more, line, &s->more))
        return CARD_LINE_OTHER;
    s->has_more = true;
    return CARD_LINE_MORE;
}
