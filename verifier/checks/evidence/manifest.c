#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_manifest(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    if (p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the files of the run have no manifest: any of them may have been changed");
        return;
    }
    if (p->submission.n_withheld) {
        size_t all = p->submission.n_sums, withheld = p->submission.n_withheld;
        proof_report(a, p, SUBMISSION_WITHHELD, OUTCOME_CANNOT,
                     sentence_say(a->arena,
                                  "%zu files are withheld according to the file WITHHELD, which is "
                                  "not signed; the other %zu files agree with the manifest",
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
    {.en = "the files of the run have no manifest: any of them may have been changed",
     .zh = "作为证据的文件没有清单（SHA256SUMS），因此任何一个文件都可能被改动过"},
    {.en = "%zu files are withheld according to the file WITHHELD, which is not signed; the other "
           "%zu files agree with the manifest",
     .zh = "文件 WITHHELD 写明提交包有 {1} 个文件不公开，但 WITHHELD 没有签名；提交包的其余 {2} "
           "个文件与清单一致"},
    {.en = "all %zu files agree with the manifest",
     .zh = "提交包的全部 {1} 个文件都与清单一致"},
    {.en = "the submission is not intact",
     .zh = "提交包的文件与清单不符"},
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
    .title = {.en = "Checksums of the submission", .zh = "提交包文件的校验和"},
    .statement = {.en = "Every file of the submission must match its checksum in the manifest "
                        "(SHA256SUMS).",
                  .zh = "提交包中每个文件的校验和，都必须与清单（SHA256SUMS）所写的一致。"},
    .why = {.en = "The manifest of a submission contains the checksum of every file, so that a "
                  "change of a single log line is detected.",
            .zh = "提交包的清单含有每个文件的校验和，因此哪怕只改动日志的一行，也能发现。"},
    .how = {.en = "The rule checks that SHA256SUMS lists every file of the submission with its "
                  "correct SHA-256, and that every listed file exists. The command `sha256sum -c "
                  "SHA256SUMS` checks the same SHA-256 values.",
            .zh = "这条规则检查三点：SHA256SUMS 是否列出了提交包中的每个文件，所写的 SHA-256 是否正"
                  "确，列出的文件是否都存在。用命令 `sha256sum -c SHA256SUMS` 也可以做同样的检查。"},
    .fix = {.en = "Do not change the files of a sealed run. If files of a sealed run were changed, "
                  "run the case again.",
            .zh = "不要改动已封存运行的任何文件。如果已封存运行的文件已被改动，请重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_SEALED,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.80594683",
                .changed = "\"loss\": 1.80594683"},
};
/* clang-format on */
