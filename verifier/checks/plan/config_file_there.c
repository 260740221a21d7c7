#include "base/text.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/checkout.h"

#include <string.h>

static void report_file(struct audit *a, const struct checkout *c, const char *file, int line)
{
    bool there = checkout_has(c, file, a->arena);
    const char *others = "";
    for (size_t i = 0; i < c->n_files; i++)
        if (text_starts(c->files[i], "config_") && text_ends(c->files[i], ".py") &&
            strcmp(c->files[i], "config_common.py") != 0)
            others = arena_printf(a->arena, "%s%s%s", others, *others ? " " : "", c->files[i]);
    struct check_result *r =
        there ? audit_report(a, OUTCOME_PASS, NULL, line, "%s is in the case's folder", file)
              : audit_report(a, OUTCOME_FAIL, NULL, line,
                             "found no %s in training/%s/%s/config; the folder contains %s", file,
                             a->result->vendor, a->result->case_id,
                             *others ? others : "no configuration");
    r->stated = file;
    r->expected = others;
}

/* Configuration files of the batch sizes and of the column config. Other names (ds_config.json,
 * or only "config") may lie with the benchmark instead of the vendor. */
static void check_file_there(struct audit *a)
{
    struct checkout c;
    const struct lookup files = audit_batch_files(a);
    if (!checkout_open(a, &c))
        return;
    for (size_t i = 0; i < files.n; i++) {
        const struct batch_item *item = &a->result->batch[i];
        if (!item->file || !text_starts(item->file, "config_") ||
            lookup_find(&files, item->file) != i)
            continue;
        report_file(a, &c, item->file, item->line);
    }
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *name = claim_cell(&a->claims[i], "config_name");
        if (name && text_starts(name, "config_"))
            report_file(a, &c, name, a->claims[i].line);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s is in the case's folder",
     .zh = "{1} 在用例的目录中"},
    {.en = "found no %s in training/%s/%s/config; the folder contains %s",
     .zh = "training/{2}/{3}/config 中没有 {1}，目录中有 {4}"},
    {.en = "no configuration",
     .zh = "无配置文件"},
    {NULL, NULL},
};

const struct rule rule_fp3010 = {
    .id = "FP3010",
    .kind = "settings",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .page = check_file_there,
    .title = {.en = "Missing configuration file", .zh = "配置文件缺失"},
    .statement = {.en = "A configuration file that the page names must exist in its case's "
                        "folder of the FlagPerf checkout.",
                  .zh = "用例页所写的配置文件，必须在 FlagPerf 中该用例的目录里存在。"},
    .why = {.en = "A reader repeats a result with the configuration that the page names. If this "
                  "file does not exist, its name was left over from another page.",
            .zh = "读者用页面所写的配置复现结果；文件不存在，说明文件名是从别的页面遗留的。"},
    .how = {.en = "This rule needs a FlagPerf checkout (--flagperf DIR, or the one that contains "
                  "the page). Names like config_… are looked up in training/VENDOR/CASE/config.",
            .zh = "需要 FlagPerf 检出目录（--flagperf DIR，或页面所在的目录）：在 "
                  "training/VENDOR/CASE/config 中查找 config_… 文件名。"},
    .fix = {.en = "Name the configuration file that was used.",
            .zh = "写明所用的配置文件。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "config_A100x1x8.py",
                .changed = "config_A100x2x8.py"},
};
/* clang-format on */
