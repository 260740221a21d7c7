#include "verifier/checks/machine/card_memory.h"
#include "verifier/claims/rule.h"

/* What a driver keeps for itself, on top of that. */
#define TOTAL_SLACK 1.05

/* "6/25" on a card with 64G: then either is of something else. A card that shows several devices
 * may be counted by device. */
static void check_memory_total(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "memory"), *source;
    const struct figure f = *claim_figure(c, "memory");
    double memory = card_memory(a, c, &source);
    if (f.kind != FIGURE_PAIR || isnan(memory))
        return;
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    double ranks = card && card->ranks_per_card > 1 ? (double)card->ranks_per_card : 1;
    double total = f.second >= 1000 ? f.second / 1024 : f.second;
    if (total > memory * GIB_PER_GB)
        return; /* FP2007 */
    bool ok = total * TOTAL_SLACK >= memory ||
              (total <= memory / ranks * GIB_PER_GB && total * TOTAL_SLACK >= memory / ranks);
    audit_expect(
        audit_judge(a, ok, c,
                    ok ? "memory cell '%s': the total agrees with the card's memory of %sG (%s)"
                       : "memory cell '%s': the total differs from the card's memory of %sG (%s)",
                    text, audit_number(a->arena, memory), source),
        text, sentence_say(a->arena, "a total of %sG", audit_number(a->arena, memory)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "memory cell '%s': the total agrees with the card's memory of %sG (%s)",
     .zh = "显存单元格“{1}”中的总量与卡的显存容量 {2}G（{3:said}）相符"},
    {.en = "memory cell '%s': the total differs from the card's memory of %sG (%s)",
     .zh = "显存单元格“{1}”中的总量与卡的显存容量 {2}G（{3:said}）不符"},
    {.en = "a total of %sG",
     .zh = "显存总量为 {1}G"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {card_memory_messages, NULL};

const struct rule rule_fp2021 = {
    .id = "FP2021",
    .kind = "memory",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .claim = check_memory_total,
    .title = {.en = "Total memory in a memory cell", .zh = "显存单元格中的总量"},
    .statement = {.en = "In a memory cell 'used/total', the total must be the memory of the card "
                        "or, if the card has several devices, the memory of one device.",
                  .zh = "显存单元格“已用/总量”中的总量，必须是整张卡的显存。一张卡含有多个设备时，"
                        "显存单元格中的总量必须是其中一个设备的显存或整张卡的显存。"},
    .why = {.en = "If a page states '6/25' (used/total, in GB) for a card with 64 GB, the memory "
                  "was measured on another card, or on a part of a card.",
            .zh = "64 GB 的卡如果填写“6/25”（已用/总量，单位 GB），说明显存是在另一种卡上测得的，或"
                  "只测了卡的一部分。"},
    .how = {.en = "The rule compares the total in a memory cell 'used/total' with the memory of "
                  "the card, or of one device of the card. The total in the cell may differ from "
                  "the memory of the card by 5 %, because the driver reserves some memory.",
            .zh = "把显存单元格“已用/总量”中的总量，与整张卡的显存或卡上一个设备的显存比较。驱动会"
                  "占用一部分显存，因此填报的显存总量与卡的显存允许相差 5 %。"},
    .fix = {.en = "Write the memory of the card as the total into the memory cell.",
            .zh = "把显存单元格中的总量改为卡的显存容量。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "33.0/40",
                .changed = "20.0/24"},
};
/* clang-format on */
