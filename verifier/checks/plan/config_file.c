#include "base/text.h"
#include "verifier/checks/plan/degrees.h"
#include "verifier/claims/rule.h"

/* Sizes of rows. */
struct shapes {
    const char *list;             /* as nodes and cards, each once: "1x8, 2x8" */
    struct lookup cards, devices; /* the same, and as nodes and devices */
};

static const char *config_shape_text(struct arena *arena, long nodes, long each)
{
    return arena_printf(arena, "%ldx%ld", nodes, each);
}

static void read_shapes(const struct audit *a, struct shapes *out)
{
    const size_t n = a->n_claims;
    const char **cards = arena_array(a->arena, n, sizeof *cards);
    const char **devices = arena_array(a->arena, n, sizeof *devices);
    for (size_t i = 0; i < n; i++) {
        const struct configuration *f = &a->claims[i].config;
        if (!f->by)
            continue;
        cards[i] = config_shape_text(a->arena, f->by, f->of);
        devices[i] =
            config_shape_text(a->arena, f->by, f->of * degree_ranks_per_card(a, &a->claims[i]));
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
        const char *shape = config_shape_text(a->arena, name.nodes, name.cards);
        bool fits = lookup_find(&shapes.cards, shape) != LOOKUP_NONE;
        bool by_ranks = lookup_find(&shapes.devices, shape) != LOOKUP_NONE;
        struct check_result *r =
            audit_report(a, fits ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                         "the batch sizes come from %s, and the rows have the sizes %s", item->file,
                         shapes.list);
        r->severity = by_ranks && !fits ? SEVERITY_NOTICE : r->severity;
        r->stated = item->file;
        r->expected = shapes.list;
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the batch sizes come from %s, and the rows have the sizes %s",
     .zh = "批大小取自 {1}，各行的规模为 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp3005 = {
    .id = "FP3005",
    .kind = "settings",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_config_file,
    .title = {.en = "Size of the configuration file", .zh = "配置文件的规模"},
    .statement = {.en = "The configuration file that a page names for its batch sizes must be for "
                        "a size (nodes x cards) that a row has.",
                  .zh = "用例页所写的批大小配置文件，其规模（机×卡）必须与表中某一行相同。"},
    .why = {.en = "Batch sizes from the configuration file for another size belong to another run.",
            .zh = "取自其他规模配置文件的批大小，属于另一次运行。"},
    .how = {.en = "The size in the file name (config_A100x1x8) is looked up among the rows.",
            .zh = "在各行中查找文件名中的规模（config_A100x1x8）。"},
    .fix = {.en = "Name the configuration file that was used.",
            .zh = "写明所用的配置文件。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "config_A100x1x8.py",
                .changed = "config_A100x4x8.py"},
};
/* clang-format on */
