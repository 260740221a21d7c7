#include "base/files/beneath.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* The named file; NULL: it is not at hand. */
static const struct bytes *named_file(const struct audit *a, const struct proof *p,
                                      const char *name)
{
    struct err err = ERR_INIT;
    if (!p->loose)
        return submission_file(&p->submission, name);
    struct bytes *file = arena_alloc(a->arena, sizeof *file);
    return beneath_read(p->run_folder, name, SUBMISSION_TOTAL_MAX, a->arena, file, &err) == 0
               ? file
               : NULL;
}

/* NULL when the file is what run.json says. A part of a run may be all that somebody has of it. */
static const char *file_fault(const struct audit *a, const struct proof *p, const char *name,
                              const char *stated, char hex[HASH_HEX_SIZE])
{
    const struct bytes *file = named_file(a, p, name);
    if (!file)
        return p->loose ? NULL : "run.json names this file, but the submission does not contain it";
    hash_sha256(file->data, file->len, hex);
    return strcmp(hex, stated) == 0 ? NULL : "the file was changed after the run ended";
}

/* More may be there: logs of other machines are put in before sealing. */
static void check_run_files(struct audit *a, struct proof *p)
{
    const struct json *files = json_get(p->run, "files");
    bool named = files && files->kind == JSON_ARRAY;
    size_t n = 0, wrong = 0;
    if (!p->opened || !p->run || (p->loose && (!named || !p->run_folder)))
        return;
    if (!named) {
        proof_report(a, p, "run.json", OUTCOME_CANNOT,
                     "run.json does not name the files of the run");
        return;
    }
    for (const struct json *f = files->child; f; f = f->next) {
        char *hex = arena_alloc(a->arena, HASH_HEX_SIZE);
        const char *name = json_get_text(f, "path", ""), *stated = json_get_text(f, "sha256", "");
        const char *fault = file_fault(a, p, name, stated, hex);
        n += !p->loose || *hex;
        if (!fault)
            continue;
        wrong++;
        audit_expect(proof_report(a, p, name, OUTCOME_FAIL, fault), stated, *hex ? hex : NULL);
    }
    if (!wrong && (n || !p->loose))
        proof_report(
            a, p, "run.json", OUTCOME_PASS,
            sentence_say(a->arena, "all %zu files are unchanged since the end of the run", n));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "run.json names this file, but the submission does not contain it",
     .zh = "run.json 列出了这个文件，但提交包中没有这个文件"},
    {.en = "the file was changed after the run ended",
     .zh = "这个文件在运行结束之后被改动过"},
    {.en = "run.json does not name the files of the run",
     .zh = "run.json 没有列出这次运行的文件"},
    {.en = "all %zu files are unchanged since the end of the run",
     .zh = "这次运行的 {1} 个文件自运行结束后都没有改动"},
    {NULL, NULL},
};

const struct rule rule_fp4009 = {
    .id = "FP4009",
    .kind = "evidence",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_RUN,
    .proof = check_run_files,
    .title = {.en = "Files changed after the end of the run", .zh = "运行结束后被改动的文件"},
    .statement = {.en = "No file that run.json names may be changed after the end of the run.",
                  .zh = "run.json 列出的任何文件，在运行结束后都不得改动。"},
    .why = {.en = "The manifest of a submission is made when somebody seals the run, but fpreport "
                  "writes run.json as soon as the run ends. Therefore, the checksums in run.json "
                  "show whether a file was changed between the end of the run and the sealing.",
            .zh = "提交包的清单在封存时才生成，而 fpreport 在运行一结束时就写出 run.json。用 "
                  "run.json 中的校验和，可以发现有人在运行结束之后、封存之前改动了文件。"},
    .how = {.en = "run.json contains the SHA-256 of every other file of the run, and the rule "
                  "computes each SHA-256 again. Files that were added after the run, such as logs "
                  "of other machines, are allowed. If the run is a folder that was not sealed, the "
                  "rule does not report missing files.",
            .zh = "run.json 含有同一次运行的其他每个文件的 SHA-256。这条规则重新计算运行的各个文件"
                  "的 SHA-256，并与 run.json 所写的 SHA-256 比较。运行结束后可以在运行目录中加入文"
                  "件，例如其他机器的日志。如果运行目录还没有封存，缺少文件不算错误。"},
    .fix = {.en = "Seal the run folder with `fpreport collect`, exactly as it was when the run "
                  "ended. If files of the run were changed, run the case again.",
            .zh = "运行结束后不要改动运行目录，直接用 `fpreport collect` 封存。如果运行的文件已"
                  "被改动，请重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"grad_norm\": 4.74735832",
                .changed = "\"grad_norm\": 4.64735832"},
};
/* clang-format on */
