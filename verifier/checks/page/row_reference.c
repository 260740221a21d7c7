#include "verifier/claims/rule.h"

#include <stdlib.h>

/* "第4组" in the text: which row it names; *s moves behind it. 0 at the end. */
static long next_reference(const char **s)
{
    for (const char *at; (at = strstr(*s, "第")) != NULL;) {
        char *end;
        *s = at + strlen("第");
        long n = strtol(*s, &end, 10);
        while (*end == ' ')
            end++;
        if (n > 0 && n < 10000 && text_starts(end, "组"))
            return n;
    }
    return 0;
}

/* The text stands before the table whose rows it counts. */
static void check_row_reference(struct audit *a)
{
    const struct result *r = a->result;
    for (size_t i = 0; i < r->n_performance; i++) {
        const char *text = r->performance[i].text.zh;
        size_t rows = 0;
        for (size_t k = i; k < r->n_performance && !rows; k++)
            rows = r->performance[k].table ? r->performance[k].table->n_rows : 0;
        for (long n; text && rows && (n = next_reference(&text)) > 0;) {
            bool there = (size_t)n <= rows;
            audit_expect(audit_judge_at(a, there, r->performance[i].line,
                                        "the text refers to row %ld; the next table has %zu %s", n,
                                        rows, rows == 1 ? "row" : "rows"),
                         arena_printf(a->arena, "第%ld组", n),
                         sentence_say(a->arena, "at most %zu", rows));
        }
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the text refers to row %ld; the next table has %zu %s",
     .zh = "页面正文引用表格第 {1} 行；正文之后的表格有 {2} {3:said}"},
    {.en = "row",
     .zh = "行"},
    {.en = "rows",
     .zh = "行"},
    {.en = "at most %zu",
     .zh = "行号至多 {1}"},
    {NULL, NULL},
};

const struct rule rule_fp1007 = {
    .id = "FP1007",
    .kind = "page",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .page = check_row_reference,
    .title = {.en = "Row numbers in the text", .zh = "页面正文引用的表格行号"},
    .statement = {.en = "If the text of a page refers to a row number, the table must have a row "
                        "with this number.",
                  .zh = "页面正文引用表格的某个行号时，表格中必须有这一行。"},
    .why = {.en = "If the text refers to a row that does not exist, somebody removed or renumbered "
                  "that row.",
            .zh = "页面正文引用了表格中不存在的行，多半是因为那一行已被删除，或行号已改，而页面正文"
                  "没有随之修改。"},
    .how = {.en = "The rule compares each '第N组' (group N) in the text with the number of rows in "
                  "the next table.",
            .zh = "页面正文写有“第N组”（指表格第 N 行）时，N 不得大于正文之后那张表格的行数。"},
    .fix = {.en = "Correct the row number in the text, or remove the sentence with the row number.",
            .zh = "改正页面正文中的表格行号，或删去引用该行号的句子。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "第2组",
                .changed = "第5组"},
};
/* clang-format on */
