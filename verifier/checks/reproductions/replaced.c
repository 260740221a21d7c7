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
     .zh = "复现针对的是当前的证据"},
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
    .title = {.en = "Replaced evidence", .zh = "被替换的证据"},
    .statement = {.en = "The reproduction must refer to the current evidence of the result.",
                  .zh = "复现针对的必须是结果当前的证据。"},
    .why = {.en = "If the evidence of a result is replaced, for example by `fpreport collect "
                  "--force`, the result in its present form was not reproduced. Both runs may be "
                  "right, but the reproduction does not count for the new evidence.",
            .zh = "证据被替换后（例如用 `fpreport collect --force`），当前的结果并没有被复现过。两"
                  "次运行可能都没有错，但这次复现对新的证据无效。"},
    .how = {.en = "The SHA-256 of the evidence in the record of the reproduction "
                  "(`original_sha256`) is compared with that of the current evidence of the same "
                  "row.",
            .zh = "把复现记录的证据 SHA-256（`original_sha256`）与该行当前证据的比较。"},
    .fix = {.en = "Run `fpreport reproduce` again to compare with the current evidence, and "
                  "remove the older reproduction.",
            .zh = "再次运行 `fpreport reproduce` 以与当前的证据比较，并删除旧的复现。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"original_sha256\": \"10f3865022fe33c0",
                .changed = "\"original_sha256\": \"00a7027e56fb17bb"},
};
/* clang-format on */
