#include "verifier/checks/speed/seeing_figures.h"

#include "verifier/checks/speed/seeing_operations.h"
#include "verifier/proofs/recompute.h"

#include <math.h>
#include <string.h>

bool seeing_figures_has(const struct proof *p)
{
    return p->kase && p->kase->stage && proof_is_native(p);
}

/* ---- by the wall clock ---------------------------------------------------------------------- */

static const char *whole_run(const struct proof *p)
{
    return proof_resumed(p) > 0
               ? "the run resumed from a checkpoint, so its wall time covers only a part of its "
                 "steps"
               : NULL;
}

static const char *wall_derivation(struct arena *m, const struct steps_time *t, double wall,
                                   double cards, double per_card)
{
    const char *tokens = audit_number(m, t->tokens), *time = audit_number(m, wall),
               *of = audit_number(m, cards), *result = audit_fixed(m, per_card, 4);
    if (isnan(t->real_tokens) || isnan(t->targets))
        return sentence_say(
            m,
            "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, as FlagPerf's page "
            "counts)",
            tokens, time, of, result);
    return sentence_say(
        m,
        "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, by FlagPerf's "
        "convention; %s of the tokens are not padding, and %s are targets)",
        tokens, time, of, result, audit_fixed(m, t->real_tokens, 0), audit_fixed(m, t->targets, 0));
}

static double put_wall_rate(struct audit *a, const struct proof *p, const struct claim *c,
                            const struct rate *rate)
{
    const struct run_log *from;
    const struct log_value *wall = proof_value(p, "e2e_time", &from);
    struct steps_time t = rate_count_steps(p, NULL);
    const char *why = whole_run(p);
    why = why ? why : !wall || !(wall->value > 0) ? "the log has no e2e_time" : NULL;
    why = why ? why : !(t.tokens > 0) ? "the log gives no step times" : NULL;
    if (why) {
        recompute_cannot(a, c, "throughput_wall", why);
        return NAN;
    }
    double per_card = t.tokens / wall->value / rate->cards;
    const struct recomputed x = {
        .key = "throughput_wall",
        .value = per_card,
        .decimals = 1,
        .derivation = wall_derivation(a->arena, &t, wall->value, rate->cards, per_card),
        .file = from->log.file,
        .line = wall->line};
    recompute_put(a, c, &x);
    return per_card;
}

static void put_wall_mfu(struct audit *a, const struct claim *c, const struct mfu_inputs *in,
                         const struct rate *rate, double per_card)
{
    const struct recomputed x = {.key = "mfu_wall",
                                 .value = 100 * mfu_ratio(in, per_card),
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation = mfu_derivation(a, in, per_card),
                                 .file = rate->file,
                                 .line = rate->line};
    recompute_put(a, c, &x);
}

/* ---- by the operations ---------------------------------------------------------------------- */

/* Every sample of the first stage has one, which older logs do not count. */
static double pictures_of(const struct proof *p, const struct steps_time *t)
{
    bool all = strcmp(p->kase->stage, "pretrain") == 0;
    return isnan(t->pictures) && all ? t->steps * case_sequences(p->kase) : t->pictures;
}

static void put_seen_mfu(struct audit *a, const struct proof *p, const struct claim *c,
                         const struct mfu_inputs *in, const struct rate *rate)
{
    const struct case_report *report = a->kase ? a->kase->report : p->kase->report;
    struct steps_time t = rate_count_steps(p, report);
    double pictures = pictures_of(p, &t), samples = t.steps * case_sequences(p->kase);
    struct seeing_operations of;
    const char *why = NULL;
    if (!seeing_operations(a->model, p->kase->stage, &of))
        why = "the model's record lacks its tower, its shape or its exact number of parameters";
    else if (!(t.seconds > 0))
        why = "the log gives no step times";
    else if (isnan(pictures))
        why = "the log does not count pictures";
    if (why) {
        recompute_cannot(a, c, "mfu_seen", why);
        return;
    }
    double length = t.tokens / samples;
    double layers = (double)a->model->shape->layers, hidden = (double)a->model->shape->hidden;
    double token = of.per_parameter * of.parameters + 12 * layers * hidden * length;
    double picture = 2 * of.tower + of.rows * of.projector_row;
    double ratio = (t.tokens * token + pictures * picture) / t.seconds / rate->cards / in->peak;
    struct arena *m = a->arena;
    const struct recomputed x = {
        .key = "mfu_seen",
        .value = 100 * ratio,
        .decimals = 2,
        .percent = true,
        .derivation = sentence_say(
            m,
            "(%s * (%s * %s + 12 * %s * %s * %s) + %s * (2 * %s + %s * %s)) / %s / %s / %s = %s %% "
            "((tokens * (%s * N + 12 * layers * hidden * length) + pictures * (2 * tower + rows * "
            "projector)) / seconds / cards / peak, of steps %s to %s; N without tower and "
            "projector, %s)",
            audit_number(m, t.tokens), audit_number(m, of.per_parameter),
            audit_number(m, of.parameters), audit_number(m, layers), audit_number(m, hidden),
            audit_number(m, length), audit_number(m, pictures), audit_number(m, of.tower),
            audit_number(m, of.rows), audit_number(m, of.projector_row), audit_number(m, t.seconds),
            audit_number(m, rate->cards), audit_number(m, in->peak), audit_fixed(m, 100 * ratio, 4),
            audit_number(m, of.per_parameter), audit_number(m, t.first), audit_number(m, t.last),
            in->peak_name),
        .file = rate->file,
        .line = t.line,
        .from = t.from < t.line ? t.from : 0};
    recompute_put(a, c, &x);
}

void seeing_figures_put(struct audit *a, const struct proof *p, const struct claim *c,
                        const struct mfu_inputs *in, const char *why, const struct rate *rate)
{
    double per_card = put_wall_rate(a, p, c, rate);
    if (why) {
        recompute_cannot(a, c, "mfu_wall", why);
        recompute_cannot(a, c, "mfu_seen", why);
        return;
    }
    if (isnan(per_card))
        recompute_cannot(a, c, "mfu_wall", "the throughput by wall time is unknown");
    else
        put_wall_mfu(a, c, in, rate, per_card);
    put_seen_mfu(a, p, c, in, rate);
}

/* clang-format off */
const struct words seeing_messages[] = {
    {.en = "the run resumed from a checkpoint, so its wall time covers only a part of its steps",
     .zh = "运行由检查点续训：其墙钟时间只对应部分步"},
    {.en = "the log has no e2e_time",
     .zh = "日志没有 e2e_time"},
    {.en = "the model's record lacks its tower, its shape or its exact number of parameters",
     .zh = "模型记录缺少视觉塔、结构或精确参数量"},
    {.en = "the throughput by wall time is unknown",
     .zh = "按墙钟时间的吞吐量未知"},
    {.en = "the log does not count pictures",
     .zh = "日志没有统计图像数"},
    {.en = "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, as FlagPerf's page "
           "counts)",
     .zh = "{1} / {2} / {3} = {4}（全部步的 token 数（含填充）/ e2e_time / 卡数，与 FlagPerf 页面的算法相同）"},
    {.en = "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, by FlagPerf's "
           "convention; %s of the tokens are not padding, and %s are targets)",
     .zh = "{1} / {2} / {3} = {4}（全部步的 token 数（含填充）/ e2e_time / 卡数，与 FlagPerf 页面的算法相同；"
           "其中非填充 token {5} 个，计入损失的 token {6} 个）"},
    {.en = "(%s * (%s * %s + 12 * %s * %s * %s) + %s * (2 * %s + %s * %s)) / %s / %s / %s = %s %% "
           "((tokens * (%s * N + 12 * layers * hidden * length) + pictures * (2 * tower + rows * "
           "projector)) / seconds / cards / peak, of steps %s to %s; N without tower and "
           "projector, %s)",
     .zh = "({1} * ({2} * {3} + 12 * {4} * {5} * {6}) + {7} * (2 * {8} + {9} * {10})) / {11} / {12} "
           "/ {13} = {14} %（(token 数 * ({15} * N + 12 * 层数 * 隐藏维度 * 长度) + 图像数 * (2 * 视觉塔 "
           "+ 行数 * 投影层)) / 秒数 / 卡数 / 峰值，第 {16} 至 {17} 步；N 不含视觉塔与投影层，{18:said}）"},
    {NULL, NULL},
};
/* clang-format on */
