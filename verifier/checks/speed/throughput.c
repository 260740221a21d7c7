#include "verifier/claims/rule.h"
#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

static void put_rate(struct audit *a, const struct proof *p, const struct claim *c, const char *key)
{
    struct rate r;
    rate_find(a, p, c, &r);
    if (isnan(r.tokens_per_s_per_card)) {
        recompute_cannot(a, c, key, r.why);
        return;
    }
    const struct recomputed x = {.key = key,
                                 .value = r.tokens_per_s_per_card,
                                 .decimals = 1,
                                 .derivation = r.derivation,
                                 .file = r.file,
                                 .line = r.line,
                                 .from = r.from};
    recompute_put(a, c, &x);
}

static void check_throughput(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        if (unsound) {
            recompute_cannot(a, c, "token_per_s_per_card", unsound);
            recompute_cannot(a, c, "throughput", unsound);
            continue;
        }
        put_rate(a, p, c, "token_per_s_per_card");
        if (c)
            put_rate(a, p, c, "throughput");
    }
}

/* clang-format off */
const struct rule rule_fp2002 = {
    .id = "FP2002",
    .kind = "rates",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_throughput,
    .title = {.en = "Throughput computed from the log", .zh = "由日志计算的吞吐量"},
    .statement = {.en = "The stated token/p/s (tokens per second per card) must equal the value "
                        "that fpreport computes from the steps in the log.",
                  .zh = "填报的 token/p/s（每卡每秒 token 数）必须等于 fpreport 由日志各步算出的 "
                        "token/p/s。"},
    .why = {.en = "Readers quote the throughput more often than any other figure, so it must follow "
                  "from the log.",
            .zh = "吞吐量是最常被引用的数字，因此必须能由日志得出。"},
    .how = {.en = "The rule computes the throughput as steps * LBS * GAS * DP * MPE / seconds / "
                  "cards. The rule uses the steps after the warm-up that the case specifies or, if "
                  "the case says so, only the last step. The stated throughput may differ from the "
                  "computed throughput by one unit in the last printed digit.",
            .zh = "按公式 步数 * LBS * GAS * DP * MPE / 秒数 / 卡数 计算吞吐量，其中 MPE 为序列长度"
                  "，步数与秒数不计用例规定的预热步。用例规定只取最后一步时，只用最后一步计算吞吐量"
                  "。填报的吞吐量与计算值最多相差一个末位单位。"},
    .fix = {.en = "State the throughput that follows from the log. If the case should compute the "
                  "throughput in another way, correct the case.",
            .zh = "填报由日志算出的吞吐量。如果用例应以其他方式计算吞吐量，请改正用例。"},
    .example = {.in = EXAMPLE_RECORD,
                .honest = "17789.9",
                .changed = "27789.9"},
};
/* clang-format on */
