#include "verifier/checks/page/page_texts.h"
#include "verifier/claims/rule.h"

/* The first line of a conflict, and the last; between them `=======` may be a heading. */
static void find_conflict(struct audit *a, const char *text, int line)
{
    size_t n;
    char **lines = text_lines(a->arena, text, &n);
    for (size_t i = 0; i < n; i++) {
        if (!text_starts(lines[i], "<<<<<<< ") && !text_starts(lines[i], ">>>>>>> "))
            continue;
        struct check_result *r =
            audit_fail_at(a, line + (int)i, "the page contains the merge conflict mark '%.*s'",
                          text_cut(lines[i], 40), lines[i]);
        audit_expect(r, lines[i], "one version");
    }
}

static void check_conflicts(struct audit *a)
{
    page_each_text(a, find_conflict);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the page contains the merge conflict mark '%.*s'",
     .zh = "页面含有合并冲突标记“{1}”"},
    {.en = "one version",
     .zh = "只保留一个版本，没有冲突标记"},
    {NULL, NULL},
};

const struct rule rule_fp1015 = {
    .id = "FP1015",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .page = check_conflicts,
    .title = {.en = "Merge conflict marks", .zh = "页面残留的合并冲突标记"},
    .statement = {.en = "The page may not contain the marks of a merge conflict (<<<<<<< or "
                        ">>>>>>>).",
                  .zh = "页面不得残留合并冲突标记（<<<<<<< 或 >>>>>>>）。"},
    .why = {.en = "Between merge conflict marks, a page contains two versions of a text, and "
                  "readers take both versions as one text.",
            .zh = "合并冲突标记之间是同一段内容的两个版本，读者会把两个版本当成一段内容来读。"},
    .how = {.en = "The rule looks for lines of the page that begin with seven '<' or seven '>' and "
                  "a space.",
            .zh = "查找页面文件中以“<<<<<<< ”或“>>>>>>> ”（末尾为空格）开头的行。"},
    .fix = {.en = "Resolve the merge conflict, and remove the marks.",
            .zh = "解决合并冲突，并删除页面中的冲突标记。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "注：`MFU",
                .changed = "<<<<<<< HEAD\n"
                           "`MFU"},
};
/* clang-format on */
