/* FP7032: submission_platform is the same in all runs */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <string.h>

static void check_runs_platforms(struct mlperf_runs *r)
{
    const char *first = NULL, *words = "";
    size_t distinct = 0;
    for (size_t i = 0; i < r->n; i++) {
        const char *platform = r->runs[i].log->platform;
        bool known = !platform;
        for (size_t k = 0; k < i && !known; k++)
            known = r->runs[k].log->platform && strcmp(r->runs[k].log->platform, platform) == 0;
        if (known)
            continue;
        first = first ? first : platform;
        distinct++;
        if (distinct <= 8) {
            size_t n = 0;
            for (size_t j = 0; j < r->n; j++)
                n += r->runs[j].log->platform && strcmp(r->runs[j].log->platform, platform) == 0;
            words = arena_printf(r->arena, "%s%s%s (%zu)", words, distinct > 1 ? ", " : "",
                                 platform, n);
        }
    }
    if (distinct > 1)
        mlperf_found(r->findings, r->arena, "FP7032", SEVERITY_WARNING, r->directory->shown, 0,
                     "submission_platform differs between the runs: %s", words);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "submission_platform differs between the runs: %s",
     .zh = "各次运行的日志所写的 submission_platform（平台）不相同：{1}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7032 = {
    .id = "FP7032",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"各次运行的平台", "One platform"},
    .statement = {"同一结果各次运行的日志，所写的 submission_platform（平台）必须相同。",
                  "The field submission_platform must be the same in all runs of a result."},
    .source = "training_policies d73e20f1, \"System and framework must be consistent\"",
    .example = "submission_platform differs between the runs: H100 (9), A100 (1)",
    .messages = messages,
    .runs = check_runs_platforms,
};
