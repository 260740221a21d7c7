#include "verifier/checks/machine/card_memory.h"
#include "verifier/claims/rule.h"

#include <math.h>

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
    struct check_result *r =
        audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                     ok ? "memory '%s': the total agrees with the card's %sG (%s)"
                        : "memory '%s': the total differs from the card's %sG (%s)",
                     text, audit_number(a->arena, memory), source);
    r->stated = text;
    r->expected = sentence_say(a->arena, "a total of %sG", audit_number(a->arena, memory));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "memory '%s': the total agrees with the card's %sG (%s)",
     .zh = "显存“{1}”：总量与该卡的 {2}G（{3:said}）相符"},
    {.en = "memory '%s': the total differs from the card's %sG (%s)",
     .zh = "显存“{1}”：总量与该卡的 {2}G（{3:said}）不符"},
    {.en = "a total of %sG",
     .zh = "总量为 {1}G"},
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
    .title = {.en = "Total memory of the card", .zh = "显存总量"},
    .statement = {.en = "In a cell 'used/total', the total must be the memory of the card or, if "
                        "the card has several devices, the memory of one device.",
                  .zh = "“已用/总量”中的总量必须是整张卡的显存；一张卡含多个设备时，也可以是其中一"
                        "个设备的显存。"},
    .why = {.en = "If the cell of a 64 GB card states '6/25' (used/total GB), the memory was "
                  "measured on another card, or on a part of a card.",
            .zh = "64 GB 的卡写着“6/25”（已用/总量，GB），说明是在另一种卡上、或只在卡的一部分上测"
                  "得的。"},
    .how = {.en = "The total in 'used/total' is compared with the memory of the card, or of one "
                  "of its devices. A difference of 5 % is allowed for memory that the driver "
                  "reserves.",
            .zh = "把“已用/总量”中的总量与整张卡或卡上一个设备的显存比较，允许驱动占用 5 %。"},
    .fix = {.en = "State the memory of the card as the total.",
            .zh = "总量填写该卡的显存。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "33.0/40",
                .changed = "20.0/24"},
};
/* clang-format on */
