#include "verifier/claims/rule.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/logs/log_order.h"
#include "verifier/proofs/proof.h"

/* A step takes time, and a finite one; NULL when all do. */
static const char *impossible_time(struct audit *a, const struct log *log, int *line)
{
    for (size_t i = 0; i < log->n_points; i++) {
        double seconds = log->points[i].seconds;
        if (isnan(seconds) || (seconds > 0 && isfinite(seconds)))
            continue;
        *line = log->points[i].line;
        return sentence_say(a->arena, "a step takes %s s, expected a finite time above 0",
                            audit_number(a->arena, seconds));
    }
    return NULL;
}

/* A log may lose this share of its lines (mixed output of several ranks); the native trainer's
 * loses none. */
#define STEPS_LOST_MOST 0.01

/* Steps that the log reports, up to the last one with a loss. A step that was skipped has a report,
 * and often no loss: FP2035 counts those. */
static double reported_steps(const struct proof *p, double before, double last)
{
    const struct log *log = &p->log;
    size_t n = 0;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        bool again = i && x->step == log->points[i - 1].step;
        n += !again && x->step > before && x->step <= last;
    }
    return (double)(n > p->curve.n ? n : p->curve.n);
}

/* Steps left out of a log would be left out of every mean. A log of every 10th step is whole:
 * the usual distance between two steps counts, not 1. */
static const char *lost_steps(struct audit *a, const struct proof *p)
{
    const struct curve *c = &p->curve;
    size_t n = c->n - 1;
    double *gaps = arena_array(a->arena, n + 1, sizeof *gaps);
    if (c->n < 3)
        return NULL;
    for (size_t i = 0; i < n; i++)
        gaps[i] = c->step[i + 1] - c->step[i];
    bool native = proof_is_native(p);
    double usual = native ? 1 : curve_median_upper(gaps, n), before = c->step[0] - usual;
    /* A run that went on from a checkpoint begins late; one that is compared must not. */
    if (before > 0 && (native || p->reference.n))
        before = proof_resumed(p);
    /* What the distances have over whole ones: where the last report of an epoch and the first of
     * the next are further apart than others, no report is missing for that. */
    double over = 0;
    for (size_t i = 0; i < n; i++)
        if (gaps[i] > usual)
            over += gaps[i] / usual - floor(gaps[i] / usual);
    double expected = (c->step[n] - before) / usual - over;
    double lost = expected - (native ? (double)c->n : reported_steps(p, before, c->step[n]));
    if (lost < 1 || (!native && lost <= expected * STEPS_LOST_MOST))
        return NULL;
    return sentence_say(a->arena, "%.0f of %.0f steps are missing from the log", lost, expected);
}

/* A case for a command may leave the plan, and with it the number of replicas, to the run. */
static bool leaves_replicas_open(const struct proof *p)
{
    return !proof_is_native(p) && !p->kase->parallel;
}

static bool fits_batch(const struct proof *p, double batch)
{
    double expected = case_sequences(p->kase);
    if (!leaves_replicas_open(p))
        return !(fabs(batch - expected) > 1e-6 * batch);
    double replicas = batch / expected;
    return isnan(batch) || (replicas >= 1 - 1e-6 && fabs(replicas - round(replicas)) < 1e-6);
}

/* A batch that is the case's from the first step to the last is the case's in between. */
static const char *uneven_samples(struct audit *a, const struct proof *p, double batch, int *line)
{
    const struct log *log = &p->log;
    for (size_t i = 1; p->kase->micro_batch && i < log->n_points; i++) {
        const struct log_point *first = &log->points[0], *x = &log->points[i];
        double samples = first->samples + batch * (x->step - first->step);
        if (isnan(samples) || !(fabs(x->samples - samples) > 0.5))
            continue;
        *line = x->line;
        return sentence_say(
            a->arena, "the log counts %s samples after step %s, but %s samples per step give %s",
            audit_number(a->arena, x->samples), audit_number(a->arena, x->step),
            audit_number(a->arena, batch), audit_number(a->arena, samples));
    }
    return NULL;
}

/* The sequences of a step are the case's: with more replicas by --parallel, each accumulates less.
 */
static double accumulation_of_run(const struct proof *p)
{
    const struct case_record *c = p->kase;
    double micro = (double)(c->micro_batch ? c->micro_batch : 1);
    double replicas = c->parallel ? plan_factor(c->parallel->data) : 1;
    if (layout_has_plan(&p->run_laid) && p->run_laid.size[LAYOUT_DATA])
        replicas = (double)p->run_laid.size[LAYOUT_DATA];
    return case_sequences(c) / micro / replicas;
}

/* Losses of steps are logged as single floats. */
#define SINGLE_FLOAT 1e-6

/* Our own trainer says at the head of its log what it was told, and what it was told is the case,
 * or the seed of a challenge. STEP_ZERO is the loss of step 1, with more digits. */
static const char *other_head(struct audit *a, const struct proof *p, int *line)
{
    const struct log *log = &p->log;
    const struct case_record *c = p->kase;
    const struct json *challenge = json_get(p->run, "challenge");
    const struct json *seed = json_get(challenge, "seed");
    double asked = seed && seed->kind == JSON_NUMBER ? seed->number : (double)c->seed;
    const struct {
        const char *key;
        double said, expected;
    } head[] = {
        {"seed", log->seed, p->run ? asked : log->seed},
        {"sequence_length", log->sequence_length, (double)c->sequence_length},
        {"micro_batch", log->micro_batch, (double)(c->micro_batch ? c->micro_batch : 1)},
        {"gradient_accumulation", log->gradient_accumulation, accumulation_of_run(p)},
    };
    *line = log->head_line;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        if (isfinite(head[i].said) && head[i].said != head[i].expected)
            return sentence_say(
                a->arena, "%s is %.0f at the head of the log, but %.0f in the case or in run.json",
                head[i].key, head[i].said, head[i].expected);
    const struct log_banner_value *device = &log->banners[BANNER_DEVICE];
    const char *folder = p->round && p->round->key.whole ? p->round->key.hardware : NULL;
    if (device->value && folder && proof_is_ours(p) && strcmp(device->value, folder) != 0)
        return sentence_say(a->arena,
                            "the log was written by a training on the device '%s', but it is in "
                            "the folder of the device '%s'",
                            device->value, folder);
    if (!log->head_line && proof_is_ours(p))
        return "the INIT_START event is missing; every log of the native trainer begins with it";
    *line = log->zero_line;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        if (x->step == 1 && fabs(x->loss - log->step_zero) > SINGLE_FLOAT * fabs(log->step_zero))
            return sentence_say(a->arena,
                                "STEP_ZERO has the loss %s, but step 1 has %s; the two losses are "
                                "the loss before the first update and must be equal",
                                audit_number(a->arena, log->step_zero),
                                audit_number(a->arena, x->loss));
    }
    return NULL;
}

/* Where the log contradicts the case that was run, or itself; NULL when it does not. */
static const char *log_contradiction(struct audit *a, const struct proof *p, int *line)
{
    const struct log *log = &p->log;
    const struct log_point *first = NULL, *last = NULL;
    const char *fault = impossible_time(a, log, line);
    fault = fault ? fault : lost_steps(a, p);
    if (fault)
        return fault;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        first = first ? first : x;
        last = x;
        double tokens = p->kase && !p->kase->stage && !leaves_replicas_open(p)
                            ? case_sequences(p->kase) * (double)p->kase->sequence_length
                            : NAN;
        double printed = x->tokens_per_s * x->seconds;
        *line = x->line;
        /* Ours prints both with all digits. */
        double slack = proof_is_native(p) ? 1e-12 : 1e-6;
        if (tokens > 0 && fabs(printed - tokens) > slack * tokens && p->kase->sequence_length)
            return sentence_say(
                a->arena, "%s tokens/s * %s s = %s tokens, but the case has %s per step",
                audit_number(a->arena, x->tokens_per_s), audit_number(a->arena, x->seconds),
                audit_fixed(a->arena, printed, 3), audit_number(a->arena, tokens));
    }
    if (!last || !p->kase)
        return NULL;
    if (p->kase->steps && p->curve.n && p->curve.step[p->curve.n - 1] < (double)p->kase->steps)
        return sentence_say(a->arena, "the last step is %s, but the case has %lld steps",
                            audit_number(a->arena, p->curve.step[p->curve.n - 1]), p->kase->steps);
    double all = (double)p->kase->steps - proof_resumed(p);
    if (proof_is_native(p) && p->kase->steps && (double)p->curve.n != all)
        return sentence_say(a->arena,
                            "the log contains %zu steps, but the native trainer logs "
                            "all %s steps of the case",
                            p->curve.n, audit_number(a->arena, all));
    double batch = (last->samples - first->samples) / (last->step - first->step);
    if (p->kase->micro_batch && !fits_batch(p, batch))
        return sentence_say(a->arena, "the log has %s sequences per step, but the case has %s",
                            audit_number(a->arena, batch),
                            audit_number(a->arena, case_sequences(p->kase)));
    return uneven_samples(a, p, batch, line);
}

/* What does not fit between the logs of several ranks and nodes. */
static void report_tree(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->tree_faults.n; i++) {
        const struct diag *d = &p->tree_faults.items[i];
        struct check_result *r = proof_report(a, p, NULL, OUTCOME_FAIL, d->message);
        r->file = d->file;
        r->severity = d->severity;
    }
}

/* What is wrong with the logs beside the main one. A file that is called like a log but stands
 * outside of the layout may be anything; and where only the last rank reports, the logs of the
 * other nodes say nothing that is known. */
static void report_others(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->n_logs; i++) {
        const struct run_log *l = p->logs[i];
        if (l == p->main_log)
            continue;
        bool placed = p->tree.n_logs == 1 || l->place.rank != RUN_NONE || l->place.node_log;
        bool silent = l->place.node_log && !l->log.known && !l->faults.errors && p->curve.n;
        for (size_t k = 0; k < l->faults.n; k++) {
            const struct diag *d = &l->faults.items[k];
            struct check_result *r = proof_report(a, p, NULL, OUTCOME_FAIL, d->message);
            r->file = d->file;
            r->line = d->line;
            r->severity = placed && !silent ? d->severity : SEVERITY_NOTICE;
        }
    }
}

static size_t report_faults(struct audit *a, const struct proof *p, const struct diags *faults)
{
    for (size_t i = 0; i < faults->n; i++) {
        struct check_result *r =
            proof_report(a, p, p->log_name, OUTCOME_FAIL, faults->items[i].message);
        r->line = faults->items[i].line;
        r->severity = faults->items[i].severity;
    }
    return faults->n;
}

/* That the log has steps, and which; a log with faults is nothing to agree with. */
static void report_steps(struct audit *a, const struct proof *p)
{
    const char *unseen = proof_unseen(a, p);
    bool held = p->kase && p->kase->steps;
    if (unseen) {
        proof_report(a, p, p->log_name, OUTCOME_CANNOT,
                     sentence_say(a->arena, "the log has %zu steps, %s to %s, in order; %s",
                                  p->curve.n, audit_number(a->arena, p->curve.step[0]),
                                  audit_number(a->arena, p->curve.step[p->curve.n - 1]), unseen));
        return;
    }
    proof_report(a, p, p->log_name, OUTCOME_PASS,
                 sentence_say(a->arena,
                              held ? "the log contains %zu steps in the format %s, in order, which "
                                     "is the number of steps of the case"
                                   : "the log contains %zu steps in the format %s, in order",
                              p->curve.n, p->log.format ? p->log.format : "unknown"));
}

static const char *no_losses(struct audit *a, const struct proof *p)
{
    return p->log.n_points
               ? sentence_say(
                     a->arena,
                     "the log has %zu step reports, but none of these reports states a loss",
                     p->log.n_points)
               : "the log contains no steps";
}

/* Somebody asks about a monitor alone, or about what a training prints at its end. A round in a
 * tree of results has logs. */
static bool holds_figures(const struct proof *p)
{
    if (p->round && p->round->key.whole)
        return false;
    for (size_t i = 0; i < p->n_logs; i++)
        if (p->logs[i]->log.n_values)
            return true;
    for (size_t i = 0; i < p->n_monitors; i++)
        if (p->monitors[i]->monitor.readings)
            return true;
    return false;
}

static void check_log(struct audit *a, struct proof *p)
{
    struct diags order = DIAGS_INIT(a->arena);
    if (!p->opened)
        return;
    report_tree(a, p);
    report_others(a, p);
    if (p->main_log && p->main_log->place.bench) {
        proof_report(
            a, p, p->log_name, OUTCOME_PASS,
            sentence_say(a->arena,
                         "the log holds %zu figures of a microbenchmark; no training was run",
                         p->log.n_values));
        return;
    }
    if (!p->log_name && p->loose && holds_figures(p)) {
        proof_report(a, p, NULL, OUTCOME_PASS,
                     "the file contains figures or card samples, but no training steps");
        return;
    }
    if (!p->log_name) {
        proof_report(a, p, NULL, OUTCOME_FAIL,
                     p->loose ? "the training log is missing"
                              : "the submission contains no training log");
        return;
    }
    log_order(&p->log, a->arena, &order);
    size_t faults = report_faults(a, p, &p->log_faults) + report_faults(a, p, &order);
    int line = 0;
    const char *fault = p->curve.n ? log_contradiction(a, p, &line) : no_losses(a, p);
    if (!fault && proof_is_native(p))
        fault = other_head(a, p, &line);
    if (!fault && !faults)
        report_steps(a, p);
    if (!fault)
        return;
    struct check_result *r = proof_report(a, p, p->log_name, OUTCOME_FAIL, fault);
    r->line = line;
    /* Against a case that is only assumed, a log can be short by intention. */
    if (p->kase_assumed && line)
        r->severity = SEVERITY_WARNING;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "a step takes %s s, expected a finite time above 0",
     .zh = "日志中有一步耗时为 {1} 秒，应为大于 0 的有限值"},
    {.en = "%.0f of %.0f steps are missing from the log",
     .zh = "日志应有 {2} 步，但缺少其中 {1} 步"},
    {.en = "the log counts %s samples after step %s, but %s samples per step give %s",
     .zh = "日志写明第 {2} 步之后累计 {1} 个样本，但按每步 {3} 个样本计算，应为 {4} 个"},
    {.en = "%s is %.0f at the head of the log, but %.0f in the case or in run.json",
     .zh = "日志开头写的 {1} 为 {2}，但用例或 run.json 写的为 {3}"},
    {.en = "the log was written by a training on the device '%s', but it is in the folder of the "
           "device '%s'",
     .zh = "日志写明训练所用的设备是“{1}”，但日志放在设备“{2}”的目录中"},
    {.en = "the INIT_START event is missing; every log of the native trainer begins with it",
     .zh = "日志缺少 INIT_START 事件；fpreport 内置训练器的日志都以这个事件开头"},
    {.en = "STEP_ZERO has the loss %s, but step 1 has %s; the two losses are the loss before the "
           "first update and must be equal",
     .zh = "日志中 STEP_ZERO（第 0 步）的损失为 {1}，第 1 步的损失为 {2}；这两个损失都在第一次更"
           "新权重之前算出，应相同"},
    {.en = "%s tokens/s * %s s = %s tokens, but the case has %s per step",
     .zh = "按日志，{1} token/s * {2} 秒 = {3} token，但用例规定每步 {4} token"},
    {.en = "the last step is %s, but the case has %lld steps",
     .zh = "日志的最后一步是第 {1} 步，但用例规定共 {2} 步"},
    {.en = "the log contains %zu steps, but the native trainer logs all %s steps of the case",
     .zh = "日志只有 {1} 步，但 fpreport 内置训练器会记录用例的全部 {2} 步"},
    {.en = "the log has %s sequences per step, but the case has %s",
     .zh = "按日志，每步有 {1} 条序列，但用例规定每步 {2} 条"},
    {.en = "the log has %zu steps, %s to %s, in order; %s",
     .zh = "日志共有 {1} 步，从第 {2} 步到第 {3} 步，步号次序正确；{4:said}"},
    {.en = "the log contains %zu steps in the format %s, in order, which is the number of steps of "
           "the case",
     .zh = "日志含有 {1} 步（{2} 格式），步号次序正确，步数与用例规定的相同"},
    {.en = "the log contains %zu steps in the format %s, in order",
     .zh = "日志含有 {1} 步（{2} 格式），步号次序正确"},
    {.en = "the log holds %zu figures of a microbenchmark; no training was run",
     .zh = "日志含有微基准测试的 {1} 个数字；这次运行没有训练"},
    {.en = "the file contains figures or card samples, but no training steps",
     .zh = "证据文件只有最终数字或加速卡的采样，没有训练步"},
    {.en = "the training log is missing",
     .zh = "证据中缺少训练日志"},
    {.en = "the submission contains no training log",
     .zh = "提交包中没有训练日志"},
    {.en = "the log has %zu step reports, but none of these reports states a loss",
     .zh = "日志中有 {1} 条训练步的报告，但没有一条写明损失"},
    {.en = "the log contains no steps",
     .zh = "训练日志中没有训练步"},
    {NULL, NULL},
};

const struct rule rule_fp4005 = {
    .id = "FP4005",
    .kind = "evidence",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING) | RULE_ALSO(SEVERITY_NOTICE),
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_RUN,
    .proof = check_log,
    .title = {.en = "Complete training log", .zh = "训练日志完整"},
    .statement = {.en = "The training log must be readable, must contain all steps of the case, and "
                        "may not contradict itself.",
                  .zh = "训练日志必须可以读取，必须包含用例的全部训练步，且不得自相矛盾。"},
    .why = {.en = "fpreport recomputes all figures from the training log, so the log must not "
                  "contradict itself or the case.",
            .zh = "fpreport 由训练日志复算所有数字，因此日志不得自相矛盾，也不得与用例矛盾。"},
    .how = {.en = "The rule compares the steps, the sequences per step and the tokens per step of "
                  "the log with the case. In a log of fpreport's native trainer, the rule also "
                  "compares the seed and the batch size with the case, and the loss of STEP_ZERO "
                  "with the loss of step 1. In each step report, the printed tokens/s times the "
                  "printed seconds must give the number of tokens per step. The rule reports "
                  "unreadable lines, losses that are not numbers, repeated or decreasing step "
                  "numbers, and logs that end before the total number of steps that they print. If "
                  "a run of the native trainer was resumed from a checkpoint, the rule checks only "
                  "the steps after that checkpoint.",
            .zh = "这条规则将日志的步数、每步序列数与每步 token 数与用例比较。日志由 fpreport 内置"
                  "训练器写出时，还将日志的种子和批大小与用例比较，并检查 STEP_ZERO（第 0 步）的损"
                  "失是否等于第 1 步的损失。日志每步打印的 token/s 乘以该步的秒数，必须等于每步 "
                  "token 数。日志行无法读取、损失不是数字、步号重复或倒退、日志没有到达它所写的总步"
                  "数就结束时，检查不通过。如果 fpreport 内置训练器的运行是从检查点续训的，只检查该"
                  "检查点之后的各步。"},
    .fix = {.en = "Submit the complete log without changes, up to its last line. If the training "
                  "was restarted, write the log of the restart into a separate file.",
            .zh = "提交完整的训练日志，直到最后一行，不要改动。如果训练重启过，请把重启后的日志写入"
                  "另一个文件。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"tokens/s\": 17803.59794039256",
                .changed = "\"tokens/s\": 37803.59794039256"},
};
/* clang-format on */
