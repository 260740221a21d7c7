/* FP7010: A directory holds exactly as many logs as the benchmark asks for */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_runs_count(struct mlperf_runs *r)
{
    if (r->benchmark && r->n != r->benchmark->runs)
        mlperf_found(r->findings, r->arena, "FP7010", SEVERITY_ERROR, r->directory->shown, 0,
                     "found %zu files result_*.txt, expected %zu", r->n, r->benchmark->runs);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "found %zu files result_*.txt, expected %zu",
     .zh = "结果目录中有 {1} 个 result_*.txt 文件，应为 {2} 个"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7010 = {
    .id = "FP7010",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"运行的次数", "Number of runs"},
    .statement = {"结果目录中的日志份数，必须恰为基准测试规定的运行次数。",
                  "A result folder must contain exactly the number of logs that its benchmark "
                  "requires."},
    .source = "mlcommons/logging 7bbf7926, benchmark_meta.py; training_policies d73e20f1, "
              "\"Benchmark Results\"",
    .example = "found 4 files result_*.txt, expected 5",
    .messages = messages,
    .runs = check_runs_count,
};
