#include "verifier/checks/plan/degrees.h"
#include "verifier/claims/rule.h"

/* The plan that a strategy bullet names must fit at least one row; `sizes` are those of all. */
static void compare_strategy(struct audit *a, const struct item *item, const char *sizes)
{
    struct plan plan = {0, 0, 0, 0, 0};
    if (degree_is_zero(item->value)) {
        audit_fail_at(a, item->line, "the parallel strategy '%s' has a parallel size of 0",
                      item->value);
        return;
    }
    if (!plan_find(item->value, a->arena, &plan))
        plan.data = degree_after(text_fold(a->arena, item->value), "dp_size=", 0);
    if (!plan.data && !plan.tensor && !plan.pipeline)
        return;
    long world = plan_world(&plan), cards = 0, by_ranks = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        cards = c->cards == world ? world : cards;
        by_ranks = c->cards * degree_ranks_per_card(a, c) == world ? world : by_ranks;
    }
    if (!*sizes)
        return;
    struct check_result *r = audit_judge_at(
        a, cards, item->line, "the parallel strategy %s has %ld ranks; the rows have %s cards",
        item->value, world, sizes);
    r->severity = by_ranks && !cards ? SEVERITY_NOTICE : r->severity;
    audit_expect(r, arena_printf(a->arena, "%s=%ld", item->value, world), sizes);
}

static void check_strategy(struct audit *a)
{
    /* Numbers of cards that rows have, each once: "8, 16". */
    const char **sizes = arena_array(a->arena, a->n_claims, sizeof *sizes);
    for (size_t i = 0; i < a->n_claims; i++)
        if (a->claims[i].cards)
            sizes[i] = arena_printf(a->arena, "%ld", a->claims[i].cards);
    const char *list = text_list(a->arena, sizes, a->n_claims);
    for (size_t i = 0; i < a->n_items; i++)
        if (a->items[i].key && strcmp(a->items[i].key, "details") == 0)
            compare_strategy(a, a->items[i].item, list);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the parallel strategy '%s' has a parallel size of 0",
     .zh = "并行策略“{1}”中有一个并行数为 0"},
    {.en = "the parallel strategy %s has %ld ranks; the rows have %s cards",
     .zh = "并行策略 {1} 需要 {2} 个进程；表格各行的卡数为 {3}"},
    {NULL, NULL},
};

const struct rule rule_fp3006 = {
    .id = "FP3006",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_strategy,
    .title = {.en = "Parallel strategy and number of cards", .zh = "并行策略与卡数"},
    .statement = {.en = "The parallel strategy that a page states must fit the number of cards of "
                        "at least one table row.",
                  .zh = "页面所写的并行策略，必须与表格中至少一行的卡数相符。"},
    .why = {.en = "If a parallel strategy does not fit the number of cards of any table row, no run "
                  "on the page used this strategy.",
            .zh = "并行策略与表格任何一行的卡数都不相符，说明页面上没有一次运行使用这个并行策略。"},
    .how = {.en = "The rule multiplies all parallel sizes of the strategy (实施细节, "
                  "implementation details) with each other. The product of all parallel sizes must "
                  "equal the number of cards of one table row.",
            .zh = "把并行策略（页面的“实施细节”）中的各并行数相乘，乘积必须等于表格某一行的卡数。"},
    .fix = {.en = "State the parallel plan of each table row in the column `parallel`.",
            .zh = "在表格的 `parallel` 列中，写明每一行的并行方案。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "实施细节：TP2PP1DP4",
                .changed = "实施细节：TP4PP4DP4"},
};
/* clang-format on */
