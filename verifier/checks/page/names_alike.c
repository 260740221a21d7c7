#include "base/foreign.h"
#include "base/project/looks.h"
#include "verifier/claims/rule.h"

/* A name that is known letter by letter is what it looks like. */
static void look_at_name(struct audit *a, const struct name_list *known, const char *name, int line)
{
    const char *looks = name ? looks_of(a->arena, name) : "";
    const char *like = NULL, *folded = name ? text_fold_words(a->arena, name) : "";
    if (name && looks_hidden(name)) {
        audit_fail_at(a, line, "the name '%s' contains invisible characters",
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
    struct check_result *r = audit_fail_at(
        a, line, "the name '%s' looks like '%s' but is spelled differently", name, like);
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
    .title = {.en = "Names with lookalike characters", .zh = "含有形似字符的名称"},
    .statement = {.en = "If the name of a card or model looks like a known name, it must be spelled "
                        "with the same characters.",
                  .zh = "加速卡型号或模型名看起来与已知名称相同时，所用的字符也必须与已知名称完全相"
                        "同。"},
    .why = {.en = "If one letter of 'A100' is a similar letter of another script, the name looks "
                  "right but matches no record. fpreport does not check a table row with such a "
                  "misspelled name against the card A100.",
            .zh = "如果“A100”中混入另一种文字的形似字母，这个名称看起来没错，却与任何记录都不匹配。"
                  "表格行写有“A100”的形似名称时，这一行就不会按 A100 加速卡检查。"},
    .how = {.en = "The rule compares the card and model names on the page with the names in the "
                  "records by their appearance. Unicode lookalikes (confusables), digits used as "
                  "letters, and 'rn' for 'm' count as equal. Spaces, capital letters and "
                  "punctuation in names are ignored. Invisible characters in a name are reported, "
                  "too.",
            .zh = "把页面上的加速卡型号和模型名与记录中的名称比较，看外形是否相同。Unicode 易混淆字"
                  "符、当作字母用的数字、代替“m”的“rn”，都算外形相同。比较外形时忽略名称中的空格、"
                  "大小写和标点。厂商、模型或加速卡的名称中含有不可见字符时，检查也不通过。"},
    .fix = {.en = "Type the name again with plain letters.",
            .zh = "用普通字母重新输入加速卡型号或模型名。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| llama2_7b ",
                .changed = "| llаma2_7b "},
};
/* clang-format on */
