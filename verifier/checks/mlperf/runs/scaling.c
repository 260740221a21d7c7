/* FP7017: scaling.json states the factor that the RCP test gives */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>

static void check_runs_scaling(struct mlperf_runs *r)
{
    size_t file = r->directory->scaling;
    const struct mlperf_scaling_facts *s =
        file == MLPERF_NO_FILE ? NULL : &r->tree->files[file].facts.scaling;
    double stated = isnan(r->stated_factor) ? 1 : r->stated_factor, factor = r->rcp.factor;
    const char *shown = r->directory->scaling_shown;
    if (s && s->fault)
        mlperf_found(r->findings, r->arena, "FP7017", SEVERITY_ERROR, shown, 0, "%s", s->fault);
    else if (stated < factor * (1 - 1e-6))
        mlperf_found(r->findings, r->arena, "FP7017", SEVERITY_ERROR, shown, 0,
                     s ? "scaling.json states the factor %.10g, but the RCP test gives %.10g"
                       : "scaling.json is missing, so the factor is %g, but the RCP test "
                         "gives %.10g",
                     stated, factor);
    else if (stated > factor * (1 + 1e-6))
        mlperf_found(r->findings, r->arena, "FP7017", SEVERITY_WARNING, shown, 0,
                     "scaling.json states the factor %.10g, but the RCP test gives %.10g", stated,
                     factor);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "scaling.json states the factor %.10g, but the RCP test gives %.10g",
     .zh = "scaling.json 写的缩放系数为 {1}，但 RCP 检验得出的缩放系数为 {2}"},
    {.en = "scaling.json is missing, so the factor is %g, but the RCP test gives %.10g",
     .zh = "缺少 scaling.json，因此采用缩放系数 {1}，但 RCP 检验得出的缩放系数为 {2}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7017 = {
    .id = "FP7017",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING,
    .title = {"成绩的缩放系数", "Scaling factor"},
    .statement = {"scaling.json 所写的缩放系数，必须与 RCP（参考收敛点）检验得出的缩放系数一致。",
                  "The file scaling.json must state the scaling factor that the RCP test "
                  "(reference convergence points) gives."},
    .source = "training_policies d73e20f1, \"Score scaling\"",
    .example = "scaling factor 0.9, the RCP test gives 1.0188034",
    .messages = messages,
    .runs = check_runs_scaling,
};
