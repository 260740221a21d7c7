/*
 * What a log says of its steps at its end (FINISHED), held against the steps that it has logged.
 *
 * A script may log every tenth step only, so of a log in general no more is said than that it
 * cannot have taken fewer steps, or fewer samples, than it has logged. Our own trainer logs every
 * step: there the figures are equal.
 */
#include "verifier/checks/checks.h"

#include "verifier/proofs/proof.h"
#include "verifier/proofs/rate.h"

#include <math.h>

#define ROUNDED 1e-6 /* relative: losses are logged as single floats */
#define TIMED 1e-3   /* relative: sums of seconds that were rounded one by one */

/* What the steps of the log give. */
struct steps_taken {
    double last, samples, loss, seconds; /* NaN: not logged */
    double tokens_per_s;                 /* of all cards */
};

static const struct finished_figure {
    const char *key;
    size_t offset; /* of what the steps give */
    double slack;  /* of our own trainer's figure */
    bool counts;   /* never less than what was logged, whoever wrote the log */
} figures[] = {
    {"global_steps", offsetof(struct steps_taken, last), 0, true},
    {"num_trained_samples", offsetof(struct steps_taken, samples), 0, true},
    {"final_loss", offsetof(struct steps_taken, loss), ROUNDED, false},
    {"pure_training_computing_time", offsetof(struct steps_taken, seconds), TIMED, false},
    {"training_tokens_per_second", offsetof(struct steps_taken, tokens_per_s), TIMED, false},
};

static void look_at_steps(struct audit *a, const struct proof *p, struct steps_taken *out)
{
    struct rate rate;
    double seconds = 0;
    *out = (struct steps_taken){NAN, NAN, NAN, 0, NAN};
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *point = &p->log.points[i];
        if (!isfinite(point->step) || point->step < out->last)
            continue;
        out->last = point->step;
        out->samples = point->samples;
        out->loss = point->loss;
        seconds += point->seconds;
    }
    out->seconds = seconds;
    rate_find(a, p, NULL, &rate);
    out->tokens_per_s = rate.tokens_per_s_per_card * rate.cards;
}

static void judge(struct audit *a, const struct proof *p, const struct finished_figure *f,
                  const struct log_value *said, double logged)
{
    bool every = proof_is_native(p);
    bool ok = every ? fabs(said->value - logged) <= f->slack * fabs(logged) : said->value >= logged;
    struct check_result *r =
        audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, NULL, said->line,
                     "%s is %s at the end of the log, its steps give %s", f->key,
                     audit_number(a->arena, said->value), audit_number(a->arena, logged));
    r->file = proof_place(a, p, p->log_name);
    r->table = p->evidence ? (int)p->evidence->table : 0;
    r->row = p->evidence ? (int)p->evidence->row : 0;
    r->stated = audit_number(a->arena, said->value);
    r->expected = audit_number(a->arena, logged);
    if (!every)
        r->expected = arena_printf(a->arena, "at least %s", r->expected);
}

/* Of several ranks the first writes the event. Who cuts it off hides what the steps contradict. */
static bool is_cut(const struct proof *p)
{
    bool finished = false;
    for (size_t i = 0; i < p->n_logs; i++)
        finished = finished || p->logs[i]->log.finished;
    return proof_is_ours(p) && p->log_name && p->log.n_points && !finished;
}

void check_finished(struct audit *a, struct proof *p)
{
    struct steps_taken taken;
    if (is_cut(p))
        proof_report(a, p, p->log_name, OUTCOME_FAIL,
                     "no FINISHED event is there, with which a log of the native trainer ends");
    if (!p->log_name || !p->log.finished || !p->log.n_points)
        return;
    look_at_steps(a, p, &taken);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct finished_figure *f = &figures[i];
        const struct log_value *said = log_get(&p->log, f->key);
        double logged = *(const double *)((const char *)&taken + f->offset);
        if (said && isfinite(logged) && (f->counts || proof_is_native(p)))
            judge(a, p, f, said, logged);
    }
}
