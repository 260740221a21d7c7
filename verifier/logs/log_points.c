/*
 * What the formats found: points and values, within bounds, and the curve that the points give.
 */
#include "verifier/logs/log_format.h"

#include "verifier/logs/log_order.h"

#include <stdlib.h>
#include <unistd.h>

#define FIRST_ROOM 64 /* a power of two, so that LOG_POINTS_MAX is reached exactly */
#define SLOTS ((size_t)2 * LOG_POINTS_MAX)

struct log_point log_point_at(const struct log_reader *r, double step)
{
    return (struct log_point){.step = step,
                              .loss = NAN,
                              .seconds = NAN,
                              .tokens_per_s = NAN,
                              .samples_per_s = NAN,
                              .samples = NAN,
                              .clock_ms = NAN,
                              .grad_norm = NAN,
                              .learning_rate = NAN,
                              .pictures = NAN,
                              .real_tokens = NAN,
                              .targets = NAN,
                              .attention_pairs = NAN,
                              .skipped = NAN,
                              .rank = r->rank,
                              .line = r->line};
}

void log_set(struct log_point *p, size_t at, double value)
{
    memcpy((char *)p + at, &value, sizeof value);
    p->has_loss = p->has_loss || at == offsetof(struct log_point, loss);
    p->has_grad_norm = p->has_grad_norm || at == offsetof(struct log_point, grad_norm);
}

static bool same_step(const struct log_point *a, const struct log_point *b)
{
    return a->step == b->step && a->rank == b->rank;
}

/* Spreads by a number that the writer of a log cannot know (splitmix64's finish), so that no
 * steps can be chosen that all meet. What is found does not depend on it. */
static size_t spread_bits(uint64_t bits, uint64_t seed)
{
    bits ^= seed;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return (size_t)(bits ^ bits >> 31) % SLOTS;
}

/* Puts p where its step is, or behind the others; false when there is no room. */
static bool put_by_step(struct log_reader *r, const struct log_point *p)
{
    struct log *log = r->log;
    /* Steps are mostly said again in the order in which they were said first. */
    if (r->next < log->n_points && same_step(&log->points[r->next], p)) {
        log->points[r->next++] = *p;
        return true;
    }
    /* Where the point of this step and rank is noted, or the free slot for it. */
    double step = p->step == 0 ? 0 : p->step; /* -0 is the same step, of other bits */
    uint64_t bits;
    memcpy(&bits, &step, sizeof bits);
    size_t at = spread_bits(bits ^ (uint64_t)(uint16_t)p->rank << 40, r->seed);
    while (r->by_step[at] && !same_step(&r->log->points[r->by_step[at] - 1], p))
        at = (at + 1) % SLOTS;
    uint32_t *slot = &r->by_step[at];
    if (!*slot && log->n_points == LOG_POINTS_MAX)
        return false;
    if (!*slot)
        *slot = (uint32_t)++log->n_points;
    log->points[*slot - 1] = *p;
    r->next = *slot;
    return true;
}

/* From here on one report of a step and rank is kept, the last. */
static void merge_steps(struct log_reader *r)
{
    struct log *log = r->log;
    size_t n = log->n_points;
    r->by_step = arena_array(r->arena, SLOTS, sizeof *r->by_step);
    if (getentropy(&r->seed, sizeof r->seed) < 0)
        r->seed = (uintptr_t)r->by_step; /* where it lies is random as well */
    log->n_points = 0;
    for (size_t i = 0; i < n; i++) {
        struct log_point p = log->points[i];
        put_by_step(r, &p);
    }
}

void log_add_point(struct log_reader *r, const struct log_point *p)
{
    struct log *log = r->log;
    if (!isfinite(p->step))
        return;
    r->added++;
    if (!r->by_step && log->n_points < LOG_POINTS_MAX) {
        if (log->n_points == r->room) {
            r->room = r->room ? 2 * r->room : FIRST_ROOM;
            log->points = memory_grow(log->points, r->room * sizeof *log->points);
        }
        log->points[log->n_points++] = *p;
        return;
    }
    if (!r->by_step)
        merge_steps(r);
    if (r->full || !put_by_step(r, p)) {
        log->points[LOG_POINTS_MAX - 1] = *p;
        if (!r->full)
            diags_add(r->diags, SEVERITY_WARNING, log->file, r->line, 0,
                      "the log has more than %d steps; of the other steps, fpreport reads only the "
                      "last",
                      LOG_POINTS_MAX);
        r->full = true;
    }
}

void log_note_counted(struct log_reader *r)
{
    diags_add(r->diags, SEVERITY_NOTICE, r->log->file, 0, 0,
              "%zu %s no step number. fpreport numbers the reports in order of appearance, not by "
              "training steps.",
              r->log->counted, r->log->counted == 1 ? "report gives" : "reports give");
}

void log_finish_points(struct log_reader *r)
{
    struct log *log = r->log;
    size_t bytes = log->n_points * sizeof *log->points;
    char *kept = arena_room(r->arena, bytes);
    if (bytes)
        memcpy(kept, log->points, bytes);
    free(log->points);
    log->points = (struct log_point *)(void *)kept;
}

double log_clock_ms(const struct log *log, const struct log_point *x, const struct log_point *after)
{
    size_t low = 0, high = log->n_stamps;
    if (!isnan(x->clock_ms))
        return x->clock_ms;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (log->stamps[middle].line <= x->line)
            low = middle + 1;
        else
            high = middle;
    }
    bool near = low && (!after || log->stamps[low - 1].line > after->line);
    return near ? log->stamps[low - 1].ms : NAN;
}

void log_note_sum(struct log_reader *r, int line, const char *sum)
{
    diags_add(r->diags, SEVERITY_NOTICE, r->log->file, line, 0,
              "the table has no total loss, so fpreport reads the column %s as the loss", sum);
}

void log_note_headless(struct log_reader *r, int line, const char *head)
{
    diags_add(r->diags, SEVERITY_NOTICE, r->log->file, line, 0,
              "a line with metrics has no line with its step number (such as \"%s\") above it: "
              "fpreport reads its rate and memory, but not its loss",
              head);
}

const char *log_step_word(const struct log *log)
{
    return log->by_epoch ? "epoch" : "step";
}

/* Reports of whole epochs are the curve where the log says no step. */
void log_end_epochs(struct log_reader *r)
{
    struct log *log = r->log;
    if (!r->n_epochs || log->n_points)
        return;
    for (size_t i = 0; i < r->n_epochs; i++)
        log_add_point(r, &r->epochs[i]);
    log_tail_goal(r, NAN, r->epochs_total);
    log->by_epoch = true;
    log->counted = log->n_points;
    log->format = r->epochs_of;
    diags_add(r->diags, SEVERITY_NOTICE, log->file, r->epochs[0].line, 0,
              "%zu %s; the curve is over epochs, not over training steps", log->n_points,
              log->n_points == 1 ? "loss is that of an epoch" : "losses are those of epochs");
}

void log_add_epoch(struct log_reader *r, const char *format, double epoch, double epochs,
                   double loss)
{
    bool again = r->n_epochs && r->epochs[r->n_epochs - 1].step == epoch;
    if (r->n_epochs == LOG_EPOCHS_MAX && !again)
        return;
    struct log_point *to =
        again ? &r->epochs[r->n_epochs - 1] : ARENA_PUSH(r->arena, r->epochs, r->n_epochs);
    *to = log_point_at(r, epoch);
    log_set(to, offsetof(struct log_point, loss), loss);
    r->epochs_of = format;
    r->epochs_total = epochs;
}

static struct log_value *find_log_value(const struct log *log, struct span key)
{
    for (size_t i = 0; i < log->n_values; i++)
        if (log->values[i].key[0] == (key.n ? key.p[0] : '\0') && span_is(key, log->values[i].key))
            return &log->values[i];
    return NULL;
}

void log_add_value(struct log_reader *r, struct span key, double value)
{
    struct log *log = r->log;
    struct log_value *to = find_log_value(log, key);
    if (!to && log->n_values == LOG_VALUES_MAX)
        return;
    if (!to) {
        to = ARENA_PUSH(r->arena, log->values, log->n_values);
        to->key = arena_strndup(r->arena, key.p, key.n);
        if (log->n_values == LOG_VALUES_MAX)
            diags_add(r->diags, SEVERITY_WARNING, log->file, r->line, 0,
                      "the log has more than %d names of values; fpreport ignores the other names",
                      LOG_VALUES_MAX);
    }
    to->value = value;
    to->line = r->line;
}

void log_note_memory(struct log_reader *r, double gib)
{
    const struct log_value *most = log_get(r->log, LOG_MEMORY);
    if (isfinite(gib) && gib > 0 && (!most || gib > most->value))
        log_add_value(r, SPAN(LOG_MEMORY), gib);
}

bool log_is_native(const struct log *log)
{
    const char *base = log->script ? strrchr(log->script, '/') : NULL;
    return base && strncmp(log->script, "cli/", 4) == 0 && strncmp(base, "/train", 6) == 0;
}

const struct log_value *log_get(const struct log *log, const char *key)
{
    return find_log_value(log, span_of(key));
}

/* By step; within one the highest rank first, then by place in the file, so that the last report
 * of the lowest rank comes last. */
static int compare_log_points(const void *a, const void *b)
{
    const struct log_point *x = *(const struct log_point *const *)a,
                           *y = *(const struct log_point *const *)b;
    int order = (x->step > y->step) - (x->step < y->step);
    order = order ? order : y->rank - x->rank;
    return order ? order : (x > y) - (x < y);
}

void log_curve(const struct log *log, struct arena *arena, struct curve *out)
{
    const struct log_point **order = arena_array(arena, log->n_points, sizeof *order);
    *out =
        (struct curve){.source = log->file, .counted = log->counted > 0, .by_epoch = log->by_epoch};
    size_t n = 0;
    for (size_t i = 0; i < log->n_points; i++)
        if (log->points[i].has_loss)
            order[n++] = &log->points[i];
    if (n > 1)
        qsort(order, n, sizeof *order, compare_log_points);
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
