/*
 * The frameworks of pattern_rows.h.
 *
 * Where a framework counts its steps in each epoch anew, the curve counts on from 1; where it does
 * not say how many steps an epoch has, by the last step of the epoch before.
 */
#include "base/text.h"
#include "verifier/logs/log.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_say.h"
#include "verifier/logs/rows/pattern_rows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Which row of pattern_rows.h comes nearest to a log of which no line was known.
 *
 * The first lines are kept that hold a number. Of each row the words are looked for that stand
 * between its fields; the row of which most were found, at least NEAREST_SHARE of them, is named
 * with the line, and with the first word that was not there. */

#define NEAREST_LINES 64
#define NEAREST_LINE_MAX 1000
#define NEAREST_SHARE 0.6

#define NEAREST_LOOKED_AT 10000 /* lines */

struct nearest_lines {
    size_t n, looked_at;
    struct span text[NEAREST_LINES];
    int line[NEAREST_LINES];
};

/* Keeps a line that no format knows, in the reader's arena. */
static void nearest_keep(struct log_reader *r, struct nearest_lines *to, struct span line)
{
    bool digit = false;
    if (to->n == NEAREST_LINES || to->looked_at++ >= NEAREST_LOOKED_AT ||
        line.n > NEAREST_LINE_MAX || r->log->known)
        return;
    for (size_t i = 0; i < line.n && !digit; i++)
        digit = text_is_digit(line.p[i]);
    if (!digit)
        return;
    to->line[to->n] = r->line;
    to->text[to->n++] = (struct span){arena_strndup(r->arena, line.p, line.n), line.n};
}

/* How much of a row's words a line has. */
struct nearness {
    double share;
    size_t words;
    const struct pattern_row *row;
    struct span missing;
    int line;
};

static void judge_nearness(const struct pattern_row *row, const struct pattern *p,
                           const struct nearest_lines *lines, struct nearness *best)
{
    for (size_t i = 0; i < lines->n; i++) {
        struct pattern_words w = pattern_words(p, lines->text[i]);
        double share = w.of ? (double)w.found / (double)w.of : 0;
        if (w.of < 2 || share < best->share || (share == best->share && w.found <= best->words))
            continue;
        *best = (struct nearness){share, w.found, row, w.missing, lines->line[i]};
    }
}

/* At the end of a log without a known line: a notice, where a row is near. */
static void nearest_say(struct log_reader *r, const struct nearest_lines *lines)
{
    struct nearness best = {.row = NULL};
    struct err err = ERR_INIT;
    for (const struct pattern_row *row = pattern_rows; row->line && lines->n; row++) {
        struct pattern *p;
        if (pattern_compile(row->line, &pattern_row_fields, r->arena, &p, &err) == 0)
            judge_nearness(row, p, lines, &best);
    }
    if (!best.row || best.share < NEAREST_SHARE)
        return;
    if (best.missing.n)
        diags_add(r->diags, SEVERITY_NOTICE, r->log->file, best.line, 0,
                  "the closest known format is %s (%s), but its text \"%s\" is missing",
                  best.row->name, best.row->line,
                  arena_strndup(r->arena, best.missing.p, best.missing.n));
    else
        diags_add(r->diags, SEVERITY_NOTICE, r->log->file, best.line, 0,
                  "the closest known format is %s (%s), but its words appear in another order or "
                  "without numbers between them",
                  best.row->name, best.row->line);
}

#define GIB 1073741824.0

struct of_file {
    struct pattern_set *rows; /* NULL: no line has asked for them */
    const struct pattern_row **row;
    size_t n;
    /* Where epochs do not say how long they are: the last report, and the steps in front of its
     * epoch. */
    double epoch, step, begins;
    struct more_patterns {
        struct pattern *patterns[PATTERN_ROW_MORE];
    } * more;                       /* of each row */
    const struct pattern_row *like; /* that gave the last report, at step: its line without */
    double like_step;
    struct pattern *lossless[2]; /* a number for its loss, and without its loss; NULL */
    struct nearest_lines unknown;
    size_t means; /* losses that are smoothed, the first at */
    int mean_line;
    const char *mean_of; /* framework */
};

/* A step inside of its epoch becomes one of the whole training. */
static double step_of(struct log_reader *r, const struct pattern_found *f)
{
    struct of_file *at = r->of_format;
    double epoch0 = pattern_number(f, FIELD_EPOCH0), in_epoch0 = pattern_number(f, FIELD_IN_EPOCH0);
    double epoch = isnan(epoch0) ? pattern_number(f, FIELD_EPOCH) - 1 : epoch0;
    double step = isnan(in_epoch0) ? pattern_number(f, FIELD_IN_EPOCH) : in_epoch0 + 1;
    double stated = pattern_number(f, FIELD_STEP), per_epoch = pattern_number(f, FIELD_PER_EPOCH);
    if (!isnan(stated))
        return stated;
    if (!isnan(per_epoch))
        return epoch * per_epoch + step;
    if (epoch > at->epoch)
        at->begins += at->step;
    at->epoch = epoch;
    at->step = step;
    return at->begins + step;
}

static void take_rates(struct log_point *p, const struct pattern_found *f)
{
    double ms = pattern_number(f, FIELD_MS), each = 1 / pattern_number(f, FIELD_STEPS_PER_S);
    double seconds = isnan(ms) ? pattern_number(f, FIELD_SECONDS) : ms / 1000;
    p->seconds = isnan(seconds) && isfinite(each) ? each : seconds;
    p->samples_per_s = pattern_number(f, FIELD_SAMPLES_PER_S);
    p->tokens_per_s = pattern_number(f, FIELD_TOKENS_PER_S);
}

/* What is printed of the whole run so far. */
static void note_printed(struct log_reader *r, const struct pattern_found *f)
{
    static const struct {
        enum log_field field;
        const char *key;
    } rates[] = {{FIELD_CARD_RATE, LOG_CARD_RATE}, {FIELD_TOKENS_PER_S, LOG_RATE}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (pattern_number(f, rates[i].field) > 0)
            log_add_value(r, span_of(rates[i].key), pattern_number(f, rates[i].field));
    log_note_most(&r->log->mfu, pattern_number(f, FIELD_MFU), r->line);
    log_note_most(&r->log->mfu, 100 * pattern_number(f, FIELD_MFU_SHARE), r->line);
    log_note_most(&r->log->tflops, pattern_number(f, FIELD_TFLOPS), r->line);
    log_note_memory(r, pattern_number(f, FIELD_GIB));
    log_note_memory(r, pattern_number(f, FIELD_GB) * 1e9 / GIB);
    log_note_memory(r, pattern_number(f, FIELD_MIB) / 1024);
}

/* What the patterns beside the line find is added to what it found itself. */
static void find_more(const struct pattern_row *row, struct pattern *const *more, struct span s,
                      struct pattern_found *f)
{
    struct pattern_found x;
    for (size_t i = 0; i < PATTERN_ROW_MORE && row->more[i]; i++) {
        if (!pattern_match(more[i], s, &x))
            continue;
        for (size_t k = 0; k < FIELDS; k++)
            if (x.has & ~f->has & UINT32_C(1) << k)
                f->number[k] = x.number[k];
        f->has |= x.has;
    }
}

static void add_found(struct log_reader *r, const struct pattern_row *row,
                      const struct pattern_found *f)
{
    struct of_file *at = r->of_format;
    double mean = pattern_number(f, FIELD_MEAN), rank = pattern_number(f, FIELD_RANK);
    double loss = f->has & UINT32_C(1) << FIELD_MEAN ? mean : pattern_number(f, FIELD_LOSS);
    note_printed(r, f);
    /* torchtitan's pipeline stages without a loss print -1 in its place. */
    if (loss == -1 && strcmp(row->name, "TorchTitan") == 0)
        return;
    struct log_point p = log_point_at(r, step_of(r, f));
    log_set(&p, offsetof(struct log_point, loss), loss);
    if (f->has & UINT32_C(1) << FIELD_GRAD_NORM)
        log_set(&p, offsetof(struct log_point, grad_norm), pattern_number(f, FIELD_GRAD_NORM));
    if (log_is_rank(rank))
        p.rank = (short)rank;
    take_rates(&p, f);
    if (f->has & UINT32_C(1) << FIELD_MEAN && !at->means++) {
        at->mean_line = r->line;
        at->mean_of = row->name;
    }
    log_add_point(r, &p);
}

static int compile_rows(struct log_reader *r, struct of_file *at, struct err *err)
{
    /* Those of fpreport, and behind them those of the project. */
    const struct pattern_row *lists[] = {pattern_rows, r->own};
    size_t room = 0;
    for (size_t i = 0; i < 2; i++)
        for (const struct pattern_row *row = lists[i]; row && row->line; row++)
            room++;
    at->row = arena_array(r->arena, room, sizeof *at->row);
    for (size_t i = 0; i < 2; i++)
        for (const struct pattern_row *row = lists[i]; row && row->line; row++)
            at->row[at->n++] = row;
    const char **lines = arena_array(r->arena, at->n, sizeof *lines);
    struct pattern_set *set = NULL;
    at->more = arena_array(r->arena, at->n, sizeof *at->more);
    for (size_t i = 0; i < at->n; i++) {
        const struct pattern_row *row = at->row[i];
        lines[i] = row->line;
        for (size_t k = 0; k < PATTERN_ROW_MORE && row->more[k]; k++)
            if (pattern_compile(row->more[k], &pattern_row_fields, r->arena,
                                &at->more[i].patterns[k], err) < 0)
                return -1;
    }
    if (pattern_set_new(lines, at->n, &pattern_row_fields, r->arena, &set, err) < 0)
        return -1;
    at->rows = set;
    return 0;
}

/* From `at`, the place of {loss} in a row's line, back to where its own words begin. */
static size_t begin_of_label(const char *line, size_t at)
{
    while (at > 0 && !strchr("}*,|-", line[at - 1]))
        at--;
    return at;
}

/* The row's line with other words in place of its loss, and of the words in front of it. */
static struct pattern *compile_lossless(struct log_reader *r, const char *line, bool labelled)
{
    struct pattern *p = NULL;
    struct err err = ERR_INIT;
    const char *loss = strstr(line, "{loss}");
    if (!loss)
        return NULL;
    size_t at = (size_t)(loss - line), end = at + sizeof "{loss}" - 1;
    at = labelled ? at : begin_of_label(line, at);
    bool star = (at && line[at - 1] == '*') || line[end] == '*';
    const char *text = arena_printf(r->arena, "%.*s%s%s", (int)at, line,
                                    labelled ? "{-}"
                                    : star   ? ""
                                             : "*",
                                    line + end);
    return pattern_compile(text, &pattern_row_fields, r->arena, &p, &err) < 0 ? NULL : p;
}

/* The next reports are expected to be like this one. Only where a line holds the time or the rate
 * of its step as well is it known without its loss. */
static void expect_like(struct log_reader *r, const struct pattern_row *row)
{
    static const uint32_t timed = UINT32_C(1) << FIELD_SECONDS | UINT32_C(1) << FIELD_MS |
                                  UINT32_C(1) << FIELD_SAMPLES_PER_S |
                                  UINT32_C(1) << FIELD_TOKENS_PER_S;
    struct of_file *at = r->of_format;
    if (r->log->n_points)
        at->like_step = r->log->points[r->log->n_points - 1].step;
    if (at->like == row)
        return;
    at->like = row;
    at->lossless[0] = compile_lossless(r, row->line, true);
    at->lossless[1] = compile_lossless(r, row->line, false);
    if (at->lossless[1] && !(pattern_fields(at->lossless[1]) & timed))
        at->lossless[1] = NULL;
}

static bool says_no_loss(struct log_reader *r, struct span s)
{
    struct span rest = s;
    while (span_after(rest, "oss", &rest)) {
        struct span value = rest;
        while (value.n && strchr(" :=\t'", value.p[0]))
            value = span_from(value, 1);
        if (log_says_no_number(value))
            return true;
    }
    return span_find(s, "oss") == s.n && r->log->n_points;
}

/* A report of the format of those before whose loss is no number, or is left out. */
static bool read_lossless(struct log_reader *r, struct span s)
{
    struct of_file *at = r->of_format;
    struct pattern_found f;
    for (size_t i = 0; at->like && i < 2; i++) {
        if (!at->lossless[i] || !pattern_match(at->lossless[i], s, &f) || !says_no_loss(r, s))
            continue;
        double step = step_of(r, &f);
        if (!(step > at->like_step))
            return false;
        struct log_point p = log_point_at(r, step);
        log_set(&p, offsetof(struct log_point, loss), NAN);
        take_rates(&p, &f);
        log_add_point(r, &p);
        at->like_step = step;
        return true;
    }
    return false;
}

/* All rows of fpreport have a loss, which Marian calls a cost. They are compiled when the first
 * line might be one of theirs: most logs have none. A row that cannot be compiled ends the table:
 * the tests compile it. */
static bool read_pattern_of_a_loss(struct log_reader *r, struct span s)
{
    struct of_file *at = r->of_format;
    struct pattern_found f;
    struct err err = ERR_INIT;
    if (span_find(s, "oss") == s.n && span_find(s, "Cost") == s.n && !(r->own && r->own->line))
        return false;
    if (!at->rows && compile_rows(r, at, &err) < 0)
        return false;
    size_t row = pattern_set_match(at->rows, s, 0, &f);
    if (row == PATTERN_NONE)
        return false;
    find_more(at->row[row], at->more[row].patterns, s, &f);
    add_found(r, at->row[row], &f);
    expect_like(r, at->row[row]);
    return true;
}

static bool read_patterns_or_keep(struct log_reader *r, struct span s)
{
    struct of_file *at = r->of_format;
    bool known = read_pattern_of_a_loss(r, s) || read_lossless(r, s);
    if (!known)
        nearest_keep(r, &at->unknown, s);
    return known;
}

static void end_patterns(struct log_reader *r)
{
    const struct of_file *at = r->of_format;
    if (!r->log->known && !r->stopped)
        nearest_say(r, &at->unknown);
    if (at->means)
        diags_add(r->diags, SEVERITY_NOTICE, r->log->file, at->mean_line, 0,
                  "%zu %s printed by %s, not of a single step", at->means,
                  at->means == 1 ? "loss is a running mean" : "losses are running means",
                  at->mean_of);
}

const struct log_format log_format_patterns = {
    .name = "patterns",
    .reads = "frameworks that report each step on one line (see the table below)",
    .sample = "epoch: 1 step: 5, loss is 2.5",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct of_file),
    .read = read_patterns_or_keep,
    .end = end_patterns,
};
