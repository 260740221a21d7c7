#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/rule.h"

static void check_one_machine(struct audit *a, const struct item *item, const char *key)
{
    static const char *const keys[] = {"machine", "accelerator", "machine_accelerator"};
    bool hardware = false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        hardware |= key && strcmp(key, keys[i]) == 0;
    const struct accelerator *card = hardware ? audit_card(a, item->value) : NULL;
    if (!card)
        return;
    bool own = strcmp(card->vendor, a->result->vendor) == 0;
    struct check_result *r =
        audit_judge_at(a, own, item->line, "'%s' is a card of %s; the result is for %s",
                       item->value, card->vendor, a->result->vendor);
    audit_expect(r, item->value, sentence_say(a->arena, "hardware of %s", a->result->vendor));
}

static void check_machine(struct audit *a)
{
    bool makes_cards = environment_vendor_makes_cards(a);
    for (size_t i = 0; makes_cards && i < a->n_items; i++)
        check_one_machine(a, a->items[i].item, a->items[i].key);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "machine",
     .zh = "机器"},
    {.en = "accelerator",
     .zh = "加速卡"},
    {.en = "'%s' is a card of %s; the result is for %s",
     .zh = "环境说明中的“{1}”是厂商 {2} 的卡；结果属于厂商 {3}"},
    {.en = "hardware of %s",
     .zh = "厂商 {1} 的硬件"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {environment_card_messages, NULL};

const struct rule rule_fp3014 = {
    .id = "FP3014",
    .kind = "environment",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .page = check_machine,
    .title = {.en = "Hardware of another vendor", .zh = "其他厂商的硬件"},
    .statement = {.en = "The environment section of a page may not name a machine or a card of "
                        "another vendor.",
                  .zh = "页面的环境说明不得写有其他厂商的机器或加速卡。"},
    .why = {.en = "If an environment section names another vendor's machine or card, the section "
                  "was copied from a page of that vendor.",
            .zh = "页面的环境说明写有其他厂商的机器或加速卡，说明这段内容是从那家厂商的页面复制来的"
                  "。"},
    .how = {.en = "The rule looks up the machine and the accelerator of the environment section in "
                  "the records. If the page has another environment section for its own vendor, "
                  "only that section is compared with the table rows.",
            .zh = "在 fpreport 的记录中查找环境说明所写的机器与加速卡。页面另有本厂商的环境说明时，"
                  "只把本厂商的环境说明与表格各行比较。"},
    .fix = {.en = "Remove the environment section of the other vendor, or name the machine and the "
                  "card that the run used.",
            .zh = "删去页面上其他厂商的环境说明，或写明运行所用的机器与加速卡。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "加速卡型号: NVIDIA A100-SXM4-40GB",
                .changed = "加速卡型号: Iluvatar Bi-150"},
};
/* clang-format on */
