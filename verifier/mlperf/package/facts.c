#include "verifier/mlperf/package/facts.h"

#include "base/foreign.h"
#include "base/sentence.h"

#include <math.h>
#include <string.h>

struct mlperf_finding *mlperf_found(struct mlperf_findings *to, struct arena *arena,
                                    const char *rule, enum severity severity, const char *file,
                                    int line, const char *fmt, ...)
{
    struct mlperf_finding *f = ARENA_PUSH(arena, to->items, to->n);
    va_list ap;
    va_start(ap, fmt);
    *f = (struct mlperf_finding){.rule = rule,
                                 .severity = severity,
                                 .if_dropped = severity,
                                 .file = file,
                                 .line = line,
                                 .message = sentence_say_with(arena, fmt, ap)};
    va_end(ap);
    return f;
}

/* ---- kinds of values, both ways ------------------------------------------------------------ */

/* A value on its way: written where `out` is there, else read. */
struct transit {
    struct buf *out;
    struct unpack *in;
    struct arena *arena; /* of the texts: where they come from, or go to */
};

static void pass_double(struct transit *t, double *x)
{
    const void *bytes;
    if (t->out)
        pack_bytes(t->out, x, sizeof *x);
    else if ((bytes = unpack_bytes(t->in, sizeof *x)))
        memcpy(x, bytes, sizeof *x);
}

static void pass_size(struct transit *t, size_t *n)
{
    if (t->out)
        pack_number(t->out, *n);
    else
        *n = unpack_number(t->in);
}

static void pass_bool(struct transit *t, bool *b)
{
    size_t n = *b;
    pass_size(t, &n);
    if (t->in && n > 1)
        t->in->bad = true;
    *b = n == 1;
}

#define MESSAGE_MAX 4000

/* A text of a worker is cleaned again: the worker may have been taken over. */
static void pass_text(struct transit *t, const char **text)
{
    if (t->out)
        pack_text(t->out, *text);
    else {
        const char *got = unpack_text(t->in);
        bool keep = got && unpack_memory(t->in, strlen(got), 4);
        *text = keep ? foreign_line(t->arena, got, MESSAGE_MAX) : NULL;
    }
}

static size_t pass_count(struct transit *t, size_t n, size_t size, void **items);

static void pass_said(struct transit *t, struct sentence *said, int depth)
{
    pass_text(t, &said->text);
    pass_text(t, &said->format);
    said->n_values = pass_count(t, said->n_values, sizeof *said->values, (void **)&said->values);
    if (t->in && (!said->text || said->n_values > SENTENCE_VALUES_MAX ||
                  (said->n_values && depth == SENTENCE_DEPTH_MAX))) {
        t->in->bad = true;
        *said = (struct sentence){.text = ""};
    }
    for (size_t i = 0; i < said->n_values; i++)
        pass_said(t, &said->values[i], depth + 1);
}

/* A text of ours, with what it was made of. */
static void pass_sentence(struct transit *t, const char **text)
{
    const struct sentence *made = t->out && *text ? sentence_of(t->arena, *text) : NULL;
    struct sentence said = made ? *made : (struct sentence){.text = *text};
    bool there = *text != NULL;
    pass_bool(t, &there);
    if (!there) {
        *text = NULL;
        return;
    }
    pass_said(t, &said, 0);
    if (t->in)
        *text = said.n_values ? sentence_note(t->arena, &said) : said.text;
}

/* Room for the items of an array that is read; how many there are. */
static size_t pass_count(struct transit *t, size_t n, size_t size, void **items)
{
    if (t->out) {
        pack_number(t->out, n);
        return n;
    }
    n = unpack_count(t->in, 1);
    if (!unpack_memory(t->in, n, size))
        n = 0;
    *items = arena_array(t->arena, n, size);
    return n;
}

/* ---- findings ------------------------------------------------------------------------------ */

static void pass_severity(struct transit *t, enum severity *severity)
{
    size_t n = (size_t)*severity;
    pass_size(t, &n);
    if (n > SEVERITY_ERROR) {
        t->in->bad = true;
        n = 0;
    }
    *severity = (enum severity)n;
}

/* The id of a rule has six characters. */
static void pass_rule(struct transit *t, const char **rule)
{
    pass_text(t, rule);
    if (t->in && (!*rule || strlen(*rule) != 6 || strncmp(*rule, "FP7", 3) != 0)) {
        t->in->bad = true;
        *rule = "FP7001";
    }
}

static void pass_finding(struct transit *t, struct mlperf_finding *f)
{
    size_t line = (size_t)f->line;
    pass_rule(t, &f->rule);
    pass_severity(t, &f->severity);
    pass_severity(t, &f->if_dropped);
    pass_size(t, &line);
    pass_sentence(t, &f->message);
    if (t->in && (line > INT32_MAX || !f->message)) {
        t->in->bad = true;
        f->message = "";
        line = 0;
    }
    f->line = (int)line;
}

static void pass_findings(struct transit *t, struct mlperf_findings *f)
{
    f->n = pass_count(t, f->n, sizeof *f->items, (void **)&f->items);
    for (size_t i = 0; i < f->n; i++)
        pass_finding(t, &f->items[i]);
}

/* ---- kinds of files ------------------------------------------------------------------------ */

static void pass_log(struct transit *t, struct mlperf_log_facts *f)
{
    size_t *const counts[] = {&f->n_records, &f->n_broken, &f->n_messages, &f->n_warnings};
    const char **const texts[] = {&f->org, &f->platform, &f->benchmark, &f->division, &f->status};
    double *const numbers[] = {&f->minutes,      &f->start_ms, &f->stop_ms,   &f->last_start_ms,
                               &f->last_stop_ms, &f->samples,  &f->batch_size};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        pass_size(t, counts[i]);
    pass_sentence(t, &f->refused);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        pass_text(t, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        pass_double(t, numbers[i]);
    pass_bool(t, &f->reached);
    pass_bool(t, &f->seed_broken);
    f->n_seeds = pass_count(t, f->n_seeds, sizeof *f->seeds, (void **)&f->seeds);
    for (size_t i = 0; i < f->n_seeds; i++) {
        pass_text(t, &f->seeds[i]);
        if (!f->seeds[i]) {
            t->in->bad = true;
            f->seeds[i] = "";
        }
    }
    f->n_settings = pass_count(t, f->n_settings, sizeof *f->settings, (void **)&f->settings);
    for (size_t i = 0; i < f->n_settings; i++) {
        pass_text(t, &f->settings[i].key);
        pass_text(t, &f->settings[i].value);
        if (!f->settings[i].key || !f->settings[i].value) {
            t->in->bad = true;
            f->settings[i] = (struct mlperf_setting){"", ""};
        }
    }
    f->n_points = pass_count(t, f->n_points, sizeof *f->points, (void **)&f->points);
    for (size_t i = 0; i < f->n_points; i++) {
        pass_double(t, &f->points[i].progress);
        pass_double(t, &f->points[i].value);
    }
    pass_findings(t, &f->findings);
}

static void pass_power(struct transit *t, struct mlperf_power_facts *f)
{
    double *const numbers[] = {&f->begin_ms, &f->end_ms,     &f->first_ms, &f->last_ms,
                               &f->watt_ms,  &f->efficiency, &f->estimate};
    pass_sentence(t, &f->refused);
    pass_size(t, &f->n_readings);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        pass_double(t, numbers[i]);
}

static void pass_system(struct transit *t, struct mlperf_system_facts *f)
{
    const char **const texts[] = {&f->submitter,   &f->division,  &f->status,
                                  &f->system_name, &f->processor, &f->accelerator,
                                  &f->framework,   &f->hw_notes,  &f->sw_notes};
    double *const numbers[] = {&f->nodes, &f->processors_per_node, &f->accelerators_per_node};
    pass_sentence(t, &f->fault);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        pass_text(t, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        pass_double(t, numbers[i]);
    pass_findings(t, &f->findings);
}

static void pass_facts(struct transit *t, struct mlperf_facts *f)
{
    switch (f->kind) {
    case MLPERF_FILE_LOG:
        pass_log(t, &f->log);
        break;
    case MLPERF_FILE_POWER:
        pass_power(t, &f->power);
        break;
    case MLPERF_FILE_SYSTEM:
        pass_system(t, &f->system);
        break;
    case MLPERF_FILE_SCALING:
        pass_sentence(t, &f->scaling.fault);
        pass_double(t, &f->scaling.factor);
        break;
    case MLPERF_FILE_BYPASS:
        pass_bool(t, &f->bypass.rcp);
        pass_bool(t, &f->bypass.seeds);
        break;
    }
}

void mlperf_facts_pack(const struct mlperf_facts *f, struct arena *said, struct buf *out)
{
    struct mlperf_facts copy = *f; /* nothing of it is changed while it is written */
    pass_facts(&(struct transit){.out = out, .arena = said}, &copy);
}

/* The kind is the caller's: a worker cannot choose it. */
void mlperf_facts_unpack(struct unpack *u, struct arena *arena, struct mlperf_facts *out)
{
    *out = (struct mlperf_facts){.kind = out->kind};
    pass_facts(&(struct transit){.in = u, .arena = arena}, out);
}
