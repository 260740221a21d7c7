#include "verifier/checks/plan/degrees.h"
#include "verifier/claims/rule.h"

static const struct name_part {
    const char *in_name, *in_strategy;
    long otherwise;
} name_parts[] = {
    {"tp", DEGREE_TENSOR, 1},
    {"pp", DEGREE_PIPELINE, 1},
    {"sp", "sharding_degree=", 0},
    {"sh", "sharding=\"stage", 0},
};

/* "…A10080Gx1x8": the two digits in front of "Gx"; 0 when there are none. */
static double name_memory(const char *folded)
{
    const char *g = strstr(folded, "gx");
    if (!g || g - folded < 2 || !strchr("123456789", g[-2]) || !strchr("0123456789", g[-1]))
        return 0;
    return (g[-2] - '0') * 10 + (g[-1] - '0');
}

static void compare_name_memory(struct audit *a, const struct claim *c, const char *name)
{
    double memory = name_memory(text_fold(a->arena, name));
    if (memory == 0 || isnan(c->config.card_memory))
        return;
    const char *expected =
        arena_printf(a->arena, "%sG", audit_number(a->arena, c->config.card_memory));
    struct check_result *r =
        audit_judge(a, memory == c->config.card_memory, c,
                    "the configuration %s is for cards with %gG, and the cards of the row have %s",
                    name, memory, expected);
    audit_expect(r, name, expected);
}

/* "config_A100x1x8" names the size of its row, in cards or in devices. */
static void compare_name_size(struct audit *a, const struct claim *c, const char *name)
{
    struct config_name size;
    const struct configuration *f = &c->config;
    if (!f->by || !config_name_parse(name, a->arena, &size))
        return;
    bool fits = f->by == size.nodes &&
                (f->of == size.cards || f->of * degree_ranks_per_card(a, c) == size.cards);
    struct check_result *r = audit_judge(
        a, fits, c, "the configuration %s is for %ldx%ld (nodes x cards), and the row has %ldx%ld",
        name, size.nodes, size.cards, f->by, f->of);
    r->severity = SEVERITY_WARNING;
    audit_expect(r, name, arena_printf(a->arena, "%ldx%ld", f->by, f->of));
}

/* "config_TP2PP1SH2SP4…" names sizes that the strategy states again, and the card's memory. */
static void check_config_name(struct audit *a, const struct claim *c)
{
    const char *name = claim_cell(c, "config_name"), *strategy = claim_cell(c, "strategy");
    if (!name || !text_starts(name, "config_"))
        return;
    compare_name_size(a, c, name);
    if (!strategy)
        return;
    const char *n = text_fold(a->arena, name), *s = text_fold(a->arena, strategy);
    for (size_t i = 0; i < sizeof name_parts / sizeof name_parts[0]; i++) {
        const struct name_part *p = &name_parts[i];
        long named = degree_after(n, p->in_name, 0),
             other = degree_after(s, p->in_strategy, p->otherwise);
        if (!named || !other)
            continue;
        const char *size = arena_printf(a->arena, "%s%ld", p->in_name, named);
        struct check_result *r =
            audit_judge(a, named == other, c,
                        "the configuration %s states %s, and the parallel strategy states %ld",
                        name, size, other);
        audit_expect(r, name, arena_printf(a->arena, "%s%ld", p->in_name, other));
    }
    compare_name_memory(a, c, name);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the configuration %s is for cards with %gG, and the cards of the row have %s",
     .zh = "配置名 {1} 表示卡的显存为 {2}G；表格行的卡显存为 {3}"},
    {.en = "the configuration %s is for %ldx%ld (nodes x cards), and the row has %ldx%ld",
     .zh = "配置名 {1} 表示规模为 {2}x{3}（机器数×卡数）；表格行的规模为 {4}x{5}"},
    {.en = "the configuration %s states %s, and the parallel strategy states %ld",
     .zh = "配置名 {1} 写的是 {2}；并行策略写的是 {3}"},
    {NULL, NULL},
};

const struct rule rule_fp3007 = {
    .id = "FP3007",
    .kind = "settings",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .claim = check_config_name,
    .title = {.en = "Settings in the name of a configuration", .zh = "配置名中的并行数与显存"},
    .statement = {.en = "The parallel sizes and the card memory in the name of a configuration must "
                        "agree with the table row of this configuration.",
                  .zh = "配置名中的各并行数与卡显存，必须与使用这个配置的表格行一致。"},
    .why = {.en = "Readers take the name of a configuration as a summary of its settings.",
            .zh = "读者从配置名（例如 config_TP1PP1SH2…）了解该配置的并行方式与卡显存。"},
    .how = {.en = "From a name like 'config_TP1PP1SH2…', the rule reads TP, PP, the sharding "
                  "stage, the sharding degree and the card memory. The rule compares the values in "
                  "the name of the configuration with the parallel strategy and the card of the "
                  "table row.",
            .zh = "从“config_TP1PP1SH2…”这样的配置名中，读出 TP、PP、分片阶段、分片数与卡显存，再与"
                  "表格行的并行策略和加速卡比较。"},
    .fix = {.en = "Correct the name of the configuration or the parallel strategy, whichever is "
                  "wrong.",
            .zh = "配置名或并行策略，哪一处写错，就改正哪一处。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "sharding=\"stage2\"",
                .changed = "sharding=\"stage3\""},
};
/* clang-format on */
