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
                     "train_runtime %s s * train_steps_per_second %s = %s steps, but the progress "
                     "bar shows %s",
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
                     "train_runtime %s s * train_samples_per_second %s = %s samples, but %s steps "
                     "of %s samples have %s",
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
                            sentence_say(a->arena, "%s is %s, but %s in line %d", said[i].key,
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
        sentence_say(a->arena,
                     "train_runtime is %s s, but the progress bar shows an elapsed time of %s s",
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
            sentence_say(a->arena, "train_runtime is %s s, but run.json states a run of %s s",
                         audit_number(a->arena, runtime), audit_number(a->arena, run)));
    if (seen > runtime * SUMMARY_SHARE + SUMMARY_SLACK_S)
        return find_summary(
            a, p,
            sentence_say(a->arena,
                         "train_runtime is %s s, but its report lines were written %s s apart",
                         audit_number(a->arena, runtime), audit_fixed(a->arena, seen, 1)));
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
                     "the seconds, steps and samples at the end of the training agree");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "train_runtime %s s * train_steps_per_second %s = %s steps, but the progress bar shows "
           "%s",
     .zh = "train_runtime {1} 秒 * train_steps_per_second {2} = {3} 步，但进度条显示 {4} 步"},
    {.en = "train_runtime %s s * train_samples_per_second %s = %s samples, but %s steps of %s "
           "samples have %s",
     .zh = "train_runtime {1} 秒 * train_samples_per_second {2} = {3} 个样本，但 {4} 步、每步 {5} "
           "个样本，共只有 {6} 个样本"},
    {.en = "%s is %s, but %s in line %d",
     .zh = "日志末尾的 {1} 为 {2}，但第 {4} 行的值为 {3}"},
    {.en = "train_runtime is %s s, but the progress bar shows an elapsed time of %s s",
     .zh = "train_runtime 为 {1} 秒，但进度条显示已用时 {2} 秒"},
    {.en = "train_runtime is %s s, but run.json states a run of %s s",
     .zh = "train_runtime 为 {1} 秒，但 run.json 记录的运行时长只有 {2} 秒"},
    {.en = "train_runtime is %s s, but its report lines were written %s s apart",
     .zh = "train_runtime 为 {1} 秒，但日志中首末两条步报告相隔 {2} 秒"},
    {.en = "the seconds, steps and samples at the end of the training agree",
     .zh = "训练结束时打印的秒数、步数与样本数互相一致"},
    {NULL, NULL},
};

const struct rule rule_fp2041 = {
    .id = "FP2041",
    .kind = "rates",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_RUN | RULE_QUOTES_CASE,
    .proof = check_training_summary,
    .title = {.en = "Summary that the Hugging Face Trainer prints", .zh = "Hugging Face Trainer 打印的汇总"},
    .statement = {.en = "The training time, steps per second and samples per second that a trainer "
                        "prints at the end must agree with its steps, its batch size and the "
                        "duration of the run.",
                  .zh = "Hugging Face Trainer 结束时打印的训练时间、每秒步数与每秒样本数，必须与训"
                        "练的步数、批大小和运行时长相符。"},
    .why = {.en = "The Hugging Face Trainer prints one throughput for the whole training, but no "
                  "step times that would confirm it.",
            .zh = "Hugging Face 的 Trainer 只打印整个训练的吞吐量，没有各步的耗时可以印证。"},
    .how = {.en = "`train_runtime` * `train_steps_per_second` must equal the number of steps of the "
                  "progress bar. `train_runtime` * `train_samples_per_second` must not exceed the "
                  "number of steps times the batch size of the log or the case. `train_runtime` "
                  "must be at least the time that the progress bar and the log lines show, and at "
                  "most the duration of the run in run.json.",
            .zh = "汇总的 `train_runtime` * `train_steps_per_second` 必须等于进度条显示的步数。汇总"
                  "的 `train_runtime` * `train_samples_per_second` 不得超过步数乘以批大小，批大小取"
                  "自日志或用例。汇总的 `train_runtime` 不得少于进度条与日志各行显示的时间，也不得"
                  "多于 run.json 记录的运行时长。"},
    .fix = {.en = "Submit the log without changes.",
            .zh = "提交未经改动的训练日志。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "{'train_runtime': 3600, 'train_steps_per_second': 0.069}\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
