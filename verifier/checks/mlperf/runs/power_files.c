/* FP7015: Every run has power logs, as many as the others, numbered from 0 */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_runs_power_files(struct mlperf_runs *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_run_of *run = &r->runs[i];
        if (run->power_fault == POWER_MISSING)
            mlperf_found(r->findings, r->arena, "FP7015", SEVERITY_WARNING, run->file->shown, 0,
                         "power/ has no subfolder for this run");
        else if (run->power_fault == POWER_OTHER_COUNT)
            mlperf_found(r->findings, r->arena, "FP7015", SEVERITY_WARNING, run->file->shown, 0,
                         "this run has %zu node files and %zu switch files; most runs of the "
                         "directory have other numbers",
                         run->power->n_named_node, run->power->n_named_switch);
        else if (run->power_fault == POWER_NAMES)
            mlperf_found(r->findings, r->arena, "FP7015", SEVERITY_WARNING, run->power->shown, 0,
                         "the power files of this run are not numbered 0, 1, 2 and so on");
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "power/ has no subfolder for this run",
     .zh = "power/ 目录中没有这次运行的子目录"},
    {.en = "this run has %zu node files and %zu switch files; most runs of the directory have "
           "other numbers",
     .zh = "这次运行有 {1} 个节点功耗文件和 {2} 个交换机功耗文件，与同一目录中多数运行的文件数不"
           "同"},
    {.en = "the power files of this run are not numbered 0, 1, 2 and so on",
     .zh = "这次运行的功耗文件没有按 0、1、2……连续编号"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7015 = {
    .id = "FP7015",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"功耗测量的文件", "Files of power measurements"},
    .statement = {"各次运行的功耗文件必须数目相同，且从 0 开始连续编号。",
                  "All runs of a result must have the same number of power logs, which are "
                  "numbered from 0."},
    .source = "mlcommons/logging 7bbf7926, power_checker.py",
    .example = "power/ has no subfolder for this run",
    .messages = messages,
    .runs = check_runs_power_files,
};
