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
     .zh = "复现把该结果的用例运行到了最后一步"},
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
    .title = {.en = "Case that a reproduction ran", .zh = "复现所运行的用例"},
    .statement = {.en = "A reproduction must run the case of the result to its last step, with the "
                        "same training data.",
                  .zh = "复现必须用相同的训练数据，把该结果的用例运行到最后一步。"},
    .why = {.en = "A run of another case, or a run that ended early, does not show whether the "
                  "result can be reproduced.",
            .zh = "复现如果运行了其他用例，或提前结束，就不能说明结果能否复现。"},
    .how = {.en = "The new run must be complete, must belong to the result's case, and must contain "
                  "the published case as case.json. The log of the new run must contain all steps, "
                  "and must not contradict itself or its timestamps (rules FP4003, FP4004, FP4005, "
                  "FP4007 and FP4010).",
            .zh = "复现的运行必须已经完成，必须属于该结果的用例，且 case.json 必须与已发布的用例相"
                  "同。复现的日志必须包含全部训练步，不得自相矛盾，也不得与日志的时间戳矛盾（规则 "
                  "FP4003、FP4004、FP4005、FP4007、FP4010）。"},
    .fix = {.en = "Run the published case again and let it finish its last step.",
            .zh = "重新运行已发布的用例，一直运行到最后一步。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_SECOND_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"state\": \"failed\""},
};
/* clang-format on */
