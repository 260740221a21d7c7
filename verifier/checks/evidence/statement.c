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
                     "the submission has no statement about its run: it was sealed before there "
                     "were any");
        return;
    }
    struct diags faults;
    diags_init(&faults, a->arena);
    const char *difference =
        statement_difference(proof_place(a, p, SUBMISSION_STATEMENT), *statement, s->files, s->n,
                             s->id, a->arena, &faults);
    if (difference)
        proof_report(a, p, SUBMISSION_STATEMENT, OUTCOME_FAIL,
                     sentence_say(a->arena, "the statement says something else than the files: %s",
                                  difference));
    else
        proof_report(a, p, SUBMISSION_STATEMENT, OUTCOME_PASS,
                     "the statement says what the files say");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the submission has no statement about its run: it was sealed before there were any",
     .zh = "提交包没有关于其运行的声明：它封存时还没有声明"},
    {.en = "the statement says something else than the files: %s",
     .zh = "声明与各文件所说的不同：{1:said}"},
    {.en = "the statement says what the files say",
     .zh = "声明与各文件所说的一致"},
    {NULL, NULL},
};

const struct rule rule_fp4014 = {
    .id = "FP4014",
    .kind = "signature",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_CASE | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_said,
    .title = {.en = "The statement", .zh = "运行声明"},
    .statement = {.en = "The statement of a submission says of the run what its files say.",
                  .zh = "提交包的声明对运行的说法，与其中各文件一致。"},
    .why = {.en = "The statement is what is signed, and what others read who know in-toto and "
                  "SLSA and not our files.",
            .zh = "签名签的是声明；懂 in-toto 与 SLSA 而不懂我们文件的人，读的也是它。"},
    .how = {.en = "statement.json is made again from case.json, run.json and the fingerprint of "
                  "the submission; every field that it has must say the same. Fields that we "
                  "would not write are passed over. A submission that was sealed before there "
                  "were statements has none.",
            .zh = "用提交包里的 case.json、run.json 与环境指纹重新生成 statement.json；它的每个字"
                  "段都应与此一致。我们不会写的字段略过不看。在有声明之前封存的提交包没有声明。"},
    .fix = {.en = "Leave the statement as `fpreport collect` writes it.",
            .zh = "让声明保持 `fpreport collect` 写出的样子。"},
    .messages = messages,
    .example = {.in = EXAMPLE_SEALED,
                .file = "statement.json",
                .honest = "\"precision\": \"fp32\"",
                .changed = "\"precision\": \"bf16\""},
};
/* clang-format on */
