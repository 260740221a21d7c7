#include "verifier/checks/speed/exact_operations.h"
#include "verifier/checks/speed/seeing_figures.h"
#include "verifier/checks/speed/seeing_operations.h"
#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

static void put_mfu_exact(struct audit *a, const struct proof *p, const struct claim *c,
                          const struct mfu_inputs *in, const struct rate *rate)
{
    const char *key = "mfu_exact", *missing = NULL;
    struct exact_operations of = exact_operations(a, p, in, rate, &missing);
    if (missing) {
        recompute_cannot(a, c, key, missing);
        return;
    }
    const struct model *m = a->model;
    double ratio = (of.parameters + of.attention) * rate->tokens_per_s_per_card / in->peak;
    const char *derivation = sentence_say(
        a->arena,
        "(6 * %.0f + 12 * %lld * %lld * %s) * %s / %s = %s %% ((6 * N + 12 * layers * hidden * "
        "MPE) * token/p/s / peak; N and shape of models/%s.json, %s)",
        m->exact_parameters, m->shape->layers, m->shape->hidden,
        audit_number(a->arena, rate->length), audit_number(a->arena, rate->tokens_per_s_per_card),
        audit_number(a->arena, in->peak), audit_fixed(a->arena, 100 * ratio, 4), m->id,
        in->peak_name);
    const struct recomputed x = {.key = key,
                                 .value = 100 * ratio,
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation = derivation,
                                 .file = rate->file,
                                 .line = rate->line,
                                 .from = rate->from};
    recompute_put(a, c, &x);
}

static void put_mfu_stated(struct audit *a, const struct claim *c, const struct mfu_inputs *in,
                           const struct rate *rate)
{
    const struct recomputed x = {.key = "mfu",
                                 .value = 100 * mfu_ratio(in, rate->tokens_per_s_per_card),
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation = mfu_derivation(a, in, rate->tokens_per_s_per_card),
                                 .file = rate->file,
                                 .line = rate->line,
                                 .from = rate->from};
    recompute_put(a, c, &x);
    /* More than a card can do: the log, the number of cards or the peak is not what it seems. */
    if (x.value <= 100)
        return;
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, c, rate->line,
                     "the throughput of the log exceeds what the card can reach: %s", x.derivation);
    r->file = rate->file;
    r->severity = rate->assumed ? SEVERITY_WARNING : SEVERITY_ERROR;
}

static void put_mfu(struct audit *a, const struct proof *p, const struct claim *c,
                    const struct claim *by, const struct rate *rate)
{
    struct mfu_inputs in;
    const char *why = NULL;
    bool known = mfu_find_inputs(a, by, &in, &why);
    if (known)
        put_mfu_stated(a, c, &in, rate);
    else
        recompute_cannot(a, c, "mfu", why);
    if (seeing_has_operations(p))
        seeing_figures_put(a, p, c, &in, known ? NULL : why, rate);
    else if (known)
        put_mfu_exact(a, p, c, &in, rate);
    else
        recompute_cannot(a, c, "mfu_exact", why);
}

static void check_evidence_mfu(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    const struct claim of_run = unsound ? (struct claim){0} : proof_claim(a, p);
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        struct rate r = {.tokens_per_s_per_card = NAN, .why = unsound};
        if (!unsound)
            rate_find(a, p, c, &r);
        if (isnan(r.tokens_per_s_per_card))
            recompute_cannot(a, c, "mfu", r.why);
        else
            put_mfu(a, p, c, c ? c : &of_run, &r);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "(6 * %.0f + 12 * %lld * %lld * %s) * %s / %s = %s %% ((6 * N + 12 * layers * hidden * "
           "MPE) * token/p/s / peak; N and shape of models/%s.json, %s)",
     .zh = "(6 * {1} + 12 * {2} * {3} * {4}) * {5} / {6} = {7} %（(6 * N + 12 * 层数 * 隐藏维度 "
           "* MPE) * token/p/s / 峰值；N 与结构取自 models/{8}.json，{9:said}）"},
    {.en = "the throughput of the log exceeds what the card can reach: %s",
     .zh = "由日志得到的吞吐量超出卡的能力：{1:said}"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, exact_messages, seeing_messages,
                                            seeing_operations_messages, NULL};

const struct rule rule_fp2013 = {
    .id = "FP2013",
    .kind = "rates",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_evidence_mfu,
    .title = {.en = "MFU computed from the log", .zh = "由日志计算的 MFU"},
    .statement = {.en = "The stated MFU must equal the MFU that fpreport computes from the "
                        "throughput in the log.",
                  .zh = "填报的 MFU 必须等于 fpreport 由日志中的吞吐量算出的 MFU。"},
    .why = {.en = "The MFU on a page can agree with the throughput on the page although the log "
                  "shows another throughput.",
            .zh = "填报的 MFU 可能与页面填报的吞吐量相符，却与日志中的吞吐量不符。"},
    .how = {.en = "The rule computes MFU as rule FP2003 does, but from the throughput that rule "
                  "FP2002 recomputed from the log.",
            .zh = "按公式 MFU = 系数 * N * token/p/s / 峰值（规则 FP2003）计算，其中吞吐量 "
                  "token/p/s 取 fpreport 由日志复算的值（规则 FP2002）。"},
    .fix = {.en = "First correct the stated throughput (token/p/s), and then the stated MFU.",
            .zh = "先改正填报的吞吐量（token/p/s），再改正填报的 MFU。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"6.2%\"",
                .changed = "\"9.9%\""},
};
/* clang-format on */
