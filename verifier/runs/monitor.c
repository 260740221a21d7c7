#include "verifier/runs/monitor.h"

#include "base/cards/card_tool.h"
#include "base/cards/sample_blocks.h"
#include "base/cards/sample_columns.h"
#include "base/files/file.h"
#include "base/lines/span.h"
#include "base/text.h"
#include "verifier/runs/table_lines.h"

#include <stdlib.h>
#include <string.h>

#define QUOTED_MAX 80

static const struct monitor_series no_series = {.peak = NAN, .mean = NAN};

static void series_add(struct monitor_series *s, double value, int line)
{
    if (!isfinite(value))
        return;
    if (!s->n || value > s->peak)
        s->line = line;
    s->mean = s->n ? s->mean + (value - s->mean) / (double)(s->n + 1) : value;
    s->peak = s->n && s->peak >= value ? s->peak : value;
    s->n++;
}

/* --- one value a line: cpu, mem, pwr --- */

static const struct value_monitor {
    const char *kind, *file;
    double max;
    bool may_be_empty;
} value_monitors[] = {
    {"cpu", "cpu_monitor.log", 1, false},
    {"mem", "mem_monitor.log", 1, false},
    {"pwr", "pwr_monitor.log", 1e6, true},
};

struct reader {
    struct monitor *m;
    struct arena *arena;
    const struct card_tool *tool; /* whose samples these are; NULL */
    struct card_lines lines;      /* its patterns */
    const struct value_monitor *values;
    struct span first_odd; /* the first line that is none of ours */
    int line, odd_line;
    size_t odd;         /* how many of them */
    size_t in_sample;   /* cards of this sample so far */
    size_t short_of;    /* samples with fewer cards than the one before */
    double first_watts; /* of the first rank of a board */
    struct card_sample sample;
    struct sample_columns columns; /* of the last header; n 0: none was there */
    struct sample_blocks blocks;
    struct table_lines *tables; /* of card_tables[]; NULL: not asked for yet */
    double last_card;           /* of a sample without a time */
    bool dumped;                /* a table, or columns, in which headings are no fault */
};

/* As series_add, and a point to draw. Their room grows with what is there, for a small archive
 * names very many cards, and is all of it when points are halved. */
static void points_add(struct reader *r, struct monitor_series *s, double value)
{
    struct samples *p = &s->points;
    double at = r->m->ends - r->m->begins;
    series_add(s, value, r->line);
    if (!isfinite(value) || !(at >= 0))
        return;
    if (p->n == 0) {
        p->each = p->in_last = 1;
    } else if (p->in_last < p->each) {
        if (value > p->value[p->n - 1]) {
            p->at[p->n - 1] = at;
            p->value[p->n - 1] = value;
        }
        p->in_last++;
        return;
    } else if (p->n == MONITOR_POINTS_MAX) {
        /* Half as many points, each the larger one of two. */
        for (size_t i = 0; i < p->n / 2; i++) {
            size_t from = p->value[2 * i] >= p->value[2 * i + 1] ? 2 * i : 2 * i + 1;
            p->at[i] = p->at[from];
            p->value[i] = p->value[from];
        }
        p->n /= 2;
        p->each *= 2;
        p->in_last = p->each;
    }
    if (p->each == 1) {
        size_t n_at = p->n, n_value = p->n;
        ARENA_PUSH(r->arena, p->at, n_at);
        ARENA_PUSH(r->arena, p->value, n_value);
    }
    p->at[p->n] = at;
    p->value[p->n++] = value;
    p->in_last = 1;
}

static void note_odd(struct reader *r, struct span line)
{
    if (r->odd++ == 0) {
        r->first_odd = line;
        r->odd_line = r->line;
    }
}

static void note_stamp(struct monitor *m, double at)
{
    m->stamps++;
    m->begins = m->stamps == 1 ? at : m->begins;
    m->gap = m->stamps > 1 && at - m->ends > m->gap ? at - m->ends : m->gap;
    m->ends = at;
}

static void read_monitor_value(struct reader *r, struct span line)
{
    double at = stamp_read(line, '-'), value;
    if (isnan(at)) {
        note_odd(r, line);
        return;
    }
    note_stamp(r->m, at);
    struct span text = span_trim(span_from(line, STAMP_LENGTH));
    if (text.n == 0 && r->values->may_be_empty)
        return;
    if (text.n == 0 || span_number(text, &value) != text.n || value < 0 || value > r->values->max) {
        note_odd(r, line);
        return;
    }
    points_add(r, &r->m->series, value);
    r->m->readings++;
}

/* --- lines of cards --- */

static struct monitor_card *card_at(struct reader *r, size_t at)
{
    struct monitor *m = r->m;
    while (m->n_cards <= at) {
        struct monitor_card *c = ARENA_PUSH(r->arena, m->cards, m->n_cards);
        *c = (struct monitor_card){.used_mib = no_series,
                                   .watts = no_series,
                                   .celsius = no_series,
                                   .busy = no_series,
                                   .used_share = no_series,
                                   .sm_mhz = no_series,
                                   .memory_mhz = no_series,
                                   .total_mib = NAN,
                                   .typical_mib = NAN};
    }
    return &m->cards[at];
}

static void take_memory(struct reader *r, struct monitor_card *c, const struct card_reading *x)
{
    double used = x->value[CARD_USED_MIB], total = x->value[CARD_MEMORY_MIB];
    if (isnan(used))
        used = x->value[CARD_USED_SHARE] / 100 * total;
    if (!(used >= 0 && (total > 0 || (isnan(total) && r->columns.n))))
        return;
    points_add(r, &c->used_mib, used);
    c->total_mib = isnan(total) ? c->total_mib : total;
    if (c->n_samples < MONITOR_SAMPLES_MAX) {
        float *to = ARENA_PUSH(r->arena, c->samples_mib, c->n_samples);
        *to = (float)used;
    }
}

/* Of two ranks on a board the second names the board's power, for both; where it does not, what
 * the first one says is theirs. */
static void take_power(struct reader *r, struct monitor_card *c, size_t at, double watts)
{
    if (!r->tool || !r->tool->paired) {
        points_add(r, &c->watts, watts);
        return;
    }
    if (at % 2 == 0) {
        r->first_watts = watts;
        return;
    }
    double board = isfinite(watts) ? watts : r->first_watts;
    points_add(r, &c->watts, board);
    series_add(&card_at(r, at - 1)->watts, board, r->line);
    r->first_watts = NAN;
}

static void end_sample(struct reader *r)
{
    r->short_of += r->in_sample && r->in_sample < r->m->n_cards;
    r->in_sample = 0;
    r->sample.has_more = false;
    r->first_watts = NAN;
}

static void take_card(struct reader *r, const struct card_reading *x)
{
    double named = x->value[CARD_NUMBER];
    size_t card = named >= 0 && named < MONITOR_CARDS_MAX ? (size_t)named : r->in_sample;
    r->in_sample++;
    if (card >= MONITOR_CARDS_MAX)
        return;
    r->m->readings++;
    struct monitor_card *c = card_at(r, card);
    take_memory(r, c, x);
    points_add(r, &c->celsius, x->value[CARD_CELSIUS]);
    series_add(&c->busy, x->value[CARD_BUSY] / 100, r->line);
    series_add(&c->used_share, x->value[CARD_USED_SHARE] / 100, r->line);
    series_add(&c->sm_mhz, x->value[CARD_SM_MHZ], r->line);
    series_add(&c->memory_mhz, x->value[CARD_MEMORY_MHZ], r->line);
    take_power(r, c, card, x->value[CARD_WATTS]);
}

/* Of a table or of columns, which may come without the time of a sample. */
static void take_shown(struct reader *r, const char *vendor, const struct card_reading *x)
{
    double named = x->value[CARD_NUMBER];
    if (!r->m->stamps && r->in_sample && !(named > r->last_card))
        end_sample(r);
    r->last_card = named;
    r->dumped = true;
    if (!r->m->kind)
        r->m->kind = vendor;
    take_card(r, x);
}

/* What a block says stands in its lines, of which the first is named. */
static void take_card_block(struct reader *r, const char *vendor, const struct card_reading *x)
{
    int line = r->line;
    r->line = r->blocks.line;
    take_shown(r, vendor, x);
    r->line = line;
}

static bool read_blocks(struct reader *r, struct span line)
{
    struct card_reading x;
    const char *vendor;
    enum card_line kind = CARD_LINE_OTHER;
    while (line.n) {
        enum card_line next = sample_blocks_read(&r->blocks, &line, r->line, &x, &vendor);
        if (next == CARD_LINE_CARD)
            take_card_block(r, vendor, &x);
        kind = next == CARD_LINE_OTHER ? kind : next;
    }
    return kind != CARD_LINE_OTHER;
}

/* What a line of no tool's own monitor shows. */
static bool read_shown(struct reader *r, struct span line)
{
    struct card_reading x;
    struct sample_columns columns;
    const char *vendor;
    if (read_blocks(r, line))
        return true;
    if (!line.n || line.n > CARD_LINE_MAX)
        return false;
    if (sample_columns_header(line, &columns)) {
        r->columns = columns;
        return true;
    }
    if (r->columns.n && sample_columns_read(&r->columns, line, &x)) {
        take_shown(r, r->columns.vendor, &x);
        return true;
    }
    if (!r->tables)
        r->tables = table_lines_new(r->arena);
    vendor = table_line_read(r->tables, line, &x);
    if (vendor)
        take_shown(r, vendor, &x);
    return vendor != NULL;
}

static void read_card(struct reader *r, struct span line)
{
    struct card_reading x;
    enum card_line kind = CARD_LINE_OTHER;
    double at = stamp_read(line, '-');
    if (!isnan(at) && line.n == STAMP_LENGTH) {
        end_sample(r);
        note_stamp(r->m, at);
        return;
    }
    if (r->tool)
        kind = card_sample_read(&r->sample, &r->lines, line, &x);
    if (kind == CARD_LINE_CARD)
        take_card(r, &x);
    else if (kind == CARD_LINE_OTHER && line.n && !read_shown(r, line))
        note_odd(r, line);
}

static int compare_sample_sizes(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void find_typical(struct monitor *m)
{
    for (size_t i = 0; i < m->n_cards; i++) {
        struct monitor_card *c = &m->cards[i];
        if (c->n_samples == 0)
            continue;
        qsort(c->samples_mib, c->n_samples, sizeof *c->samples_mib, compare_sample_sizes);
        c->typical_mib = (double)c->samples_mib[(c->n_samples - 1) / 2];
    }
}

/* --- findings --- */

/* A line of somebody else's, fit to stand in a message. */
static const char *quoted_line(struct arena *arena, struct span line)
{
    size_t n = line.n < QUOTED_MAX ? line.n : QUOTED_MAX;
    char *text = arena_strndup(arena, line.p, n);
    bool valid = utf8_valid_until(text, n) + 4 > n; /* but for a character that was cut */
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 0x7f || (c >= 0x80 && !valid))
            text[i] = '?';
    }
    text[utf8_valid_until(text, n)] = '\0';
    return text;
}

/* Words with which a command says that it did not work, as text_fold leaves them. */
static bool is_complaint(struct arena *arena, const char *text)
{
    static const char *const words[] = {"notfound", "error",  "fail",     "nosuch",  "unable",
                                        "cannot",   "denied", "couldnot", "couldn't"};
    const char *folded = text_fold(arena, text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(folded, words[i]))
            return true;
    return false;
}

static void note_failure(const struct reader *r, struct diags *diags)
{
    const struct monitor *m = r->m;
    const char *odd = r->odd ? quoted_line(r->arena, r->first_odd) : "";
    const char *samples = m->stamps ? sentence_say(r->arena, "the %zu samples", m->stamps)
                                    : "the file, whose samples have no time";
    if (is_complaint(r->arena, odd))
        diags_add(diags, SEVERITY_WARNING, m->file, r->odd_line, 0,
                  "the %s monitor failed: no reading in %s, but \"%s\"", m->kind, samples, odd);
    else if (r->odd)
        diags_add(diags, SEVERITY_WARNING, m->file, r->odd_line, 0,
                  "no line of the %s monitor has a known format: no reading in %s, the first "
                  "unknown line is \"%s\"",
                  m->kind, samples, odd);
    else if (m->stamps)
        diags_add(diags, SEVERITY_WARNING, m->file, 0, 0,
                  "the %s monitor recorded nothing: %zu samples without a reading", m->kind,
                  m->stamps);
    else
        diags_add(diags, SEVERITY_WARNING, m->file, 0, 0, "the %s monitor's file is empty",
                  m->kind);
}

static void note_findings(const struct reader *r, struct diags *diags)
{
    const struct monitor *m = r->m;
    if (m->readings == 0) {
        note_failure(r, diags);
        return;
    }
    if (r->odd && !r->dumped && !(r->tool && r->tool->dump))
        diags_add(diags, SEVERITY_NOTICE, m->file, r->odd_line, 0,
                  "%zu lines of the %s monitor are not readings, the first is \"%s\"", r->odd,
                  m->kind, quoted_line(r->arena, r->first_odd));
    if (r->short_of && m->stamps)
        diags_add(diags, SEVERITY_NOTICE, m->file, 0, 0,
                  "%zu of %zu samples show fewer cards than the %zu cards of the other samples",
                  r->short_of, m->stamps, m->n_cards);
}

static const struct value_monitor *value_monitor_of(const char *base)
{
    for (size_t i = 0; i < sizeof value_monitors / sizeof value_monitors[0]; i++)
        if (strcmp(base, value_monitors[i].file) == 0)
            return &value_monitors[i];
    return NULL;
}

bool monitor_is(const char *file)
{
    return value_monitor_of(path_base(file)) || card_tool_of_file(path_base(file));
}

void monitor_read(const char *file, struct bytes in, struct arena *arena, struct diags *diags,
                  struct monitor *out)
{
    const char *base = path_base(file);
    const char *vendor;
    struct card_reading last;
    struct err err = ERR_INIT; /* the tests compile every row */
    struct reader r = {.m = out,
                       .arena = arena,
                       .tool = card_tool_of_file(base),
                       .first_watts = NAN,
                       .values = value_monitor_of(base)};
    *out = (struct monitor){.file = file, .series = no_series, .begins = NAN, .ends = NAN};
    bool shown = !r.tool && !r.values && monitor_shown(in);
    if ((!r.tool && !r.values && !shown) ||
        (r.tool && card_lines_compile(r.tool, arena, &r.lines, &err) < 0))
        return;
    out->kind = r.tool ? r.tool->vendor : r.values ? r.values->kind : NULL;
    for (struct span rest = {in.data, in.len}; rest.n;) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        r.line++;
        if (!r.values)
            read_card(&r, line);
        else if (line.n)
            read_monitor_value(&r, line);
    }
    if (sample_blocks_end(&r.blocks, &last, &vendor))
        take_card_block(&r, vendor, &last);
    end_sample(&r);
    find_typical(out);
    note_findings(&r, diags);
}
