#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_copy(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_measured(a, t, REPRODUCTION_COPY, "it is another run than the evidence");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "it is another run than the evidence",
     .zh = "它是证据之外的另一次运行"},
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
    .title = {.en = "A second run", .zh = "另一次运行"},
    .statement = {.en = "A reproduction is another run than the evidence, and counted once.",
                  .zh = "复现是证据之外的另一次运行，且只计一次。"},
    .why = {.en = "A copy agrees with its original in everything, and shows nothing.",
            .zh = "复制品处处与原件一致，却什么也证明不了。"},
    .how = {.en = "The manifest, the bytes of the log and the times of its steps are compared "
                  "with those of the evidence; no two honest runs share them. A run counts once.",
            .zh = "把清单、日志的字节与各步的耗时，与证据的比较；两次诚实的运行不会有任何一项相同。"
                  "一次运行只计一次。"},
    .fix = {.en = "Run the case again.",
            .zh = "重新运行用例。"},
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
