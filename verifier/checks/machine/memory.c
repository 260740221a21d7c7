#include "verifier/checks/machine/card_memory.h"
#include "verifier/claims/rule.h"

static struct check_result *report_memory(struct audit *a, const struct claim *c, const char *text,
                                          bool used, bool ok, const char *limit)
{
    struct check_result *r =
        ok ? audit_pass(a, c, "memory cell '%s' does not exceed the memory of the card: %s", text,
                        limit)
        : used
            ? audit_fail(a, c, "memory cell '%s': the used memory exceeds the total memory: %s",
                         text, limit)
            : audit_fail(a, c, "memory cell '%s' exceeds the memory of the card: %s", text, limit);
    audit_expect(r, text, arena_printf(a->arena, "<= %s", limit));
    if (!ok)
        audit_contradict(a, c, claim_cell(c, "memory") ? "memory" : "memory_total", r);
    return r;
}

/* One plain figure above the card's memory. */
static bool is_above(const struct figure *f, double card)
{
    double used = f->value >= 1000 ? f->value / 1024 : f->value;
    return !isnan(card) && *f->unit != 'M' && used > card * GIB_PER_GB;
}

/* used <= total <= what the card has (GB or GiB is not told apart). */
static void check_memory(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "memory"), *source;
    const struct figure f = *claim_figure(c, text ? "memory" : "memory_total");
    text = text ? text : claim_cell(c, "memory_total");
    if (!text || !figure_has_value(&f))
        return;
    double card = card_memory(a, c, &source);
    double most = f.kind == FIGURE_PAIR ? f.second : f.kind == FIGURE_EXPRESSION ? f.each : NAN;
    /* No card has 1000 GiB: the row is in MiB. */
    if (most >= 1000)
        most /= 1024;
    if (f.kind == FIGURE_PAIR && f.value > f.second) {
        report_memory(a, c, text, true, false, audit_fixed(a->arena, f.second, f.second_decimals));
        return;
    }
    if (f.kind == FIGURE_NUMBER && claim_cell(c, "memory") && is_above(&f, card)) {
        struct check_result *r =
            report_memory(a, c, text, false, false,
                          sentence_say(a->arena, "%sG (%s)", audit_number(a->arena, card), source));
        /* Without a total it may be of all cards. */
        if (c->cards > 1 && f.value <= card * GIB_PER_GB * (double)c->cards)
            r->severity = SEVERITY_WARNING;
        return;
    }
    if (isnan(most) || isnan(card)) {
        audit_cannot(a, c,
                     isnan(card) ? "memory cell '%s' cannot be checked: the memory size of the "
                                   "card is unknown"
                                 : "memory cell '%s' is not in the form used/total",
                     text);
        return;
    }
    report_memory(a, c, text, false, most <= card * GIB_PER_GB,
                  sentence_say(a->arena, "%sG (%s)", audit_number(a->arena, card), source));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "memory cell '%s' does not exceed the memory of the card: %s",
     .zh = "显存单元格“{1}”中的值未超过上限 {2:said}"},
    {.en = "memory cell '%s': the used memory exceeds the total memory: %s",
     .zh = "显存单元格“{1}”中，已用显存超过总量 {2}"},
    {.en = "memory cell '%s' exceeds the memory of the card: %s",
     .zh = "显存单元格“{1}”中的值超过卡的显存容量 {2:said}"},
    {.en = "%sG (%s)",
     .zh = "{1}G（{2:said}）"},
    {.en = "memory cell '%s' cannot be checked: the memory size of the card is unknown",
     .zh = "显存单元格“{1}”无法检查：卡的显存容量未知"},
    {.en = "memory cell '%s' is not in the form used/total",
     .zh = "显存单元格“{1}”没有写成“已用/总量”的形式"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {card_memory_messages, NULL};

const struct rule rule_fp2007 = {
    .id = "FP2007",
    .kind = "memory",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .needs_records = true,
    .claim = check_memory,
    .title = {.en = "Used memory and memory of the card", .zh = "已用显存不超过卡的显存容量"},
    .statement = {.en = "In a memory cell, the used memory must not exceed the total memory, and "
                        "the total must not exceed the memory of the card.",
                  .zh = "在表格的显存单元格中，已用显存不得超过总量，总量不得超过卡的显存容量。"},
    .why = {.en = "A training run cannot use more memory than the card has.",
            .zh = "训练所用的显存不可能超过卡的显存容量。"},
    .how = {.en = "In a memory cell 'used/total', the used memory must not exceed the total. The "
                  "total must not exceed the memory of the card, which the rule takes from the "
                  "card's record, the environment section or the table row.",
            .zh = "显存单元格写作“已用/总量”时，已用显存不得超过总量，总量不得超过卡的显存容量。卡"
                  "的显存容量取自加速卡记录、环境说明或表格行。"},
    .fix = {.en = "Correct the numbers in the memory cell. If the stated value is the peak over "
                  "several cards, write the value into a note instead of the memory column.",
            .zh = "改正显存单元格。多张卡的显存峰值请写到备注中，不要写在表格的显存列。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "35.1/40",
                .changed = "45.1/40"},
};
/* clang-format on */
