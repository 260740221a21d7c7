#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <string.h>

/* NULL when the file is what run.json says. */
static const char *file_fault(const struct proof *p, const char *name, const char *stated,
                              char hex[HASH_HEX_SIZE])
{
    const struct bytes *file = submission_file(&p->submission, name);
    if (!file)
        return "run.json names this file, the submission does not have it";
    hash_sha256(file->data, file->len, hex);
    return strcmp(hex, stated) == 0 ? NULL : "it was changed after the run ended";
}

/* More may be there: logs of other machines are put in before sealing. */
static void check_run_files(struct audit *a, struct proof *p)
{
    const struct json *files = json_get(p->run, "files");
    size_t n = 0, wrong = 0;
    if (!p->opened || p->loose || !p->run)
        return;
    if (!files || files->kind != JSON_ARRAY) {
        proof_report(a, p, "run.json", OUTCOME_CANNOT,
                     "run.json does not name the files of the run");
        return;
    }
    for (const struct json *f = files->child; f; f = f->next, n++) {
        char *hex = arena_alloc(a->arena, HASH_HEX_SIZE);
        const char *name = json_get_text(f, "path", ""), *stated = json_get_text(f, "sha256", "");
        const char *fault = file_fault(p, name, stated, hex);
        if (!fault)
            continue;
        wrong++;
        struct check_result *r = proof_report(a, p, name, OUTCOME_FAIL, fault);
        r->stated = stated;
        r->expected = *hex ? hex : NULL;
    }
    if (!wrong)
        proof_report(a, p, "run.json", OUTCOME_PASS,
                     sentence_say(a->arena, "%zu files are as the run left them", n));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "run.json names this file, the submission does not have it",
     .zh = "run.json 列出了这个文件，而提交中没有"},
    {.en = "it was changed after the run ended",
     .zh = "它在运行结束之后被改动过"},
    {.en = "run.json does not name the files of the run",
     .zh = "run.json 没有列出运行的文件"},
    {.en = "%zu files are as the run left them",
     .zh = "{1} 个文件都保持运行结束时的样子"},
    {NULL, NULL},
};

const struct rule rule_fp4009 = {
    .id = "FP4009",
    .kind = "evidence",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_RUN,
    .proof = check_run_files,
    .title = {.en = "Files of the run", .zh = "运行留下的文件"},
    .statement = {.en = "Every file that run.json names is as the run left it when it ended.",
                  .zh = "run.json 列出的每个文件都保持运行结束时的样子。"},
    .why = {.en = "A manifest is made when a run is sealed, by whoever seals it; run.json is "
                  "closed by the program when the run ends, so that what is edited in between "
                  "shows.",
            .zh = "清单由封存的人在封存时生成；run.json 由程序在运行结束时写定，其间的改动因此看"
                  "得出来。"},
    .how = {.en = "run.json has the SHA-256 of every other file of the run; each is computed "
                  "again. Files that came later (logs of other machines) may be there.",
            .zh = "run.json 中有运行的其他每个文件的 SHA-256；逐个重新计算。后来加入的文件（其他"
                  "机器的日志）可以存在。"},
    .fix = {.en = "Seal the run as it ended, or run the case again.",
            .zh = "按运行结束时的样子封存，或重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"grad_norm\": 4.74735832",
                .changed = "\"grad_norm\": 4.64735832"},
};
/* clang-format on */
