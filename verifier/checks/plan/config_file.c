#include "verifier/checks/plan/degrees.h"
#include "verifier/claims/rule.h"

/* Sizes of rows. */
struct shapes {
    const char *list;             /* as nodes and cards, each once: "1x8, 2x8" */
    struct lookup cards, devices; /* the same, and as nodes and devices */
};

static void read_shapes(const struct audit *a, struct shapes *out)
{
    const size_t n = a->n_claims;
    const char **cards = arena_array(a->arena, n, sizeof *cards);
    const char **devices = arena_array(a->arena, n, sizeof *devices);
    for (size_t i = 0; i < n; i++) {
        const struct configuration *f = &a->claims[i].config;
        if (!f->by)
            continue;
        cards[i] = arena_printf(a->arena, "%ldx%ld", f->by, f->of);
        devices[i] = arena_printf(a->arena, "%ldx%ld", f->by,
                                  f->of * degree_ranks_per_card(a, &a->claims[i]));
    }
    *out = (struct shapes){.list = text_list(a->arena, cards, n),
                           .cards = lookup_of(cards, n, sizeof *cards, 0, a->arena),
                           .devices = lookup_of(devices, n, sizeof *devices, 0, a->arena)};
}

/* "config_A100x1x8.py" against the rows' (a x b). Cards that show several devices count those. */
static void check_config_file(struct audit *a)
{
    struct shapes shapes;
    read_shapes(a, &shapes);
    const struct lookup files = audit_batch_files(a);
    for (size_t i = 0; i < files.n && *shapes.list; i++) {
        const struct batch_item *item = &a->result->batch[i];
        struct config_name name;
        if (!config_name_parse(item->file, a->arena, &name) || lookup_find(&files, item->file) != i)
            continue;
        const char *shape = arena_printf(a->arena, "%ldx%ld", name.nodes, name.cards);
        bool fits = lookup_find(&shapes.cards, shape) != LOOKUP_NONE;
        bool by_ranks = lookup_find(&shapes.devices, shape) != LOOKUP_NONE;
        struct check_result *r =
            audit_judge_at(a, fits, item->line,
                           "the batch sizes come from %s, and the rows are for %s (nodes x cards)",
                           item->file, shapes.list);
        r->severity = by_ranks && !fits ? SEVERITY_NOTICE : r->severity;
        audit_expect(r, item->file, shapes.list);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the batch sizes come from %s, and the rows are for %s (nodes x cards)",
     .zh = "批大小取自配置文件 {1}；表格各行的规模（机器数×卡数）为 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp3005 = {
    .id = "FP3005",
    .kind = "settings",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_config_file,
    .title = {.en = "Nodes and cards in the file name", .zh = "配置文件名中的机器数与卡数"},
    .statement = {.en = "If a page names a configuration file for its batch sizes, a table row must "
                        "have the numbers of nodes and cards in that file name.",
                  .zh = "页面写明批大小取自哪个配置文件时，配置文件名中的机器数与卡数，必须与表格某"
                        "一行的机器数与卡数相同。"},
    .why = {.en = "If the batch sizes of a page come from the configuration file for another "
                  "number of cards, these batch sizes belong to another run.",
            .zh = "批大小取自其他卡数的配置文件时，这些批大小属于另一次运行。"},
    .how = {.en = "The rule reads the numbers of nodes and cards from the file name (1x8 in "
                  "config_A100x1x8), and looks for a table row with the same numbers.",
            .zh = "从配置文件名读出机器数与卡数（例如 config_A100x1x8 中的 1x8），再在表格中查找机"
                  "器数与卡数都相同的行。"},
    .fix = {.en = "Name the configuration file that the run used.",
            .zh = "在页面上写明运行实际使用的配置文件。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "config_A100x1x8.py",
                .changed = "config_A100x4x8.py"},
};
/* clang-format on */
