#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_manifest(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    if (p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "no manifest binds these files: any of them may have been changed");
        return;
    }
    if (p->submission.n_withheld) {
        size_t all = p->submission.n_sums, withheld = p->submission.n_withheld;
        proof_report(a, p, SUBMISSION_WITHHELD, OUTCOME_CANNOT,
                     sentence_say(a->arena,
                                  "%zu files withheld: the file WITHHELD says so, and nobody "
                                  "signed that; the other %zu are what the manifest says",
                                  withheld, all - withheld));
        return;
    }
    if (p->submission.intact) {
        proof_report(a, p, SUBMISSION_MANIFEST, OUTCOME_PASS,
                     sentence_say(a->arena, "all %zu files are what the manifest says",
                                  p->submission.n_sums));
        return;
    }
    size_t before = a->verdict->n_checks;
    for (size_t i = 0; i < p->faults.n; i++)
        if (p->faults.items[i].severity == SEVERITY_ERROR) {
            struct check_result *r =
                proof_report(a, p, NULL, OUTCOME_FAIL, p->faults.items[i].message);
            r->file = p->faults.items[i].file;
            r->line = p->faults.items[i].line;
        }
    if (a->verdict->n_checks == before)
        proof_report(a, p, SUBMISSION_MANIFEST, OUTCOME_FAIL, "the archive is not intact");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "no manifest binds these files: any of them may have been changed",
     .zh = "没有清单约束这些文件：其中任何一个都可能被改动过"},
    {.en = "%zu files withheld: the file WITHHELD says so, and nobody signed that; the other %zu "
           "are what the manifest says",
     .zh = "{1} 个文件不公开：仅文件 WITHHELD 如此说明，而该文件无人签名；其余 {2} 个与清单一致"},
    {.en = "all %zu files are what the manifest says",
     .zh = "全部 {1} 个文件都与清单一致"},
    {.en = "the archive is not intact",
     .zh = "提交包不完整"},
    {NULL, NULL},
};

const struct rule rule_fp4002 = {
    .id = "FP4002",
    .kind = "evidence",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .shows_pass = true,
    .sealed = true,
    .quotes = RULE_QUOTES_NOTHING,
    .proof = check_manifest,
    .title = {.en = "The manifest", .zh = "证据清单"},
    .statement = {.en = "Every file of the submission is what its manifest says.",
                  .zh = "提交中的每个文件都与清单一致。"},
    .why = {.en = "The manifest binds every file, so that one changed line of one log shows.",
            .zh = "清单约束每一个文件，任何一个日志改动一行都看得出来。"},
    .how = {.en = "Every file of the archive is in SHA256SUMS with its SHA-256, and every line "
                  "there has its file. `sha256sum -c` does the same.",
            .zh = "提交包的每个文件都连同 SHA-256 列在 SHA256SUMS 中，其中每一行也都有对应的文件。"
                  "`sha256sum -c` 做的是同样的事。"},
    .fix = {.en = "Do not edit a sealed run: run the case again.",
            .zh = "不要改动封存的运行：重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_SEALED,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.80594683",
                .changed = "\"loss\": 1.80594683"},
};
/* clang-format on */
