#include "verifier/claims/rule.h"

static void check_config_words(struct audit *a, const struct claim *c)
{
    const struct configuration *f = &c->config;
    const char *text = c->cells->n_cells ? c->cells->cells[0].text : "";
    bool unread = !f->cards && strstr(text, "机") && strstr(text, "卡");
    if (f->by && (unread || strstr(text, "卡卡"))) {
        struct check_result *r = audit_fail(a, c,
                                            "the words of the configuration '%s' are misspelled or "
                                            "do not state the numbers of nodes and cards",
                                            text);
        r->severity = SEVERITY_NOTICE;
        audit_expect(r, text, arena_printf(a->arena, "%ld机%ld卡", f->by, f->of));
        return;
    }
    if (strstr(text, "（0x") || strstr(text, "(0x") || strstr(text, "x0）") ||
        strstr(text, "x0)")) {
        audit_fail(a, c, "the configuration '%s' states zero nodes or zero cards", text);
        return;
    }
    if (!c->has_config || !f->by || !(f->nodes || f->cards)) {
        audit_cannot(a, c,
                     "the configuration does not state its nodes and cards twice, in words and in "
                     "brackets (nodes x cards)");
        return;
    }
    bool nodes = f->nodes == 0 || f->nodes == f->by;
    /* 两机8卡 counts per node on most pages, 两机16卡 all of them on some: both are in use. */
    bool cards = f->cards == 0 || f->cards == f->of || f->cards == f->by * f->of;
    if (nodes && cards) {
        audit_pass(a, c, "the nodes and cards in words agree with the brackets (%ldx%ld)", f->by,
                   f->of);
        return;
    }
    struct check_result *r = audit_fail(
        a, c,
        "the words of the configuration state %ld %s with %ld %s, but its brackets state (%ldx%ld)",
        f->nodes, f->nodes == 1 ? "node" : "nodes", f->cards, f->cards == 1 ? "card" : "cards",
        f->by, f->of);
    audit_expect(r, c->cells->cells[0].text, arena_printf(a->arena, "%ld机%ld卡", f->by, f->of));
}

/* "单机8卡" in front of config_A100x1x8. */
static void older_check_words(struct audit *a, const struct older_table *t,
                              const struct older_row *row)
{
    const char *words = older_cell(t, row, OLDER_RESOURCES);
    const char *file = older_cell(t, row, OLDER_CONFIG);
    struct configuration c;
    struct config_name name;
    if (!configuration_parse(words, a->arena, &c) || !c.nodes || !c.cards ||
        !config_name_parse(file, a->arena, &name))
        return;
    bool ok =
        c.nodes == name.nodes && (c.cards == name.cards || c.cards == name.nodes * name.cards);
    audit_expect(
        audit_judge_at(a, ok, row->line,
                       "the words of the configuration state %s; the configuration file is for %s",
                       words, file),
        words, file);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the words of the configuration '%s' are misspelled or do not state the numbers of nodes "
           "and cards",
     .zh = "表格行的配置“{1}”写法不对，或没有用文字写明机器数和卡数"},
    {.en = "the configuration '%s' states zero nodes or zero cards",
     .zh = "配置“{1}”所写的机器数或卡数为零"},
    {.en = "the configuration does not state its nodes and cards twice, in words and in brackets "
           "(nodes x cards)",
     .zh = "配置没有把机器数和卡数写两遍：一遍用文字写，一遍在括号中写作“（机×卡）”"},
    {.en = "the nodes and cards in words agree with the brackets (%ldx%ld)",
     .zh = "配置的文字所写的机器数和卡数，与括号中的（{1}x{2}）一致"},
    {.en = "the words of the configuration state %ld %s with %ld %s, but its brackets state "
           "(%ldx%ld)",
     .zh = "配置的文字写的是 {1} {2:said}、每台 {3} {4:said}，但配置的括号中写的是（{5}x{6}）"},
    {.en = "node",
     .zh = "台机器"},
    {.en = "nodes",
     .zh = "台机器"},
    {.en = "card",
     .zh = "张卡"},
    {.en = "cards",
     .zh = "张卡"},
    {.en = "the words of the configuration state %s; the configuration file is for %s",
     .zh = "配置的文字写的是 {1}；配置文件写的是 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp2006 = {
    .id = "FP2006",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .claim = check_config_words,
    .older = older_check_words,
    .title = {.en = "Nodes and cards written twice", .zh = "配置中写了两遍的机器数与卡数"},
    .statement = {.en = "If a configuration states its numbers of nodes and cards twice, in words "
                        "and in brackets (1x8), the two must agree.",
                  .zh = "如果表格行的配置把机器数和卡数写了两遍（一遍用文字，一遍在括号中写作 1x8）"
                        "，文字与括号必须一致。"},
    .why = {.en = "Some readers take the number of cards from the words of a configuration, other "
                  "readers take it from the brackets. If the words and the brackets differ, some "
                  "readers compute the throughput per card with the wrong number of cards.",
            .zh = "有的读者从配置的文字得知卡数，有的读者从配置的括号得知卡数。配置的文字与括号不一"
                  "致时，一部分读者会用错误的卡数计算单卡吞吐量。"},
    .how = {.en = "In the configuration '单机8卡(1x8)', the rule compares the words (one node, 8 "
                  "cards) with the brackets (1 node x 8 cards). The words and the brackets must "
                  "state the same number of nodes, and the number of cards in the words must be "
                  "the number per node or the total number.",
            .zh = "对“单机8卡(1x8)”这样的配置，把文字（一台机器、8 张卡）与括号（1 台机器 × 8 张卡"
                  "）比较。配置的文字与括号所写的机器数必须相同。配置的文字所写的卡数，必须等于每台"
                  "机器的卡数或总卡数。"},
    .fix = {.en = "Correct the words or the brackets of the configuration, so that they state the "
                  "same numbers of nodes and cards.",
            .zh = "改正配置的文字或括号，使文字与括号所写的机器数和卡数一致。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "A100单机8卡（1x8）",
                .changed = "A100单机8卡（1x1）"},
};
/* clang-format on */
