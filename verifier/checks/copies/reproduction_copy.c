#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_copy(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_measured(a, t, REPRODUCTION_COPY,
                                 "the reproduction and the evidence are different runs");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the reproduction and the evidence are different runs",
     .zh = "复现与证据是两次不同的运行"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5003 = {
    .id = "FP5003",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_NOTHING,
    .reproduction = check_reproduction_copy,
    .title = {.en = "Reproduction is a separate run", .zh = "复现应是另一次运行"},
    .statement = {.en = "The run of a reproduction must not be the run of the evidence, and may be "
                        "counted only once.",
                  .zh = "复现必须是证据之外的另一次运行，且只计一次。"},
    .why = {.en = "A copied run agrees with its original in everything, so it proves nothing about "
                  "the result.",
            .zh = "复制的运行与原运行处处一致，不能证明结果可以复现。"},
    .how = {.en = "The rule compares the manifest, the log bytes and the step times of the "
                  "reproduction with those of the evidence. Two real runs never agree in their "
                  "manifests, log bytes or step times. If two reproductions contain the same run, "
                  "the run counts only once.",
            .zh = "把复现的清单、日志字节和各步耗时与证据的比较；两次真实的运行不会有任何一项相同。"
                  "两次复现含有同一次运行时，只计一次。"},
    .fix = {.en = "Run the case again, and use the new run as the reproduction.",
            .zh = "重新运行用例，以新的运行作为复现。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"archive\": "
                          "\"reproductions/globex/tiny_llama/run20261120222607.tar.zst\",\n"
                          "  \"sha256\": "
                          "\"0edf4095dae53c5ea43af0461fd8d70a5df65315bacf4276a3f4730b5b40f269\"",
                .changed = "\"archive\": \"evidence/globex/run.tar.zst\",\n"
                           "  \"sha256\": "
                           "\"10f3865022fe33c016eb3fa1755433d8900e7055ce9c27406adb4f73425722b1\""},
};
/* clang-format on */
