/*
 * FP4022: the fields of the native trainer's events, all there and as it writes them.
 *
 * The text of the log is looked at, not what the reader made of it: a field that is gone, a number
 * that the trainer would have written otherwise and a truth that is 1 are no values of a step. Logs
 * of before 2026-11-21 have no values in INIT_START, and the first seven fields of a step alone.
 */
#include "base/lines/span.h"
#include "base/signing/hash.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <float.h>
#include <stdio.h>

/* So many equal gradient norms one behind the other: of honest ones, with nine digits, no two are.
 */
#define SAME_NORMS 5
#define SAME_NORMS_OF_ALL 3

#define SCALE_MOST 0x1p127
#define KEY_MAX 64    /* bytes of a key with its quotes */
#define QUOTED_MAX 40 /* bytes of a value that a message quotes */

enum form { ANY_FORM, SINGLE, TRUTH, TEXT, DIGEST };

struct event_field {
    const char *key;
    enum form form;
};

static const struct event_field of_steps[] = {
    {"loss", SINGLE},
    {"grad_norm", SINGLE},
    {"learning_rate", ANY_FORM},
    {"global_steps", ANY_FORM},
    {"num_trained_samples", ANY_FORM},
    {"tokens/s", ANY_FORM},
    {"step_time_s", ANY_FORM},
    /* Since the head says what was run. */
    {"tokens", ANY_FORM},
    {"input_wait_s", ANY_FORM},
    {"loss_scale", ANY_FORM},
    {"skipped", TRUTH},
    {"precision", TEXT},
};
/* Of a model that sees, whose samples differ in length. */
static const struct event_field of_seeing_steps[] = {
    {"real_tokens", ANY_FORM},
    {"targets", ANY_FORM},
    {"pictures", ANY_FORM},        /* since the tower's operations are counted */
    {"attention_pairs", ANY_FORM}, /* since the attention's are, by each batch's length */
};
#define FIELDS_OF_SEEING (sizeof of_seeing_steps / sizeof *of_seeing_steps)
#define FIELDS_OF_SEEING_BEFORE 2
#define FIELDS_OF_BEFORE 7
#define FIELDS_OF_STEPS (sizeof of_steps / sizeof *of_steps)

static const struct event_field of_head[] = {
    {"precision", TEXT},       {"device", TEXT},
    {"recompute", TEXT},       {"ranks", ANY_FORM},
    {"zero", ANY_FORM},        {"sequence_length", ANY_FORM},
    {"micro_batch", ANY_FORM}, {"gradient_accumulation", ANY_FORM},
    {"seed", ANY_FORM},
};
static const struct event_field of_end[] = {
    {"e2e_time", ANY_FORM},
    {"training_tokens_per_second", ANY_FORM},
    {"converged", TRUTH},
    {"final_loss", SINGLE},
    {"global_steps", ANY_FORM},
    {"num_trained_samples", ANY_FORM},
    {"pure_training_computing_time", ANY_FORM},
    {"init_time", ANY_FORM},
    {"weights_sha256", DIGEST}, /* not of all versions */
};

/* The log, line by line, and what was found in it. */
struct steps_text {
    struct audit *a;
    const struct proof *p;
    bool whole; /* steps have all fields */
    int line;
    size_t steps, same, longest;
    struct span norm; /* of the step before */
    int same_line;
};

static bool find_in_event(struct steps_text *t, const char *message)
{
    proof_report(t->a, t->p, t->p->log_name, OUTCOME_FAIL, message)->line = t->line;
    return true;
}

/* What stands behind `"key": `, up to what ends it; a text without its quotes. */
static bool event_value(struct span event, const char *key, struct span *value)
{
    char mark[KEY_MAX];
    size_t n = 0;
    snprintf(mark, sizeof mark, "\"%s\": ", key);
    if (!span_after(event, mark, value))
        return false;
    bool quoted = span_starts(*value, "\"");
    *value = span_from(*value, quoted);
    while (n < value->n && !strchr(quoted ? "\"" : ",}", value->p[n]))
        n++;
    value->n = n;
    return n > 0;
}

static const char *event_words(const struct steps_text *t, struct span value)
{
    return arena_strndup(t->a->arena, value.p, value.n < QUOTED_MAX ? value.n : QUOTED_MAX);
}

static double event_number(struct span event, const char *key)
{
    struct span value;
    double number = NAN;
    return event_value(event, key, &value) && span_number(value, &number) ? number : NAN;
}

/* Singles have nine digits and no more zeros than they need. */
static bool is_written_so(struct arena *arena, struct span value, enum form form)
{
    char text[64];
    double number;
    if (form == TRUTH)
        return span_is(value, "true") || span_is(value, "false");
    if (form == DIGEST)
        return hash_is_hex(arena_strndup(arena, value.p, value.n));
    if (form != SINGLE || span_number(value, &number) != value.n || !isfinite(number))
        return true;
    if (fabs(number) > (double)FLT_MAX)
        return false;
    snprintf(text, sizeof text, "%.9g", (double)(float)number);
    return span_is(value, text);
}

/* The first field that is not there or not as it is written. */
static bool look_fields(struct steps_text *t, struct span event, const char *name,
                        const struct event_field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct span value;
        if (!event_value(event, fields[i].key, &value))
            return find_in_event(
                t, sentence_say(t->a->arena,
                                "the %s event has no '%s', but the native trainer always writes it",
                                name, fields[i].key));
        if (!is_written_so(t->a->arena, value, fields[i].form))
            return find_in_event(
                t, sentence_say(t->a->arena,
                                "'%s' is %s, a value that the native trainer does not write",
                                fields[i].key, event_words(t, value)));
    }
    return false;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A log that has not always counted them need not. Each caption that is generated has one. */
static bool look_pictures(struct steps_text *t, struct span event, double sequences)
{
    const struct case_record *c = t->p->kase;
    double pictures = event_number(event, "pictures");
    bool captions =
        c->data && strcmp(c->data->kind, "generated") == 0 && strcmp(c->stage, "pretrain") == 0;
    double least = captions ? sequences : 0;
    if (isnan(pictures) || (pictures >= least && pictures <= sequences && !(fmod(pictures, 1) > 0)))
        return false;
    return find_in_event(t, sentence_say(t->a->arena, "a step has %s pictures, but %s sequences",
                                         audit_number(t->a->arena, pictures),
                                         audit_number(t->a->arena, sequences)));
}

/* Padding is among a step's tokens, and the case says only how many they are at most. What its rate
 * and time say they are is what they are. */
static bool look_lengths(struct steps_text *t, struct span event, double most)
{
    double tokens = event_number(event, "tokens"), real = event_number(event, "real_tokens");
    double targets = event_number(event, "targets");
    double printed = event_number(event, "tokens/s") * event_number(event, "step_time_s");
    if (tokens > most || real > tokens || targets > real || !(targets >= 0))
        return find_in_event(
            t, sentence_say(t->a->arena,
                            "a step has %s tokens, %s of them without padding and %s targets, but "
                            "the case allows at most %s tokens per step",
                            audit_number(t->a->arena, tokens), audit_number(t->a->arena, real),
                            audit_number(t->a->arena, targets), audit_number(t->a->arena, most)));
    if (!(fabs(printed - tokens) > 1e-12 * tokens))
        return false;
    return find_in_event(
        t, sentence_say(t->a->arena, "a step has %s tokens, but its rate times its time gives %s",
                        audit_number(t->a->arena, tokens), audit_fixed(t->a->arena, printed, 3)));
}

/* No lengths have fewer than equal ones, nor more than whole sequences; those of one batch are
 * equal. */
static bool look_pairs(struct steps_text *t, struct span event, double sequences, double longest)
{
    double tokens = event_number(event, "tokens"), pairs = event_number(event, "attention_pairs");
    double equal = tokens * tokens / sequences;
    bool one = sequences == (double)t->p->kase->micro_batch;
    double least = one ? equal : equal * (1 - 1e-12), most = one ? equal : tokens * longest;
    if (isnan(pairs) || (pairs >= least && pairs <= most))
        return false;
    return find_in_event(
        t, sentence_say(t->a->arena,
                        "a step has %s attention pairs, but %s tokens in %s sequences of at most "
                        "%s tokens have %s to %s pairs",
                        audit_number(t->a->arena, pairs), audit_number(t->a->arena, tokens),
                        audit_number(t->a->arena, sequences), audit_number(t->a->arena, longest),
                        audit_fixed(t->a->arena, ceil(least), 0), audit_number(t->a->arena, most)));
}

static bool look_tokens(struct steps_text *t, struct span event)
{
    const struct case_record *c = t->p->kase;
    double expected = c ? case_sequences(c) * (double)c->sequence_length : NAN;
    double tokens = event_number(event, "tokens");
    if (c && c->stage)
        return look_pictures(t, event, case_sequences(c)) || look_lengths(t, event, expected) ||
               look_pairs(t, event, case_sequences(c), (double)c->sequence_length);
    if (!(expected > 0) || !(fabs(tokens - expected) > 0))
        return false;
    return find_in_event(
        t, sentence_say(t->a->arena, "a step has %s tokens, but the case has %s per step",
                        audit_number(t->a->arena, tokens), audit_number(t->a->arena, expected)));
}

static bool look_wait(struct steps_text *t, struct span event)
{
    double wait = event_number(event, "input_wait_s"), step = event_number(event, "step_time_s");
    if (!(wait > step || wait < 0))
        return false;
    return find_in_event(
        t, sentence_say(t->a->arena, "a step waited %s s for its input but took only %s s",
                        audit_number(t->a->arena, wait), audit_number(t->a->arena, step)));
}

/* A power of two in fp16, where it is halved at an overflow; else 1. */
static bool look_scale(struct steps_text *t, struct span event)
{
    double scale = event_number(event, "loss_scale");
    const char *ran = t->p->kase ? t->p->kase->precision : NULL;
    int exponent;
    bool power = scale >= 1 && scale <= SCALE_MOST && frexp(scale, &exponent) == 0.5;
    if (isnan(scale) || !ran || (strstr(ran, "fp16") ? power : scale == 1))
        return false;
    return find_in_event(t, sentence_say(t->a->arena,
                                         "a step has the loss scale %s, which does not occur in %s",
                                         audit_number(t->a->arena, scale), ran));
}

static void count_norms(struct steps_text *t, struct span event)
{
    struct span norm;
    double value;
    if (!event_value(event, "grad_norm", &norm) || !span_number(norm, &value) || !isfinite(value))
        return;
    bool again = t->norm.p && norm.n == t->norm.n && memcmp(norm.p, t->norm.p, norm.n) == 0;
    t->same = again ? t->same + 1 : 1;
    t->norm = norm;
    if (t->same > t->longest) {
        t->longest = t->same;
        t->same_line = t->line;
    }
}

static bool is_field_of(const struct event_field *fields, size_t n, struct span key)
{
    for (size_t i = 0; i < n; i++)
        if (span_is(key, fields[i].key))
            return true;
    return false;
}

/* The first field that no version of the trainer writes, or not at this place. */
static bool look_foreign(struct steps_text *t, struct span event)
{
    struct span rest, key;
    size_t at = 0;
    bool sees = t->p->kase && t->p->kase->stage;
    if (!span_after(event, "{", &rest))
        return false;
    while (span_starts(rest, "\"")) {
        rest = span_from(rest, 1);
        key = span_cut(&rest, '"');
        bool seeing = sees && is_field_of(of_seeing_steps, FIELDS_OF_SEEING, key);
        if (!seeing && !is_field_of(of_steps, FIELDS_OF_STEPS, key))
            return find_in_event(t, sentence_say(t->a->arena,
                                                 "the log contains the field '%s', which the "
                                                 "native trainer does not write",
                                                 event_words(t, key)));
        if (!seeing && at < FIELDS_OF_STEPS && !span_is(key, of_steps[at++].key))
            return find_in_event(t, sentence_say(t->a->arena,
                                                 "the native trainer writes '%s' in another place",
                                                 event_words(t, key)));
        span_cut(&rest, ',');
        rest = span_trim(rest);
    }
    return false;
}

static bool look_step(struct steps_text *t, struct span event)
{
    size_t fields = t->whole ? FIELDS_OF_STEPS : FIELDS_OF_BEFORE;
    t->steps++;
    count_norms(t, event);
    return look_fields(t, event, "STEP_END", of_steps, fields) ||
           (t->p->kase && t->p->kase->stage &&
            look_fields(t, event, "STEP_END", of_seeing_steps, FIELDS_OF_SEEING_BEFORE)) ||
           look_tokens(t, event) || look_wait(t, event) || look_scale(t, event) ||
           look_foreign(t, event);
}

/* ---- the other events ------------------------------------------------------------------------ */

static bool look_level_of_zero(struct steps_text *t, struct span event)
{
    const struct case_record *c = t->p->kase;
    double asked = c && c->parallel ? (double)c->parallel->zero : 0,
           said = event_number(event, "zero");
    if (!c || t->p->kase_assumed || !(fabs(said - asked) > 0))
        return false;
    return find_in_event(
        t, sentence_say(t->a->arena, "the log states ZeRO stage %s, but the case has stage %s",
                        audit_number(t->a->arena, said), audit_number(t->a->arena, asked)));
}

static bool look_head(struct steps_text *t, struct span event)
{
    const char *asked = t->p->kase && t->p->kase->recompute ? t->p->kase->recompute : "none";
    struct span said;
    if (!t->whole)
        return false;
    if (look_fields(t, event, "INIT_START", of_head, sizeof of_head / sizeof *of_head))
        return true;
    if (look_level_of_zero(t, event))
        return true;
    if (!t->p->kase || !event_value(event, "recompute", &said) || span_is(said, asked))
        return false;
    return find_in_event(t, sentence_say(t->a->arena,
                                         "the log states recomputation %s, but the case has %s",
                                         event_words(t, said), asked));
}

static bool look_finished(struct steps_text *t, struct span event)
{
    bool digest = span_find(event, "\"weights_sha256\":") < event.n;
    return look_fields(t, event, "FINISHED", of_end, sizeof of_end / sizeof *of_end - !digest);
}

/* As trainer/run/perflog.h has them. */
static bool look_name(struct steps_text *t, struct span event)
{
    static const char *const names[] = {"INIT_START", "INIT_END",  "TRAIN_START",      "STEP_ZERO",
                                        "STEP_END",   "TRAIN_END", "CHECKPOINT_SAVED", "FINISHED"};
    struct span name = span_from(event, 1);
    name = span_cut(&name, '"');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_is(name, names[i]))
            return false;
    return find_in_event(t, sentence_say(t->a->arena,
                                         "the log contains the event '%s', which the "
                                         "native trainer does not write",
                                         event_words(t, name)));
}

static bool look_event(struct steps_text *t, struct span line)
{
    struct span event;
    if (!span_after(line, "\"event\":", &event))
        return false;
    event = span_trim((struct span){event.p, span_find(event, "\"metadata\":")});
    return span_starts(event, "\"STEP_END\"")     ? look_step(t, event)
           : span_starts(event, "\"INIT_START\"") ? look_head(t, event)
           : span_starts(event, "\"FINISHED\"")   ? look_finished(t, event)
                                                  : look_name(t, event);
}

static bool look_norms(struct steps_text *t)
{
    bool all = t->longest == t->steps && t->steps >= SAME_NORMS_OF_ALL;
    if (t->longest < SAME_NORMS && !all)
        return false;
    t->line = t->same_line;
    struct check_result *r = proof_report(
        t->a, t->p, t->p->log_name, OUTCOME_FAIL,
        sentence_say(t->a->arena, "%zu consecutive steps have the same gradient norm %s",
                     t->longest, event_words(t, t->norm)));
    r->line = t->same_line;
    r->severity = SEVERITY_WARNING;
    return true;
}

/* Written by a version of today, or by one that wrote what is looked for. */
static bool has_all_fields(const struct log *log, struct span text)
{
    return span_starts(span_of(log->script), "cli/train/") || log->step_precision.what ||
           log->banners[BANNER_PRECISION].value || span_find(text, "\"loss_scale\":") < text.n;
}

static void check_native_steps(struct audit *a, struct proof *p)
{
    if (!p->opened || p->loose || !p->main_log || !log_is_native(&p->log))
        return;
    const struct bytes *text = submission_file(&p->submission, p->log_name);
    struct steps_text t = {.a = a, .p = p};
    bool found = false;
    struct span rest = {text ? text->data : "", text ? text->len : 0};
    t.whole = has_all_fields(&p->log, rest);
    while (rest.n && !found) {
        t.line++;
        found = look_event(&t, span_cut(&rest, '\n'));
    }
    if (!found && !look_norms(&t))
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "every event has the fields of the native trainer");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the %s event has no '%s', but the native trainer always writes it",
     .zh = "日志的 {1} 事件缺少字段“{2}”，但 fpreport 内置训练器总会写出这个字段"},
    {.en = "'%s' is %s, a value that the native trainer does not write",
     .zh = "日志中的字段“{1}”为 {2}，但 fpreport 内置训练器不会写出这样的值"},
    {.en = "the log contains the field '%s', which the native trainer does not write",
     .zh = "日志中有字段“{1}”，但 fpreport 内置训练器不会写这个字段"},
    {.en = "a step has %s tokens, but the case has %s per step",
     .zh = "日志中有一步处理 {1} 个 token，但用例规定每步 {2} 个"},
    {.en = "a step waited %s s for its input but took only %s s",
     .zh = "日志中有一步写着等待输入数据 {1} 秒，但该步总耗时只有 {2} 秒"},
    {.en = "a step has the loss scale %s, which does not occur in %s",
     .zh = "日志中有一步的损失缩放为 {1}，但 {2} 精度下不会出现这个值"},
    {.en = "the log states recomputation %s, but the case has %s",
     .zh = "日志写的重计算（recompute）设置为 {1}，但用例规定为 {2}"},
    {.en = "a step has %s tokens, %s of them without padding and %s targets, but the case allows "
           "at most %s tokens per step",
     .zh = "日志中有一步含 {1} 个 token（非填充 {2} 个、目标 {3} 个），但用例规定每步至多 {4} 个"},
    {.en = "a step has %s attention pairs, but %s tokens in %s sequences of at most %s tokens have "
           "%s to %s pairs",
     .zh = "日志中有一步的注意力配对数（序列长度的平方和）为 {1}；{3} 条序列共 {2} 个 token、每"
           "条至多 {4} 个时，应在 {5} 至 {6} 之间"},
    {.en = "a step has %s pictures, but %s sequences",
     .zh = "日志中有一步含 {1} 张图像，与该步的 {2} 条序列不符"},
    {.en = "a step has %s tokens, but its rate times its time gives %s",
     .zh = "日志中有一步写明 {1} 个 token，但该步的速率乘以耗时得 {2} 个"},
    {.en = "the log states ZeRO stage %s, but the case has stage %s",
     .zh = "日志写的 ZeRO 阶段为 {1}，但用例规定为 {2}"},
    {.en = "the log contains the event '%s', which the native trainer does not write",
     .zh = "日志中有事件“{1}”，但 fpreport 内置训练器不会写这种事件"},
    {.en = "the native trainer writes '%s' in another place",
     .zh = "日志事件中字段“{1}”的位置，与 fpreport 内置训练器写出的位置不同"},
    {.en = "%zu consecutive steps have the same gradient norm %s",
     .zh = "日志中连续 {1} 步的梯度范数都是 {2}"},
    {.en = "every event has the fields of the native trainer",
     .zh = "日志的每个事件都有 fpreport 内置训练器应写出的全部字段"},
    {NULL, NULL},
};

const struct rule rule_fp4022 = {
    .id = "FP4022",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE,
    .proof = check_native_steps,
    .title = {.en = "Fields in a log of the native trainer", .zh = "内置训练器日志的字段"},
    .statement = {.en = "Every event in a log of fpreport's native trainer must have all fields "
                        "that the trainer writes, with values that the trainer can write.",
                  .zh = "fpreport 内置训练器日志的每个事件，都必须含有训练器写出的全部字段，字段的"
                        "值必须是训练器可能写出的值。"},
    .why = {.en = "If somebody removes the precision, the learning rate or a skipped step from a "
                  "log, the other rules have no value to compare.",
            .zh = "如果有人从日志中删去精度、学习率或被跳过的步，检查这些数值的其他规则就失效了。"},
    .how = {.en = "In a log of the native trainer, the events INIT_START, STEP_END and FINISHED "
                  "must have all their fields. Losses and gradient norms must have nine digits, and "
                  "the field `skipped` must be true or false. The field `tokens` must agree with "
                  "the case. The field `loss_scale` must be a power of two in fp16, and 1 in every "
                  "other precision. The field `input_wait_s` must not exceed the time of its step. "
                  "Five consecutive steps with the same gradient norm give a warning, because real "
                  "gradient norms differ.",
            .zh = "fpreport 内置训练器日志的 INIT_START、STEP_END 与 FINISHED 事件必须有全部字段。"
                  "日志中的损失与梯度范数必须有九位有效数字，`skipped` 字段必须为 true 或 false。日"
                  "志的 `tokens` 必须等于用例规定的每步 token 数。日志的损失缩放系数 `loss_scale` "
                  "在 fp16 下必须为 2 的幂，在其他精度下必须为 1。日志中某步等待输入的时间 "
                  "`input_wait_s` 不得超过该步的耗时。日志中连续五步的梯度范数相同时给出警告。"},
    .fix = {.en = "Seal the log as the native trainer wrote it, or run the case again.",
            .zh = "原样封存 fpreport 内置训练器的日志，不要改动。如果日志已被改动，请重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"learning_rate\": 0.0001, ",
                .changed = ""},
};
/* clang-format on */
