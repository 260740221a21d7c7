#include "base/cards/sample_blocks.h"

#include "base/cards/sample_columns.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const struct section_name {
    const char *section, *name;
    enum card_field_id field;
} section_names[] = {
    {"FB Memory Usage", "Total", CARD_MEMORY_MIB},
    {"FB Memory Usage", "Used", CARD_USED_MIB},
    {"Utilization", "Gpu", CARD_BUSY},
    {"Utilization", "GPU", CARD_BUSY},
    {"Temperature", "Gpu", CARD_CELSIUS}, /* of old drivers */
    {"Temperature", "GPU Current Temp", CARD_CELSIUS},
    {"Power Readings", "Power Draw", CARD_WATTS},
    {"GPU Power Readings", "Power Draw", CARD_WATTS},
    {"GPU Power Readings", "Average Power Draw", CARD_WATTS},
    {"GPU Power Readings", "Instantaneous Power Draw", CARD_WATTS},
    {"Clocks", "SM", CARD_SM_MHZ},
    {"Clocks", "Memory", CARD_MEMORY_MHZ},
};

/* Of one field the first name that the card has a reading of counts. */
static const struct section_name amd_smi_names[] = {
    {"metric", "gfx_activity", CARD_BUSY},
    {"metric", "total_vram", CARD_MEMORY_MIB},
    {"metric", "used_vram", CARD_USED_MIB},
    {"metric", "socket_power", CARD_WATTS},
    {"metric", "current_socket_power", CARD_WATTS},
    {"metric", "average_socket_power", CARD_WATTS},
    {"metric", "hotspot", CARD_CELSIUS},
    {"metric", "edge", CARD_CELSIUS},
    {"monitor", "gfx", CARD_BUSY},
    {"monitor", "vram_total", CARD_MEMORY_MIB},
    {"monitor", "vram_used", CARD_USED_MIB},
    {"monitor", "power_usage", CARD_WATTS},
    {"monitor", "hotspot_temperature", CARD_CELSIUS},
};

static void open_block(struct sample_blocks *b, const char *vendor, double card, int line)
{
    for (size_t i = 0; i < CARD_FIELDS; i++)
        b->now.value[i] = NAN;
    b->now.value[CARD_NUMBER] = card;
    b->vendor = vendor;
    b->begins = line;
    b->section = (struct span){NULL, 0};
    b->depth = 0;
}

bool sample_blocks_end(struct sample_blocks *b, struct card_reading *out, const char **vendor)
{
    bool has_reading = false;
    for (size_t i = 0; b->vendor && i < CARD_FIELDS; i++)
        has_reading = has_reading || (i != CARD_NUMBER && isfinite(b->now.value[i]));
    *out = b->now;
    *vendor = b->vendor;
    b->line = b->begins;
    b->vendor = NULL;
    return has_reading;
}

/* --- nvidia-smi -q --- */

/* "0000:01:00.0", and nothing else. */
static bool is_bus_place(struct span s)
{
    size_t colons = 0, points = 0;
    for (size_t i = 0; i < s.n; i++) {
        colons += s.p[i] == ':';
        points += s.p[i] == '.';
        if (s.p[i] != ':' && s.p[i] != '.' && !isxdigit((unsigned char)s.p[i]))
            return false;
    }
    return colons == 2 && points == 1;
}

static enum card_line read_section_line(struct sample_blocks *b, struct span line)
{
    struct span rest = line, name = span_trim(span_cut(&rest, ':'));
    if (name.n == line.n) {
        b->section = line;
        return CARD_LINE_OTHER;
    }
    for (size_t i = 0; i < sizeof section_names / sizeof *section_names; i++) {
        const struct section_name *x = &section_names[i];
        double value;
        if (!span_is(name, x->name) || !span_is(b->section, x->section) ||
            !sample_cell_read(span_trim(rest), x->field, &value))
            continue;
        if (isfinite(value) || x->field != CARD_WATTS) /* of which there are two */
            b->now.value[x->field] = value;
        return CARD_LINE_MORE;
    }
    return CARD_LINE_OTHER;
}

/* --- amd-smi metric --- */

/* A reading of the card; NULL: this is none, or another name has said it. */
static double *amd_smi_reading(struct sample_blocks *b, struct span name, double number)
{
    for (size_t i = 0; isfinite(number) && i < sizeof amd_smi_names / sizeof *amd_smi_names; i++) {
        double *to = &b->now.value[amd_smi_names[i].field];
        if (sample_name_is(name, amd_smi_names[i].name))
            return isnan(*to) || sample_name_is(name, "hotspot") ? to : NULL;
    }
    return NULL;
}

/* "SOCKET_POWER: 20 W" below "GPU: 0". */
static enum card_line read_amd_smi_line(struct sample_blocks *b, struct span line)
{
    struct span rest = line, name = span_trim(span_cut(&rest, ':'));
    double number;
    if (!sample_cell_read(span_trim(rest), CARD_WATTS, &number))
        return CARD_LINE_OTHER;
    double *to = amd_smi_reading(b, name, number);
    if (to)
        *to = number;
    return CARD_LINE_MORE;
}

static bool is_amd_smi_card(struct span line, double *card)
{
    struct span number = span_from(line, sizeof "GPU: " - 1);
    return span_starts(line, "GPU: ") && number.n && span_number(number, card) == number.n;
}

/* --- rocm-smi --json, amd-smi --json --- */

/* "card0": the number; NaN. */
static double card_of_key(struct span key)
{
    double card = NAN;
    struct span digits = span_from(key, sizeof "card" - 1);
    if (!span_starts(key, "card") || !digits.n || !isdigit((unsigned char)digits.p[0]))
        return NAN;
    return span_number(digits, &card) == digits.n ? card : NAN;
}

/* The string that begins *s; false: no colon is behind it, so that it is none of a member. */
static bool next_key(struct span *s, struct span *key)
{
    struct span rest = span_from(*s, 1);
    *key = span_cut(&rest, '"');
    *s = span_trim(rest);
    if (!span_starts(*s, ":"))
        return false;
    *s = span_trim(span_from(*s, 1));
    return true;
}

/* The member "gpu": 0 of amd-smi opens a card; the object around it ends it. */
static bool open_numbered_card(struct sample_blocks *b, struct span key, struct span *s, int line,
                               struct card_reading *out, const char **vendor, bool *ended)
{
    double card;
    size_t n = span_number(*s, &card);
    if (!span_is(key, "gpu") || !n)
        return false;
    *s = span_from(*s, n);
    *ended = sample_blocks_end(b, out, vendor);
    open_block(b, "amd", card, line);
    b->depth = 1;
    return true;
}

static void take_json_value(struct sample_blocks *b, struct span key, struct span *s)
{
    struct sample_column column;
    struct span rest = *s, value;
    double number = NAN;
    if (span_starts(*s, "\"")) {
        rest = span_from(*s, 1);
        value = span_trim(span_cut(&rest, '"'));
    } else {
        value = (struct span){s->p, span_number(*s, &number)};
        rest = span_from(*s, value.n);
    }
    if (span_starts(*s, "{"))
        b->section = key;
    else if (span_is(key, "unit")) {
        if (b->in_unit && span_is(value, "GB"))
            *b->in_unit *= 1024;
        b->in_unit = NULL;
    } else {
        /* "used_vram": {"value": 26, "unit": "MB"}, or "used_vram": 26. */
        double *to = amd_smi_reading(b, span_is(key, "value") ? b->section : key, number);
        if (to)
            *to = number;
        b->in_unit = to;
    }
    *s = rest;
    if (!sample_column_find(key, &column) || !column.vendor || *column.vendor != 'a' ||
        column.field == CARD_NUMBER || !isnan(b->now.value[column.field]) ||
        !sample_cell_read(value, column.field, &number))
        return;
    b->now.value[column.field] = number * column.scale;
}

static enum card_line read_json(struct sample_blocks *b, struct span *s, int line,
                                struct card_reading *out, const char **vendor)
{
    enum card_line found = CARD_LINE_OTHER;
    struct span key;
    bool ended = false;
    while (s->n) {
        char c = s->p[0];
        if (c != '"')
            *s = span_from(*s, 1);
        b->depth += (c == '{') - (c == '}');
        if (c == '}' && b->vendor && b->depth <= 0 && sample_blocks_end(b, out, vendor))
            return CARD_LINE_CARD;
        if (c != '"' || !next_key(s, &key))
            continue;
        if (open_numbered_card(b, key, s, line, out, vendor, &ended)) {
            if (ended)
                return CARD_LINE_CARD;
        } else if (span_starts(*s, "{") && isfinite(card_of_key(key)))
            open_block(b, "amd", card_of_key(key), line);
        else if (b->vendor)
            take_json_value(b, key, s);
        found = b->vendor ? CARD_LINE_MORE : found;
    }
    return found;
}

enum card_line sample_blocks_read(struct sample_blocks *b, struct span *line, int number,
                                  struct card_reading *out, const char **vendor)
{
    struct span whole = *line;
    bool json = whole.n && (whole.p[0] == '{' || whole.p[0] == '[' || whole.p[0] == '"' ||
                            whole.p[0] == '}' || whole.p[0] == ','); /* of which a part was read */
    if (json)
        return read_json(b, line, number, out, vendor);
    *line = span_from(whole, whole.n);
    if (span_starts(whole, "GPU ") && is_bus_place(span_from(whole, sizeof "GPU " - 1))) {
        bool ended = sample_blocks_end(b, out, vendor);
        bool again = b->cards && whole.n == b->first.n && !memcmp(whole.p, b->first.p, whole.n);
        if (!b->cards || again) {
            b->first = whole;
            b->cards = 0;
        }
        open_block(b, "nvidia", (double)b->cards++, number);
        return ended ? CARD_LINE_CARD : CARD_LINE_MORE;
    }
    double card;
    if (is_amd_smi_card(whole, &card)) {
        bool ended = sample_blocks_end(b, out, vendor);
        open_block(b, "amd", card, number);
        return ended ? CARD_LINE_CARD : CARD_LINE_MORE;
    }
    if (b->vendor && *b->vendor == 'a')
        return read_amd_smi_line(b, whole);
    return b->vendor ? read_section_line(b, whole) : CARD_LINE_OTHER;
}
