/*
 * {"schema": "fpreport.diff/1", "tool": "0.1.0",
 *  "run": {"name", "kind", "log", "format", "steps", …}, "reference": {…},
 *  "alignment": {"from_step", "steps", "mean_rel_error", "max_rel_error", "max_step", "limit",
 *                "aligned"},
 *  "statistics": {…}, "notices": [{"kind", "message", …}], "comparisons": 4}
 *
 * Keys are only ever added within schema /1.
 */
#include "verifier/diff/table.h"

#include "base/json/json.h"
#include "verifier/curves/align.h"

void diff_json_side(const char *key, const struct diff_side *s, struct json_writer *w)
{
    struct arena scratch = ARENA_INIT;
    const struct curve *c = &s->curve;
    json_begin_object(w, key);
    json_string(w, "name", s->name);
    json_string(w, "kind", s->kind);
    json_string(w, "log", s->log);
    json_string(w, "format", s->format);
    json_string(w, "case", s->kase ? s->kase->id : NULL);
    json_string(w, "plan", diff_side_plan(s, &scratch));
    json_integer(w, "steps", (long long)c->n);
    json_number(w, "first_step", c->step[0]);
    json_number(w, "last_step", c->step[c->n - 1]);
    json_integer(w, "repeated_steps", (long long)s->repeated);
    json_integer(w, "repeated_with_another_loss", (long long)s->changed);
    json_number(w, "first_repeated_step", s->first_repeated);
    json_bool(w, "rising", s->rising);
    json_end_object(w);
    arena_release(&scratch);
}

static void put_occurrence_json(struct json_writer *w, const char *key, const struct occurrence *o)
{
    json_begin_object_flat(w, key);
    json_integer(w, "n", (long long)o->n);
    json_number(w, "first_step", o->first);
    json_end_object(w);
}

static void put_occurrences(struct json_writer *w, const struct curve_stats *s)
{
    const struct {
        const char *key;
        const struct occurrence *o;
    } all[] = {
        {"missing_steps", &s->missing},
        {"extra_steps", &s->extra},
        {"reference_zero", &s->reference_zero},
        {"run_not_finite", &s->run_not_finite},
        {"reference_not_finite", &s->reference_not_finite},
        {"run_spikes", &s->run_spikes},
        {"reference_spikes", &s->reference_spikes},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        put_occurrence_json(w, all[i].key, all[i].o);
}

static void put_noise(struct json_writer *w, const char *key, const struct copy_noise *n)
{
    json_begin_object_flat(w, key);
    json_number(w, "spread", n->spread);
    json_number(w, "lag1", n->lag1);
    json_number(w, "kurtosis", n->kurtosis);
    json_number(w, "blocks", n->blocks);
    json_number(w, "growth", n->growth);
    json_end_object(w);
}

static void put_statistics_json(struct json_writer *w, const struct curve_stats *s)
{
    json_begin_object(w, "statistics");
    json_integer(w, "n", (long long)s->n);
    json_number(w, "signed_mean", s->signed_mean);
    json_number(w, "drift_per_1000_steps", s->drift);
    json_number(w, "drift_standard_error", s->drift_error);
    json_number(w, "residual_lag1", s->residual_lag1);
    json_number(w, "drift_standard_error_lag1", s->drift_error_lag1);
    json_number(w, "onset_step", s->onset_step);
    put_occurrences(w, s);
    json_number(w, "time_ratio", s->time_ratio);
    json_integer(w, "timed_steps", (long long)s->timed);
    json_begin_object_flat(w, "final");
    json_number(w, "step", s->final_step);
    json_number(w, "run", s->final_run);
    json_number(w, "reference", s->final_reference);
    json_number(w, "difference", s->final_run - s->final_reference);
    json_end_object(w);
    json_begin_object_flat(w, "identical");
    json_integer(w, "steps", (long long)s->identical);
    json_number(w, "from_step", s->identical_from);
    json_number(w, "to_step", s->identical_to);
    json_end_object(w);
    json_begin_object_flat(w, "first_differences");
    json_number(w, "correlation", s->diff_correlation);
    json_integer(w, "pairs", (long long)s->diff_pairs);
    json_integer(w, "best_lag", s->shift);
    json_number(w, "best_correlation", s->shift_correlation);
    json_end_object(w);
    json_end_object(w);
}

static void put_notice_json(struct json_writer *w, const struct diff_notice *n)
{
    json_begin_object(w, NULL);
    json_string(w, "kind", n->kind);
    json_string(w, "message", n->message);
    json_string(w, "false_alarms", n->false_alarms);
    json_number(w, "from_step", n->from_step);
    json_number(w, "to_step", n->to_step);
    json_string(w, "file", n->file);
    if (n->line)
        json_integer(w, "line", n->line);
    json_end_object(w);
}

void diff_json_members(const struct diff *d, bool with_reference, struct json_writer *w)
{
    diff_json_side("run", d->run, w);
    if (with_reference)
        diff_json_side("reference", d->reference, w);
    const struct alignment *x = &d->alignment;
    json_begin_object(w, "alignment");
    align_write(w, x);
    json_end_object(w);
    put_statistics_json(w, &d->stats);
    const struct curve_copy *c = &d->copy;
    json_begin_object(w, "relation");
    json_integer(w, "reports", (long long)c->n);
    json_number(w, "smooth", c->smooth);
    json_integer(w, "smooth_window", c->window);
    json_number(w, "smooth_weight", c->weight);
    json_number(w, "factor", c->factor);
    json_number(w, "factor_spread", c->factor_spread);
    json_number(w, "offset", c->offset);
    json_number(w, "offset_spread", c->offset_spread);
    put_noise(w, "deviation", &c->relative);
    put_noise(w, "difference", &c->absolute);
    json_number(w, "correlation", c->correlation);
    json_end_object(w);
    json_begin_array(w, "notices");
    for (size_t i = 0; i < d->n_notices; i++)
        put_notice_json(w, &d->notices[i]);
    json_end_array(w);
    json_integer(w, "comparisons", (long long)d->comparisons);
}

void diff_json(const struct diff *d, struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.diff/1");
    json_string(&w, "tool", FPREPORT_VERSION);
    diff_json_members(d, true, &w);
    json_end_object(&w);
    json_finish(&w);
}
