#include "base/figures/labels.h"
#include "verifier/checks/page/case_kinds.h"
#include "verifier/claims/rule.h"

/* The line of a row of the general metrics table, whatever it says; 0. */
static int line_of_row(const struct audit *a, const char *key)
{
    const struct table *t = a->result->general;
    const struct label *label = label_by_key(LABEL_GENERAL, key);
    for (size_t i = 0; t && i < t->n_rows; i++)
        if (t->rows[i].n_cells && label_is(label, t->rows[i].cells[0].text))
            return t->rows[i].line;
    return 0;
}

/* The family whose list has the text, where the own list has it not; NULL. */
static const char *whose(const struct case_kind *own, size_t list, const char *text)
{
    size_t n;
    const struct case_kind *kinds = case_kinds(&n);
    const char *mine, *theirs;
    memcpy(&mine, (const char *)own + list, sizeof mine);
    for (size_t i = 0; mine && !case_kind_has(mine, text) && i < n; i++) {
        memcpy(&theirs, (const char *)&kinds[i] + list, sizeof theirs);
        if (case_kind_has(theirs, text))
            return kinds[i].family;
    }
    return NULL;
}

static struct check_result *report_kind(struct audit *a, const struct case_kind *own, int line,
                                        const char *what, const char *text, const char *family)
{
    return audit_expect(audit_fail_at(a, line,
                                      "the %s '%s' belongs to %s, but the result is for %s", what,
                                      text, family, a->result->case_id),
                        text, arena_printf(a->arena, "%s of %s", what, own->family));
}

static void check_general(struct audit *a, const struct case_kind *own, const char *key,
                          const char *what, size_t list, enum severity severity)
{
    const char *text = audit_general(a, key);
    const char *family = text ? whose(own, list, text_fold(a->arena, text)) : NULL;
    if (family)
        report_kind(a, own, audit_general_line(a, key), what, text, family)->severity = severity;
}

/* One finding for the scores: where the general metrics table announces them, else at the table. */
static void check_scores(struct audit *a, const struct case_kind *own)
{
    const struct table **tables;
    size_t n = result_figure_tables(a->result, a->arena, &tables);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_columns; k++) {
            const struct metrics_column *m = metrics_column(tables[i]->columns[k]);
            const char *family = m && m->kind == COLUMN_SCORE
                                     ? whose(own, offsetof(struct case_kind, scores), m->key)
                                     : NULL;
            if (!family)
                continue;
            int line = line_of_row(a, "result");
            report_kind(a, own, line ? line : tables[i]->line, "score", tables[i]->columns[k],
                        family);
            return;
        }
}

/* What is said of the task is free text, and a slip in it changes no figure: a notice. */
static void check_kind(struct audit *a)
{
    const char *id = a->result->case_id;
    const struct case_kind *own =
        case_kind_of(case_kind_bare(arena_strndup(a->arena, id, strcspn(id, "-")), a->arena));
    if (!own)
        return;
    check_general(a, own, "task", "task", offsetof(struct case_kind, task), SEVERITY_NOTICE);
    check_general(a, own, "dataset", "data set", offsetof(struct case_kind, data),
                  SEVERITY_WARNING);
    check_scores(a, own);
    for (size_t i = 0; i < a->n_older; i++) {
        const char *header = older_header(&a->older[i], OLDER_REACHED);
        const char *family =
            whose(own, offsetof(struct case_kind, scores), text_fold(a->arena, header));
        if (family)
            report_kind(a, own, a->older[i].line, "score", header, family);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the %s '%s' belongs to %s, but the result is for %s",
     .zh = "页面所写的{1:said}“{2}”属于 {3} 系列模型，但结果的用例是 {4}"},
    {.en = "score",
     .zh = "得分"},
    {.en = "task",
     .zh = "任务"},
    {.en = "data set",
     .zh = "数据集"},
    {NULL, NULL},
};

const struct rule rule_fp3018 = {
    .id = "FP3018",
    .kind = "settings",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_kind,
    .title = {.en = "Task, data set and score of the case",
              .zh = "页面所写的任务、数据集与得分是否符合用例"},
    .statement = {.en = "The task, the data set and the score that a page states must be usual for "
                        "the model of its case.",
                  .zh = "页面所写的任务、数据集和得分名称，都必须是该用例的模型常用的。"},
    .why = {.en = "A general metrics table copied from another case often still states that case's "
                  "task, data set or score.",
            .zh = "如果通用指标表是从另一个用例的页面复制来的，表中写的仍是另一个用例的任务、数据集"
                  "或得分。"},
    .how = {.en = "For each family of models, the rule has a list of words for task, data set and "
                  "score. The rule reports a text that contains a word typical of another model "
                  "family and none typical of the family of the case's model. If only the task "
                  "does not fit the model, the rule gives a notice. The rule does not check a text "
                  "that contains no word of any model family.",
            .zh = "这条规则为每个模型系列备有一份词表，列出该系列的任务、数据集和得分的常用词。页面"
                  "所写的任务、数据集或得分含有其他模型系列的词，却不含该用例模型系列的词时，检查不"
                  "通过。如果页面上只有任务与模型不符，就只给出提示，不判错。页面所写的任务、数据集"
                  "或得分不含任何模型系列的词时，不作检查。"},
    .fix = {.en = "State the task, the data set and the score of the page's case.",
            .zh = "在页面上写明该页面用例的任务、数据集和得分。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "自然语言理解",
                .changed = "图像目标检测"},
};
/* clang-format on */
