#include "base/figures/labels.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

/* The machine of an environment and its card. */
struct pair {
    const struct item *machine, *card;
};

static struct pair hardware_of(const struct environment *e)
{
    struct pair p = {NULL, NULL};
    for (size_t i = 0; i < e->n_groups; i++)
        for (size_t k = 0; k < e->groups[i].n_items; k++) {
            const struct item *item = &e->groups[i].items[k];
            const struct label *l = item->label ? label_find(LABEL_ITEM, item->label) : NULL;
            if (l && strcmp(l->key, "machine") == 0)
                p.machine = item;
            if (l && strcmp(l->key, "accelerator") == 0)
                p.card = item;
        }
    return p;
}

/* "NVIDIA DGX A800(80G)" beside "A100-SXM4-40GB": two cards of one vendor in one machine. */
static void check_machine_card(struct audit *a)
{
    for (size_t i = 0; i < a->result->n_environments; i++) {
        struct pair p = hardware_of(&a->result->environments[i]);
        if (!p.machine || !p.card ||
            !project_find_accelerator(a->project, p.machine->value, a->result->vendor))
            continue; /* another vendor's: FP3014 */
        enum identity identity =
            cards_compare(a->project, p.machine->value, p.card->value, a->arena);
        double memory = cards_named_memory(p.machine->value);
        double of_card = cards_named_memory(p.card->value);
        bool memory_ok = isnan(memory) || isnan(of_card) || memory == of_card;
        if (identity == IDENTITY_UNKNOWN && memory_ok)
            continue;
        struct check_result *r = audit_judge_at(
            a, identity != IDENTITY_DIFFERENT && memory_ok, p.machine->line,
            "the machine is '%s' and its card is '%s'", p.machine->value, p.card->value);
        audit_expect(r, p.machine->value, p.card->value);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "machine",
     .zh = "机器"},
    {.en = "accelerator",
     .zh = "加速卡"},
    {.en = "the machine is '%s' and its card is '%s'",
     .zh = "环境说明写的机器是“{1}”，加速卡是“{2}”"},
    {NULL, NULL},
};

const struct rule rule_fp3016 = {
    .id = "FP3016",
    .kind = "environment",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .page = check_machine_card,
    .title = {.en = "Card in the name of the machine", .zh = "机器名中的加速卡型号"},
    .statement = {.en = "If the name of a machine contains the name of a card, this card must be "
                        "the accelerator in the environment section.",
                  .zh = "机器名含有加速卡型号时，环境说明中的加速卡必须是这种型号。"},
    .why = {.en = "The name of a machine often contains the name of its card. If the environment "
                  "section lists another card, either the machine or the card is wrong.",
            .zh = "机器名常含有机器所装加速卡的型号。机器名中的卡型号与环境说明列出的加速卡不同时，"
                  "机器名与加速卡中必有一处写错。"},
    .how = {.en = "The rule looks up the machine and the card of the environment section in the "
                  "records, and compares the two cards.",
            .zh = "按环境说明所写的机器名与加速卡，在加速卡记录中分别查找卡型号，再比较查到的两个卡"
                  "型号。"},
    .fix = {.en = "Correct the machine or the card in the environment section, whichever is wrong.",
            .zh = "环境说明中的机器名与加速卡，哪一处写错，就改正哪一处。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "NVIDIA DGX A100",
                .changed = "NVIDIA DGX H800"},
};
/* clang-format on */
