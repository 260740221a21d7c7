#include "verifier/checks/page/page_texts.h"
#include "verifier/claims/rule.h"

#include <strings.h>

/* Does the name stand at s, and end there? */
static bool is_folder_name_at(const char *s, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(s, name, n) == 0;
}

static void report_path(struct audit *a, int line, const char *path, const char *whose)
{
    struct check_result *r =
        audit_fail_at(a, line, "the page links to %s, but the result belongs to %s", path, whose);
    audit_expect(r, path, whose);
}

/* "training/<vendor>/<model>-…" of another vendor or model, and "benchmarks/<model>/…". */
static void find_paths(struct audit *a, const char *text, int line)
{
    const char *id = a->result->case_id, *vendor = a->result->vendor;
    const char *model = arena_strndup(a->arena, id, strcspn(id, "-"));
    for (const char *s = text; *s; s++) {
        size_t n;
        line += *s == '\n';
        if (text_starts(s, "training/")) {
            const char *name = s + strlen("training/");
            n = strcspn(name, "/ \n`");
            const char *named = arena_strndup(a->arena, name, n);
            if (name[n] != '/' || !project_vendor(a->project, named))
                continue;
            const char *folder = name + n + 1;
            size_t m = strcspn(folder, "/ \n`");
            if (!is_folder_name_at(name, n, vendor))
                report_path(a, line, arena_printf(a->arena, "training/%s", named), vendor);
            else if (folder[m] == '/' && memchr(folder, '-', m) &&
                     !is_folder_name_at(folder, strcspn(folder, "-"), model))
                report_path(a, line, arena_printf(a->arena, "%.*s", (int)m, folder), id);
        } else if (text_starts(s, "../benchmarks/")) {
            const char *name = s + strlen("../benchmarks/");
            n = strcspn(name, "/ \n`)");
            if (name[n] == '/' && !is_folder_name_at(name, n, model))
                report_path(a, line, arena_printf(a->arena, "benchmarks/%.*s", (int)n, name),
                            model);
        }
    }
}

static void check_paths(struct audit *a)
{
    page_each_text(a, find_paths);
    for (size_t i = 0; i < a->n_items; i++) {
        const struct item *item = a->items[i].item;
        find_paths(a, item->value ? item->value : "", item->line);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the page links to %s, but the result belongs to %s",
     .zh = "页面中的路径指向 {1}，但结果属于 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp3017 = {
    .id = "FP3017",
    .kind = "settings",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .page = check_paths,
    .title = {.en = "Paths of another vendor or model", .zh = "页面中指向其他厂商或模型的路径"},
    .statement = {.en = "A path into the FlagPerf repository must point to the folder of the page's "
                        "own vendor and model.",
                  .zh = "页面中指向 FlagPerf 仓库的路径，必须指向该页面的厂商和模型的目录。"},
    .why = {.en = "A copied page may still contain paths to the folder of another vendor or model, "
                  "which lead readers to the wrong files.",
            .zh = "从别处复制来的页面，可能还留有其他厂商或模型的目录路径，读者会因此找到错误的文件"
                  "。"},
    .how = {.en = "The rule compares the paths training/VENDOR/ and ../benchmarks/MODEL/ in the "
                  "text and links of the page with the page's own vendor and model.",
            .zh = "检查页面正文和链接中的 training/厂商/ 与 ../benchmarks/模型/ 路径，其中的厂商和"
                  "模型必须是该页面的厂商和模型。"},
    .fix = {.en = "Correct the path, so that it points to the folder of the page's own vendor and "
                  "model.",
            .zh = "改正页面中的路径，使路径指向该页面的厂商和模型的目录。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "依赖软件版本：无",
                .changed = "依赖软件版本：见"
                           "training/iluvatar/llama2_7b-megatron/config/requirements.txt"},
};
/* clang-format on */
