#include "base/text.h"
#include "verifier/checks/page/page_texts.h"
#include "verifier/claims/rule.h"

#include <ctype.h>
#include <string.h>

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
        struct check_result *r =
            audit_report(a, OUTCOME_FAIL, NULL, line, "found '%.*s', expected nothing left to do",
                         text_cut(at, n > 60 ? 60 : n), at);
        r->stated = reminders[i];
        r->expected = "nothing left to do";
        return;
    }
}

static void check_reminders(struct audit *a)
{
    page_each_text(a, find_reminder);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "found '%.*s', expected nothing left to do",
     .zh = "发现“{1}”，页面不应留有未完成的事项"},
    {.en = "nothing left to do",
     .zh = "没有未完成的事项"},
    {NULL, NULL},
};

const struct rule rule_fp1014 = {
    .id = "FP1014",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_NOTICE,
    .page = check_reminders,
    .title = {.en = "Reminders", .zh = "未完成的标记"},
    .statement = {.en = "No reminder of the author is left in the page.",
                  .zh = "页面没有留下作者给自己的备忘标记。"},
    .why = {.en = "A reminder says that the author did not think the page to be finished.",
            .zh = "备忘标记说明作者自己也认为页面没有写完。"},
    .how = {.en = "TODO and its like are looked for as words of the texts; fields and cells are "
                  "not texts.",
            .zh = "在正文中按单词查找 TODO 之类的标记；字段和单元格不算正文。"},
    .fix = {.en = "Do it, or remove the mark.",
            .zh = "完成它，或删去标记。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "注：`MFU",
                .changed = "TODO: 更新 `MFU"},
};
/* clang-format on */
