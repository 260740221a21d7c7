#include "verifier/checks/plan/degrees.h"
#include "verifier/claims/plan_words.h"
#include "verifier/claims/rule.h"

/* Sizes in words, or a plan among other words. Without TP or PP what else shares the ranks (SP of
 * Ulysses) is not known. */
static bool names_sizes(const struct audit *a, const char *text, struct plan *plan)
{
    return plan_words_find(text, a->arena, plan) ||
           (plan_find(text, a->arena, plan) && (plan->tensor || plan->pipeline));
}

/* Sizes in words, in the column of plans or of hyperparameters: what they leave to data
 * parallelism is a whole number of ranks, and the stated one where DP is stated, too. */
static void check_words(struct audit *a, const struct claim *c)
{
    static const char *const columns[] = {"parallel", "hyperparameters"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct plan plan;
        const char *text = claim_cell(c, columns[i]);
        if (!text || !c->cards || !names_sizes(a, text, &plan))
            continue;
        long world = plan_world(&plan), cards = c->cards,
             ranks = cards * degree_ranks_per_card(a, c);
        bool ok = plan.data ? world == cards || world == ranks : ranks % world == 0;
        struct check_result *r =
            ok ? audit_pass(a, c, "the plan '%s' has %ld ranks on %ld cards", text, world, cards)
               : audit_fail(
                     a, c,
                     plan.data
                         ? "the plan '%s' has %ld ranks, but the row has %ld cards"
                         : "the plan '%s' needs a multiple of %ld ranks, but the row has %ld cards",
                     text, world, cards);
        audit_expect(r, text, arena_printf(a->arena, "%ld", cards));
    }
}

/*
 * TP * PP * DP is the number of ranks: one for each card, or as many as the card shows devices.
 * Pages of such cards count either way, so both fit, and the second is worth a notice.
 */
static void check_world_size(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "parallel");
    if (text && degree_is_zero(text)) {
        audit_fail(a, c, "the plan '%s' has a parallel size of 0", text);
        return;
    }
    if (!c->has_plan || !c->cards) {
        check_words(a, c);
        if (c->has_plan)
            audit_cannot(a, c, "the number of cards is not stated");
        return;
    }
    long world = plan_world(&c->plan), ranks = degree_ranks_per_card(a, c);
    struct check_result *r;
    if (world == c->cards)
        r = audit_pass(a, c, "the plan has %ld ranks, one for each card", world);
    else if (world == c->cards * ranks)
        r = audit_fail(a, c, "the plan has %ld ranks for %ld cards: %ld ranks per card", world,
                       c->cards, ranks);
    else
        r = audit_fail(a, c, "the plan %s has %ld ranks, but the row has %ld cards",
                       claim_cell(c, "parallel"), world, c->cards);
    if (world == c->cards * ranks)
        r->severity = SEVERITY_NOTICE;
    r->stated = arena_printf(a->arena, "%s=%ld", claim_cell(c, "parallel"), world);
    r->expected = arena_printf(a->arena, "%ld", c->cards);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the plan '%s' has %ld ranks on %ld cards",
     .zh = "并行方案“{1}”的各并行数之积为 {2}，可以在表格行所写的 {3} 张卡上运行"},
    {.en = "the plan '%s' has %ld ranks, but the row has %ld cards",
     .zh = "并行方案“{1}”需要 {2} 个进程（各并行数之积），但表格行写的是 {3} 张卡"},
    {.en = "the plan '%s' needs a multiple of %ld ranks, but the row has %ld cards",
     .zh = "并行方案“{1}”需要的进程数是 {2} 的倍数，但表格行写的是 {3} 张卡"},
    {.en = "the plan '%s' has a parallel size of 0",
     .zh = "并行方案“{1}”中有一个并行数为 0"},
    {.en = "the number of cards is not stated",
     .zh = "表格行没有写明卡数"},
    {.en = "the plan has %ld ranks, one for each card",
     .zh = "并行方案需要 {1} 个进程，每张卡运行一个进程"},
    {.en = "the plan has %ld ranks for %ld cards: %ld ranks per card",
     .zh = "并行方案需要 {1} 个进程，表格行写的是 {2} 张卡：每张卡运行 {3} 个进程"},
    {.en = "the plan %s has %ld ranks, but the row has %ld cards",
     .zh = "并行方案 {1} 需要 {2} 个进程（各并行数之积），但表格行写的是 {3} 张卡"},
    {NULL, NULL},
};

const struct rule rule_fp2005 = {
    .id = "FP2005",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .claim = check_world_size,
    .title = {.en = "Number of processes and cards", .zh = "进程数与卡数"},
    .statement = {.en = "TP * PP * DP must equal the number of cards. If one card appears as "
                        "several devices, TP * PP * DP must equal the number of devices.",
                  .zh = "并行方案的 TP × PP × DP 必须等于该表格行写的卡数。一张卡在系统中显示为多个"
                        "设备时，TP × PP × DP 必须等于设备数。"},
    .why = {.en = "A parallel plan that needs more or fewer cards than the table row states cannot "
                  "have run on the stated cards.",
            .zh = "并行方案所需的卡数与表格行所写的卡数不同，说明这个并行方案不可能在所写的卡上运行"
                  "过。"},
    .how = {.en = "The rule compares TP * PP * DP (times CP, if stated) with the number of cards in "
                  "the configuration. If one card appears as several devices, TP * PP * DP is "
                  "compared with the number of devices.",
            .zh = "把 TP * PP * DP（写有 CP 时再乘以 CP）与表格行配置中的卡数比较。一张卡在系统中显"
                  "示为多个设备时，把 TP * PP * DP 与设备数比较。"},
    .fix = {.en = "Correct the parallel plan, or correct the number of cards in the configuration.",
            .zh = "改正并行方案，或改正表格行配置中的卡数。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "TP2PP1DP4 | GAS",
                .changed = "TP2PP2DP4 | GAS"},
};
/* clang-format on */
