#include "base/sealed/statement.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_said(struct audit *a, struct proof *p)
{
    const struct submission *s = &p->submission;
    if (!p->opened || p->loose)
        return;
    const struct bytes *statement = submission_file(s, SUBMISSION_STATEMENT);
    if (!statement) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the submission contains no statement about its run, because an older version "
                     "of fpreport sealed it");
        return;
    }
    struct diags faults = DIAGS_INIT(a->arena);
    const char *difference =
        statement_difference(proof_place(a, p, SUBMISSION_STATEMENT), *statement, s->files, s->n,
                             s->id, a->arena, &faults);
    if (difference)
        proof_report(
            a, p, SUBMISSION_STATEMENT, OUTCOME_FAIL,
            sentence_say(a->arena, "the statement differs from the files: %s", difference));
    else
        proof_report(a, p, SUBMISSION_STATEMENT, OUTCOME_PASS,
                     "the statement agrees with the files");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the submission contains no statement about its run, because an older version of "
           "fpreport sealed it",
     .zh = "提交包由旧版 fpreport 封存，因此没有关于运行的声明文件（statement.json）"},
    {.en = "the statement differs from the files: %s",
     .zh = "声明文件（statement.json）与提交包的其他文件不符：{1:said}"},
    {.en = "the statement agrees with the files",
     .zh = "声明文件（statement.json）与提交包的其他文件一致"},
    {NULL, NULL},
};

const struct rule rule_fp4014 = {
    .id = "FP4014",
    .kind = "signature",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_CASE | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_said,
    .title = {.en = "Statement file of the submission", .zh = "提交包的声明文件"},
    .statement = {.en = "The statement of a submission (statement.json) must agree with the other "
                        "files of the submission.",
                  .zh = "提交包的声明文件（statement.json）必须与提交包的其他文件一致。"},
    .why = {.en = "The vendor signs statement.json, not the other files. Tools for in-toto and SLSA "
                  "read only statement.json, because they do not know fpreport's other files.",
            .zh = "厂商只对 statement.json 签名，不对其他文件签名。in-toto 与 SLSA 的工具只读取 "
                  "statement.json，因为这些工具不认识 fpreport 的其他文件。"},
    .how = {.en = "The rule generates statement.json again from case.json, run.json and the "
                  "fingerprint in the submission, and compares every field. Additional fields that "
                  "fpreport does not write are ignored. A submission that an older version of "
                  "fpreport sealed has no statement.",
            .zh = "这条规则由提交包中的 case.json、run.json 与机器指纹重新生成 statement.json，再与"
                  "提交包中的 statement.json 逐个字段比较。statement.json 中若有 fpreport 不会写出"
                  "的字段，忽略这些字段。旧版 fpreport 封存的提交包没有 statement.json，因此不作这"
                  "项检查。"},
    .fix = {.en = "Do not change the statement.json that `fpreport collect` writes.",
            .zh = "保留 `fpreport collect` 写出的 statement.json，不要改动。"},
    .messages = messages,
    .example = {.in = EXAMPLE_SEALED,
                .file = "statement.json",
                .honest = "\"precision\": \"fp32\"",
                .changed = "\"precision\": \"bf16\""},
};
/* clang-format on */
