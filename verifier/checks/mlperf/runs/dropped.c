/* FP7011: No more runs fail than may be dropped */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_runs_dropped(struct mlperf_runs *r)
{
    size_t k = r->benchmark ? r->benchmark->drop : 0;
    if (r->n_unfit && !r->tolerated)
        mlperf_found(r->findings, r->arena, "FP7011", SEVERITY_ERROR, r->directory->shown, 0,
                     "%zu runs break a rule, but at most %zu runs may be dropped: the directory "
                     "has no score",
                     r->n_unfit, k);
    else if (r->n_unfit)
        mlperf_found(r->findings, r->arena, "FP7011", SEVERITY_NOTICE, r->directory->shown, 0,
                     "%zu runs break a rule and are dropped", r->n_unfit);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu runs break a rule, but at most %zu runs may be dropped: the directory has no score",
     .zh = "结果目录中有 {1} 次运行违反规则，但至多可以丢弃 {2} 次：该目录没有成绩"},
    {.en = "%zu runs break a rule and are dropped",
     .zh = "结果目录中有 {1} 次运行违反规则，已丢弃，不计入成绩"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7011 = {
    .id = "FP7011",
    .severity = SEVERITY_ERROR,
    .also = ALSO_NOTICE,
    .title = {"违反规则的运行", "Non-compliant runs"},
    .statement = {"违反规则的运行次数，不得超过允许丢弃的次数。",
                  "The number of runs that break a rule may not exceed the number of runs that "
                  "may be dropped."},
    .source = "mlcommons/logging 7bbf7926, package_checker.py; training_policies d73e20f1, "
              "\"Benchmark Results\"",
    .example = "2 runs do not comply, 1 may be dropped: there is no result",
    .messages = messages,
    .runs = check_runs_dropped,
};
