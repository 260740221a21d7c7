#include "verifier/claims/rule.h"

/* The whole number that a text has behind its last `mark`, as in "17.23 * 2048 / 8 = …"; 0. */
static long number_behind(const char *text, char mark)
{
    const char *at = strrchr(text, mark);
    double value;
    int decimals;
    size_t n = at ? figure_scan_number(at + 1 + strspn(at + 1, " "), &value, &decimals) : 0;
    return n && decimals == 0 && value > 0 && value < 1e6 ? (long)value : 0;
}

static void report_cards(struct audit *a, const struct claim *c, const char *text, long cards)
{
    struct check_result *r = audit_judge(
        a, cards == c->cards, c, "the calculation '%s' uses %ld cards, and the row has %ld cards",
        text, cards, c->cards);
    audit_expect(r, arena_printf(a->arena, "%ld", cards), arena_printf(a->arena, "%ld", c->cards));
}

/* "17.23 * 2048 / 8 = 4410 tokens/s" is per card, "66.27 * 8 GB" is of all. */
static void check_expression_cards(struct audit *a, const struct claim *c)
{
    const char *rate = claim_cell(c, "throughput"), *memory = claim_cell(c, "memory_total");
    struct figure f = *claim_figure(c, "throughput");
    if (!c->cards)
        return;
    if (f.kind == FIGURE_EXPRESSION && f.stated) {
        const char *left = arena_strndup(a->arena, rate, strcspn(rate, "="));
        long cards = number_behind(left, '/');
        if (cards)
            report_cards(a, c, rate, cards);
    }
    f = *claim_figure(c, "memory_total");
    if (f.kind == FIGURE_EXPRESSION && !f.stated && f.units >= 1)
        report_cards(a, c, memory, lround(f.units));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the calculation '%s' uses %ld cards, and the row has %ld cards",
     .zh = "算式“{1}”按 {2} 张卡计算；表格行有 {3} 张卡"},
    {NULL, NULL},
};

const struct rule rule_fp2023 = {
    .id = "FP2023",
    .kind = "sums",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .claim = check_expression_cards,
    .title = {.en = "Number of cards in calculations", .zh = "算式中的卡数"},
    .statement = {.en = "If a calculation in a table cell multiplies or divides by a number of "
                        "cards, this number must be the number of cards of the row.",
                  .zh = "表格单元格的算式乘以或除以卡数时，算式中的卡数必须等于所在表格行的卡数。"},
    .why = {.en = "The calculation '1600 / 8' gives a throughput per card only if its table row has "
                  "eight cards.",
            .zh = "只有表格行有八张卡时，算式“1600 / 8”的结果才是每卡吞吐量。"},
    .how = {.en = "In a calculation of a rate, the last divisor must equal the number of cards of "
                  "the table row. In a calculation of memory, the number of summands must equal the "
                  "number of cards of the row.",
            .zh = "吞吐量单元格的算式中，最后一个除数必须等于所在表格行的卡数。显存单元格的算式中，"
                  "加数的个数必须等于所在表格行的卡数。"},
    .fix = {.en = "Correct the calculation, or correct the number of cards in the configuration.",
            .zh = "改正算式，或改正表格行配置中的卡数。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "1440 / 8 = 180",
                .changed = "2880 / 16 = 180"},
};
/* clang-format on */
