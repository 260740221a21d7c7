/*
 * FP4027: what Megatron prints of its arguments and its steps, held to itself.
 *
 * FP4021 holds the first print of an argument to the case. Here all prints of one are the same: in
 * its block ("name ....... 8"), in words ("using world size: 8") and as options ("--seq-length 8");
 * the ranks are the product of the plan; a report counts as many samples as its batch has; its
 * TFLOP/s are operations by the same seconds; and its rates reach the one that is printed.
 */
#include "base/reals.h"
#include "verifier/claims/rule.h"
#include "verifier/logs/log_printed.h"
#include "verifier/proofs/proof.h"

#include <stdlib.h>

#define REPORTS_LEAST 5
#define SAME_FIGURES_LEAST 10

/* Both are rounded to one place, and are of the same seconds. */
#define ROUNDED 0.06
#define TFLOPS_SLACK 0.01

/* Of the printed rate: a warm-up is no longer than the steps, but where decay has its own. */
#define RATE_BEYOND 1.01
#define RATE_REACHED 0.002

struct printed_lines {
    struct audit *a;
    const struct proof *p;
    const struct run_log *log;
    int line;
    double value[PRINTED_VALUES]; /* 0: not printed */
    double step, samples, batch;  /* of the report before; NaN */
    double *work;                 /* TFLOP/s * seconds / batch of reports, and how exact */
    size_t n_work;
    double *exact;
    size_t n_exact;
    bool found;
};

static void find_printed_line(struct printed_lines *t, int line, const char *message)
{
    if (!t->found)
        proof_report(t->a, t->p, t->log->name, OUTCOME_FAIL, message)->line = line;
    t->found = true;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void take_argument(struct printed_lines *t, struct span line, enum printed x)
{
    double value;
    if (!log_printed_argument(line, x, &value))
        return;
    if (!t->value[x])
        t->value[x] = value;
    if (t->value[x] != value)
        find_printed_line(t, t->line,
                          sentence_say(t->a->arena,
                                       "the log prints %s %s, but an earlier line prints %s",
                                       log_printed_name(x), audit_number(t->a->arena, value),
                                       audit_number(t->a->arena, t->value[x])));
}

/* Data that a case names are not those that a framework makes up. */
static void look_mock_data(struct printed_lines *t, struct span line)
{
    const struct case_record *c = t->p->kase;
    const char *kind = c && c->data && !t->p->kase_assumed ? c->data->kind : NULL;
    if (!kind || strcmp(kind, "generated") == 0 || !log_says_mock_data(line))
        return;
    find_printed_line(t, t->line,
                      "the log states that its data are mock data, but the case names other data");
}

static void look_eight_bits(struct printed_lines *t, struct span line)
{
    const char *ran = t->p->kase && !t->p->kase_assumed ? t->p->kase->precision : NULL;
    if (ran && !strstr(ran, "fp8") && log_says_eight_bits(line))
        find_printed_line(
            t, t->line,
            sentence_say(t->a->arena, "the log states that FP8 is used, but the case has %s", ran));
}

/* ---- reports --------------------------------------------------------------------------------- */

static void look_report(struct printed_lines *t, const double v[REPORTED_VALUES])
{
    double step = v[REPORTED_STEP];
    double steps = step - t->step, batch = v[REPORTED_BATCH];
    if (steps > 0 && batch == t->batch &&
        fabs(v[REPORTED_SAMPLES] - t->samples - batch * steps) > 0)
        find_printed_line(t, t->line,
                          sentence_say(t->a->arena,
                                       "this step report counts %s more samples than the previous "
                                       "report, but states a global batch size of %s",
                                       audit_number(t->a->arena, v[REPORTED_SAMPLES] - t->samples),
                                       audit_number(t->a->arena, batch)));
    const char *ran = t->p->kase && !t->p->kase_assumed ? t->p->kase->precision : NULL;
    if (ran && (strcmp(ran, "bf16") == 0 || strcmp(ran, "fp32") == 0) &&
        fabs(v[REPORTED_SCALE] - 1) > 0)
        find_printed_line(t, t->line,
                          sentence_say(t->a->arena,
                                       "the loss scale is %s, but %s needs no loss scale",
                                       audit_number(t->a->arena, v[REPORTED_SCALE]), ran));
    t->step = step;
    t->samples = v[REPORTED_SAMPLES];
    t->batch = batch;
    double work = v[REPORTED_TFLOPS] * v[REPORTED_MS] / batch;
    if (!(work > 0))
        return;
    *(double *)ARENA_PUSH(t->a->arena, t->work, t->n_work) = work;
    *(double *)ARENA_PUSH(t->a->arena, t->exact, t->n_exact) =
        ROUNDED / v[REPORTED_TFLOPS] + ROUNDED / v[REPORTED_MS] + TFLOPS_SLACK;
}

/* Operations of a sample are the same in all reports. */
static void look_operations(struct printed_lines *t)
{
    size_t off = 0;
    if (t->n_work < REPORTS_LEAST)
        return;
    double *sorted = arena_copy(t->a->arena, t->work, t->n_work, sizeof *sorted);
    qsort(sorted, t->n_work, sizeof *sorted, reals_by_size);
    double middle = sorted[t->n_work / 2];
    for (size_t i = 0; i < t->n_work; i++)
        off += fabs(t->work[i] / middle - 1) > t->exact[i];
    if (off)
        find_printed_line(
            t, 0,
            sentence_say(
                t->a->arena,
                "of %zu step reports, %zu print TFLOP/s that do not agree with the printed seconds",
                t->n_work, off));
}

/* ---- the whole log --------------------------------------------------------------------------- */

static void look_printed_rate(struct printed_lines *t)
{
    const struct log *log = &t->log->log;
    double asked = t->value[PRINTED_RATE], most = 0, last = 0;
    size_t zeros = 0;
    for (size_t i = 0; i < log->n_points; i++) {
        most = fmax(most, log->points[i].learning_rate);
        zeros += log->points[i].learning_rate == 0;
        last = fmax(last, log->points[i].step);
    }
    double steps = t->value[PRINTED_STEPS], decay = t->value[PRINTED_DECAY_STEPS];
    bool short_of = steps > 0 && last >= steps && decay <= steps && most < RATE_REACHED * asked;
    if (zeros >= SAME_FIGURES_LEAST && zeros == log->n_points && !log_is_native(log))
        find_printed_line(
            t, log->points[0].line,
            sentence_say(t->a->arena, "all %zu step reports have the learning rate 0", zeros));
    if (!(asked > 0) || !(most > 0) || !(most > RATE_BEYOND * asked || short_of))
        return;
    find_printed_line(
        t, 0,
        sentence_say(t->a->arena,
                     "the highest learning rate of the steps is %s, but the log prints lr %s",
                     audit_number(t->a->arena, most), audit_number(t->a->arena, asked)));
}

/* 0 is that of a run that does not clip. */
static void look_equal_norms(struct printed_lines *t)
{
    const struct log *log = &t->log->log;
    size_t n = 0, same = 0;
    double first = NAN;
    for (size_t i = 0; i < log->n_points; i++) {
        double norm = log->points[i].grad_norm;
        if (!isfinite(norm))
            continue;
        first = n++ ? first : norm;
        same += norm == first;
    }
    if (n < SAME_FIGURES_LEAST || same < n || !(first > 0) || log_is_native(log) ||
        proof_is_adopted(t->p))
        return;
    find_printed_line(t, log->points[0].line,
                      sentence_say(t->a->arena, "all %zu step reports have the gradient norm %s", n,
                                   audit_number(t->a->arena, first)));
}

static void look_at_log(struct printed_lines *t, struct span left)
{
    for (t->line = 1; left.n; t->line++) {
        struct span line = span_cut(&left, '\n');
        double report[REPORTED_VALUES];
        if (log_printed_report(line, report)) {
            look_report(t, report);
            continue;
        }
        if (t->line > LOG_BANNER_LINES)
            continue;
        for (int x = 0; x < PRINTED_VALUES; x++)
            take_argument(t, line, (enum printed)x);
        look_mock_data(t, line);
        look_eight_bits(t, line);
    }
    const double *v = t->value;
    double product =
        v[PRINTED_DATA] * v[PRINTED_TENSOR] * v[PRINTED_PIPELINE] * fmax(1, v[PRINTED_CONTEXT]);
    if (product > 0 && v[PRINTED_RANKS] > 0 && product != v[PRINTED_RANKS])
        find_printed_line(t, 0,
                          sentence_say(t->a->arena,
                                       "the log prints %s ranks, but a parallel plan of %s",
                                       audit_number(t->a->arena, v[PRINTED_RANKS]),
                                       audit_number(t->a->arena, product)));
    look_operations(t);
    look_printed_rate(t);
    look_equal_norms(t);
}

static void check_printed_lines(struct audit *a, struct proof *p)
{
    bool found = false;
    if (!p->opened || p->loose || !p->log_name)
        return;
    for (size_t i = 0; i < p->n_logs && !found; i++) {
        struct printed_lines t = {.a = a, .p = p, .log = p->logs[i]};
        const struct bytes *text = submission_file(&p->submission, p->logs[i]->name);
        t.step = t.samples = t.batch = NAN;
        if (text)
            look_at_log(&t, (struct span){text->data, text->len});
        found = t.found;
    }
    if (!found)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "the values that the log prints agree with each other");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log prints %s %s, but an earlier line prints %s",
     .zh = "日志这一行打印的 {1} 为 {2}，但前面一行打印的值为 {3}"},
    {.en = "the log states that its data are mock data, but the case names other data",
     .zh = "日志写明训练用的是模拟数据，但用例规定的是其他数据"},
    {.en = "this step report counts %s more samples than the previous report, but states a global "
           "batch size of %s",
     .zh = "日志的这条训练步报告比上一条多 {1} 个样本，但报告所写的全局批大小为 {2}"},
    {.en = "of %zu step reports, %zu print TFLOP/s that do not agree with the printed seconds",
     .zh = "日志的 {1} 条训练步报告中，有 {2} 条打印的 TFLOP/s 与打印的秒数不符"},
    {.en = "the log prints %s ranks, but a parallel plan of %s",
     .zh = "日志打印的进程数为 {1}，但日志打印的并行方案需要 {2} 个进程"},
    {.en = "the highest learning rate of the steps is %s, but the log prints lr %s",
     .zh = "日志各步的最高学习率为 {1}，但日志打印的 lr 为 {2}"},
    {.en = "the log states that FP8 is used, but the case has %s",
     .zh = "日志写明训练使用 FP8，但用例规定的精度为 {1}"},
    {.en = "the loss scale is %s, but %s needs no loss scale",
     .zh = "日志中的损失缩放为 {1}，但 {2} 精度不需要损失缩放"},
    {.en = "all %zu step reports have the learning rate 0",
     .zh = "日志全部 {1} 条训练步报告的学习率都是 0"},
    {.en = "all %zu step reports have the gradient norm %s",
     .zh = "日志全部 {1} 条训练步报告的梯度范数都是 {2}"},
    {.en = "the values that the log prints agree with each other",
     .zh = "日志打印的各个数值互相一致"},
    {NULL, NULL},
};

const struct rule rule_fp4027 = {
    .id = "FP4027",
    .kind = "settings",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE,
    .proof = check_printed_lines,
    .title = {.en = "Log without contradictions", .zh = "日志不自相矛盾"},
    .statement = {.en = "The arguments and reports that a framework prints into one log may not "
                        "contradict each other.",
                  .zh = "框架在同一份日志中打印的参数与各步报告，不得互相矛盾。"},
    .why = {.en = "Somebody who edits one line of a log often forgets to change the other lines "
                  "that depend on it.",
            .zh = "改动日志中的某一行时，往往会忘记同时改动相关的其他行。"},
    .how = {.en = "If a log prints an argument several times (as `name ... 8`, in a sentence or as "
                  "a command-line option), its value must be the same each time. The printed "
                  "number of ranks must be the product of the sizes of the parallel plan. The "
                  "sample count in the log must grow by the global batch size in each step. The "
                  "printed TFLOP/s times the printed seconds must be the same in all steps, to 1 % "
                  "and one unit in the last digit. No learning rate may exceed the printed `lr`. "
                  "If a run completed all `train_iters` steps, its highest learning rate must be "
                  "at least 1/500 of `lr`. A log with at least ten gradient norms may not state "
                  "the same norm (other than 0) in all steps, and a log with at least ten learning "
                  "rates may not state 0 in all steps. The loss scale of bf16 must be 1. If the "
                  "case does not use FP8, no log line may state that FP8 is on. The option "
                  "`mock_data` is allowed only if the case uses generated data.",
            .zh = "日志多次打印同一个参数时（写作 `name ... 8`、写在句子中或写作命令行选项），每次"
                  "的值必须相同。日志打印的进程数必须等于并行方案中各并行度的乘积。日志打印的累计样"
                  "本数，每步必须增加一个全局批大小。日志每步打印的 TFLOP/s 乘以该步的秒数，各步的"
                  "乘积必须相同，允许误差为 1 % 加一个末位单位。日志中任何一步的学习率，都不得高于"
                  "日志开头打印的参数 `lr`。跑满 `train_iters` 步的运行，最高学习率不得低于参数 "
                  "`lr` 的 1/500。日志有十个以上梯度范数时，这些梯度范数不得全部相等（全为 0 除外）"
                  "。日志有十个以上学习率时，这些学习率不得全为 0。用 bf16 训练时，日志中的损失缩放"
                  "系数必须为 1。用例不使用 FP8 时，日志不得写明启用了 FP8。只有用例使用程序生成的"
                  "数据时，日志才可打印选项 `mock_data`。"},
    .fix = {.en = "Seal the log with `fpreport collect`, exactly as the framework printed it.",
            .zh = "用 `fpreport collect` 原样封存框架打印的日志，不要改动。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "  num_layers ...... 3\n--num-layers 4\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
