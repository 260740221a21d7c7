#include "verifier/checks/speed/seeing_figures.h"

#include "verifier/checks/speed/seeing_operations.h"
#include "verifier/proofs/recompute.h"

/* ---- by the wall clock ---------------------------------------------------------------------- */

static const char *whole_run(const struct proof *p)
{
    return proof_resumed(p) > 0 ? "the run resumed from a checkpoint, so its wall time covers only "
                                  "a part of its steps"
                                : NULL;
}

static const char *wall_derivation(struct arena *m, const struct steps_time *t, double wall,
                                   double cards, double per_card)
{
    const char *tokens = audit_number(m, t->tokens), *time = audit_number(m, wall),
               *of = audit_number(m, cards), *result = audit_fixed(m, per_card, 4);
    if (isnan(t->real_tokens) || isnan(t->targets))
        return sentence_say(m,
                            "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, as "
                            "FlagPerf's page counts)",
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

/* ---- by the operations ---------------------------------------------------------------------- */

static const char *seen_derivation(struct arena *m, const struct seeing_steps *s,
                                   const struct mfu_inputs *in, double cards, double percent)
{
    const struct seeing_operations *of = &s->of;
    const struct steps_time *t = &s->steps;
    const char *pairs =
        t->pairs_by_mean ? "by the mean length of each step" : "as counted by the log";
    return sentence_say(
        m,
        "(%s * %s * %s + %s * %s + %s * (2 * %s + %s * %s)) / %s / %s / %s = %s %% ((%s * N * "
        "tokens + 12 * layers * hidden * pairs + pictures * (2 * tower + rows * projector)) / "
        "seconds / cards / peak, of steps %s to %s; pairs: the squares of the padded lengths of "
        "all sequences, %s; N without tower and projector, %s)",
        audit_number(m, of->per_parameter), audit_number(m, of->parameters),
        audit_number(m, t->tokens), audit_number(m, of->pair), audit_number(m, t->attention_pairs),
        audit_number(m, s->pictures), audit_number(m, of->tower), audit_number(m, of->rows),
        audit_number(m, of->projector_row), audit_number(m, t->seconds), audit_number(m, cards),
        audit_number(m, in->peak), audit_fixed(m, percent, 4), audit_number(m, of->per_parameter),
        audit_number(m, t->first), audit_number(m, t->last), pairs, in->peak_name);
}

static void put_seen_mfu(struct audit *a, const struct proof *p, const struct claim *c,
                         const struct mfu_inputs *in, const struct rate *rate)
{
    struct seeing_steps s;
    const char *why = seeing_steps_of(a, p, &s);
    why = why ? why : isnan(s.pictures) ? "the log does not count pictures" : NULL;
    if (why) {
        recompute_cannot(a, c, "mfu_seen", why);
        return;
    }
    const struct steps_time *t = &s.steps;
    double percent = 100 * (s.products + s.attention) / t->seconds / rate->cards / in->peak;
    const struct recomputed x = {.key = "mfu_seen",
                                 .value = percent,
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation =
                                     seen_derivation(a->arena, &s, in, rate->cards, percent),
                                 .file = rate->file,
                                 .line = t->line,
                                 .from = t->from < t->line ? t->from : 0};
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
    else {
        const struct recomputed x = {.key = "mfu_wall",
                                     .value = 100 * mfu_ratio(in, per_card),
                                     .decimals = 2,
                                     .percent = true,
                                     .derivation = mfu_derivation(a, in, per_card),
                                     .file = rate->file,
                                     .line = rate->line};
        recompute_put(a, c, &x);
    }
    put_seen_mfu(a, p, c, in, rate);
}

/* clang-format off */
const struct words seeing_messages[] = {
    {.en = "the run resumed from a checkpoint, so its wall time covers only a part of its steps",
     .zh = "运行由检查点续训，因此墙钟时间只覆盖一部分训练步"},
    {.en = "the log has no e2e_time",
     .zh = "日志中没有 e2e_time 的值"},
    {.en = "the throughput by wall time is unknown",
     .zh = "按墙钟时间计算的吞吐量未知"},
    {.en = "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, as FlagPerf's page "
           "counts)",
     .zh = "{1} / {2} / {3} = {4}（全部步含填充的 token 数 / e2e_time / 卡数，与 FlagPerf 页面的算"
           "法相同）"},
    {.en = "%s / %s / %s = %s (padded tokens of all steps / e2e_time / cards, by FlagPerf's "
           "convention; %s of the tokens are not padding, and %s are targets)",
     .zh = "{1} / {2} / {3} = {4}（全部步含填充的 token 数 / e2e_time / 卡数，与 FlagPerf 页面的算"
           "法相同；其中非填充 token {5} 个，计入损失的 token {6} 个）"},
    {.en = "(%s * %s * %s + %s * %s + %s * (2 * %s + %s * %s)) / %s / %s / %s = %s %% ((%s * N * "
           "tokens + 12 * layers * hidden * pairs + pictures * (2 * tower + rows * projector)) / "
           "seconds / cards / peak, of steps %s to %s; pairs: the squares of the padded lengths of "
           "all sequences, %s; N without tower and projector, %s)",
     .zh = "({1} * {2} * {3} + {4} * {5} + {6} * (2 * {7} + {8} * {9})) / {10} / {11} / {12} = "
           "{13} %（({14} * N * token 数 + 12 * 层数 * 隐藏维度 * 长度平方和 + 图像数 * (2 * 视觉塔"
           " + 行数 * 投影层)) / 秒数 / 卡数 / 峰值，第 {15} 至 {16} 步；长度平方和为全部序列填充后"
           "长度的平方之和，{17:said}；N 不含视觉塔与投影层，{18:said}）"},
    {.en = "the log does not count pictures",
     .zh = "日志没有统计图像数"},
    {.en = "as counted by the log",
     .zh = "取日志的统计值"},
    {.en = "by the mean length of each step",
     .zh = "按每步的平均序列长度计算"},
    {NULL, NULL},
};
/* clang-format on */
