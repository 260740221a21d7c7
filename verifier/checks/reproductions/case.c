#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_case(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_faults(a, t, REPRODUCTION_CASE,
                               "the reproduction ran the case of the result to its end");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the reproduction ran the case of the result to its end",
     .zh = "复现把结果的用例运行到了结束"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5002 = {
    .id = "FP5002",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_ALL,
    .reproduction = check_reproduction_case,
    .title = {.en = "Case of a reproduction", .zh = "复现的用例"},
    .statement = {.en = "A reproduction must run the case of the result, on the same data, to "
                        "its end.",
                  .zh = "复现必须用相同的数据，把该结果的用例运行到结束。"},
    .why = {.en = "A run of another case, or an incomplete run, proves nothing about the result.",
            .zh = "运行了其他用例，或没有运行到结束，都不能证明这个结果可以复现。"},
    .how = {.en = "The run must be complete and belong to the result's case, and its case.json "
                  "must be the published case. The log must contain all steps and must not "
                  "contradict itself or its timestamps (FP4003, FP4004, FP4005, FP4007, FP4010).",
            .zh = "运行必须已完成且属于结果的用例，case.json 就是已发布的用例；日志包含全部步，且"
                  "不自相矛盾，也不与时间戳矛盾（FP4003、FP4004、FP4005、FP4007、FP4010）。"},
    .fix = {.en = "Run the published case to its end.",
            .zh = "把已发布的用例运行到结束。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_SECOND_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"state\": \"failed\""},
};
/* clang-format on */
