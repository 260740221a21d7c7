#include "base/figures/labels.h"
#include "verifier/claims/alike.h"
#include "verifier/claims/rule.h"

/* "机器型号: 机器型号: R5300"; "cuda: cuda_11.8" is a name that begins with another. */
static bool repeats_label(const struct item *item)
{
    size_t n = strlen(item->label);
    if (strncmp(item->value, item->label, n) != 0)
        return false;
    const char *rest = item->value + n + strspn(item->value + n, " ");
    return *rest == ':' || text_starts(rest, "：");
}

static void report_empty(struct audit *a, int line, const char *name)
{
    audit_expect(
        audit_fail_at(a, line, "'%s' is empty; write '/' if the vendor withholds the value", name),
        name, "a value");
}

static void note_empty(struct audit *a, const struct item *item)
{
    if (item->label && repeats_label(item)) {
        audit_expect(audit_fail_at(a, item->line,
                                   "the field name '%s' is repeated in the value '%s'", item->label,
                                   item->value),
                     item->value, "only the value");
        return;
    }
    /* A bullet whose value is its sub-bullets is not empty. */
    if (item->label && !item->n_items && strspn(item->value, " \t\n") == strlen(item->value))
        report_empty(a, item->line, item->label);
}

/* The same label twice in one group, with two values: which one holds? */
static void note_repeated_label(struct audit *a, const struct group *g)
{
    size_t n = g->n_items < AUDIT_BULLETS_MAX ? g->n_items : AUDIT_BULLETS_MAX;
    const char **labels = arena_array(a->arena, n, sizeof *labels);
    for (size_t i = 0; i < n; i++)
        labels[i] = g->items[i].label;
    const size_t *first = alike_number(labels, n, a->arena);
    for (size_t i = 0; i < n; i++) {
        const struct item *item = &g->items[i], *before = &g->items[first[i]];
        if (before == item)
            continue;
        struct check_result *r = audit_fail_at(a, item->line, "'%s' appears twice: '%s', '%s'",
                                               item->label, before->value, item->value);
        audit_expect(r, item->value, "one value");
    }
}

/* What every page states in its general metrics table. */
static const char *const required[] = {"task", "model", "dataset", "precision", "device"};

static void note_empty_rows(struct audit *a)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        const struct label *label =
            row->n_cells > 1 ? label_find(LABEL_GENERAL, row->cells[0].text) : NULL;
        if (!label || *text_trim(a->arena, row->cells[1].text))
            continue;
        for (size_t k = 0; k < sizeof required / sizeof required[0]; k++)
            if (strcmp(required[k], label->key) == 0)
                report_empty(a, row->line ? row->line : t->line, row->cells[0].text);
    }
}

static void check_empty_fields(struct audit *a)
{
    size_t before = a->verdict->n_checks;
    for (size_t i = 0; i < a->n_items; i++)
        note_empty(a, a->items[i].item);
    note_empty_rows(a);
    for (size_t i = 0; i < a->result->n_environments; i++)
        for (size_t k = 0; k < a->result->environments[i].n_groups; k++)
            note_repeated_label(a, &a->result->environments[i].groups[k]);
    if (a->verdict->n_checks == before && a->result->n_environments)
        audit_pass(a, NULL, "every field of the environment section has a value");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the field name '%s' is repeated in the value '%s'",
     .zh = "值“{2}”中又写了一遍字段名“{1}”"},
    {.en = "only the value",
     .zh = "只写字段的值，不写字段名"},
    {.en = "'%s' is empty; write '/' if the vendor withholds the value",
     .zh = "字段“{1}”为空；厂商不公开该字段的值时应写“/”"},
    {.en = "a value",
     .zh = "一个值"},
    {.en = "'%s' appears twice: '%s', '%s'",
     .zh = "字段“{1}”出现了两次，值分别为“{2}”和“{3}”"},
    {.en = "one value",
     .zh = "一个值"},
    {.en = "task",
     .zh = "任务"},
    {.en = "model",
     .zh = "模型"},
    {.en = "precision",
     .zh = "精度"},
    {.en = "every field of the environment section has a value",
     .zh = "环境说明的每个字段都已填写"},
    {NULL, NULL},
};

const struct rule rule_fp1005 = {
    .id = "FP1005",
    .kind = "page",
    .since = "2026.1",
    .severity = SEVERITY_NOTICE,
    .page = check_empty_fields,
    .title = {.en = "Missing or repeated fields of the page", .zh = "页面上缺失或重复的字段"},
    .statement = {.en = "Every field of the environment section, and the rows for task, model, "
                        "data set, precision and device of the general metrics table, must have "
                        "exactly one value. A value that the vendor withholds must be replaced by "
                        "'/'.",
                  .zh = "环境说明的每个字段，以及通用指标表中任务、模型、数据集、精度和加速卡各行，"
                        "都必须有且只有一个值。厂商不公开某个值时，在该值的位置写“/”。"},
    .why = {.en = "To repeat a result, readers need to know the environment (hardware and "
                  "software) of its run. An empty field does not show whether the vendor forgot "
                  "the value or withholds it.",
            .zh = "读者需要环境说明才能复现结果。环境说明的字段为空时，读者看不出厂商是忘记填写还是"
                  "不公开。"},
    .how = {.en = "Each bullet of the environment section must have a value, and may appear only "
                  "once in its group. The rows for task, model, data set, precision and device of "
                  "the general metrics table must have a value.",
            .zh = "环境说明的每个字段都必须有值，且在同一小节中只能出现一次。通用指标表的任务、模型"
                  "、数据集、数据精度和设备这几行都必须有值。"},
    .fix = {.en = "Fill in the field, or write '/' if the vendor withholds the value.",
            .zh = "把页面上的空字段填好。厂商不公开字段的值时，在字段中写“/”。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "OS版本：Ubuntu 20.04",
                .changed = "OS版本："},
};
/* clang-format on */
