#include "verifier/log.h"

#include "verifier/log_formats.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 16)

/* In the order in which a segment is offered to them. `steps`: gives the steps of a curve. */
static const struct log_format {
    const char *name;
    bool (*read)(struct log_reader *r, struct span s);
    bool steps;
} formats[] = {
    {"perflog", log_perflog, true},         {"megatron", log_megatron, true},
    {"deepspeed", log_deepspeed, true},     {"curve", log_curve_line, true},
    {"huggingface", log_huggingface, true}, {"summary", log_summary, false},
};

void log_open(struct log_reader *r, const char *file, struct log *out, struct arena *arena,
              struct diags *diags)
{
    *out = (struct log){.file = file};
    *r = (struct log_reader){.log = out, .arena = arena, .diags = diags, .line = 1};
    buf_init(&r->partial, LOG_LINE_MAX);
}

struct log_point log_point_at(const struct log_reader *r, double step)
{
    return (struct log_point){step, NAN, NAN, NAN, NAN, NAN, NAN, false, r->line};
}

void log_set(struct log_point *p, size_t at, double value)
{
    memcpy((char *)p + at, &value, sizeof value);
    p->has_loss = p->has_loss || at == offsetof(struct log_point, loss);
}

void log_add_point(struct log_reader *r, const struct log_point *p)
{
    struct log *log = r->log;
    if (log->n_points == LOG_POINTS_MAX)
        return;
    struct log_point *to = ARENA_PUSH(r->arena, log->points, log->n_points);
    *to = *p;
    if (log->n_points == LOG_POINTS_MAX)
        diags_add(r->diags, SEVERITY_WARNING, log->file, r->line, 0,
                  "more than %d steps; the rest of this log is not read", LOG_POINTS_MAX);
}

void log_add_value(struct log_reader *r, struct span key, double value)
{
    struct log *log = r->log;
    if (log->n_values == LOG_VALUES_MAX)
        return;
    struct log_value *to = ARENA_PUSH(r->arena, log->values, log->n_values);
    *to = (struct log_value){arena_strndup(r->arena, key.p, key.n), value, r->line};
}

/* torchrun --tee prefixes every line with "[default15]:". */
static struct span without_prefix(struct span s)
{
    struct span rest = s;
    if (!span_starts(s, "[default"))
        return s;
    struct span head = span_cut(&rest, ']');
    double rank;
    head = span_from(head, strlen("[default"));
    if (head.n == 0 || span_number(head, &rank) != head.n || !span_starts(rest, ":"))
        return s;
    return span_from(rest, 1);
}

static void read_segment(struct log_reader *r, struct span s)
{
    s = span_trim(without_prefix(s));
    for (size_t i = 0; s.n && i < sizeof formats / sizeof formats[0]; i++) {
        size_t points = r->log->n_points;
        if (!formats[i].read(r, s))
            continue;
        r->log->known++;
        if (formats[i].steps && r->log->n_points > points)
            r->log->format = formats[i].name;
        return;
    }
}

/* NUL never occurs in a text log; compressed and binary files have it at once. */
static bool is_binary(struct log_reader *r, struct span s)
{
    if (s.n == 0 || !memchr(s.p, '\0', s.n))
        return false;
    diags_add(r->diags, SEVERITY_ERROR, r->log->file, r->line, 0,
              "found a NUL byte, expected a text log; the rest of this file is not read");
    r->stopped = true;
    return true;
}

static void read_line(struct log_reader *r, struct span s)
{
    r->log->lines = r->line;
    if (is_binary(r, s))
        return;
    while (s.n)
        read_segment(r, span_cut(&s, '\r'));
}

static void too_long(struct log_reader *r)
{
    if (!r->skipping)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->line, 0,
                  "found a line of more than %zu bytes; it is not read", LOG_LINE_MAX);
    r->skipping = true;
    buf_clear(&r->partial);
}

/* A piece of a line that goes on in the next piece. */
static void keep_partial(struct log_reader *r, struct span s)
{
    if (r->skipping)
        return;
    if (r->partial.len + s.n > LOG_LINE_MAX)
        too_long(r);
    else
        buf_add(&r->partial, s.p, s.n);
}

static void end_line(struct log_reader *r, struct span s)
{
    if (r->partial.len || r->skipping) {
        keep_partial(r, s);
        s = (struct span){r->partial.data, r->partial.len};
    }
    if (s.n > LOG_LINE_MAX)
        too_long(r);
    if (!r->skipping)
        read_line(r, s);
    buf_clear(&r->partial);
    r->skipping = false;
    r->line++;
}

void log_feed(struct log_reader *r, const char *bytes, size_t n)
{
    struct span s = {bytes, n};
    r->any = r->any || n;
    while (s.n && !r->stopped) {
        if (!memchr(s.p, '\n', s.n)) {
            keep_partial(r, s);
            return;
        }
        end_line(r, span_cut(&s, '\n'));
    }
}

static void note_nothing_known(struct log_reader *r)
{
    if (!r->any)
        diags_add(r->diags, SEVERITY_ERROR, r->log->file, 0, 0, "the log is empty");
    else if (r->log->known == 0 && !r->stopped)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, 0, 0,
                  "no line of any known log format in %d lines", r->log->lines);
}

void log_close(struct log_reader *r)
{
    if (!r->stopped && (r->partial.len || r->skipping)) {
        size_t known = r->log->known;
        bool event = span_starts((struct span){r->partial.data, r->partial.len}, "[PerfLog]");
        end_line(r, (struct span){NULL, 0});
        if (event && r->log->known == known)
            diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->log->lines, 0,
                      "the last line is cut: the log is truncated");
    }
    note_nothing_known(r);
    buf_release(&r->partial);
}

void log_read(const char *file, struct bytes in, struct log *out, struct arena *arena,
              struct diags *diags)
{
    struct log_reader r;
    log_open(&r, file, out, arena, diags);
    log_feed(&r, in.data, in.len);
    log_close(&r);
}

static int feed_file(struct log_reader *r, int fd, const char *path, struct err *err)
{
    char *piece = memory_alloc(PIECE);
    ssize_t n;
    do {
        n = read(fd, piece, PIECE);
        if (n > 0)
            log_feed(r, piece, (size_t)n);
    } while ((n > 0 && !r->stopped) || (n < 0 && errno == EINTR));
    free(piece);
    return n < 0 ? err_errno(err, ERR_INPUT, "%s", path) : 0;
}

int log_read_file(const char *path, struct log *out, struct arena *arena, struct diags *diags,
                  struct err *err)
{
    if (file_is_dir(path))
        return err_set(err, ERR_INPUT, "%s: found a folder, expected a log file", path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    struct log_reader r;
    log_open(&r, path, out, arena, diags);
    int rc = feed_file(&r, fd, path, err);
    close(fd);
    log_close(&r);
    return rc;
}

const struct log_value *log_get(const struct log *log, const char *key)
{
    for (size_t i = log->n_values; i > 0; i--)
        if (strcmp(log->values[i - 1].key, key) == 0)
            return &log->values[i - 1];
    return NULL;
}

/* By step, then by place in the file, so that the last report of a step comes last. */
static int by_step(const void *a, const void *b)
{
    const struct log_point *x = *(const struct log_point *const *)a,
                           *y = *(const struct log_point *const *)b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x < y ? -1 : x > y;
}

void log_curve(const struct log *log, struct arena *arena, struct curve *out)
{
    const struct log_point **order = arena_array(arena, log->n_points, sizeof *order);
    *out = (struct curve){.source = log->file};
    size_t n = 0;
    for (size_t i = 0; i < log->n_points; i++)
        if (isfinite(log->points[i].step) && log->points[i].has_loss)
            order[n++] = &log->points[i];
    qsort(order, n, sizeof *order, by_step);
    out->step = arena_array(arena, n, sizeof(double));
    out->loss = arena_array(arena, n, sizeof(double));
    out->seconds = arena_array(arena, n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        bool again = out->n && out->step[out->n - 1] == order[i]->step;
        size_t at = again ? out->n - 1 : out->n++;
        out->step[at] = order[i]->step;
        out->loss[at] = order[i]->loss;
        out->seconds[at] = order[i]->seconds;
    }
}
