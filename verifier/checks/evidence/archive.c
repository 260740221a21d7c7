#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <string.h>

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
        proof_report(a, p, NULL, OUTCOME_CANNOT, "these are loose files, not a sealed submission");
        return;
    }
    if (p->missing) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the archive is not there: nothing is recomputed from it");
        return;
    }
    if (!p->opened) { /* what this machine could not read is nobody's fault */
        proof_report(a, p, NULL, p->faults.machine ? OUTCOME_CANNOT : OUTCOME_FAIL,
                     first_error(&p->faults, "the archive cannot be read"));
        return;
    }
    const char *stated = p->evidence ? p->evidence->sha256 : NULL;
    if (!stated) {
        proof_report(a, p, NULL, OUTCOME_CANNOT, "no SHA-256 is stated for the archive");
        return;
    }
    bool same = strcmp(stated, p->submission.archive_sha256) == 0;
    r = proof_report(a, p, NULL, same ? OUTCOME_PASS : OUTCOME_FAIL,
                     same ? "the archive's SHA-256 is the stated one"
                          : "the archive's SHA-256 is not the stated one: it is another file");
    r->stated = stated;
    r->expected = p->submission.archive_sha256;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "these are loose files, not a sealed submission",
     .zh = "这是零散的文件，不是封存的提交"},
    {.en = "the archive is not there: nothing is recomputed from it",
     .zh = "提交包不在这里：无法由它重新计算"},
    {.en = "the archive cannot be read",
     .zh = "提交包无法读取"},
    {.en = "no SHA-256 is stated for the archive",
     .zh = "没有写明提交包的 SHA-256"},
    {.en = "the archive's SHA-256 is the stated one",
     .zh = "提交包的 SHA-256 与所写一致"},
    {.en = "the archive's SHA-256 is not the stated one: it is another file",
     .zh = "提交包的 SHA-256 与所写不同：这是另一个文件"},
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
    .title = {.en = "The archive", .zh = "证据文件"},
    .statement = {.en = "The submission is the file whose SHA-256 the record states.",
                  .zh = "提交文件的 SHA-256 与记录所写一致。"},
    .why = {.en = "Evidence that can be exchanged is none: the record names the bytes.",
            .zh = "可以调换的证据不是证据：记录写明了它的每一个字节。"},
    .how = {.en = "SHA-256 of the .tar.zst is compared with the one in the record; an archive "
                  "that cannot be read fails; one that is not there is no evidence.",
            .zh = "计算 .tar.zst 的 SHA-256，与记录所写的比较；提交包无法读取则不通过；提交包不在则没有证据。"},
    .fix = {.en = "Give the file that was sealed, or seal again and state the new sum.",
            .zh = "提供当时封存的文件，或重新封存并写明新的值。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"sha256\": \"1",
                .changed = "\"sha256\": \"0"},
};
/* clang-format on */
