#include "verifier/checks/page/case_kinds.h"
#include "verifier/claims/rule.h"

#include <ctype.h>
#include <stdlib.h>

/* The parameters that a name ends in, in 10^9: 13 of "llava1.5_13b"; 0 when it says none, and for
 * mixtures ("8x7B"), which are written either way round. */
static double named_size(const char *name, struct arena *arena)
{
    const char *folded = text_fold(arena, name);
    double size = 0;
    for (const char *s = folded; *s; s++) {
        char *end;
        if (!isdigit((unsigned char)*s))
            continue;
        double value = strtod(s, &end);
        bool whole = *end == 'b' && !isalnum((unsigned char)end[1]);
        if (whole && s > folded && s[-1] == 'x')
            return 0;
        size = whole ? value : size;
        s = end - 1;
    }
    return size;
}

static void report_model(struct audit *a, bool same, const char *named)
{
    struct check_result *r =
        audit_judge_at(a, same, audit_general_line(a, "model"),
                       "the general metrics table names the model '%s'; the result is for %s",
                       named, a->result->case_id);
    audit_expect(r, named, a->result->case_id);
}

/* One name with an addition, of cases that are alike in task, data and score: who trains bert_hf
 * trains bert, whose code the addition names, but t5_small is not t5. */
static bool is_variant(const struct case_kind *named, const char *own)
{
    const struct case_kind *kind = case_kind_find(own);
    return kind && text_starts(named->family, own) && text_equal(kind->task, named->task) &&
           text_equal(kind->data, named->data) && text_equal(kind->scores, named->scores);
}

/* Is this the name of another family, and no other word for the case's? */
static bool is_other_family(const char *named, const char *case_id, struct arena *arena)
{
    const char *name = case_kind_bare(named, arena);
    const char *own = case_kind_bare(arena_strndup(arena, case_id, strcspn(case_id, "-")), arena);
    const struct case_kind *kind = case_kind_find(name);
    return kind && !strstr(own, name) && !is_variant(kind, own);
}

/* "8x22B": experts, and the parameters of each in 10^9. */
struct mixture {
    long experts;
    double size; /* 0: no mixture */
};

static struct mixture find_mixture(const char *name, struct arena *arena)
{
    const char *s = text_fold(arena, name);
    while (*s) {
        char *x, *end;
        if (!isdigit((unsigned char)*s)) {
            s++;
            continue;
        }
        long experts = strtol(s, &x, 10);
        double size = *x == 'x' && isdigit((unsigned char)x[1]) ? strtod(x + 1, &end) : 0;
        if (size > 0 && *end == 'b')
            return (struct mixture){experts, size};
        s = x;
    }
    return (struct mixture){0, 0};
}

/* Another mixture than the case's; or one turned round ("7x8B"), where the case has one size. */
static bool is_other_mixture(const char *named, const char *case_id, double of_case,
                             struct arena *arena)
{
    struct mixture page = find_mixture(named, arena), own = find_mixture(case_id, arena);
    if (page.size > 0 && own.size > 0)
        return page.experts != own.experts || page.size != own.size;
    return page.size > 0 && (double)page.experts < page.size && (double)page.experts == of_case;
}

/* Known models are compared by record, others by their size; the spelling of names is free. */
static void check_model(struct audit *a)
{
    const char *named = audit_general(a, "model");
    const struct model *of_case = project_case_model(a->project, a->result->case_id);
    const struct model *of_page = named ? project_find_model(a->project, named) : NULL;
    if (!named)
        return;
    if (of_case && of_page) {
        report_model(a, of_case == of_page, named);
        return;
    }
    const char *id = a->result->case_id;
    double expected = named_size(arena_strndup(a->arena, id, strcspn(id, "-")), a->arena);
    double size = named_size(named, a->arena);
    if (is_other_family(named, id, a->arena) || is_other_mixture(named, id, expected, a->arena))
        report_model(a, false, named);
    else if (expected > 0 && size > 0)
        report_model(a, expected == size, named);
    else
        audit_cannot(a, NULL, "the model '%s' or the model of %s is unknown", named, id);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "model",
     .zh = "模型"},
    {.en = "the general metrics table names the model '%s'; the result is for %s",
     .zh = "通用指标表写的模型是“{1}”；结果的用例是 {2}"},
    {.en = "the model '%s' or the model of %s is unknown",
     .zh = "页面所写的模型“{1}”未知，或用例 {2} 的模型未知"},
    {NULL, NULL},
};

const struct rule rule_fp3012 = {
    .id = "FP3012",
    .kind = "environment",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .page = check_model,
    .title = {.en = "Model named on the page", .zh = "页面所写的模型是否符合用例"},
    .statement = {.en = "The general metrics table of a page must name the model of the page's "
                        "case.",
                  .zh = "页面的通用指标表所写的模型，必须是页面所属用例的模型。"},
    .why = {.en = "If a result is published under one case but trains the model of another case, "
                  "the result is not valid for either case.",
            .zh = "如果一个结果发布在某个用例下，训练的却是另一个用例的模型，那么该结果对这两个用例"
                  "都无效。"},
    .how = {.en = "The rule compares the row 模型 (model) of the general metrics table with the "
                  "case in three ways: with the model records, by the model size ('7b'), and with "
                  "the names of all model families. Different spellings of the same model name are "
                  "accepted.",
            .zh = "用三种方法检查通用指标表“模型”一行所写的是否为用例的模型：与模型记录比较，与用例"
                  "的参数规模（如“7b”）比较，与所有模型系列的名称比较。同一个模型的名称可以有不同写"
                  "法，不算错误。"},
    .fix = {.en = "Correct the row 模型 (model), or move the page to the case of its model.",
            .zh = "改正通用指标表的“模型”一行，或把页面移到所写模型的用例下。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| llama2_7b ",
                .changed = "| llama2_13b "},
};
/* clang-format on */
