/*
 * Nothing computes faster than its hardware: the exact operations of the tokens
 * (exact_operations.h) beside the card's peak, beside the matrix products that were measured on it
 * before the training, and on a processor beside what its cores can do in a cycle.
 */
#include "verifier/checks/speed/exact_operations.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/product_of.h"
#include "verifier/proofs/recompute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void look_peak(struct look *l, const struct mfu_inputs *in, double flops)
{
    if (flops > in->peak)
        find_beyond(l, SEVERITY_ERROR,
                    sentence_say(
                        l->a->arena,
                        "the run would do %s TFLOP/s a card by the exact operations of its tokens, "
                        "the peak of the card is %s (%s)",
                        tera_text(l, flops), tera_text(l, in->peak), in->peak_name));
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
    find_beyond(
        l, beyond ? SEVERITY_ERROR : SEVERITY_WARNING,
        sentence_say(l->a->arena,
                     "the run would do %s TFLOP/s a card by the exact operations of its tokens, a "
                     "matrix product in %s alone reached %s on this machine (median)",
                     tera_text(l, beyond ? least : all), l->by->precision,
                     tera_text(l, x->median * 1e12)));
}

static void check_cards(struct look *l, const struct proof *p)
{
    struct mfu_inputs in = {.peak = NAN};
    if (!mfu_find_inputs(l->a, l->by, &in, &l->why))
        return;
    struct exact_operations of = exact_operations(l->a, &in, l->rate, &l->why);
    if (l->why)
        return;
    look_peak(l, &in, (of.parameters + of.attention) * l->rate->tokens_per_s_per_card);
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
        l->why = "the parameters of the model or the cores of the processor are not known";
    else if (flops > most)
        find_beyond(
            l, SEVERITY_ERROR,
            sentence_say(
                l->a->arena,
                "the run would do %s TFLOP/s, %s cores at %s GHz with %s operations a cycle "
                "do at most %s",
                tera_text(l, flops), audit_number(l->a->arena, threads * nodes),
                audit_number(l->a->arena, CLOCK_MOST_HZ * 1e-9), audit_number(l->a->arena, cycle),
                tera_text(l, most)));
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
            audit_cannot(a, c, "the rate cannot be held to the hardware: %s", l.why);
        else if (!l.found)
            audit_pass(a, c, "the run does not compute faster than its hardware can");
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run would do %s TFLOP/s a card by the exact operations of its tokens, the peak of "
           "the card is %s (%s)",
     .zh = "按各 token 的精确运算量，运行每卡需达到 {1} TFLOP/s，而该卡的峰值为 {2}（{3:said}）"},
    {.en = "the run would do %s TFLOP/s a card by the exact operations of its tokens, a matrix "
           "product in %s alone reached %s on this machine (median)",
     .zh = "按各 token 的精确运算量，运行每卡需达到 {1} TFLOP/s，而这台机器上单做 {2} 的矩阵乘法也"
           "只达到 {3}（中位数）"},
    {.en = "the run would do %s TFLOP/s, %s cores at %s GHz with %s operations a cycle do at most "
           "%s",
     .zh = "运行需达到 {1} TFLOP/s，而 {2} 个核以 {3} GHz、每周期 {4} 次运算，至多达到 {5}"},
    {.en = "the rate cannot be held to the hardware: %s",
     .zh = "无法将速率与硬件对照：{1:said}"},
    {.en = "the parameters of the model or the cores of the processor are not known",
     .zh = "模型的参数量或处理器的核数未知"},
    {.en = "the run does not compute faster than its hardware can",
     .zh = "运行的计算速度没有超出其硬件的能力"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, exact_messages, NULL};

const struct rule rule_fp2038 = {
    .id = "FP2038",
    .kind = "rates",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_hardware,
    .title = {.en = "Beyond the hardware", .zh = "超出硬件能力"},
    .statement = {.en = "By the exact operations of its tokens a run stays below the peak of its "
                        "card, below the matrix products that were measured on it, and on a "
                        "processor below what its cores can do.",
                  .zh = "按各 token 的精确运算量，运行低于该卡的峰值，低于在其上实测的矩阵乘法；在处"
                        "理器上则低于其各核的能力。"},
    .why = {.en = "A training is matrix products and much besides. One that is faster than the "
                  "products alone has invented times, or counts its cards or tokens wrongly.",
            .zh = "训练由矩阵乘法和许多别的工作组成。比单做乘法还快的训练，要么时间是编造的，要么"
                  "卡数或 token 数算错了。"},
    .how = {.en = "Operations of a token are 6 * N and 12 * layers * hidden * MPE, N the exact "
                  "number of parameters. Times token/p/s they may be at most the dense peak, and "
                  "at most the median of the products that the fingerprint has in the run's "
                  "precision: an error where that holds without half of the attention, which a "
                  "causal mask leaves out, else a warning. A processor does at most 64 operations "
                  "of fp32 (2048 of less) in a cycle of 6.5 GHz on each of its threads.",
            .zh = "每个 token 的运算量为 6 * N 与 12 * 层数 * 隐藏维度 * MPE，N 为精确参数量。乘以 "
                  "token/p/s 后至多为稠密峰值，且至多为指纹中该精度乘法的中位数：扣除因果掩码省去"
                  "的一半注意力之后仍然超过算错误，否则算警告。处理器的每个线程在 6.5 GHz 的每个周"
                  "期至多做 64 次 fp32 运算（更低精度为 2048 次）。"},
    .fix = {.en = "Look at the number of cards, at the tokens of a step and at the clock that the "
                  "times are from.",
            .zh = "看看卡数、每步的 token 数，以及计时所用的时钟。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RUN,
                .file = "case.json",
                .honest = "\"sequence_length\": 64",
                .changed = "\"sequence_length\": 6400"},
};
/* clang-format on */
