#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_replaced(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_measured(a, t, REPRODUCTION_REPLACED,
                                 "the evidence is the one that it repeats");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the evidence is the one that it repeats",
     .zh = "证据就是它所重复的那份"},
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
    .title = {.en = "Evidence that was reproduced", .zh = "被替换的证据"},
    .statement = {.en = "The evidence of a result is the one that its reproduction repeats.",
                  .zh = "结果的证据就是其复现所重复的那份证据。"},
    .why = {.en = "A result whose evidence is replaced, by `fpreport collect --force` for "
                  "instance, was not reproduced as it now stands. Nothing is wrong with either "
                  "run: the reproduction does not count for the new evidence.",
            .zh = "证据被替换的结果（例如用 `fpreport collect --force`），以现在的样子并没有被重"
                  "现。两次运行都没有错：只是这次复现对新的证据不算数。"},
    .how = {.en = "The SHA-256 of the evidence that the reproduction names (`original_sha256`) is "
                  "compared with that of the evidence of its row.",
            .zh = "把复现所写的证据 SHA-256（`original_sha256`）与该行现在的证据比较。"},
    .fix = {.en = "Run `fpreport reproduce` again, which compares with the evidence of now, and "
                  "take the older reproduction out.",
            .zh = "再次运行 `fpreport reproduce`，它会与现在的证据比较，并去掉旧的复现。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"original_sha256\": \"10f3865022fe33c0",
                .changed = "\"original_sha256\": \"00a7027e56fb17bb"},
};
/* clang-format on */
