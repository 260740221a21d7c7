/*
 * FP2041: what the trainer of transformers sums up at its end, held to itself, to its progress bar,
 * to the run and to the case.
 *
 * It prints seconds, steps a second and samples a second, with 3 decimals: rate times seconds are
 * the steps of the training (also of one that went on from a checkpoint), which its bar goes to.
 * Samples can be fewer than steps times batch, where the last batch of an epoch is not full, and
 * more by less than one batch an epoch, where steps that do not fill their accumulation are left
 * out. The bar's seconds begin with the training's.
 */
#include "base/records/seen.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <math.h>

#define SUMMARY_DIGIT 0.00051 /* half of the last digit */
#define SUMMARY_SLACK_S 2.0
#define SUMMARY_SHARE 1.02
#define SUMMARY_AGAIN 0.01 /* a block of metrics says it once more, rounded */

static bool find_summary(struct audit *a, const struct proof *p, const char *message)
{
    proof_report(a, p, p->log_name, OUTCOME_FAIL, message)->line = p->log.summary.line;
    return true;
}

static bool look_summary_steps(struct audit *a, const struct proof *p)
{
    const struct log_summary *s = &p->log.summary;
    double steps = s->runtime * s->steps_per_s, slack = s->runtime * SUMMARY_DIGIT + 1;
    if (!(fabs(steps - s->steps) > slack))
        return false;
    return find_summary(
        a, p,
        sentence_say(a->arena,
                     "train_runtime %s s * train_steps_per_second %s are %s steps, the progress "
                     "bar goes to %s",
                     audit_number(a->arena, s->runtime), audit_number(a->arena, s->steps_per_s),
                     audit_fixed(a->arena, steps, 1), audit_number(a->arena, s->steps)));
}

/* Sequences of a step: as the log prints them, else by the case; NaN. */
static double batch_of_step(const struct proof *p)
{
    const struct case_record *c = p->kase;
    const long long *size = p->laid.size;
    double printed = (double)log_banner_size(p->log.banners, BANNER_GLOBAL_BATCH);
    double replicas = (double)(size[LAYOUT_DATA] ? size[LAYOUT_DATA] : size[LAYOUT_RANKS]);
    if (printed > 0)
        return printed;
    if (!c || p->kase_assumed || !c->micro_batch || !replicas)
        return NAN;
    double accumulated = c->gradient_accumulation ? (double)c->gradient_accumulation : 1;
    return (double)c->micro_batch * accumulated * replicas;
}

static bool look_summary_samples(struct audit *a, const struct proof *p)
{
    const struct log_summary *s = &p->log.summary;
    double batch = batch_of_step(p), rate = s->samples_per_s, samples = rate * s->runtime;
    double steps = isnan(s->steps) ? s->runtime * s->steps_per_s : s->steps;
    double epochs = s->epochs > 0 ? ceil(s->epochs) : 1;
    double slack = s->runtime * SUMMARY_DIGIT * (isnan(s->steps) ? batch + 1 : 1) + 1;
    if (!(samples > (steps + epochs) * batch + slack))
        return false;
    return find_summary(
        a, p,
        sentence_say(a->arena,
                     "train_runtime %s s * train_samples_per_second %s are %s samples, %s steps of "
                     "%s have %s",
                     audit_number(a->arena, s->runtime), audit_number(a->arena, rate),
                     audit_fixed(a->arena, samples, 0), audit_fixed(a->arena, steps, 0),
                     audit_number(a->arena, batch), audit_fixed(a->arena, steps * batch, 0)));
}

/* The last value of a name is what a rate is made of: a later block may say another. */
static bool look_said_again(struct audit *a, const struct proof *p)
{
    const struct {
        const char *key;
        double value;
    } said[] = {{"train_samples_per_second", p->log.summary.samples_per_s},
                {"train_steps_per_second", p->log.summary.steps_per_s}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const struct log_value *v = log_get(&p->log, said[i].key);
        if (!v || !(fabs(v->value - said[i].value) > SUMMARY_AGAIN * said[i].value + SUMMARY_DIGIT))
            continue;
        return find_summary(a, p,
                            sentence_say(a->arena, "%s is %s, and %s in line %d", said[i].key,
                                         audit_number(a->arena, said[i].value),
                                         audit_number(a->arena, v->value), v->line));
    }
    return false;
}

static bool look_summary_bar(struct audit *a, const struct proof *p)
{
    const struct log_summary *s = &p->log.summary;
    if (!(s->elapsed > s->runtime * SUMMARY_SHARE + SUMMARY_SLACK_S))
        return false;
    return find_summary(
        a, p,
        sentence_say(a->arena, "train_runtime is %s s, the progress bar has been drawn for %s s",
                     audit_number(a->arena, s->runtime), audit_number(a->arena, s->elapsed)));
}

/* Seconds between the lines of the first report and the last one, as train saw them; NaN. Of
 * several trainings in one log nobody knows which line is the first of the last. */
static double seen_seconds(const struct audit *a, const struct proof *p)
{
    const char *name = p->log_name ? seen_name(p->log_name, a->arena) : NULL;
    const struct bytes *seen = name && !p->loose ? submission_file(&p->submission, name) : NULL;
    size_t at = 0, n = p->log.n_points;
    if (!seen || n < 2 || p->log.points[n - 1].step > p->log.summary.steps)
        return NAN;
    double first = seen_line_ms(*seen, p->log.points[0].line, &at);
    return (seen_line_ms(*seen, p->log.points[n - 1].line, &at) - first) / 1000;
}

static bool look_summary_run(struct audit *a, const struct proof *p)
{
    double runtime = p->log.summary.runtime, seen = seen_seconds(a, p);
    double run = proof_time(p, "finished") - proof_time(p, "started");
    if (runtime > run * SUMMARY_SHARE + SUMMARY_SLACK_S)
        return find_summary(
            a, p,
            sentence_say(a->arena, "train_runtime is %s s, the run took %s s by run.json",
                         audit_number(a->arena, runtime), audit_number(a->arena, run)));
    if (seen > runtime * SUMMARY_SHARE + SUMMARY_SLACK_S)
        return find_summary(a, p,
                            sentence_say(a->arena,
                                         "train_runtime is %s s, the lines of its reports came %s "
                                         "s apart",
                                         audit_number(a->arena, runtime),
                                         audit_fixed(a->arena, seen, 1)));
    return false;
}

static void check_training_summary(struct audit *a, struct proof *p)
{
    static bool (*const looks[])(struct audit *, const struct proof *) = {
        look_summary_steps, look_summary_samples, look_said_again,
        look_summary_bar,   look_summary_run,
    };
    bool found = false;
    if (!p->opened || !p->main_log || !p->log.summary.line)
        return;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        found |= looks[i](a, p);
    if (!found)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "the seconds, steps and samples at the end of the training fit together");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "train_runtime %s s * train_steps_per_second %s are %s steps, the progress bar goes to "
           "%s",
     .zh = "train_runtime {1} 秒 * train_steps_per_second {2} 为 {3} 步，而进度条到 {4}"},
    {.en = "train_runtime %s s * train_samples_per_second %s are %s samples, %s steps of %s have "
           "%s",
     .zh = "train_runtime {1} 秒 * train_samples_per_second {2} 为 {3} 个样本，而 {4} 步、每步 {5} "
           "个只有 {6} 个"},
    {.en = "%s is %s, and %s in line %d",
     .zh = "{1} 为 {2}，而第 {4} 行为 {3}"},
    {.en = "train_runtime is %s s, the progress bar has been drawn for %s s",
     .zh = "train_runtime 为 {1} 秒，而进度条已画了 {2} 秒"},
    {.en = "train_runtime is %s s, the run took %s s by run.json",
     .zh = "train_runtime 为 {1} 秒，而 run.json 所记的运行只有 {2} 秒"},
    {.en = "train_runtime is %s s, the lines of its reports came %s s apart",
     .zh = "train_runtime 为 {1} 秒，而其报告各行相隔 {2} 秒"},
    {.en = "the seconds, steps and samples at the end of the training fit together",
     .zh = "训练结束时的秒数、步数与样本数彼此相符"},
    {NULL, NULL},
};

const struct rule rule_fp2041 = {
    .id = "FP2041",
    .kind = "rates",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_RUN | RULE_QUOTES_CASE,
    .proof = check_training_summary,
    .title = {.en = "The summary of a trainer", .zh = "训练器的总结"},
    .statement = {.en = "Seconds, steps a second and samples a second that a trainer prints at its "
                        "end fit its steps, its batch and the time of the run.",
                  .zh = "训练器结束时打印的秒数、每秒步数与每秒样本数，与其步数、批尺寸和运行时间相符。"},
    .why = {.en = "Hugging Face's trainer prints one rate for the whole training, and nothing "
                  "beside each step says it again.",
            .zh = "Hugging Face 的训练器对整个训练只打印一个速率，各步旁边没有别的数字再说一遍。"},
    .how = {.en = "`train_runtime` times `train_steps_per_second` must be the steps that the "
                  "progress bar goes to; times `train_samples_per_second` at most these steps "
                  "times the batch that the log prints or the case gives. The seconds must be no "
                  "fewer than the bar and the lines show, and no more than run.json has.",
            .zh = "`train_runtime` 乘以 `train_steps_per_second` 应为进度条所到的步数；乘以 "
                  "`train_samples_per_second` 应不超过这些步数乘以日志打印或用例给出的批尺寸。秒数不"
                  "得少于进度条与各行所示，也不得多于 run.json 所记。"},
    .fix = {.en = "Leave the log as it was written.",
            .zh = "日志保持原样。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "{'train_runtime': 3600, 'train_steps_per_second': 0.069}\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
