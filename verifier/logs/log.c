#include "verifier/logs/log.h"

#include "base/text.h"
#include "verifier/logs/log_form.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"
#include "verifier/logs/log_prefix.h"
#include "verifier/logs/log_say.h"
#include "verifier/logs/log_skips.h"

#include <stdlib.h>

/* In the order of LOG_MARK_…. */
static const char marked[SPAN_MARKS] = {'\0', '\x1b', '[', '|'};

static void note_first_bytes(struct log_reader *r, size_t i)
{
    const struct log_format *f = log_formats[i];
    uint64_t bit = (uint64_t)1 << i;
    for (size_t c = 0; !f->first && c < 256; c++)
        r->of_first[c] |= bit;
    for (const char *c = f->first; c && *c; c++)
        r->of_first[(unsigned char)*c] |= bit;
    if (!f->anywhere)
        r->of_rest |= bit;
}

static void begin_formats(struct log_reader *r)
{
    r->states = arena_array(r->arena, LOG_FORMATS_MAX, sizeof *r->states);
    for (size_t i = 0; log_formats[i]; i++) {
        note_first_bytes(r, i);
        r->of_format = r->states[i] = arena_alloc(r->arena, log_formats[i]->state_bytes);
        if (log_formats[i]->begin)
            log_formats[i]->begin(r);
    }
}

static void end_formats(struct log_reader *r)
{
    for (size_t i = 0; log_formats[i]; i++) {
        r->of_format = r->states[i];
        if (log_formats[i]->end)
            log_formats[i]->end(r);
    }
}

void log_open(struct log_reader *r, const char *file, struct log *out, struct arena *arena,
              struct diags *diags)
{
    *out = (struct log){.file = file,
                        .step_zero = NAN,
                        .seed = NAN,
                        .sequence_length = NAN,
                        .micro_batch = NAN,
                        .gradient_accumulation = NAN,
                        .skips = {.so_far = NAN, .of = NAN, .good_step = NAN},
                        .tflops = {NAN, 0},
                        .mfu = {NAN, 0}};
    *r = (struct log_reader){.log = out, .arena = arena, .diags = diags, .line = 1};
    r->goal = (struct log_goal){NAN, NAN, 0};
    buf_init(&r->partial, LOG_LINE_MAX);
    buf_init(&r->plain, LOG_LINE_MAX);
    buf_init(&r->like_kept, LOG_LINE_MAX);
    r->draft = memory_alloc(sizeof *r->draft);
    r->forms = log_forms_new();
    begin_formats(r);
}

/* torchrun --tee prefixes every line with "[default15]:" or, with a role of a job,
 * "[trainer0|15]:", others of its loggers with "[rank3]:". It goes before the formats that find
 * their words anywhere are asked, because it names the rank. */
static struct span without_rank(struct log_reader *r, struct span s)
{
    r->rank = LOG_RANK_NONE;
    if (span_starts(s, "[default") || span_starts(s, "[rank") || span_starts(s, "[trainer"))
        log_prefix_drop(&s, &r->rank);
    return s;
}

/* Many short lines cost far more than few long ones: a small archive holds them for minutes. So do
 * blank ones, which are counted apart: where lines end with CR and LF, each has one behind it. */
static bool is_endless(struct log_reader *r, struct span s)
{
    size_t *n = s.n ? &r->segments : &r->blanks;
    if ((*n)++ < LOG_LINES_MAX)
        return false;
    diags_add(r->diags, SEVERITY_ERROR, r->log->file, r->line, 0,
              "the file has more than %d lines; the rest of the file was not read", LOG_LINES_MAX);
    r->stopped = true;
    return true;
}

bool log_offer_to(struct log_reader *r, size_t i, struct span segment)
{
    r->draft->n = 0;
    r->draft->unfit = r->draft->done = false;
    r->of_format = r->states[i];
    return log_formats[i]->read(r, segment);
}

/* The name of the format that knows this segment, or NULL. `again`: it was offered with a prefix
 * already. */
static const char *offer(struct log_reader *r, struct span s, unsigned marks, bool again)
{
    uint64_t may_know = s.n ? r->of_first[(unsigned char)s.p[0]] : 0;
    if (again)
        may_know &= r->of_rest;
    for (; may_know; may_know &= may_know - 1) {
        size_t i = (size_t)__builtin_ctzll(may_know), points = r->log->n_points;
        if ((log_formats[i]->marks & ~marks) || !log_offer_to(r, i, s))
            continue;
        r->log->known++;
        if (log_formats[i]->steps && r->log->n_points > points)
            r->log->format = log_formats[i]->name;
        return log_formats[i]->name;
    }
    return NULL;
}

/* What a file begins with that is no text as we read it. */
static const struct foreign {
    const char *magic;
    size_t n;
    const char *found;
} foreign[] = {
    {"\x1f\x8b", 2, "a gzip-compressed file"},
    {"\x28\xb5\x2f\xfd", 4, "a zstd-compressed file"},
    {"\xfd\x37zXZ", 5, "an xz-compressed file"},
    {"BZh", 3, "a bzip2-compressed file"},
    {"PK\x03\x04", 4, "a zip archive"},
    {"\xff\xfe", 2, "UTF-16 text"},
    {"\xfe\xff", 2, "UTF-16 text"},
    {"\x7f"
     "ELF",
     4, "a program"},
};

const char *log_foreign(struct span head)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (head.n >= foreign[i].n && memcmp(head.p, foreign[i].magic, foreign[i].n) == 0)
            return foreign[i].found;
    return NULL;
}

static bool is_foreign(struct log_reader *r, struct span s)
{
    const char *found = r->segments == 0 ? log_foreign(s) : NULL;
    if (!found)
        return false;
    diags_add(r->diags, SEVERITY_ERROR, r->log->file, r->line, 0,
              "found %s, expected a log as UTF-8 text; the file was not read", found);
    r->stopped = true;
    return true;
}

/* NUL never occurs in a text log; binary files have it at once. */
static bool is_binary(struct log_reader *r, unsigned marks)
{
    if (!(marks & LOG_MARK_NUL))
        return false;
    diags_add(r->diags, SEVERITY_ERROR, r->log->file, r->line, 0,
              "found a NUL byte, expected a text log; the rest of this file was not read");
    r->stopped = true;
    return true;
}

/* "2026-11-27 13:29:37", "[2026-11-27T13:29:37"; NaN. */
static double stamp_in_front(struct span s)
{
    if (s.n && s.p[0] == '[')
        s = span_from(s, 1);
    if (!s.n || !text_is_digit(s.p[0]))
        return NAN;
    double seconds = stamp_read(s, ' ');
    return 1000 * (isnan(seconds) ? stamp_read(s, 'T') : seconds);
}

static void note_line_stamp(struct log_reader *r, double ms)
{
    struct log *log = r->log;
    if (isnan(ms) || log->n_stamps == LOG_STAMPS_MAX ||
        (log->n_points && log->points[log->n_points - 1].line == r->line &&
         !isnan(log->points[log->n_points - 1].clock_ms)))
        return;
    struct log_stamp *to = ARENA_PUSH(r->arena, log->stamps, log->n_stamps);
    *to = (struct log_stamp){ms, r->line};
}

static void read_segment(struct log_reader *r, struct span s)
{
    unsigned marks = span_marks(s, marked);
    if (r->stopped || is_foreign(r, s) || is_binary(r, marks) || is_endless(r, s))
        return;
    if (r->segments == 1 && span_starts(s, "\xEF\xBB\xBF"))
        s = span_from(s, 3);
    struct span line = s;
    size_t added = r->added;
    if (marks & LOG_MARK_ESCAPE)
        s = log_prefix_plain(s, &r->plain);
    s = span_trim(without_rank(r, s));
    double stamp = stamp_in_front(s);
    const char *format = offer(r, s, marks, false);
    for (int i = 0; !format && i < LOG_PREFIXES_MAX && log_prefix_drop(&s, &r->rank); i++) {
        stamp = isnan(stamp) ? stamp_in_front(s) : stamp;
        format = offer(r, s, marks, true);
    }
    if (!format)
        log_banner(r, s);
    bool skips = !r->draft->done && log_skips(r, line);
    if (format || skips)
        note_line_stamp(r, stamp);
    if (format && r->draft->done && !r->draft->unfit && !(marks & LOG_MARK_ESCAPE))
        log_forms_learn(r->forms, line, r->draft, format);
    if (r->added > added)
        r->like = line;
}

/* What s makes of the segment is longer than a segment may be. */
static void too_long(struct log_reader *r, struct span s)
{
    size_t room = LOG_LINE_MAX - r->partial.len;
    buf_add(&r->partial, s.p, s.n < room ? s.n : room);
    if (!is_foreign(r, (struct span){r->partial.data, r->partial.len}))
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->line, 0,
                  "found a line of more than %zu bytes; the line was skipped", LOG_LINE_MAX);
    r->log->lines = r->line;
    r->skipping = true;
    buf_clear(&r->partial);
}

/* A piece of a segment that goes on in the next piece. */
static void keep_partial(struct log_reader *r, struct span s)
{
    if (r->skipping)
        return;
    if (r->partial.len + s.n > LOG_LINE_MAX)
        too_long(r, s);
    else
        buf_add(&r->partial, s.p, s.n);
}

/* The memory of the piece, or of the beginning of a segment, is about to go. */
static void keep_like(struct log_reader *r)
{
    if (!r->like.n)
        return;
    buf_clear(&r->like_kept);
    buf_add(&r->like_kept, r->like.p, r->like.n);
    r->like = (struct span){NULL, 0};
}

static void end_segment(struct log_reader *r, struct span s)
{
    if (r->partial.len || r->skipping) {
        keep_partial(r, s);
        s = (struct span){r->partial.data, r->partial.len};
    }
    if (s.n > LOG_LINE_MAX)
        too_long(r, s);
    if (!r->skipping)
        read_segment(r, s);
    if (r->partial.len) /* what is remembered must not lie there */
        keep_like(r);
    r->log->lines = r->line;
    buf_clear(&r->partial);
    r->skipping = false;
}

/* The segments that end inside of s; what is left of it has no end yet. */
static struct span end_segments(struct log_reader *r, struct span s)
{
    const char *stop;
    while (s.n && (stop = memchr(s.p, '\r', s.n)) && !r->stopped) {
        end_segment(r, (struct span){s.p, (size_t)(stop - s.p)});
        s = span_from(s, (size_t)(stop - s.p) + 1);
    }
    return s;
}

/* A line like earlier ones, whole in this piece: returns what is behind it, or NULL. */
static const char *read_again(struct log_reader *r, const char *bytes, const char *end)
{
    struct log_match m;
    if (r->partial.len || r->skipping || r->segments >= LOG_LINES_MAX ||
        !log_forms_match(r->forms, bytes, end, &m))
        return NULL;
    r->segments++;
    r->log->known++;
    r->log->lines = r->line;
    if (m.is_point) {
        size_t points = r->log->n_points;
        struct log_point p = log_said_point(&m.said);
        p.line = r->line;
        log_add_point(r, &p);
        log_note_most(&r->log->tflops, m.said.tflops, r->line);
        r->like = (struct span){bytes, (size_t)(m.next - bytes)};
        if (r->log->n_points > points)
            r->log->format = m.format;
    }
    r->line++;
    return m.next;
}

/* A line, or the beginning of one: returns what is behind it. */
static const char *log_read_line(struct log_reader *r, const char *bytes, const char *end)
{
    const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
    struct span s = {bytes, (size_t)((stop ? stop : end) - bytes)};
    s = end_segments(r, s);
    if (!stop) {
        keep_partial(r, s);
        return end;
    }
    end_segment(r, s);
    r->line++;
    return stop + 1;
}

static void log_feed_text(struct log_reader *r, const char *bytes, size_t n, size_t behind)
{
    const char *end = bytes + n;
    while (bytes < end && !r->stopped) {
        const char *next = read_again(r, bytes, end + behind);
        bytes = next ? next : log_read_line(r, bytes, end);
    }
    keep_like(r);
}

static void read_event_line(void *context, struct span line, int record)
{
    struct log_reader *r = context;
    r->line = r->log->lines = record;
    read_segment(r, line);
    r->like = (struct span){NULL, 0}; /* its bytes are about to go */
}

/* The file is an event file or text, by its first bytes. */
static void log_feed_head(struct log_reader *r)
{
    if (r->n_head == EVENT_HEAD && event_file_begins(r->head)) {
        r->events = memory_alloc(sizeof *r->events);
        event_file_open(r->events, read_event_line, r);
        event_file_feed(r->events, r->head, r->n_head);
    } else {
        log_feed_text(r, r->head, r->n_head, 0);
    }
}

void log_feed(struct log_reader *r, const char *bytes, size_t n)
{
    log_feed_ahead(r, bytes, n, 0);
}

void log_feed_ahead(struct log_reader *r, const char *bytes, size_t n, size_t behind)
{
    if (!n)
        return;
    r->any = true;
    if (r->n_head < EVENT_HEAD) {
        size_t taken = EVENT_HEAD - r->n_head < n ? EVENT_HEAD - r->n_head : n;
        memcpy(r->head + r->n_head, bytes, taken);
        r->n_head += taken;
        bytes += taken;
        n -= taken;
        if (r->n_head == EVENT_HEAD)
            log_feed_head(r);
    }
    if (r->events)
        event_file_feed(r->events, bytes, n);
    else
        log_feed_text(r, bytes, n, behind);
}

static void end_events(struct log_reader *r)
{
    struct event_file *e = r->events;
    event_file_close(e);
    r->log->lines = e->n_records;
    if (e->fault)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, e->fault_record, 0,
                  "record %d of the event file: %s", e->fault_record, e->fault);
    if (r->log->format)
        r->log->format = "tensorboard";
    free(e);
    r->events = NULL;
}

/* Reads the last line, which has no end, where it is whole. */
static void end_last(struct log_reader *r)
{
    struct span last = {r->partial.data, r->partial.len};
    struct span like = {r->like_kept.data, r->like_kept.len};
    size_t broken = r->broken;
    bool cut = like.n && !r->skipping && log_tail_is_cut(like, last);
    if (cut)
        r->log->lines = r->line;
    else
        end_segment(r, (struct span){NULL, 0});
    if (!cut && r->broken == broken)
        return;
    r->broken = broken;
    diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->log->lines, 0,
              "the last line is incomplete: the log is truncated; the line was skipped");
}

void log_close(struct log_reader *r)
{
    if (r->n_head < EVENT_HEAD)
        log_feed_head(r);
    if (r->events)
        end_events(r);
    if (!r->stopped && (r->partial.len || r->skipping))
        end_last(r);
    if (r->broken)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->broken_line, 0,
                  "%zu [PerfLog] lines are not complete events and were skipped; this line is the "
                  "first of them",
                  r->broken);
    end_formats(r);
    log_end_epochs(r);
    if (!r->any)
        diags_add(r->diags, SEVERITY_ERROR, r->log->file, 0, 0, "the log is empty");
    else if (r->log->known == 0 && !r->stopped)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, 0, 0,
                  "none of the %d lines matches a known log format", r->log->lines);
    log_tail_end(r);
    buf_release(&r->partial);
    buf_release(&r->plain);
    buf_release(&r->like_kept);
    log_forms_free(r->forms);
    free(r->draft);
    log_finish_points(r);
}

void log_read(const char *file, struct bytes in, struct log *out, struct arena *arena,
              struct diags *diags)
{
    struct log_reader r;
    log_open(&r, file, out, arena, diags);
    log_feed(&r, in.data, in.len);
    log_close(&r);
}
