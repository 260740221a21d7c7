#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_manifest(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    if (p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "these files have no manifest: any of them may have been changed");
        return;
    }
    if (p->submission.n_withheld) {
        size_t all = p->submission.n_sums, withheld = p->submission.n_withheld;
        proof_report(a, p, SUBMISSION_WITHHELD, OUTCOME_CANNOT,
                     sentence_say(a->arena,
                                  "%zu files are withheld according to the file WITHHELD, which is "
                                  "not signed; the other %zu agree with the manifest",
                                  withheld, all - withheld));
        return;
    }
    if (p->submission.intact) {
        proof_report(
            a, p, SUBMISSION_MANIFEST, OUTCOME_PASS,
            sentence_say(a->arena, "all %zu files agree with the manifest", p->submission.n_sums));
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
        proof_report(a, p, SUBMISSION_MANIFEST, OUTCOME_FAIL, "the submission is not intact");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "these files have no manifest: any of them may have been changed",
     .zh = "这些文件没有清单，其中任何一个都可能被改动过"},
    {.en = "%zu files are withheld according to the file WITHHELD, which is not signed; the other "
           "%zu agree with the manifest",
     .zh = "据文件 WITHHELD，有 {1} 个文件不公开，但该文件没有签名；其余 {2} 个与清单一致"},
    {.en = "all %zu files agree with the manifest",
     .zh = "全部 {1} 个文件都与清单一致"},
    {.en = "the submission is not intact",
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
    .title = {.en = "Manifest of the submission", .zh = "提交包的清单"},
    .statement = {.en = "Every file of the submission must agree with its manifest.",
                  .zh = "提交包中的每个文件都必须与清单一致。"},
    .why = {.en = "The manifest contains a checksum of every file, so even one changed line of a "
                  "log is detected.",
            .zh = "清单含有每个文件的校验和，日志改动一行也能发现。"},
    .how = {.en = "Every file of the submission is listed in SHA256SUMS with its SHA-256, and "
                  "every line of SHA256SUMS names an existing file. The command `sha256sum -c` "
                  "checks the same sums.",
            .zh = "提交包的每个文件及其 SHA-256 都列在 SHA256SUMS 中，SHA256SUMS 的每一行也都有对应"
                  "的文件。用 `sha256sum -c` 可以做同样的检查。"},
    .fix = {.en = "Do not edit a sealed run; run the case again.",
            .zh = "不要改动封存的运行，应重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_SEALED,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.80594683",
                .changed = "\"loss\": 1.80594683"},
};
/* clang-format on */
