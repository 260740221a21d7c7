#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_case(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_faults(a, t, REPRODUCTION_CASE, "it ran the case of the result to its end");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "it ran the case of the result to its end",
     .zh = "它把结果的用例运行到了结束"},
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
    .statement = {.en = "A reproduction ran the case of the result, on its data, to its end.",
                  .zh = "复现运行了该结果的用例，用其数据，直到结束。"},
    .why = {.en = "A run of something else, or half a run, says nothing about the result.",
            .zh = "运行了别的东西，或只运行了一半，都不能说明这个结果。"},
    .how = {.en = "The run is complete and of the result's case, its case.json is the published "
                  "case, its log has all steps and does not contradict itself or its clock "
                  "(FP4003, FP4004, FP4005, FP4007, FP4010).",
            .zh = "运行已完成且属于结果的用例，其 case.json 就是已发布的用例，日志包含全部步骤，"
                  "且不与自己或时钟矛盾（FP4003、FP4004、FP4005、FP4007、FP4010）。"},
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
