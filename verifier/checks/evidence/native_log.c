/*
 * FP4018: what the native trainer always writes, held to the case that it trained.
 *
 * A log is the native trainer's by what it holds: events of its source files (cli/…/train….c). What
 * run.json says of a command does not make another's of it, nor does another name of the source:
 * the hash of the weights, and a run without a command, are the native trainer's alone.
 */
#include "base/figures/figure.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* The schedule is computed in doubles and printed with all digits. */
#define RATE_SLACK 1e-9

static struct check_result *find_native_fault(struct audit *a, const struct proof *p, int line,
                                              const char *message)
{
    struct check_result *r = proof_report(a, p, p->log_name, OUTCOME_FAIL, message);
    r->line = line;
    return r;
}

/* As trainer/optimizer/optimizer.h: a line up to the warm-up's end, then half a cosine. */
static double rate_of_step(const struct case_record *c, double step)
{
    const struct case_optimizer *o = c->optimizer;
    double warmup = (double)o->warmup_steps, steps = (double)c->steps;
    double least = case_least_rate(o, o->learning_rate);
    step -= o->warmup_from && strcmp(o->warmup_from, "zero") == 0;
    if (step < warmup)
        return o->learning_rate * step / warmup;
    if (step >= steps)
        return steps > warmup ? least : o->learning_rate;
    double done = (step - warmup) / (steps - warmup);
    return least + (o->learning_rate - least) * (1 + cos(acos(-1.0) * done)) / 2;
}

static bool look_rates(struct audit *a, const struct proof *p)
{
    const struct case_record *c = p->kase;
    if (!c || !c->optimizer || isnan(c->optimizer->learning_rate) || !c->steps)
        return false;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        double expected = rate_of_step(c, x->step);
        if (isnan(x->learning_rate) ||
            fabs(x->learning_rate - expected) <= RATE_SLACK * c->optimizer->learning_rate)
            continue;
        struct check_result *r = find_native_fault(
            a, p, x->line,
            sentence_say(a->arena, "step %s has the learning rate %s, but the case gives %s",
                         audit_number(a->arena, x->step), audit_number(a->arena, x->learning_rate),
                         audit_number(a->arena, expected)));
        audit_expect(r, audit_number(a->arena, x->learning_rate), audit_number(a->arena, expected));
        return true;
    }
    return false;
}

static bool look_gradients(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (x->skipped > 0 || (x->has_grad_norm && isfinite(x->grad_norm) && x->grad_norm > 0))
            continue;
        find_native_fault(a, p, x->line,
                          sentence_say(a->arena,
                                       x->has_grad_norm
                                           ? "step %s has a gradient norm that is not above 0"
                                           : "step %s has no gradient norm",
                                       audit_number(a->arena, x->step)));
        return true;
    }
    return false;
}

/* Only fp16 is scaled, and only where numbers overflow is a step skipped. */
static bool look_fp16_alone(struct audit *a, const struct proof *p)
{
    const char *precision = p->kase ? p->kase->precision : NULL;
    for (size_t i = 0; precision && !strstr(precision, "fp16") && i < p->log.n_points; i++) {
        if (!(p->log.points[i].skipped > 0))
            continue;
        find_native_fault(
            a, p, p->log.points[i].line,
            sentence_say(a->arena,
                         "step %s was skipped, but the trainer skips steps only in fp16, not in %s",
                         audit_number(a->arena, p->log.points[i].step), precision));
        return true;
    }
    return false;
}

static bool look_precisions(struct audit *a, const struct proof *p)
{
    const char *ran = p->kase ? p->kase->precision : NULL;
    const struct log_banner_value *head = &p->log.banners[BANNER_PRECISION];
    const struct log_oddity said[] = {
        {head->value, head->line}, p->log.step_precision, p->log.other_precision};
    for (size_t i = 0; ran && i < sizeof said / sizeof *said; i++) {
        if (!said[i].what || text_same(said[i].what, ran))
            continue;
        find_native_fault(a, p, said[i].line,
                          sentence_say(a->arena, "the log states precision %s, but the case has %s",
                                       said[i].what, ran));
        return true;
    }
    return false;
}

/* Of the plan that the run had: --parallel, else the case's. */
static double planned_ranks(const struct proof *p)
{
    static const enum layout_size degrees[] = {LAYOUT_TENSOR, LAYOUT_PIPELINE, LAYOUT_DATA};
    double ranks = 1;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
        if (layout_has_plan(&p->run_laid) && p->run_laid.size[degrees[i]])
            ranks *= (double)p->run_laid.size[degrees[i]];
    return ranks;
}

static bool look_world(struct audit *a, const struct proof *p)
{
    const struct case_key *key = p->round && p->round->key.whole ? &p->round->key : NULL;
    const char *said = p->log.banners[BANNER_RANKS].value;
    double ranks = key ? (double)key->nnodes * (double)key->nproc : NAN;
    double planned = planned_ranks(p);
    struct figure f = {.kind = FIGURE_MISSING};
    if (said)
        figure_parse(said, a->arena, &f);
    if (said && f.value != ranks && !isnan(ranks)) {
        find_native_fault(a, p, p->log.head_line,
                          sentence_say(a->arena,
                                       "the log shows %s ranks, but the folder of the log has %s",
                                       said, audit_number(a->arena, ranks)));
        return true;
    }
    if (!isnan(ranks) && p->kase && planned != ranks) {
        find_native_fault(
            a, p, p->log.head_line,
            sentence_say(a->arena, "the run has %s ranks, but its parallel plan has %s",
                         audit_number(a->arena, ranks), audit_number(a->arena, planned)));
        return true;
    }
    return false;
}

/* Rank 0 writes the log of a native run. */
static bool look_writer(struct audit *a, const struct proof *p)
{
    bool found = false;
    for (size_t i = 0; i < p->log.n_points && !found; i++) {
        const struct log_point *x = &p->log.points[i];
        found = x->rank != 0;
        if (found)
            find_native_fault(
                a, p, x->line,
                sentence_say(
                    a->arena,
                    "the event was logged by rank %d, but in the native trainer only rank 0 logs",
                    x->rank));
    }
    size_t logs = 0;
    for (size_t i = 0; i < p->n_logs; i++)
        logs += p->logs[i]->log.n_points > 0;
    if (logs > 1 || p->tree.n_rounds > 1) {
        find_native_fault(a, p, 0,
                          sentence_say(a->arena,
                                       "found %zu logs with steps in %zu rounds, but a run of the "
                                       "native trainer writes only one log",
                                       logs, p->tree.n_rounds));
        found = true;
    }
    return found;
}

static bool look_form(struct audit *a, const struct proof *p)
{
    const struct log_oddity *doubled = &p->log.doubled, *quoted = &p->log.quoted;
    if (doubled->line)
        find_native_fault(
            a, p, doubled->line,
            sentence_say(a->arena, "the key '%s' appears twice in one event", doubled->what));
    if (quoted->line)
        find_native_fault(a, p, quoted->line,
                          sentence_say(a->arena,
                                       "'%s' is a string, but the native trainer writes a number",
                                       quoted->what));
    return doubled->line || quoted->line;
}

static bool look_first_weights(struct audit *a, const struct proof *p)
{
    const struct json *said = json_get(p->run, "initial_weights");
    bool run = said && said->kind != JSON_NULL, log = p->log.initial_weights != NULL;
    if (!p->run || !said || run == log)
        return false;
    find_native_fault(a, p, p->log.head_line,
                      log ? "the log says that the run started from given weights, but run.json "
                            "says that the initial weights were random"
                          : "run.json says that the run started from given weights, but the log "
                            "does not name these weights");
    return true;
}

static bool look_command(struct audit *a, const struct proof *p)
{
    const struct json *command = json_get(p->run, "command");
    if (!command || command->kind == JSON_NULL)
        return false;
    find_native_fault(a, p, p->log.head_line,
                      "run.json says that a command wrote this log, but the events in the log come "
                      "from the native trainer");
    return true;
}

/* "0.1.0" of "tiny_llama:fpreport_0.1.0:cpu:1:1:1"; NULL. */
static const char *version_of_key(struct audit *a, const struct proof *p)
{
    static const char mark[] = ":fpreport_";
    const char *key = json_get_text(p->run, "key", ""), *at = strstr(key, mark);
    size_t n = at ? strcspn(at + strlen(mark), ":") : 0;
    return n ? arena_strndup(a->arena, at + strlen(mark), n) : NULL;
}

/* The program writes its version into the folder's name, run.json and the fingerprint, and there
 * the commit that it is built from. */
static bool look_program(struct audit *a, const struct proof *p)
{
    const char *folder = version_of_key(a, p), *said = json_get_text(p->run, "fpreport", NULL);
    const char *commit = facts_value(&p->facts, FACT_FRAMEWORK_COMMIT);
    size_t hex = commit ? strspn(commit, "0123456789abcdef") : 0;
    if (folder && said && strcmp(folder, said) != 0) {
        find_native_fault(
            a, p, p->log.head_line,
            sentence_say(a->arena,
                         "run.json states fpreport %s, but the folder of the run states %s", said,
                         folder));
        return true;
    }
    if (!commit || (!commit[hex] && (hex == 40 || hex == 64)))
        return false;
    find_native_fault(a, p, p->log.head_line,
                      sentence_say(a->arena,
                                   "the fingerprint says that fpreport was built from commit '%s', "
                                   "which is not a commit id",
                                   commit));
    return true;
}

/* "nan" in a monitor that our own program wrote. */
static bool look_numbers_of_monitors(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct run_monitor *m = p->monitors[i];
        const struct bytes *text = p->loose ? NULL : submission_file(&p->submission, m->name);
        const char *kind = m->monitor.kind ? m->monitor.kind : "";
        if (!text || (strcmp(kind, "cpu") != 0 && strcmp(kind, "mem") != 0))
            continue;
        struct span s = {text->data, text->len};
        if (span_find(s, "nan") == s.n && span_find(s, "NaN") == s.n && span_find(s, "inf") == s.n)
            continue;
        proof_report(
            a, p, m->name, OUTCOME_FAIL,
            sentence_say(a->arena, "the %s monitor contains samples that are not numbers", kind));
        return true;
    }
    return false;
}

/* Nobody else writes the hash of the weights, or a run without a command. */
static void look_source(struct audit *a, const struct proof *p)
{
    const struct bytes *text = submission_file(&p->submission, p->log_name);
    const struct span all = {text ? text->data : "", text ? text->len : 0};
    const char *source = p->log.script ? p->log.script : "no source file";
    if (proof_is_ours(p))
        find_native_fault(a, p, 0,
                          sentence_say(a->arena,
                                       "run.json contains no command, so the native trainer made "
                                       "this run, but the log names %s",
                                       source));
    else if (span_find(all, "weights_sha256\"") < all.n)
        find_native_fault(a, p, 0,
                          sentence_say(a->arena,
                                       "the log contains a field that only the native trainer "
                                       "writes (weights_sha256), but names %s",
                                       source));
}

static void check_native_log(struct audit *a, struct proof *p)
{
    static bool (*const looks[])(struct audit *, const struct proof *) = {
        look_command,    look_form,   look_rates, look_precisions,    look_gradients,
        look_fp16_alone, look_writer, look_world, look_first_weights, look_numbers_of_monitors,
        look_program,
    };
    bool found = false;
    if (!p->opened || p->loose || !p->main_log)
        return;
    if (!log_is_native(&p->log)) {
        look_source(a, p);
        return;
    }
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        found |= looks[i](a, p);
    if (!found)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "the step fields of the native trainer agree with the case");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "run.json contains no command, so the native trainer made this run, but the log names %s",
     .zh = "run.json 中没有命令，说明这次运行由 fpreport 内置训练器完成，但日志事件不出自内置训练器"
           "（源文件：{1:said}）"},
    {.en = "the log contains a field that only the native trainer writes (weights_sha256), but "
           "names %s",
     .zh = "日志含有只有 fpreport 内置训练器才写的字段（weights_sha256），但日志事件不出自内置训练"
           "器（源文件：{1:said}）"},
    {.en = "no source file",
     .zh = "没有写明"},
    {.en = "step %s has the learning rate %s, but the case gives %s",
     .zh = "日志第 {1} 步的学习率为 {2}，但按用例应为 {3}"},
    {.en = "step %s has a gradient norm that is not above 0",
     .zh = "日志第 {1} 步的梯度范数不大于 0，应大于 0"},
    {.en = "step %s has no gradient norm",
     .zh = "日志第 {1} 步没有写梯度范数"},
    {.en = "step %s was skipped, but the trainer skips steps only in fp16, not in %s",
     .zh = "日志写明第 {1} 步被跳过，但训练器只在 fp16 精度下跳过训练步，在 {2} 下不会"},
    {.en = "the log states precision %s, but the case has %s",
     .zh = "日志写的精度为 {1}，但用例规定为 {2}"},
    {.en = "the log shows %s ranks, but the folder of the log has %s",
     .zh = "日志写明运行有 {1} 个进程，但日志目录中有 {2} 个进程的文件"},
    {.en = "the run has %s ranks, but its parallel plan has %s",
     .zh = "这次运行有 {1} 个进程，但它的并行方案需要 {2} 个进程"},
    {.en = "the event was logged by rank %d, but in the native trainer only rank 0 logs",
     .zh = "这条日志事件由进程 {1} 写出，但 fpreport 内置训练器只由进程 0 写日志"},
    {.en = "found %zu logs with steps in %zu rounds, but a run of the native trainer writes only "
           "one log",
     .zh = "这次运行的 {2} 个轮次中共有 {1} 份含训练步的日志，但 fpreport 内置训练器的一次运行只写"
           "一份日志"},
    {.en = "the key '%s' appears twice in one event",
     .zh = "日志的同一事件中，键“{1}”出现了两次"},
    {.en = "'%s' is a string, but the native trainer writes a number",
     .zh = "日志中“{1}”的值是字符串，但 fpreport 内置训练器写的是数字"},
    {.en = "the log says that the run started from given weights, but run.json says that the "
           "initial weights were random",
     .zh = "日志写明运行从给定的权重开始训练，但 run.json 写明初始权重是随机生成的"},
    {.en = "run.json says that the run started from given weights, but the log does not name these "
           "weights",
     .zh = "run.json 写明运行从给定的权重开始训练，但日志没有写明所用的初始权重"},
    {.en = "run.json says that a command wrote this log, but the events in the log come from the "
           "native trainer",
     .zh = "run.json 写明这份日志由命令写出，但日志中的事件出自 fpreport 内置训练器"},
    {.en = "run.json states fpreport %s, but the folder of the run states %s",
     .zh = "run.json 写的 fpreport 版本为 {1}，但运行目录名写的版本为 {2}"},
    {.en = "the fingerprint says that fpreport was built from commit '%s', which is not a commit "
           "id",
     .zh = "机器指纹写明 fpreport 由 git 提交“{1}”构建，但引号中的内容不是提交号"},
    {.en = "the %s monitor contains samples that are not numbers",
     .zh = "{1} 监控文件中，有些采样值不是数字"},
    {.en = "the step fields of the native trainer agree with the case",
     .zh = "fpreport 内置训练器日志的每一步都含有该用例应有的字段"},
    {NULL, NULL},
};

const struct rule rule_fp4018 = {
    .id = "FP4018",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_ALL,
    .proof = check_native_log,
    .title = {.en = "Log of the native trainer and its case", .zh = "内置训练器的日志与用例相符"},
    .statement = {.en = "The values that fpreport's native trainer logs for each step must be those "
                        "that the case specifies.",
                  .zh = "fpreport 内置训练器为每步记录的值，必须与用例规定的值一致。"},
    .why = {.en = "The native trainer computes the learning rate of each step from the case, and "
                  "logs precision, gradient norm and rank with each loss. A training with another "
                  "learning rate than the case is not a run of the case.",
            .zh = "fpreport 内置训练器按用例计算每步的学习率，并在日志中记录每步的损失、精度、梯度"
                  "范数与进程序号。学习率与用例不同的训练，不是该用例的运行。"},
    .how = {.en = "The rule recognises a log of the native trainer by the source file that its "
                  "events name; the text of run.json does not matter. The rule recomputes the "
                  "learning rate of each step from the case. Precision, number of ranks, initial "
                  "weights, skipped steps and version in the log are compared with the case and "
                  "run.json. Each step in the log must have a gradient norm above 0. An event of "
                  "the log must not repeat a key or write a number in quotes. A run must have "
                  "exactly one log, written by rank 0, and all its monitor samples must be numbers.",
            .zh = "这条规则按日志事件所写的源文件判断日志是否出自 fpreport 内置训练器，不看 "
                  "run.json 的内容。这条规则按用例复算每步的学习率，再与日志中的学习率比较。日志所"
                  "写的精度、进程数、初始权重、被跳过的步与 fpreport 版本，都必须与用例和 run.json "
                  "相符。fpreport 内置训练器日志的每一步都必须有大于 0 的梯度范数。日志的同一事件中"
                  "，键不得重复，数字不得写在引号中。fpreport 内置训练器的一次运行必须恰有一份日志"
                  "，由进程 0 写出。运行的所有监控采样都必须是数字。"},
    .fix = {.en = "Seal the log with `fpreport collect` as the native trainer wrote it, or run the "
                  "case again.",
            .zh = "用 `fpreport collect` 原样封存 fpreport 内置训练器的日志，不要改动。如果日志已被"
                  "改动，请重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"learning_rate\": 0.0002,",
                .changed = "\"learning_rate\": 0.0004,"},
};
/* clang-format on */
