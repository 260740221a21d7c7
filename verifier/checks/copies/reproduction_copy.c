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
     .zh = "复现的运行与作为证据的运行是两次不同的运行"},
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
    .title = {.en = "Reproduction that is not a separate run", .zh = "复现用的不是新的运行"},
    .statement = {.en = "A reproduction must be a new run, not a copy of the original run, and each "
                        "new run may be counted as only one reproduction.",
                  .zh = "复现必须是一次新的运行，不得是原运行的副本。同一次新的运行不得算作两次复现"
                        "。"},
    .why = {.en = "A copy of the original run agrees with the original in every value, so the copy "
                  "does not prove that the result can be reproduced.",
            .zh = "原运行的副本与原运行的每个值都相同，因此副本不能证明结果可以复现。"},
    .how = {.en = "The rule compares the manifest, the log bytes and the step times of the "
                  "reproduction with those of the original run, because two real runs always differ "
                  "in all three. If two reproductions contain the same run, the run is counted "
                  "once.",
            .zh = "将复现的清单、日志字节与各步耗时，分别与原运行的清单、日志字节与各步耗时比较，因"
                  "为两次真实运行的这三项不可能相同。如果两次复现含有同一次运行，这次运行只算作一次"
                  "复现。"},
    .fix = {.en = "Run the case again, and submit the new run as the reproduction.",
            .zh = "重新运行用例，并提交新的运行作为复现。"},
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
