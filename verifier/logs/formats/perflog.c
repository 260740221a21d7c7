/*
 * PerfLog, the benchmark's own event log. One line per event:
 *
 *   [PerfLog] {"event": "STEP_END", "value": {"loss": 2.68, "global_steps": 3397, …},
 *              "metadata": {"file": …, "lineno": 127, "time_ms": 1669034171032, "rank": 0}}
 *
 * `value` is a flat object; NaN and Infinity occur in it, which JSON does not allow. Keys differ
 * from script to script and are sometimes misspelt ("throuhgput(ips)_raw"), so every number of a
 * FINISHED event is kept under the name that it has, True and False as 1 and 0, and the steps look
 * for the known spellings. The rank is the local one: every node has a rank 0.
 *
 * An event is read in one pass over its bytes, without building a tree: this is the format of
 * which there is most.
 */
#include "base/signing/hash.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_say.h"

/* Spellings of what a STEP_END event says about its step. */
static const struct step_key {
    struct log_name key;
    size_t at;
} step_keys[] = {
    {LOG_NAME("loss"), LOG_SAID(point.loss)},
    {LOG_NAME("global_steps"), LOG_SAID(point.step)},
    {LOG_NAME("global_step"), LOG_SAID(point.step)},
    {LOG_NAME("step"), LOG_SAID(point.step)},
    {LOG_NAME("train_loss"), LOG_SAID(point.loss)},
    {LOG_NAME("step_time_s"), LOG_SAID(point.seconds)},
    {LOG_NAME("tokens/s"), LOG_SAID(point.tokens_per_s)},
    {LOG_NAME("seq/s"), LOG_SAID(point.samples_per_s)},
    {LOG_NAME("samples/s"), LOG_SAID(point.samples_per_s)},
    {LOG_NAME("num_trained_samples"), LOG_SAID(point.samples)},
    {LOG_NAME("grad_norm"), LOG_SAID(point.grad_norm)},
    {LOG_NAME("learning_rate"), LOG_SAID(point.learning_rate)},
    {LOG_NAME("pictures"), LOG_SAID(point.pictures)},
    {LOG_NAME("real_tokens"), LOG_SAID(point.real_tokens)},
    {LOG_NAME("targets"), LOG_SAID(point.targets)},
    {LOG_NAME("attention_pairs"), LOG_SAID(point.attention_pairs)},
};

/* The object that a member stands in. */
enum scope { SCOPE_EVENT, SCOPE_VALUE, SCOPE_METADATA, SCOPE_OTHER };

static const struct scope_name {
    struct log_name key;
    enum scope scope;
} scope_names[] = {
    {LOG_NAME("value"), SCOPE_VALUE},
    {LOG_NAME("metadata"), SCOPE_METADATA},
};

struct walk {
    const char *at, *end;
    int depth; /* of objects inside the event; 0: the event itself */
    enum scope scope;
};

struct member {
    enum scope scope;
    struct span key, value; /* a string's value is what is between its quotes */
    bool quoted;
};

/* From the opening quote to behind the closing one, or to the end. */
static struct span walk_string(struct walk *w)
{
    const char *from = ++w->at;
    for (;;) {
        const char *quote = memchr(w->at, '"', (size_t)(w->end - w->at));
        if (!quote) {
            w->at = w->end;
            return (struct span){from, (size_t)(w->end - from)};
        }
        const char *slash = quote;
        while (slash > from && slash[-1] == '\\')
            slash--;
        w->at = quote + 1;
        if ((quote - slash) % 2 == 0)
            return (struct span){from, (size_t)(quote - from)};
    }
}

static void walk_blanks(struct walk *w)
{
    while (w->at < w->end && (*w->at == ' ' || *w->at == ',' || *w->at == '}')) {
        if (*w->at == '}' && --w->depth <= 0)
            w->scope = SCOPE_EVENT;
        w->at++;
    }
}

/* Into the object that begins here. */
static void walk_into(struct walk *w, struct span key)
{
    w->at++;
    if (w->depth++ > 0)
        return;
    w->scope = SCOPE_OTHER;
    for (size_t i = 0; i < sizeof scope_names / sizeof scope_names[0]; i++)
        if (log_name_is(key, scope_names[i].key))
            w->scope = scope_names[i].scope;
}

static struct span walk_scalar(struct walk *w)
{
    const char *from = w->at;
    while (w->at < w->end && *w->at != ',' && *w->at != '}')
        w->at++;
    return (struct span){from, (size_t)(w->at - from)};
}

/* The next member that is no object itself; false at the end, and where it is malformed. */
static bool walk_next(struct walk *w, struct member *m)
{
    for (;;) {
        walk_blanks(w);
        if (w->at == w->end || *w->at != '"' || w->depth < 0)
            return false;
        m->key = walk_string(w);
        while (w->at < w->end && (*w->at == ' ' || *w->at == ':'))
            w->at++;
        if (w->at == w->end)
            return false;
        m->scope = w->scope;
        if (*w->at != '{')
            break;
        walk_into(w, m->key);
    }
    m->quoted = *w->at == '"';
    m->value = m->quoted ? walk_string(w) : walk_scalar(w);
    return true;
}

/* The first that a step names, and a step that names another one. */
static void note_precision(struct log_reader *r, struct span value)
{
    struct log *log = r->log;
    bool first = !log->step_precision.what && value.n <= LOG_BANNER_MAX;
    if (first || (!log->other_precision.line && !span_is(value, log->step_precision.what)))
        *(first ? &log->step_precision : &log->other_precision) =
            (struct log_oddity){arena_strndup(r->arena, value.p, value.n), r->line};
}

/* A number between quotes is a text, whatever reads it. */
static void note_quoted(struct log_reader *r, const struct member *m)
{
    double value;
    if (!m->quoted || !span_number(m->value, &value))
        return;
    r->draft->unfit = true;
    if (!r->log->quoted.line)
        r->log->quoted = (struct log_oddity){arena_strndup(r->arena, m->key.p, m->key.n), r->line};
}

static void take_event_value(struct log_reader *r, struct log_said *said, const struct member *m)
{
    static const struct log_name skipped = LOG_NAME("skipped"), precision = LOG_NAME("precision");
    if (log_name_is(m->key, skipped))
        said->point.skipped = span_is(m->value, "true");
    if (log_name_is(m->key, precision))
        note_precision(r, m->value);
    note_quoted(r, m);
    for (size_t i = 0; i < sizeof step_keys / sizeof step_keys[0]; i++)
        if (log_name_is(m->key, step_keys[i].key)) {
            log_say_number(r, said, m->value, step_keys[i].at, 1);
            return;
        }
    log_say_other(r, m->value);
}

static const struct log_name time_key = LOG_NAME("time_ms"), rank_key = LOG_NAME("rank"),
                             file_key = LOG_NAME("file"), step_key = LOG_NAME("step");

static void take_metadata(struct log_reader *r, struct log_said *said, const struct member *m)
{
    if (log_name_is(m->key, time_key))
        log_say_number(r, said, m->value, LOG_SAID(point.clock_ms), 1);
    else if (log_name_is(m->key, rank_key))
        log_say_number(r, said, m->value, LOG_SAID(rank), 1);
    else
        log_say_other(r, m->value);
    if (!r->log->script && log_name_is(m->key, file_key))
        r->log->script = arena_strndup(r->arena, m->value.p, m->value.n);
}

static void read_step(struct log_reader *r, struct walk w)
{
    struct log_said said = log_said_none(r);
    struct member m;
    while (walk_next(&w, &m)) {
        if (m.scope == SCOPE_VALUE)
            take_event_value(r, &said, &m);
        else if (m.scope == SCOPE_METADATA)
            take_metadata(r, &said, &m);
        else if (m.scope == SCOPE_EVENT && log_name_is(m.key, step_key) && isnan(said.point.step))
            log_say_number(r, &said, m.value, LOG_SAID(point.step), 1);
        else
            log_say_other(r, m.value);
    }
    if (isfinite(said.point.step))
        log_say(r, &said);
}

/* An event that says nothing of the training: known, and that is all. */
static void read_other(struct log_reader *r, struct walk w)
{
    struct member m;
    while (walk_next(&w, &m))
        log_say_other(r, m.value);
    log_say_nothing(r);
}

static void read_finished(struct log_reader *r, struct walk w)
{
    struct member m;
    r->log->finished = true;
    r->log->finished_line = r->line;
    while (walk_next(&w, &m)) {
        double value;
        bool truth = span_is(m.value, "true");
        if (m.scope != SCOPE_VALUE)
            continue;
        if (truth || span_is(m.value, "false"))
            log_add_value(r, m.key, truth);
        else if (span_number(m.value, &value))
            log_add_value(r, m.key, value);
    }
}

/* What our own trainer says of itself: INIT_START, and of the weights that it began with: INIT_END.
 */
static void read_begin(struct log_reader *r, struct walk w)
{
    static const struct log_name step = LOG_NAME("resumed_step"),
                                 weights = LOG_NAME("initial_weights_sha256");
    struct member m;
    while (walk_next(&w, &m)) {
        double value;
        log_say_other(r, m.value);
        if (m.scope != SCOPE_VALUE)
            continue;
        if (log_name_is(m.key, step) && span_number(m.value, &value) && isfinite(value))
            r->log->resumed_step = value;
        else if (log_name_is(m.key, weights) && !r->log->initial_weights)
            r->log->initial_weights = arena_strndup(
                r->arena, m.value.p, m.value.n < HASH_HEX_LEN ? m.value.n : HASH_HEX_LEN);
    }
    log_say_nothing(r);
}

/* One number of an event of our own trainer. */
static void read_event_number(struct log_reader *r, struct walk w, struct log_name key, double *out)
{
    struct member m;
    double value;
    while (walk_next(&w, &m)) {
        log_say_other(r, m.value);
        if (m.scope == SCOPE_VALUE && log_name_is(m.key, key) && span_number(m.value, &value) &&
            isfinite(value))
            *out = value;
    }
    log_say_nothing(r);
}

static void read_start(struct log_reader *r, struct walk w)
{
    static const struct {
        struct log_name key;
        enum log_banner banner;
    } texts[] = {{LOG_NAME("ranks"), BANNER_RANKS},
                 {LOG_NAME("precision"), BANNER_PRECISION},
                 {LOG_NAME("device"), BANNER_DEVICE},
                 {LOG_NAME("libraries"), BANNER_LIBRARIES}};
    struct log *log = r->log;
    const struct {
        struct log_name key;
        double *to;
    } numbers[] = {{LOG_NAME("seed"), &log->seed},
                   {LOG_NAME("sequence_length"), &log->sequence_length},
                   {LOG_NAME("micro_batch"), &log->micro_batch},
                   {LOG_NAME("gradient_accumulation"), &log->gradient_accumulation}};
    struct member m;
    double value;
    log->head_line = r->line;
    while (walk_next(&w, &m)) {
        log_say_other(r, m.value);
        if (m.scope != SCOPE_VALUE)
            continue;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (log_name_is(m.key, texts[i].key))
                log_banner_set(r, texts[i].banner, m.value);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (log_name_is(m.key, numbers[i].key) && span_number(m.value, &value) &&
                isfinite(value))
                *numbers[i].to = value;
    }
    log_say_nothing(r);
}

static void read_zero(struct log_reader *r, struct walk w)
{
    r->log->zero_line = r->line;
    read_event_number(r, w, (struct log_name)LOG_NAME("loss"), &r->log->step_zero);
}

static void read_saved(struct log_reader *r, struct walk w)
{
    static const struct log_name seconds = LOG_NAME("seconds");
    struct member m;
    while (walk_next(&w, &m)) {
        double value;
        bool meant = m.scope == SCOPE_VALUE && log_name_is(m.key, seconds);
        if (meant && span_number(m.value, &value) && value >= 0 && r->log->n_saves < LOG_SAVES_MAX)
            *(struct log_save *)ARENA_PUSH(r->arena, r->log->saves, r->log->n_saves) =
                (struct log_save){value, r->line};
    }
}

#define KEYS_COMPARED 64 /* of one event */

/* Which of two values of one key is meant nobody can tell. */
static void note_doubled(struct log_reader *r, struct walk w)
{
    struct member seen[KEYS_COMPARED];
    size_t n = 0;
    if (r->log->doubled.line)
        return;
    while (n < KEYS_COMPARED && walk_next(&w, &seen[n])) {
        for (size_t i = 0; i < n; i++)
            if (seen[i].scope == seen[n].scope && seen[i].key.n == seen[n].key.n &&
                memcmp(seen[i].key.p, seen[n].key.p, seen[n].key.n) == 0)
                r->log->doubled = (struct log_oddity){
                    arena_strndup(r->arena, seen[n].key.p, seen[n].key.n), r->line};
        n++;
    }
}

static const struct event {
    struct log_name name;
    void (*read)(struct log_reader *r, struct walk w);
} events[] = {
    {LOG_NAME("STEP_END"), read_step},    {LOG_NAME("FINISHED"), read_finished},
    {LOG_NAME("INIT_START"), read_start}, {LOG_NAME("INIT_END"), read_begin},
    {LOG_NAME("STEP_ZERO"), read_zero},   {LOG_NAME("CHECKPOINT_SAVED"), read_saved},
};

/* The JSON behind the mark, which begins the line but where something else did not end its own. */
static bool find_event(struct span s, struct span *json)
{
    static const struct log_name mark = LOG_NAME("[PerfLog] ");
    while (s.n >= mark.n) {
        const char *hit = memchr(s.p, '[', s.n - mark.n + 1);
        if (!hit)
            return false;
        s = span_from(s, (size_t)(hit - s.p));
        if (memcmp(s.p, mark.text, mark.n) == 0) {
            *json = span_from(s, mark.n);
            return true;
        }
        s = span_from(s, 1);
    }
    return false;
}

static bool not_whole(struct log_reader *r)
{
    if (r->broken++ == 0)
        r->broken_line = r->line;
    return false;
}

static bool read_perflog_line(struct log_reader *r, struct span s)
{
    struct span json;
    struct member m;
    if (!find_event(s, &json))
        return false;
    /* Whole or not at all: a cut line ends without its last brace. */
    if (!span_starts(json, "{") || json.p[json.n - 1] != '}')
        return not_whole(r);
    struct walk w = {json.p + 1, json.p + json.n, 0, SCOPE_EVENT};
    if (!walk_next(&w, &m) || !span_is(m.key, "event"))
        return not_whole(r);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (log_name_is(m.value, events[i].name)) {
            note_doubled(r, w);
            events[i].read(r, w);
            return true;
        }
    read_other(r, w);
    return true;
}

const struct log_format log_format_perflog = {
    .name = "perflog",
    .reads = "FlagPerf's event log, and fpreport's own trainer",
    .sample = "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.68, \"global_steps\": "
              "3397}, \"metadata\": {\"rank\": 0}}",
    .marks = LOG_MARK_BRACKET,
    .steps = true,
    .anywhere = true,
    .read = read_perflog_line,
};
