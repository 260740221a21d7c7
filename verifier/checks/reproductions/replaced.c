#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_replaced(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_measured(a, t, REPRODUCTION_REPLACED,
                                 "the reproduction refers to the current evidence");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the reproduction refers to the current evidence",
     .zh = "复现针对的是结果当前的证据"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5006 = {
    .id = "FP5006",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_NOTHING,
    .reproduction = check_reproduction_replaced,
    .title = {.en = "Reproduction of replaced evidence", .zh = "证据被替换之后的复现"},
    .statement = {.en = "A reproduction must have been compared with the evidence that the result "
                        "has now.",
                  .zh = "复现所比较的证据，必须是结果当前的证据。"},
    .why = {.en = "If the evidence of a result is replaced, for example by `fpreport collect "
                  "--force`, nobody has reproduced the new evidence yet. A reproduction of the old "
                  "evidence does not count for the new evidence, even if both runs are right.",
            .zh = "结果的证据被替换后（例如用 `fpreport collect --force` 替换），新的证据还没有人复"
                  "现过。对旧证据的复现不能算作对新证据的复现，即使两次运行都没有错。"},
    .how = {.en = "The record of a reproduction states the SHA-256 of the evidence that it was "
                  "compared with (`original_sha256`). The rule compares the recorded SHA-256 with "
                  "the SHA-256 of the evidence that the table row has now.",
            .zh = "把复现记录所写的原证据的 SHA-256（`original_sha256` 字段），与表格行当前证据的 "
                  "SHA-256 比较。"},
    .fix = {.en = "Run `fpreport reproduce` again to compare with the new evidence, and remove the "
                  "older reproduction.",
            .zh = "再次运行 `fpreport reproduce`，与结果当前的证据比较，并删除旧的复现记录。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"original_sha256\": \"10f3865022fe33c0",
                .changed = "\"original_sha256\": \"00a7027e56fb17bb"},
};
/* clang-format on */
