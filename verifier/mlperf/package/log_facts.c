#include "verifier/mlperf/package/log_facts.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Text of the first record of a key; NULL where there is none, or its value is no text. */
static const char *mlperf_first_text(const struct mllog *log, const char *key, struct arena *arena)
{
    const struct mllog_record *r = mllog_first(log, key);
    struct mllog_value value = r ? mllog_value(r->value) : (struct mllog_value){0};
    return value.kind == MLLOG_TEXT ? mllog_show(&value, arena) : NULL;
}

double mlperf_progress(const struct mlperf_benchmark *b, const struct mllog_record *evaluation)
{
    struct mllog_value v = mlperf_path_value(&b->progress, evaluation);
    return v.kind == MLLOG_NUMBER ? v.number : NAN;
}

/* ---- times --------------------------------------------------------------------------------- */

/* At the first moment in file order when both are known. */
static void read_times(const struct mllog *log, struct mlperf_log_facts *f)
{
    uint32_t start = mllog_names_find(&log->names, SPAN("run_start"));
    uint32_t stop = mllog_names_find(&log->names, SPAN("run_stop"));
    for (size_t i = 0; i < log->n; i++) {
        const struct mllog_record *r = &log->records[i];
        bool open = isnan(f->start_ms) || isnan(f->stop_ms);
        if (r->name == start) {
            f->start_ms = open ? r->time_ms : f->start_ms;
            f->last_start_ms = r->time_ms;
        } else if (r->name == stop) {
            f->stop_ms = open ? r->time_ms : f->stop_ms;
            f->last_stop_ms = r->time_ms;
        }
    }
    f->minutes = (f->stop_ms - f->start_ms) / 60 / 1000;
}

/* ---- convergence --------------------------------------------------------------------------- */

static double rounded_digits(double x, int digits)
{
    char text[400];
    if (digits < 0 || !isfinite(x))
        return x;
    snprintf(text, sizeof text, "%.*f", digits, x);
    return strtod(text, NULL);
}

static struct mllog_value status_of(const struct mllog_record *stop)
{
    return mllog_member(stop->metadata, "status");
}

/* The last evaluation before a run_stop that says success; a later run_stop replaces it. */
static double needed_by_last(const struct mlperf_log_audit *a)
{
    const struct mllog *log = a->log;
    uint32_t accuracy = mllog_names_find(&log->names, SPAN("eval_accuracy"));
    uint32_t error = mllog_names_find(&log->names, SPAN("eval_error"));
    uint32_t stop = mllog_names_find(&log->names, SPAN("run_stop"));
    double at = NAN, needed = INFINITY;
    for (size_t i = 0; i < log->n; i++) {
        const struct mllog_record *r = &log->records[i];
        if (r->name == accuracy || r->name == error)
            at = mlperf_progress(a->benchmark, r);
        if (r->name != stop)
            continue;
        struct mllog_value status = status_of(r);
        bool success = status.kind == MLLOG_TEXT && mllog_text_is(status.json, "success");
        needed =
            success && isfinite(at) ? rounded_digits(at, a->benchmark->round_digits) : INFINITY;
    }
    return needed;
}

static bool all_hold(const struct mlperf_predicates *all, const struct mllog_record *r)
{
    struct mlperf_scope scope = {0};
    for (size_t i = 0; i < all->n; i++)
        if (mlperf_predicate_holds(&all->items[i], r, &scope) != PREDICATE_HOLDS)
            return false;
    return true;
}

/* The least measure of progress of the groups that satisfy what `reached_by` asks. */
static double needed_by_group(const struct mlperf_log_audit *a)
{
    const struct mlperf_path *path = &a->benchmark->progress;
    const char *name = path->n ? path->parts[path->n - 1] : "";
    double least = INFINITY;
    for (size_t i = 0; i < a->evaluation->n_grouped; i++) {
        const struct mllog_record *r = &a->evaluation->grouped[i];
        struct mllog_value v = mllog_member(r->value, name);
        if (v.kind == MLLOG_NUMBER && v.number < least && all_hold(&a->benchmark->reached, r))
            least = v.number;
    }
    return least;
}

static void read_status(struct mlperf_log_audit *a)
{
    const struct mllog_record *stop = mllog_last(a->log, "run_stop");
    struct mllog_value status = stop ? status_of(stop) : (struct mllog_value){0};
    if (status.kind != MLLOG_MISSING && status.kind != MLLOG_NULL)
        a->facts->status = mllog_show(&status, a->arena);
    if (a->benchmark)
        a->facts->samples = a->benchmark->reached_group ? needed_by_group(a) : needed_by_last(a);
}

/* ---- seeds and settings -------------------------------------------------------------------- */

/* Digits as they are written: a seed may have more than a double holds. */
static const char *digits_of(const struct mllog_value *v, double number, struct arena *arena)
{
    struct span text = v->json;
    if (v->kind == MLLOG_TEXT)
        text = span_trim((struct span){text.p + 1, text.n - 2});
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] < '0' || text.p[i] > '9' || (i == 0 && text.p[i] == '0'))
            return arena_printf(arena, "%.17g", number);
    return arena_strndup(arena, text.p, text.n < MLLOG_SHOWN_MAX ? text.n : MLLOG_SHOWN_MAX);
}

static void add_seed(struct mlperf_log_audit *a, const struct mllog_record *r)
{
    struct mllog_value value = mllog_value(r->value);
    struct mllog_value file = mllog_member(r->metadata, "file");
    struct mllog_value line = mllog_member(r->metadata, "lineno");
    double number;
    if (!mllog_read_whole(&value, &number)) {
        a->facts->seed_broken = true;
        return;
    }
    if (a->facts->n_seeds < MLPERF_SEEDS_MAX)
        *(const char **)ARENA_PUSH(a->arena, a->facts->seeds, a->facts->n_seeds) =
            arena_printf(a->arena, "%s at %s:%s", digits_of(&value, number, a->arena),
                         mllog_show(&file, a->arena), mllog_show(&line, a->arena));
}

static void read_seeds(struct mlperf_log_audit *a)
{
    uint32_t seed = mllog_names_find(&a->log->names, SPAN("seed"));
    for (size_t i = 0; i < a->log->n; i++)
        if (a->log->records[i].name == seed)
            add_seed(a, &a->log->records[i]);
    if (a->facts->n_seeds > 1)
        qsort(a->facts->seeds, a->facts->n_seeds, sizeof *a->facts->seeds, text_by_bytes);
}

/* The first value of each hyperparameter. Numbers are written alike: 1 and 1.0 are one value. */
static void read_settings(struct mlperf_log_audit *a)
{
    const struct mllog *log = a->log;
    bool *done = arena_array(a->arena, log->names.n, sizeof *done);
    for (size_t i = 0; i < log->n; i++) {
        const struct mllog_record *r = &log->records[i];
        if (done[r->name] || !mlperf_ruleset_is_hyperparameter(a->rules, r->name))
            continue;
        struct mllog_value value = mllog_value(r->value);
        if (mllog_is_number(&value))
            value = mllog_number(value.number);
        done[r->name] = true;
        *(struct mlperf_setting *)ARENA_PUSH(a->arena, a->facts->settings, a->facts->n_settings) =
            (struct mlperf_setting){log->names.texts[r->name], mllog_show(&value, a->arena)};
    }
    if (a->facts->n_settings > 1)
        qsort(a->facts->settings, a->facts->n_settings, sizeof *a->facts->settings, text_by_bytes);
}

/* Of the records of eval_accuracy and eval_error. */
static void read_accuracy_points(struct mlperf_log_audit *a)
{
    const struct mllog *log = a->log;
    uint32_t accuracy = mllog_names_find(&log->names, SPAN("eval_accuracy"));
    uint32_t error = mllog_names_find(&log->names, SPAN("eval_error"));
    for (size_t i = 0; a->benchmark && i < log->n; i++) {
        const struct mllog_record *r = &log->records[i];
        if ((r->name != accuracy && r->name != error) || a->facts->n_points == MLPERF_POINTS_MAX)
            continue;
        struct mllog_value value = mllog_value(r->value);
        double progress = mlperf_progress(a->benchmark, r);
        if (isfinite(progress) && value.kind == MLLOG_NUMBER)
            *(struct mlperf_evaluation_point *)ARENA_PUSH(a->arena, a->facts->points,
                                                          a->facts->n_points) =
                (struct mlperf_evaluation_point){progress, value.number};
    }
}

/* Did an evaluation satisfy what the rules want of one, in any set? */
static bool is_reached(const struct mlperf_evaluation *e)
{
    bool asked = false, missed = false;
    for (size_t s = 0; s < e->n_sets; s++)
        for (size_t i = 0; i < e->sets[s]->n_keys; i++)
            asked |= e->sets[s]->keys[i].some.n > 0;
    for (size_t i = 0; i < e->n_messages; i++)
        missed |= e->messages[i].kind == MESSAGE_SOME;
    return asked && !missed;
}

void mlperf_log_read(const struct mlperf_ruleset *rules, struct bytes bytes, struct arena *arena,
                     struct mlperf_log_audit *out)
{
    struct mllog *log = arena_alloc(arena, sizeof *log);
    struct mlperf_evaluation *evaluation = arena_alloc(arena, sizeof *evaluation);
    struct mlperf_log_facts *f = arena_alloc(arena, sizeof *f);
    mllog_read(bytes, &rules->names, arena, log);
    mlperf_evaluate(rules, log, arena, evaluation);
    *f = (struct mlperf_log_facts){.n_records = log->n_all,
                                   .n_broken = log->n_broken,
                                   .n_messages = evaluation->n_messages,
                                   .n_warnings = evaluation->n_repeats,
                                   .minutes = NAN,
                                   .start_ms = NAN,
                                   .stop_ms = NAN,
                                   .last_start_ms = NAN,
                                   .last_stop_ms = NAN,
                                   .samples = NAN,
                                   .batch_size = NAN};
    f->n_messages += log->n_broken > 0 || log->n_all == 0;
    *out = (struct mlperf_log_audit){
        .rules = rules, .log = log, .evaluation = evaluation, .arena = arena, .facts = f};
    f->org = mlperf_first_text(log, "submission_org", arena);
    f->platform = mlperf_first_text(log, "submission_platform", arena);
    f->benchmark = mlperf_first_text(log, "submission_benchmark", arena);
    f->division = mlperf_first_text(log, "submission_division", arena);
    out->benchmark = mlperf_ruleset_benchmark(rules, f->benchmark);
    f->reached = is_reached(evaluation);
    read_times(log, f);
    read_status(out);
    /* The last global_batch_size, where it is a number. */
    const struct mllog_record *r = mllog_last(out->log, "global_batch_size");
    struct mllog_value value = r ? mllog_value(r->value) : (struct mllog_value){0};
    if (value.kind == MLLOG_NUMBER)
        out->facts->batch_size = value.number;
    read_seeds(out);
    read_settings(out);
    read_accuracy_points(out);
}
