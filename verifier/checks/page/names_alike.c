#include "base/foreign.h"
#include "base/project/looks.h"
#include "base/text.h"
#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

#include <string.h>

/* A name that is known letter by letter is what it looks like. */
static void look_at_name(struct audit *a, const struct name_list *known, const char *name, int line)
{
    const char *looks = name ? looks_of(a->arena, name) : "";
    const char *like = NULL, *folded = name ? text_fold_words(a->arena, name) : "";
    if (name && looks_hidden(name)) {
        audit_report(a, OUTCOME_FAIL, NULL, line, "the name '%s' contains invisible characters",
                     foreign_line(a->arena, name, 100));
        return;
    }
    for (size_t i = 0; *looks && i < known->n; i++) {
        if (strcmp(known->items[i].looks, looks) != 0)
            continue;
        if (strcmp(text_fold_words(a->arena, known->items[i].name), folded) == 0)
            return;
        like = like ? like : known->items[i].name;
    }
    if (!like)
        return;
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, line,
                     "the name '%s' looks like '%s' but is spelled differently", name, like);
    audit_expect(r, name, like);
}

static void check_names_alike(struct audit *a)
{
    const struct name_list *cards = &a->project->card_names, *models = &a->project->model_names;
    const char *before = "";
    look_at_name(a, models, audit_general(a, "model"), audit_general_line(a, "model"));
    look_at_name(a, cards, audit_general(a, "device"), audit_general_line(a, "device"));
    for (size_t i = 0; i < a->n_accelerators; i++)
        look_at_name(a, cards, a->accelerators[i], 0);
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *name = a->claims[i].config.accelerator;
        if (!name || a->claims[i].accelerator || strcmp(name, before) == 0)
            continue;
        look_at_name(a, cards, name, a->claims[i].line);
        before = name;
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the name '%s' contains invisible characters",
     .zh = "名称“{1}”含有不可见字符"},
    {.en = "the name '%s' looks like '%s' but is spelled differently",
     .zh = "名称“{1}”看起来像“{2}”，但拼写不同"},
    {NULL, NULL},
};

const struct rule rule_fp1021 = {
    .id = "FP1021",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .page = check_names_alike,
    .title = {.en = "Lookalike names", .zh = "形似的名称"},
    .statement = {.en = "A card or model name that looks like a known name must be spelled "
                        "exactly like it.",
                  .zh = "与已知卡型号或模型名外形相同的名称，拼写也必须相同。"},
    .why = {.en = "If one letter of 'A100' comes from another script, the name looks right but "
                  "matches no record, so the row is not checked against that card.",
            .zh = "混入其他文字的字母后，名称看起来仍是“A100”，却与任何记录都不匹配，因而不会按该"
                  "卡核查。"},
    .how = {.en = "Names of cards and models on the page are compared with those of the records "
                  "by their appearance (Unicode's confusables, digits for letters, 'rn' for 'm'). "
                  "Spaces, capitals and punctuation are ignored. Invisible characters are "
                  "reported, too.",
            .zh = "把页面上的卡型号与模型名按外形（Unicode 易混淆字符、以数字代字母、以“rn”代“m”）"
                  "与记录比较；比较名称时忽略空格、大小写与标点。名称中的不可见字符也会报告。"},
    .fix = {.en = "Type the name again, in plain letters.",
            .zh = "用普通字母重新输入该名称。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| llama2_7b ",
                .changed = "| llаma2_7b "},
};
/* clang-format on */
