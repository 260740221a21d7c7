#include "verifier/checks/page/page_texts.h"
#include "verifier/claims/rule.h"

#include <ctype.h>

/* What writers leave for themselves. */
static const char *const reminders[] = {"TODO", "FIXME", "XXX"};

/* The first place where the mark stands as a word, or NULL. */
static const char *find_mark(const char *text, const char *mark)
{
    size_t n = strlen(mark);
    for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark))
        if (!isalnum((unsigned char)at[n]) && (at == text || !isalnum((unsigned char)at[-1])))
            return at;
    return NULL;
}

static void find_reminder(struct audit *a, const char *text, int line)
{
    for (size_t i = 0; i < sizeof reminders / sizeof reminders[0]; i++) {
        const char *at = find_mark(text, reminders[i]);
        if (!at)
            continue;
        for (const char *s = text; s < at; s++)
            line += *s == '\n';
        int n = (int)strcspn(at, "\n");
        audit_expect(audit_fail_at(a, line,
                                   "the page contains the reminder '%.*s', so it is not finished",
                                   text_cut(at, n > 60 ? 60 : n), at),
                     reminders[i], "a finished page");
        return;
    }
}

static void check_reminders(struct audit *a)
{
    page_each_text(a, find_reminder);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the page contains the reminder '%.*s', so it is not finished",
     .zh = "页面含有待办标记“{1}”，说明页面尚未写完"},
    {.en = "a finished page",
     .zh = "已经写完的页面"},
    {NULL, NULL},
};

const struct rule rule_fp1014 = {
    .id = "FP1014",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_NOTICE,
    .page = check_reminders,
    .title = {.en = "Unfinished notes on the page", .zh = "页面上残留的待办标记"},
    .statement = {.en = "The page may not contain reminders of its author, such as TODO.",
                  .zh = "页面不得残留作者给自己写的待办标记，例如 TODO。"},
    .why = {.en = "A reminder such as TODO shows that the author did not finish the page.",
            .zh = "TODO 之类的待办标记说明作者还没有写完这个页面。"},
    .how = {.en = "The rule searches the text of the page for TODO and similar words. The rule "
                  "does not search for reminders in fields and table cells.",
            .zh = "在页面正文中查找 TODO 之类的待办标记。不在环境说明的字段和表格的单元格中查找待办"
                  "标记。"},
    .fix = {.en = "Do the work that the reminder on the page names, and then remove the reminder.",
            .zh = "先完成待办标记所写的事项，再删除待办标记。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "注：`MFU",
                .changed = "TODO: 更新 `MFU"},
};
/* clang-format on */
