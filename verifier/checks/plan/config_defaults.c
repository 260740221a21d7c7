#include "verifier/claims/rule.h"
#include "verifier/proofs/checkout.h"

/* The file that an item names, else the only one of that size, else the only one of the rows'. */
static const char *file_meant(const struct audit *a, const struct checkout *c,
                              const struct batch_item *item)
{
    struct config_name name;
    const char *hit = NULL;
    if (item->file && checkout_has(c, item->file, a->arena))
        return item->file;
    if (config_name_parse(item->file, a->arena, &name))
        hit = checkout_of_size(c, name.nodes, name.cards, 1, a->arena);
    for (size_t i = 0; i < a->n_claims && !hit; i++) {
        const struct configuration *f = &a->claims[i].config;
        const struct accelerator *card = audit_accelerator(a);
        long ranks = card && card->ranks_per_card > 1 ? (long)card->ranks_per_card : 1;
        hit = checkout_of_size(c, f->by, f->of, ranks, a->arena);
    }
    return hit;
}

/* A default that the page gives for all stages and experiments. */
static double page_default(const struct audit *a, const struct batch_item *item)
{
    struct figure f;
    for (size_t i = 0; i < item->n_values && i < AUDIT_BATCH_VALUES_MAX; i++) {
        if (item->values[i].when)
            continue;
        figure_parse(item->values[i].value, a->arena, &f);
        return f.kind == FIGURE_NUMBER ? f.value : NAN;
    }
    return NAN;
}

static void check_defaults(struct audit *a)
{
    struct checkout c;
    if (!checkout_open(a, &c))
        return;
    for (size_t i = 0; i < a->result->n_batch && i < AUDIT_BATCH_VALUES_MAX; i++) {
        const struct batch_item *item = &a->result->batch[i];
        double stated = page_default(a, item);
        const char *file = file_meant(a, &c, item), *name = "";
        if (!item->symbol || isnan(stated) || !file)
            continue;
        double value = checkout_value(&c, file, item->symbol, &name);
        if (isnan(value)) {
            audit_cannot(a, NULL, "%s does not set %s to a number", file, item->symbol);
            continue;
        }
        struct check_result *r = audit_judge_at(
            a, value == stated, item->line,
            "by the page, the default of %s is %s, and %s sets %s = %s", item->symbol,
            audit_number(a->arena, stated), file, name, audit_number(a->arena, value));
        r->stated = arena_printf(a->arena, "%s=%s", item->symbol, audit_number(a->arena, stated));
        r->expected =
            arena_printf(a->arena, "%s: %s = %s", file, name, audit_number(a->arena, value));
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s does not set %s to a number",
     .zh = "配置文件 {1} 没有把 {2} 设为数字"},
    {.en = "by the page, the default of %s is %s, and %s sets %s = %s",
     .zh = "页面填报 {1} 的默认值为 {2}，配置文件 {3} 中 {4} = {5}"},
    {NULL, NULL},
};

const struct rule rule_fp3011 = {
    .id = "FP3011",
    .kind = "settings",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .page = check_defaults,
    .title = {.en = "Default batch sizes of the page", .zh = "页面所写的默认批大小"},
    .statement = {.en = "A batch size that a page calls the default must equal the batch size in "
                        "the configuration file of the case.",
                  .zh = "页面所写的默认批大小，必须与用例的配置文件中的批大小相同。"},
    .why = {.en = "If the page and the configuration file state different default batch sizes, one "
                  "of them was not used for the run.",
            .zh = "页面与配置文件所写的默认批大小不同，说明其中一个不是运行所用的批大小。"},
    .how = {.en = "This rule needs a checkout of the FlagPerf repository. The rule compares the "
                  "batch sizes of the page with the simple assignments in the configuration file "
                  "that the page names. If the named configuration file does not exist, the rule "
                  "uses the configuration file for the same numbers of nodes and cards, if only "
                  "one such file exists. The rule reads configuration files as text and never "
                  "executes them.",
            .zh = "这条规则需要 FlagPerf 仓库的检出目录。把页面所写的默认批大小，与页面指定的配置文"
                  "件中的赋值语句比较。如果页面指定的配置文件不存在，而机器数与卡数都相符的配置文件"
                  "只有一个，就与这个配置文件比较。fpreport 只把配置文件当作文本读取，从不执行。"},
    .fix = {.en = "Correct the default batch size on the page or in the configuration file.",
            .zh = "改正页面或配置文件中的默认批大小。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "默认为2",
                .changed = "默认为4"},
};
/* clang-format on */
