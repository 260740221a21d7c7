/*
 * What a log says of its steps at its end (FINISHED), held against the steps that it has logged.
 *
 * A script may log every tenth step only, so of a log in general no more is said than that it
 * cannot have taken fewer steps, or fewer samples, than it has logged. Our own trainer logs every
 * step: there the figures are equal.
 */
#include "verifier/claims/rule.h"
#include "verifier/proofs/rate.h"

#define ROUNDED 1e-6 /* relative: losses are logged as single floats */

#define TIMED 1e-3 /* relative: sums of seconds that were rounded one by one */

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

static void judge_finished(struct audit *a, const struct proof *p, const struct finished_figure *f,
                           const struct log_value *said, double logged)
{
    bool every = proof_is_native(p);
    bool ok = every ? fabs(said->value - logged) <= f->slack * fabs(logged) : said->value >= logged;
    struct check_result *r = audit_judge_at(
        a, ok, said->line, "%s is %s at the end of the log, and the steps of the log give %s",
        f->key, audit_number(a->arena, said->value), audit_number(a->arena, logged));
    r->file = proof_place(a, p, p->log_name);
    r->table = p->evidence ? (int)p->evidence->table : 0;
    r->row = p->evidence ? (int)p->evidence->row : 0;
    audit_expect(r, audit_number(a->arena, said->value), audit_number(a->arena, logged));
    if (!every)
        r->expected = sentence_say(a->arena, "at least %s", r->expected);
}

/* Of several ranks the first writes the event. Who cuts it off hides what the steps contradict. */
static bool is_event_cut(const struct proof *p)
{
    bool finished = false;
    for (size_t i = 0; i < p->n_logs; i++)
        finished = finished || p->logs[i]->log.finished;
    return proof_is_ours(p) && p->log_name && p->log.n_points && !finished;
}

static void check_finished(struct audit *a, struct proof *p)
{
    struct steps_taken taken;
    if (is_event_cut(p))
        proof_report(a, p, p->log_name, OUTCOME_FAIL,
                     "the FINISHED event is missing; every log of the native trainer ends with it");
    if (!p->log_name || !p->log.finished || !p->log.n_points)
        return;
    look_at_steps(a, p, &taken);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct finished_figure *f = &figures[i];
        const struct log_value *said = log_get(&p->log, f->key);
        double logged = *(const double *)((const char *)&taken + f->offset);
        if (said && isfinite(logged) && (f->counts || proof_is_native(p)))
            judge_finished(a, p, f, said, logged);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s is %s at the end of the log, and the steps of the log give %s",
     .zh = "日志末尾的 {1} 为 {2}，由日志的各步算出的值为 {3}"},
    {.en = "at least %s",
     .zh = "至少 {1}"},
    {.en = "the FINISHED event is missing; every log of the native trainer ends with it",
     .zh = "日志缺少 FINISHED 事件；fpreport 内置训练器的每个日志都以 FINISHED 事件结束"},
    {NULL, NULL},
};

const struct rule rule_fp4012 = {
    .id = "FP4012",
    .kind = "evidence",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_MACHINE,
    .proof = check_finished,
    .title = {.en = "Summary and steps of the log", .zh = "日志末尾的汇总与日志的各步"},
    .statement = {.en = "The summary at the end of a log must agree with the steps in the same log.",
                  .zh = "日志末尾的汇总必须与同一日志中的各步一致。"},
    .why = {.en = "Most people read and copy only the summary at the end of a log. Somebody who "
                  "changes the summary of a log often forgets the steps above the summary.",
            .zh = "人们通常只阅读和引用日志末尾的汇总。改动日志末尾汇总的人，常常忘了改动前面各步的"
                  "数值。"},
    .how = {.en = "The FINISHED event may not state fewer steps or samples than the log contains. "
                  "fpreport's native trainer logs every step, so in its logs the steps, samples, "
                  "last loss, seconds and tokens per second of the FINISHED event must equal the "
                  "values computed from the steps.",
            .zh = "FINISHED 事件所写的步数和样本数，不得少于日志所含的步数和样本数。fpreport 内置训"
                  "练器把每一步都写入日志，因此内置训练器的日志中，FINISHED 事件的步数、样本数、最"
                  "后一步的损失、秒数和每秒 token 数，必须等于由日志各步算出的值。"},
    .fix = {.en = "Submit the log without changes, or run the case again.",
            .zh = "提交未经改动的日志，或重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"global_steps\": 250, \"num_trained_samples\": 1000, \"pure",
                .changed = "\"global_steps\": 200, \"num_trained_samples\": 1000, \"pure"},
};
/* clang-format on */
