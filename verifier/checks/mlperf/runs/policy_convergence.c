/* FP7036: By the words of the policy, the RCP test gives what the official tool gives */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>

static const struct {
    unsigned way;
    bool factor_counts; /* else the verdict alone */
    const char *words;
} ways[] = {
    {RCP_WAY_ENVELOPE, true, "with the pruning described in the text of the MLPerf rules"},
    {RCP_WAY_DEVIATION, false,
     "with the standard deviation described in the text of the MLPerf rules (without the dropped "
     "runs)"},
};

static bool differs(const struct rcp_test *a, const struct rcp_test *b, bool factor_counts)
{
    if (a->verdict != b->verdict)
        return true;
    return factor_counts && (a->how != b->how || fabs(a->factor - b->factor) > 1e-9);
}

static void check_runs_policy_convergence(struct mlperf_runs *r)
{
    struct rcp_test test;
    if (r->rcp.verdict == RCP_CANNOT || !r->points)
        return;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        rcp_check(&r->rcp_runs, r->points, ways[i].way, &test);
        if (differs(&test, &r->rcp, ways[i].factor_counts))
            mlperf_found(r->findings, r->arena, "FP7036", SEVERITY_NOTICE, r->directory->shown, 0,
                         "%s: %s %s, the factor is %.6f instead of %.6f", ways[i].words,
                         rcp_verdict_name(test.verdict), rcp_how_name(test.how), test.factor,
                         r->rcp.factor);
    }
    rcp_check(&r->rcp_runs, r->points, RCP_WAY_NO_SLACK, &test);
    if (test.verdict != r->rcp.verdict && r->logged && !r->logged->policy_has_slack)
        mlperf_found(r->findings, r->arena, "FP7036", SEVERITY_NOTICE, r->directory->shown, 0,
                     r->logged->by_samples ? "the RCP test passes only with a tolerance of %g "
                                             "samples, which the rules do not allow for %s"
                                           : "the RCP test passes only with a tolerance of %g "
                                             "epochs, which the rules do not allow for %s",
                     r->rcp.slack, r->rules->version);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "with the pruning described in the text of the MLPerf rules",
     .zh = "若按 MLPerf 规则文本所写的剪枝方法"},
    {.en = "with the standard deviation described in the text of the MLPerf rules (without the "
           "dropped runs)",
     .zh = "若按 MLPerf 规则文本所写的标准差（不计丢弃的运行）"},
    {.en = "%s: %s %s, the factor is %.6f instead of %.6f",
     .zh = "{1:said}，RCP 检验的结论为 {2}（{3:said}），缩放系数为 {4}，而不是 {5}"},
    {.en = "the RCP test passes only with a tolerance of %g samples, which the rules do not allow "
           "for %s",
     .zh = "RCP 检验只有放宽 {1} 个样本才能通过，但 MLPerf {2} 的规则不允许放宽"},
    {.en = "the RCP test passes only with a tolerance of %g epochs, which the rules do not allow "
           "for %s",
     .zh = "RCP 检验只有放宽 {1} 个 epoch 才能通过，但 MLPerf {2} 的规则不允许放宽"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7036 = {
    .id = "FP7036",
    .severity = SEVERITY_NOTICE,
    .also = 0,
    .title = {"按规则文本的收敛检验", "RCP test by the text of the rules"},
    .statement = {"按 MLPerf 规则文本进行的 RCP（参考收敛点）检验，结论必须与官方工具得出的相同。",
                  "The RCP test (reference convergence points) by the text of the MLPerf rules "
                  "must have the same outcome as the official tool."},
    .source = "training_policies d73e20f1, appendix \"RCP Examples\"",
    .example = "with the pruning that the text of the rules describes: PASS interpolated, factor "
               "1.000000 in place of 1.006887",
    .messages = messages,
    .runs = check_runs_policy_convergence,
};
