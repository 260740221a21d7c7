#include "verifier/claims/rule.h"
#include "verifier/proofs/checkout.h"

static void report_file(struct audit *a, const struct checkout *c, const char *file, int line)
{
    bool there = checkout_has(c, file, a->arena);
    const char *others = "";
    for (size_t i = 0; i < c->n_files; i++)
        if (text_starts(c->files[i], "config_") && text_ends(c->files[i], ".py") &&
            strcmp(c->files[i], "config_common.py") != 0)
            others = arena_printf(a->arena, "%s%s%s", others, *others ? " " : "", c->files[i]);
    struct check_result *r =
        there
            ? audit_report(a, OUTCOME_PASS, NULL, line, "%s is in the folder of the case", file)
            : audit_fail_at(a, line, "found no %s in training/%s/%s/config; the folder contains %s",
                            file, a->result->vendor, a->result->case_id,
                            *others ? others : "no configuration");
    audit_expect(r, file, others);
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
    {.en = "%s is in the folder of the case",
     .zh = "用例的目录中有配置文件 {1}"},
    {.en = "found no %s in training/%s/%s/config; the folder contains %s",
     .zh = "目录 training/{2}/{3}/config 中没有配置文件 {1}；该目录所含的配置文件：{4:said}"},
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
    .title = {.en = "Configuration file that does not exist", .zh = "不存在的配置文件"},
    .statement = {.en = "A configuration file that a page names must exist in the FlagPerf "
                        "repository, in the folder of the case.",
                  .zh = "页面所写的配置文件，必须在 FlagPerf 仓库的用例目录中存在。"},
    .why = {.en = "Readers repeat a result with the configuration file that the page names. If the "
                  "named configuration file does not exist, its name was probably copied from "
                  "another page.",
            .zh = "读者要用页面所写的配置文件复现结果。页面所写的配置文件不存在，说明文件名多半是从"
                  "别的页面复制来的。"},
    .how = {.en = "This rule needs a checkout of the FlagPerf repository: the folder given by "
                  "--flagperf DIR, or the checkout that contains the page. The rule looks for "
                  "configuration files (config_…) in the folder training/VENDOR/CASE/config.",
            .zh = "这条规则需要 FlagPerf 仓库的检出目录：用选项 --flagperf DIR 指定，没有指定时取页"
                  "面所在的检出目录。在 FlagPerf 仓库的 training/VENDOR/CASE/config 目录中，查找页"
                  "面所写的配置文件（config_…）。"},
    .fix = {.en = "Name the configuration file that the run used.",
            .zh = "在页面上写明运行实际使用的配置文件。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "config_A100x1x8.py",
                .changed = "config_A100x2x8.py"},
};
/* clang-format on */
