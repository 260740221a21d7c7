/* FP7035: No two systems have the same log, byte by byte */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/files/file.h"

#include <string.h>

static void check_package_same_bytes(struct mlperf_package_audit *p)
{
    for (size_t i = 0; i < p->n_same; i++) {
        const struct mlperf_same *s = &p->same[i];
        bool of_package = s->later_package == p->package;
        if (!of_package || (s->earlier_package == p->package &&
                            strcmp(s->later_directory->system, s->earlier_directory->system) == 0))
            continue;
        bool twice = s->earlier_package == p->package;
        mlperf_found(
            p->findings, p->arena, "FP7035", twice ? SEVERITY_ERROR : SEVERITY_NOTICE,
            s->later->shown, 0,
            twice ? "the file is byte-identical to %s of another system"
                  : "the file is byte-identical to %s of another package",
            arena_printf(p->arena, "%s/%s", s->earlier_directory->id, path_base(s->earlier->path)));
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the file is byte-identical to %s of another system",
     .zh = "该日志文件与另一系统的日志 {1} 逐字节相同"},
    {.en = "the file is byte-identical to %s of another package",
     .zh = "该日志文件与另一结果包的日志 {1} 逐字节相同"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7035 = {
    .id = "FP7035",
    .severity = SEVERITY_ERROR,
    .also = ALSO_NOTICE,
    .title = {"日志没有重复使用", "Log used twice"},
    .statement = {"不同系统的日志不得逐字节相同。",
                  "Two different systems may not have byte-identical logs."},
    .source = "training_policies d73e20f1, \"Definitions\": a run is an execution on a system",
    .example = "the same bytes as Example/one/retinanet/result_0.txt, of another system",
    .messages = messages,
    .package = check_package_same_bytes,
};
