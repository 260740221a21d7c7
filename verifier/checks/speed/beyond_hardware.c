/*
 * Nothing computes faster than its hardware: the exact operations (exact_operations.h) beside the
 * card's peak, beside the matrix products that were measured on it
 * before the training, and on a processor beside what its cores can do in a cycle.
 */
#include "verifier/checks/speed/exact_operations.h"
#include "verifier/checks/speed/seeing_operations.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/recompute.h"

#include <stdlib.h>

/* Intel and AMD, to 2026: two units of 16 lanes in single precision, an addition and a
 * multiplication each; tiles of bf16 and int8 (AMX); no core is clocked higher. */
#define FP32_A_CYCLE 64

#define TILES_A_CYCLE 2048

#define CLOCK_MOST_HZ 6.5e9

struct look {
    struct audit *a;
    const struct claim *c, *by;
    const struct rate *rate;
    bool found;
    const char *why; /* it was held to nothing; NULL */
};

static const char *tera_text(const struct look *l, double flops)
{
    return audit_fixed(l->a->arena, flops * 1e-12, flops < 1e13 ? 4 : 1);
}

static void find_beyond(struct look *l, enum severity severity, const char *message)
{
    struct check_result *r = audit_report(l->a, OUTCOME_FAIL, l->c, l->rate->line, "%s", message);
    r->file = l->rate->file;
    r->severity = l->rate->assumed ? SEVERITY_WARNING : severity;
    l->found = true;
}

/* Without the scores that a causal mask leaves out a training cannot pass the middle product; with
 * them it is odd. */
static void look_products(struct look *l, const struct proof *p, const struct exact_operations *of)
{
    const struct measure *x =
        l->by->precision ? product_of(&p->facts.measured, l->by->precision, l->a->arena) : NULL;
    double rate = l->rate->tokens_per_s_per_card;
    double least = (of->parameters + of->attention / 2) * rate,
           all = (of->parameters + of->attention) * rate;
    if (!x || !(all > x->median * 1e12))
        return;
    bool beyond = least > x->median * 1e12;
    const char *most = tera_text(l, x->median * 1e12), *need = tera_text(l, all);
    find_beyond(
        l, beyond ? SEVERITY_ERROR : SEVERITY_WARNING,
        beyond ? sentence_say(
                     l->a->arena,
                     "the run needs %s TFLOP/s per card for all parameters and the attention (%s "
                     "without the half of the attention that a causal mask skips), but a matrix "
                     "product in %s reached only %s TFLOP/s on the machine of the run (median)",
                     need, tera_text(l, least), l->by->precision, most)
               : sentence_say(
                     l->a->arena,
                     "the run needs %s TFLOP/s per card for all parameters and the attention, but "
                     "a matrix product in %s reached only %s TFLOP/s on the machine of the run "
                     "(median)",
                     need, l->by->precision, most));
}

static void check_cards(struct look *l, const struct proof *p)
{
    struct mfu_inputs in = {.peak = NAN};
    if (!mfu_find_inputs(l->a, l->by, &in, &l->why))
        return;
    struct exact_operations of = exact_operations(l->a, p, &in, l->rate, &l->why);
    if (l->why)
        return;
    double flops = (of.parameters + of.attention) * l->rate->tokens_per_s_per_card;
    if (flops > in.peak)
        find_beyond(
            l, SEVERITY_ERROR,
            sentence_say(l->a->arena,
                         "the run needs %s TFLOP/s per card for all parameters and the attention, "
                         "but the peak of the card is %s TFLOP/s (%s): the exact MFU would be "
                         "%s %%",
                         tera_text(l, flops), tera_text(l, in.peak), in.peak_name,
                         audit_fixed(l->a->arena, 100 * flops / in.peak, 2)));
    look_products(l, p, &of);
}

static double count_of(const struct proof *p, enum fact_id fact)
{
    const char *text = facts_value(&p->facts, fact);
    return text ? strtod(text, NULL) : NAN;
}

static void check_processor(struct look *l, const struct proof *p)
{
    const struct model *m = l->a->model;
    double threads = fmax(count_of(p, FACT_CPU_THREADS), count_of(p, FACT_CPU_CORES));
    double nodes = p->round && p->round->key.whole ? (double)p->round->key.nnodes : 1;
    double parameters = !m                           ? NAN
                        : isnan(m->exact_parameters) ? m->nominal_parameters
                                                     : m->exact_parameters;
    bool single = l->by->precision && strcmp(l->by->precision, "fp32") == 0;
    double cycle = single ? FP32_A_CYCLE : TILES_A_CYCLE;
    double most = threads * nodes * CLOCK_MOST_HZ * cycle;
    double flops =
        mfu_factor(l->a, l->by) * parameters * l->rate->tokens_per_s_per_card * l->rate->cards;
    if (isnan(flops) || isnan(most))
        l->why = "the parameter count of the model or the number of CPU cores is unknown";
    else if (flops > most)
        find_beyond(l, SEVERITY_ERROR,
                    sentence_say(l->a->arena,
                                 "the run needs %s TFLOP/s, but %s cores at %s GHz with %s "
                                 "operations per cycle reach at most %s TFLOP/s",
                                 tera_text(l, flops), audit_number(l->a->arena, threads * nodes),
                                 audit_number(l->a->arena, CLOCK_MOST_HZ * 1e-9),
                                 audit_number(l->a->arena, cycle), tera_text(l, most)));
}

static void check_hardware(struct audit *a, struct proof *p)
{
    const struct claim of_run = proof_claim(a, p);
    size_t i = 0;
    if (recompute_unsound(p))
        return;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        struct rate rate = {.tokens_per_s_per_card = NAN};
        rate_find(a, p, c, &rate);
        struct look l = {.a = a, .c = c, .by = c ? c : &of_run, .rate = &rate};
        if (isnan(rate.tokens_per_s_per_card))
            continue;
        if (proof_on_processor(p))
            check_processor(&l, p);
        else
            check_cards(&l, p);
        if (l.why)
            audit_cannot(a, c, "the throughput cannot be compared with the hardware: %s", l.why);
        else if (!l.found)
            audit_pass(a, c, "the run does not compute faster than the hardware allows");
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run needs %s TFLOP/s per card for all parameters and the attention, but the peak "
           "of the card is %s TFLOP/s (%s): the exact MFU would be %s %%",
     .zh = "按精确运算量，这次运行每卡需达到 {1} TFLOP/s，但卡的峰值为 {2} TFLOP/s（{3:said}）：精"
           "确 MFU 将达到 {4} %"},
    {.en = "the run needs %s TFLOP/s per card for all parameters and the attention (%s without "
           "the half of the attention that a causal mask skips), but a matrix product in %s "
           "reached only %s TFLOP/s on the machine of the run (median)",
     .zh = "按精确运算量，这次运行每卡需达到 {1} TFLOP/s（减去因果掩码省去的一半注意力运算后为 {2} "
           "TFLOP/s），但在运行所在的机器上，实测的 {3} 矩阵乘法只有 {4} TFLOP/s（中位数）"},
    {.en = "the run needs %s TFLOP/s per card for all parameters and the attention, but a matrix "
           "product in %s reached only %s TFLOP/s on the machine of the run (median)",
     .zh = "按精确运算量，这次运行每卡需达到 {1} TFLOP/s，但在运行所在的机器上，实测的 {2} 矩阵乘法"
           "只有 {3} TFLOP/s（中位数）"},
    {.en = "the run needs %s TFLOP/s, but %s cores at %s GHz with %s operations per cycle reach "
           "at most %s TFLOP/s",
     .zh = "这次运行需达到 {1} TFLOP/s，但 {2} 个 CPU 核以 {3} GHz、每周期 {4} 次运算，最多达到 "
           "{5} TFLOP/s"},
    {.en = "the throughput cannot be compared with the hardware: %s",
     .zh = "无法将吞吐量与硬件能力比较：{1:said}"},
    {.en = "the parameter count of the model or the number of CPU cores is unknown",
     .zh = "模型的参数量未知，或 CPU 的核数未知"},
    {.en = "the run does not compute faster than the hardware allows",
     .zh = "运行的计算速度没有超出硬件能力"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, exact_messages,
                                            seeing_operations_messages, NULL};

const struct rule rule_fp2038 = {
    .id = "FP2038",
    .kind = "rates",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_hardware,
    .title = {.en = "Run faster than the hardware", .zh = "运行速度超出硬件能力"},
    .statement = {.en = "The operations per second that follow from the logged throughput must be "
                        "below the peak of the card, and below the speed of matrix products that "
                        "was measured on this card. On a CPU, the operations per second must be "
                        "below what its cores can reach.",
                  .zh = "由日志的吞吐量算出的每秒运算量，必须低于卡的峰值，也必须低于在这张卡上实测"
                        "的矩阵乘法速度。在 CPU 上运行时，每秒运算量必须低于各核能达到的速度。"},
    .why = {.en = "A training step consists of matrix products and other work. If a training is "
                  "faster than its matrix products alone can be, its times are invented, or its "
                  "cards or tokens are counted wrongly.",
            .zh = "训练的每一步除矩阵乘法外还有其他工作。如果训练比单独做其中的矩阵乘法还快，说明步"
                  "耗时是编造的，或卡数、token 数有误。"},
    .how = {.en = "The rule counts the operations per token as for the exact MFU: 6 * N + 12 * "
                  "layers * hidden * MPE, where N is the exact number of parameters. For a "
                  "multimodal model, the rule counts the operations of the steps in the log, "
                  "including those of the vision tower. The operations per token times token/p/s "
                  "must not exceed the dense peak of the card, or the median speed of the matrix "
                  "products that the fingerprint states for the run's precision. A causal mask "
                  "skips half of the attention operations. If a run exceeds the limit even without "
                  "the operations that the mask skips, the finding is an error, otherwise a "
                  "warning. For each CPU thread, the rule allows a clock frequency of 6.5 GHz and "
                  "at most 64 fp32 operations (2048 in lower precision) per cycle.",
            .zh = "每个 token 的运算量按精确 MFU 的公式计算：6 * N + 12 * 层数 * 隐藏维度 * MPE，其"
                  "中 N 为精确参数量，MPE 为序列长度。多模态模型的运算量按日志中的各步统计，包括视"
                  "觉塔（vision tower）的运算。每个 token 的运算量乘以 token/p/s（单卡每秒的 token "
                  "数），不得超过卡的稠密峰值，也不得超过指纹所记的运行精度下矩阵乘法速度的中位数。"
                  "因果掩码可以省去一半的注意力运算。运行超过上限时，如果减去一半的注意力运算后仍然"
                  "超过，算错误，否则算警告。CPU 的每个线程按时钟频率 6.5 GHz、每周期最多 64 次 "
                  "fp32 运算（更低精度为 2048 次）计算上限。"},
    .fix = {.en = "Check the number of cards, the number of tokens per step, and the clock that "
                  "measured the step times.",
            .zh = "检查卡数、每步 token 数，以及测量步耗时所用的时钟。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RUN,
                .file = "case.json",
                .honest = "\"sequence_length\": 64",
                .changed = "\"sequence_length\": 6400"},
};
/* clang-format on */
