#include "verifier/checks/machine/card_memory.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

/* "A100 (80G * 8) and (40G * 8)": the device names all its cards where the environment has one. */
static bool device_has_memory(const struct audit *a, double memory)
{
    const char *device = audit_general(a, "device");
    double named = NAN;
    if (device && cards_in_environment(a, device) == IDENTITY_SAME)
        for (size_t at = 0; named != memory && !isnan(named = cards_next_memory(device, &at));)
            ;
    return named == memory;
}

/* "（1x8*80G）" names the memory of the card. */
static void check_card_memory(struct audit *a, const struct claim *c)
{
    const char *source;
    if (isnan(c->config.card_memory))
        return;
    double memory = card_memory(a, c, &source);
    if (isnan(memory)) {
        audit_cannot(
            a, c,
            "the card memory in this row cannot be checked: the memory size of the card is "
            "unknown");
        return;
    }
    if (device_has_memory(a, c->config.card_memory))
        memory = c->config.card_memory, source = "the general metrics table";
    bool ok = c->config.card_memory <= memory * GIB_PER_GB &&
              c->config.card_memory * GIB_PER_GB >= memory;
    struct check_result *r = audit_judge(
        a, ok, c, "the row's cards have %sG of memory; the cards in %s have %sG",
        audit_number(a->arena, c->config.card_memory), source, audit_number(a->arena, memory));
    r->stated = arena_printf(a->arena, "%sG", audit_number(a->arena, c->config.card_memory));
    r->expected = arena_printf(a->arena, "%sG", audit_number(a->arena, memory));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the card memory in this row cannot be checked: the memory size of the card is unknown",
     .zh = "表格行所写的卡显存无法检查：卡的显存容量未知"},
    {.en = "the general metrics table",
     .zh = "通用指标表"},
    {.en = "the row's cards have %sG of memory; the cards in %s have %sG",
     .zh = "表格行所写的卡显存为 {1}G；按{2:said}，卡的显存为 {3}G"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {card_memory_messages, NULL};

const struct rule rule_fp3004 = {
    .id = "FP3004",
    .kind = "memory",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .claim = check_card_memory,
    .title = {.en = "Card memory in a configuration", .zh = "表格行配置所写的卡显存"},
    .statement = {.en = "If a table row states the memory of its card (such as '*40G'), the card in "
                        "the environment section must have this memory.",
                  .zh = "表格行写明卡的显存（如“*40G”）时，环境说明中的卡必须有相同的显存。"},
    .why = {.en = "Many cards are sold with several memory sizes, and the memory size limits the "
                  "batch size.",
            .zh = "同一型号的卡常有几种显存容量，而显存容量限制批大小。"},
    .how = {.en = "The rule compares the memory in a configuration (such as '*40G') with the memory "
                  "of the card that the page names.",
            .zh = "把表格行的配置所写的显存（如“*40G”），与页面所写的卡的显存容量比较。"},
    .fix = {.en = "Name the card with the memory size that the run used.",
            .zh = "在页面上写明运行所用的卡及其显存容量。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "（1x8*40G）",
                .changed = "（1x8*80G）"},
};
/* clang-format on */
