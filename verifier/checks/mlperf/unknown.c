/* FP7016: Folders are benchmarks of the round, and files have the names of the round */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_package_unknown(struct mlperf_package_audit *p)
{
    for (size_t i = 0; i < p->package->n_directories; i++) {
        const struct mlperf_directory *d = &p->package->directories[i];
        if (d->skipped)
            mlperf_found(p->findings, p->arena, "FP7016", SEVERITY_WARNING, d->shown, 0,
                         "'%s' is not a benchmark of %s: the folder is skipped", d->name,
                         p->rules->version);
        else if (d->unknown)
            mlperf_found(p->findings, p->arena, "FP7016", SEVERITY_NOTICE, d->shown, 0,
                         "the package contains unknown files or folders: %s", d->unknown);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "'%s' is not a benchmark of %s: the folder is skipped",
     .zh = "“{1}”不是 MLPerf {2} 轮次的基准测试，因此跳过这个目录"},
    {.en = "the package contains unknown files or folders: %s",
     .zh = "结果包含有名称未知的文件或目录：{1}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7016 = {
    .id = "FP7016",
    .severity = SEVERITY_WARNING,
    .also = ALSO_NOTICE,
    .title = {"结果包中未知的目录和文件", "Unknown folders and files"},
    .statement = {"结果包的每个目录必须是所属 MLPerf 轮次的基准测试，每个文件名必须是该轮次规定"
                  "的名称。",
                  "Every folder of a package must be a benchmark of the MLPerf round, and every "
                  "file must have a name that the round defines."},
    .source = "mlcommons/logging 7bbf7926, package_checker.py",
    .example = "unknown: compliance_result.out",
    .messages = messages,
    .package = check_package_unknown,
};
