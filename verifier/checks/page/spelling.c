#include "verifier/checks/page/case_kinds.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

static void report_near(struct audit *a, int line, const char *text, const char *near)
{
    struct check_result *r =
        audit_fail_at(a, line, "'%s' is unknown, but differs only slightly from '%s'", text, near);
    audit_expect(r, text, near);
}

static void check_hardware_name(struct audit *a, const struct item *item, const char *key)
{
    static const char *const keys[] = {"machine", "accelerator", "machine_accelerator"};
    for (size_t i = 0; key && i < sizeof keys / sizeof keys[0]; i++) {
        const char *near = strcmp(key, keys[i]) == 0 ? cards_near(a, item->value) : NULL;
        if (near)
            report_near(a, item->line, item->value, near);
    }
}

/* One letter too many, too few, another one, or two exchanged; digits are a size's (FP3012). */
static bool is_slip(const char *name, const char *family)
{
    size_t n = strlen(name), m = strlen(family), head = 0, tail = 0, shorter = n < m ? n : m;
    while (head < shorter && name[head] == family[head])
        head++;
    while (tail < shorter - head && name[n - 1 - tail] == family[m - 1 - tail])
        tail++;
    size_t left = n - head - tail, right = m - head - tail;
    bool exchanged =
        left == 2 && right == 2 && name[head] == family[head + 1] && name[head + 1] == family[head];
    bool one = left <= 1 && right <= 1 && left + right > 0;
    const char *digits = "0123456789";
    return m >= 5 && (one || exchanged) && !memchr(digits, left ? name[head] : 'a', 10) &&
           !memchr(digits, right ? family[head] : 'a', 10);
}

static void check_spelling(struct audit *a)
{
    const char *device = audit_general(a, "device");
    const char *near = device ? cards_near(a, device) : NULL;
    for (size_t i = 0; i < a->n_items; i++)
        check_hardware_name(a, a->items[i].item, a->items[i].key);
    if (near)
        report_near(a, audit_general_line(a, "device"), device, near);
    const char *named = audit_general(a, "model"), *id = a->result->case_id;
    const char *name = named ? case_kind_bare(named, a->arena) : "";
    const char *own = case_kind_bare(arena_strndup(a->arena, id, strcspn(id, "-")), a->arena);
    if (named && !project_find_model(a->project, named) && !case_kind_find(name) &&
        is_slip(name, own))
        report_near(a, audit_general_line(a, "model"), named, own);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "'%s' is unknown, but differs only slightly from '%s'",
     .zh = "名称“{1}”未知，但与已知名称“{2}”只有细微差别，可能是误写"},
    {.en = "machine",
     .zh = "机器"},
    {.en = "accelerator",
     .zh = "加速卡"},
    {.en = "model",
     .zh = "模型"},
    {NULL, NULL},
};

const struct rule rule_fp3019 = {
    .id = "FP3019",
    .kind = "environment",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .page = check_spelling,
    .title = {.en = "Misspelled names", .zh = "拼写错误的加速卡型号或模型名"},
    .statement = {.en = "The name of a card or model may not be a misspelling of a known name.",
                  .zh = "加速卡型号或模型名不得是已知名称的误写。"},
    .why = {.en = "A search does not find a misspelled name, and fpreport cannot compare it with a "
                  "record.",
            .zh = "加速卡型号或模型名拼写错误时，读者搜索不到，fpreport 也无法把它与记录比较。"},
    .how = {.en = "If the name of a machine, card or device matches no record, the rule compares "
                  "it with the names of the vendor's cards. A name is reported if it differs from "
                  "a known name by one letter, by two swapped letters or by a space within a word. "
                  "The rule also compares the row 模型 (model) with the model of the case.",
            .zh = "机器、加速卡或设备的名称与任何记录都不匹配时，把这个名称与该厂商的所有加速卡型号"
                  "比较。与已知名称只差一个字母、相邻两个字母颠倒，或单词中间多了空格的名称，判为误"
                  "写。通用指标表“模型”一行所写的名称若是用例模型名的误写，检查也不通过。"},
    .fix = {.en = "Correct the spelling of the card or model name.",
            .zh = "改正加速卡型号或模型名的拼写。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "加速卡型号: NVIDIA A100-SXM4-40GB",
                .changed = "加速卡型号: NVIDIA A010-SXM4-40GB"},
};
/* clang-format on */
