/* FP7013: The runs do not converge faster than the reference does */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>

static void check_runs_convergence(struct mlperf_runs *r)
{
    const struct rcp_test *t = &r->rcp;
    enum severity severity = r->bypass.rcp ? SEVERITY_WARNING : SEVERITY_ERROR;
    if (t->verdict != RCP_FAIL)
        return;
    if (isnan(t->least))
        mlperf_found(r->findings, r->arena, "FP7013", severity, r->directory->shown, 0,
                     "RCP test: %s", rcp_how_name(t->how));
    else
        mlperf_found(r->findings, r->arena, "FP7013", severity, r->directory->shown, 0,
                     "RCP test: %s: the mean number of epochs or samples to converge is %.10g, "
                     "expected at least %.10g",
                     rcp_how_name(t->how), t->mean, t->least - t->slack);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "RCP test: %s",
     .zh = "RCP 检验：{1:said}"},
    {.en = "RCP test: %s: the mean number of epochs or samples to converge is %.10g, "
           "expected at least %.10g",
     .zh = "RCP 检验（{1:said}）：收敛所需轮数或样本数的平均值为 {2}，至少应为 {3}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7013 = {
    .id = "FP7013",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING,
    .title = {"RCP（参考收敛点）检验", "Reference convergence points"},
    .statement = {"同一结果的各次运行，不得比 MLPerf 参考实现收敛得更快。",
                  "The runs of a result may not converge faster than the MLPerf reference "
                  "implementation."},
    .source = "mlcommons/logging 7bbf7926, rcp_checker.py; training_policies d73e20f1, "
              "\"Reference Convergence Points\"",
    .example = "found: mean 3.2, the reference allows 3.9 at least",
    .messages = messages,
    .runs = check_runs_convergence,
};
