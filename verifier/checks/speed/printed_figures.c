#include "verifier/checks/speed/throughputs.h"
#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/rate.h"

#define PRINTED_SLACK 1e-3 /* relative: some scripts round what they print */

#define PRINTED_MFU 5e-3 /* relative: peaks are configured, and rounded */

static void judge_printed(struct audit *a, const struct proof *p, const struct log_value *printed,
                          const struct run_log *from, double value, double slack,
                          const char *derivation)
{
    bool ok = fabs(printed->value - value) <= slack * fabs(value) + 0.005 * (slack < PRINTED_MFU);
    struct check_result *r =
        audit_judge_at(a, ok, printed->line,
                       ok ? "the log prints %s as %s, which agrees with its steps: %s"
                          : "the log prints %s as %s, but its steps give another value: %s",
                       printed->key, audit_number(a->arena, printed->value), derivation);
    r->file = from->log.file;
    r->table = p->evidence ? (int)p->evidence->table : 0;
    r->row = p->evidence ? (int)p->evidence->row : 0;
    audit_expect(r, audit_number(a->arena, printed->value), audit_fixed(a->arena, value, 4));
}

/* One figure of the whole log, for the first row: the cards of all rows of one proof agree. */
static void judge_rate(struct audit *a, const struct proof *p, const struct claim *c)
{
    const struct run_log *from;
    const struct log_value *v = rate_printed(p, c, &from);
    struct rate r;
    rate_find(a, p, c, &r);
    if (!v || r.printed || isnan(r.tokens_per_s_per_card))
        return;
    /* Scripts divide by ranks, pages by cards: a card that shows two devices has two. */
    const struct accelerator *card = c && c->accelerator ? c->accelerator : proof_accelerator(a, p);
    double ranks = card && card->ranks_per_card ? (double)card->ranks_per_card : 1;
    double per_rank = r.tokens_per_s_per_card / ranks;
    bool of_rank = fabs(v->value - per_rank) <= PRINTED_SLACK * per_rank;
    judge_printed(a, p, v, from, of_rank ? per_rank : r.tokens_per_s_per_card, PRINTED_SLACK,
                  r.derivation);
}

/* An operator's benchmark prints the time of a call and the calls of a second. */
static void judge_operators(struct audit *a, const struct proof *p)
{
    static const char *const names[] = {"cputime", "kerneltime"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct run_log *from, *ignored;
        const char *rate = arena_printf(a->arena, "%s throughput (op/s)", names[i]);
        const char *time = arena_printf(a->arena, "%s (us)", names[i]);
        const struct log_value *v = proof_value(p, rate, &from);
        const struct log_value *us = proof_value(p, time, &ignored);
        if (!v || !us || !(us->value > 0))
            continue;
        judge_printed(a, p, v, from, 1e6 / us->value, PRINTED_SLACK + 0.005 / us->value,
                      arena_printf(a->arena, "1e6 / %s = %s (%s)",
                                   audit_number(a->arena, us->value),
                                   audit_fixed(a->arena, 1e6 / us->value, 4), time));
    }
}

static void check_printed(struct audit *a, struct proof *p)
{
    const struct claim *c;
    size_t i = 0;
    if (recompute_unsound(p) || !recompute_next(a, p, &i, &c))
        return;
    for (size_t j = 0; j < THROUGHPUTS; j++) {
        const struct run_log *from;
        const struct log_value *v = throughput_value(p, throughputs[j].printed, &from);
        struct recomputed x;
        if (v && throughput_divide(a, p, &throughputs[j], &x))
            judge_printed(a, p, v, from, x.value, PRINTED_SLACK, x.derivation);
    }
    judge_operators(a, p);
    judge_rate(a, p, c);
    const struct run_log *from, *ignored;
    const struct log_value *v = proof_value(p, "MFU", &from);
    const struct log_value *rate = rate_printed(p, c, &ignored);
    struct claim of_run = proof_claim(a, p);
    struct mfu_inputs in;
    const char *why;
    if (!v || !rate || (c && c->config.stage) || !mfu_find_inputs(a, c ? c : &of_run, &in, &why))
        return;
    double ratio = mfu_ratio(&in, rate->value);
    bool percent = v->value > 1.5;
    judge_printed(a, p, v, from, percent ? 100 * ratio : ratio, PRINTED_MFU,
                  mfu_derivation(a, &in, rate->value));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log prints %s as %s, which agrees with its steps: %s",
     .zh = "日志打印的 {1} 为 {2}，与由日志各步算出的值相符：{3:said}"},
    {.en = "the log prints %s as %s, but its steps give another value: %s",
     .zh = "日志打印的 {1} 为 {2}，但由日志各步算出的是另一个值：{3:said}"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, throughput_messages, NULL};

const struct rule rule_fp2032 = {
    .id = "FP2032",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_MACHINE,
    .proof = check_printed,
    .title = {.en = "Throughput and MFU printed by the log", .zh = "日志打印的吞吐量与 MFU"},
    .statement = {.en = "The throughputs and the MFU that a log prints at its end must follow from "
                        "the steps, samples and times in the same log.",
                  .zh = "日志末尾打印的吞吐量与 MFU，必须能由同一日志中的步数、样本数和时间得出。"},
    .why = {.en = "The training scripts of a case compute throughput and MFU with a hard-coded "
                  "batch size, sequence length and peak. If somebody changes the configuration but "
                  "not the script, the printed throughput and MFU are wrong.",
            .zh = "用例的训练脚本计算吞吐量与 MFU 时，批大小、序列长度与峰值都写死在脚本中。如果改"
                  "了用例的配置而没有改训练脚本，日志打印的吞吐量与 MFU 就是错的。"},
    .how = {.en = "The rule recomputes the printed throughputs, Tokens/p/s and MFU from the "
                  "samples, times and steps of the same log. A printed throughput may differ from "
                  "the recomputed value by 0.1 %, and a printed MFU by 0.5 %.",
            .zh = "用同一日志中的样本数、时间与步数，复算日志打印的吞吐量、Tokens/p/s 与 MFU。日志"
                  "打印的吞吐量与复算值最多可以相差 0.1 %，打印的 MFU 与复算值最多可以相差 0.5 %。"},
    .fix = {.en = "State the recomputed value, or correct the training script and run the case "
                  "again.",
            .zh = "填报 fpreport 由日志复算的吞吐量与 MFU，或改正训练脚本后重新运行用例。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "Tokens/p/s:  17789.",
                .changed = "Tokens/p/s:  27789."},
};
/* clang-format on */
