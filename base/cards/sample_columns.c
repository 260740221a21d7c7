#include "base/cards/sample_columns.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Lower case, without the unit in brackets and without the '#' or '*' of the first. */
static const struct column_name {
    const char *name;
    enum card_field_id field;
    const char *vendor; /* that alone names it so; NULL */
} column_names[] = {
    {"gpu", CARD_NUMBER, NULL},
    {"index", CARD_NUMBER, NULL},
    {"gpu_id", CARD_NUMBER, NULL},
    {"entity", CARD_NUMBER, "nvidia"},
    {"deviceid", CARD_NUMBER, "intel"},
    {"device", CARD_NUMBER, NULL},
    {"pwr", CARD_WATTS, "nvidia"},
    {"power", CARD_WATTS, NULL},
    {"power.draw", CARD_WATTS, NULL},
    {"power.draw.average", CARD_WATTS, "nvidia"},
    {"power.draw.instant", CARD_WATTS, "nvidia"},
    {"gpu power", CARD_WATTS, "intel"},
    {"average graphics package power", CARD_WATTS, "amd"},
    {"current socket graphics package power", CARD_WATTS, "amd"},
    {"temp", CARD_CELSIUS, "nvidia"},
    {"gtemp", CARD_CELSIUS, "nvidia"},
    {"tmptr", CARD_CELSIUS, "nvidia"},
    {"temperature.gpu", CARD_CELSIUS, NULL},
    {"temperature.aip", CARD_CELSIUS, "habana"},
    {"gpu_t", CARD_CELSIUS, "amd"},
    {"gpu_temp", CARD_CELSIUS, "amd"},
    {"gpu core temperature", CARD_CELSIUS, "intel"},
    {"temperature (sensor junction)", CARD_CELSIUS, "amd"},
    {"temperature (sensor edge)", CARD_CELSIUS, "amd"},
    {"fb", CARD_USED_MIB, "nvidia"},
    {"fbusd", CARD_USED_MIB, "nvidia"},
    {"memory.used", CARD_USED_MIB, NULL},
    {"vram_used", CARD_USED_MIB, "amd"},
    {"gpu memory used", CARD_USED_MIB, "intel"},
    {"memory.total", CARD_MEMORY_MIB, NULL},
    {"fbttl", CARD_MEMORY_MIB, "nvidia"},
    {"vram_total", CARD_MEMORY_MIB, "amd"},
    {"vram total memory", CARD_MEMORY_MIB, "amd"},
    {"vram total used memory", CARD_USED_MIB, "amd"},
    {"vram%", CARD_USED_SHARE, "amd"},
    {"gpu memory allocated", CARD_USED_SHARE, "amd"},
    {"gpu memory utilization", CARD_USED_SHARE, "intel"},
    {"sm", CARD_BUSY, "nvidia"},
    {"gputl", CARD_BUSY, "nvidia"},
    {"utilization.gpu", CARD_BUSY, NULL},
    {"utilization.aip", CARD_BUSY, "habana"},
    {"gfx%", CARD_BUSY, "amd"},
    {"gfx_util", CARD_BUSY, "amd"},
    {"gpu use", CARD_BUSY, "amd"},
    {"gpu utilization", CARD_BUSY, "intel"},
    {"pclk", CARD_SM_MHZ, "nvidia"},
    {"clocks.sm", CARD_SM_MHZ, "nvidia"},
    {"clocks.current.sm", CARD_SM_MHZ, "nvidia"},
    {"gfx_clk", CARD_SM_MHZ, "amd"},
    {"gfx_clock", CARD_SM_MHZ, "amd"},
    {"mclk", CARD_MEMORY_MHZ, "nvidia"},
    {"clocks.mem", CARD_MEMORY_MHZ, "nvidia"},
    {"mem_clock", CARD_MEMORY_MHZ, "amd"},
    {"dev", CARD_NUMBER, "enflame"},
    {"dtemp", CARD_CELSIUS, "enflame"},
    {"dused", CARD_BUSY, "enflame"},
    {"mused", CARD_USED_SHARE, "enflame"},
};

/* Names by which others mean something else: behind a column of this vendor alone. */
static const struct column_name ambiguous_names[] = {{"mem", CARD_MEMORY_MIB, "enflame"}};

/* Words that may stand behind a number in a column between blanks. */
static const char *const units[] = {"W", "°C", "C", "MHz", "%", "MB", "MiB", "GB", "MB/s", "Mb/s"};

static struct span next_column_word(struct span *s)
{
    size_t n = 0;
    *s = span_trim(*s);
    while (n < s->n && !text_is_blank(s->p[n]))
        n++;
    struct span word = {s->p, n};
    *s = span_from(*s, n);
    return word;
}

static bool is_sample_unit(struct span word)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_is(word, units[i]))
            return true;
    return false;
}

/* The next cell; between blanks a unit belongs to the number in front of it. */
static struct span next_column(struct span *s, bool commas)
{
    if (commas)
        return span_trim(span_cut(s, ','));
    struct span cell = next_column_word(s), rest = *s, word = next_column_word(&rest);
    double value;
    if (span_number(cell, &value) && is_sample_unit(word)) {
        cell.n = (size_t)(word.p - cell.p) + word.n;
        *s = rest;
    }
    return cell;
}

/* Up to the last bracket, which holds a unit. */
static struct span without_unit(struct span name)
{
    char open = name.n && name.p[name.n - 1] == ']' ? '[' : '(';
    if (!name.n || (name.p[name.n - 1] != ']' && name.p[name.n - 1] != ')'))
        return name;
    size_t n = name.n;
    while (n > 0 && name.p[n - 1] != open)
        n--;
    return n > 1 ? span_trim((struct span){name.p, n - 1}) : name;
}

/* Memory in bytes, as rocm-smi --showmeminfo prints it, becomes MiB. */
static double sample_column_scale(struct span name)
{
    bool bytes = name.n > 3 && memcmp(name.p + name.n - 3, "(B)", 3) == 0;
    return bytes ? 1.0 / (1 << 20) : 1;
}

bool sample_name_is(struct span s, const char *name)
{
    size_t i = 0;
    while (i < s.n && name[i] && tolower((unsigned char)s.p[i]) == name[i])
        i++;
    return i == s.n && !name[i];
}

static const struct column_name *sample_column_of(struct span name)
{
    struct span bare = without_unit(name);
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++)
        if (sample_name_is(name, column_names[i].name) ||
            sample_name_is(bare, column_names[i].name))
            return &column_names[i];
    return NULL;
}

static const struct column_name *ambiguous_column_of(struct span name, const char *vendor)
{
    for (size_t i = 0; vendor && i < sizeof ambiguous_names / sizeof *ambiguous_names; i++)
        if (strcmp(vendor, ambiguous_names[i].vendor) == 0 &&
            sample_name_is(name, ambiguous_names[i].name))
            return &ambiguous_names[i];
    return NULL;
}

/* Does the first column name the card, or the time in front of it? Between blanks it must: words
 * such as "power" and "temp" stand in sentences, too. */
static bool begins_as_header(const struct sample_columns *c, struct span first)
{
    return c->commas || c->field[0] == CARD_NUMBER || sample_name_is(first, "date") ||
           sample_name_is(first, "time") || sample_name_is(first, "timestamp");
}

bool sample_columns_header(struct span line, struct sample_columns *out)
{
    size_t known = 0, readings = 0;
    bool taken[CARD_FIELDS] = {false};
    struct span first = {NULL, 0};
    *out = (struct sample_columns){.commas = line.n && memchr(line.p, ',', line.n)};
    while (line.n && (line.p[0] == '#' || line.p[0] == '*' || text_is_blank(line.p[0])))
        line = span_from(line, 1);
    while (line.n && out->n < SAMPLE_COLUMNS_MAX) {
        struct span cell = next_column(&line, out->commas);
        const struct column_name *c = sample_column_of(cell);
        c = c ? c : ambiguous_column_of(cell, out->vendor);
        if (out->n == 0)
            first = cell;
        bool is_ours = c && !taken[c->field];
        out->scale[out->n] = sample_column_scale(cell);
        out->field[out->n++] = is_ours ? (signed char)c->field : -1;
        if (!is_ours)
            continue;
        taken[c->field] = true;
        known++;
        readings += c->field != CARD_NUMBER;
        if (!out->vendor)
            out->vendor = c->vendor;
    }
    if (!out->vendor)
        out->vendor = "nvidia"; /* who began with these names */
    return known >= 2 && readings >= 1 && begins_as_header(out, first);
}

bool sample_column_find(struct span name, struct sample_column *out)
{
    const struct column_name *c = sample_column_of(name);
    if (c)
        *out = (struct sample_column){c->field, sample_column_scale(name), c->vendor};
    return c != NULL;
}

/* "GPU 0", "card0", "33717 MiB", "[N/A]". */
bool sample_cell_read(struct span cell, enum card_field_id field, double *value)
{
    static const char *const unknown[] = {"-", "N/A", "[N/A]", "NA", "[Not Supported]", ""};
    *value = NAN;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (span_is(cell, unknown[i]))
            return true;
    if (field == CARD_NUMBER && span_starts(cell, "card"))
        cell = span_from(cell, sizeof "card" - 1);
    size_t n = span_number(cell, value);
    struct span unit = span_trim(span_from(cell, n));
    if (n && span_is(unit, "GB"))
        *value *= 1024;
    return n && (!unit.n || is_sample_unit(unit));
}

bool sample_columns_read(const struct sample_columns *c, struct span line, struct card_reading *out)
{
    size_t column = 0, numbers = 0;
    bool open = c->commas && line.n && line.p[line.n - 1] == ','; /* the last cell is empty */
    for (size_t i = 0; i < CARD_FIELDS; i++)
        out->value[i] = NAN;
    if (!c->commas && span_starts(line, "GPU "))
        line = span_from(line, sizeof "GPU " - 1);
    if (line.n && (line.p[0] == '#' || line.p[0] == '*'))
        return false;
    for (; line.n && column < c->n; column++) {
        struct span cell = next_column(&line, c->commas);
        double value;
        if (c->field[column] < 0)
            continue;
        if (!sample_cell_read(cell, (enum card_field_id)c->field[column], &value))
            return false;
        out->value[c->field[column]] = value * c->scale[column];
        numbers += isfinite(value);
    }
    return (column == c->n || (open && column + 1 == c->n)) && numbers > 0;
}
