#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static const char *first_error(const struct diags *d, const char *otherwise)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->items[i].severity == SEVERITY_ERROR)
            return d->items[i].message;
    return otherwise;
}

static void check_archive(struct audit *a, struct proof *p)
{
    struct check_result *r;
    if (p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the evidence is a set of separate files, not a sealed submission");
        return;
    }
    if (p->missing) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the submission is missing, so no figure can be recomputed from it");
        return;
    }
    if (!p->opened) { /* what this machine could not read is nobody's fault */
        proof_report(a, p, NULL, p->faults.machine ? OUTCOME_CANNOT : OUTCOME_FAIL,
                     first_error(&p->faults, "the submission cannot be read"));
        return;
    }
    const char *stated = p->evidence ? p->evidence->sha256 : NULL;
    if (!stated) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the record does not state the SHA-256 of the submission");
        return;
    }
    bool same = strcmp(stated, p->submission.archive_sha256) == 0;
    r = proof_report(
        a, p, NULL, outcome_of(same),
        same ? "the SHA-256 of the submission equals that in the record"
             : "the SHA-256 of the submission differs from that in the record: the submission is "
               "another file");
    audit_expect(r, stated, p->submission.archive_sha256);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the evidence is a set of separate files, not a sealed submission",
     .zh = "证据是若干零散的文件，不是封存的提交包"},
    {.en = "the submission is missing, so no figure can be recomputed from it",
     .zh = "缺少结果的提交包，因此无法复算任何数字"},
    {.en = "the submission cannot be read",
     .zh = "作为证据的提交包无法读取"},
    {.en = "the record does not state the SHA-256 of the submission",
     .zh = "结果记录没有写明提交包的 SHA-256"},
    {.en = "the SHA-256 of the submission equals that in the record",
     .zh = "提交包的 SHA-256 与结果记录所写的一致"},
    {.en = "the SHA-256 of the submission differs from that in the record: the submission is "
           "another file",
     .zh = "提交包的 SHA-256 与结果记录所写的不同，说明这不是结果记录所指的文件"},
    {NULL, NULL},
};

const struct rule rule_fp4001 = {
    .id = "FP4001",
    .kind = "evidence",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .sealed = true,
    .quotes = RULE_QUOTES_NOTHING,
    .proof = check_archive,
    .title = {.en = "SHA-256 of the submission", .zh = "提交包的 SHA-256"},
    .statement = {.en = "The SHA-256 of the submission file must equal the SHA-256 that the result "
                        "record states.",
                  .zh = "提交包文件的 SHA-256，必须与结果记录所写的提交包 SHA-256 一致。"},
    .why = {.en = "The result record states the SHA-256 of its evidence file, so that nobody can "
                  "replace the file by another one unnoticed.",
            .zh = "结果记录写明了证据文件的 SHA-256，因此有人用别的文件替换证据时，会被发现。"},
    .how = {.en = "The rule computes the SHA-256 of the submission (a .tar.zst file) and compares "
                  "it with the SHA-256 in the result record. If fpreport cannot read the "
                  "submission, the rule reports an error. If the submission file is missing, the "
                  "result has no evidence.",
            .zh = "这条规则计算提交包（.tar.zst 文件）的 SHA-256，与结果记录所写的 SHA-256 比较。提"
                  "交包无法读取时，检查不通过。找不到提交包文件时，按结果没有证据处理。"},
    .fix = {.en = "Provide the file that was sealed, or seal the run again and write the new "
                  "SHA-256 into the result record.",
            .zh = "提供结果记录所指的提交包文件。如果已没有这个提交包文件，就重新封存这次运行，并把"
                  "新提交包的 SHA-256 写入结果记录。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"sha256\": \"1",
                .changed = "\"sha256\": \"0"},
};
/* clang-format on */
