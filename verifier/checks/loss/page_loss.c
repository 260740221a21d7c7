#include "verifier/claims/rule.h"

#include <stdlib.h>

#define LOSS_FACTOR 3

/* A claim that states a loss. Sorted, those that are compared lie together, the least first. */
struct stated_loss {
    const struct claim *claim;
    const char *stage; /* folded; "": none */
    double loss;
};

/* The losses of the other rows of a claim's table and stage. */
struct losses {
    double least, most;
    size_t n;
    const struct claim *other; /* where it is one */
};

static int by_kind(const struct stated_loss *x, const struct stated_loss *y)
{
    int tables = x->claim->table - y->claim->table;
    return tables ? tables : strcmp(x->stage, y->stage);
}

static int by_kind_and_loss(const void *a, const void *b)
{
    const struct stated_loss *x = a, *y = b;
    int order = by_kind(x, y);
    order = order ? order : (x->loss > y->loss) - (x->loss < y->loss);
    return order ? order : (x->claim > y->claim) - (x->claim < y->claim);
}

static struct stated_loss *read_losses(const struct audit *a, size_t *n)
{
    struct stated_loss *all = arena_array(a->arena, a->n_claims, sizeof *all);
    *n = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        const struct figure *f = claim_figure(c, "loss");
        if (f->kind == FIGURE_NUMBER && f->value > 0)
            all[(*n)++] = (struct stated_loss){
                c, text_fold(a->arena, c->config.stage ? c->config.stage : ""), f->value};
    }
    if (*n)
        qsort(all, *n, sizeof *all, by_kind_and_loss);
    return all;
}

/* The others of one kind, for each of its n rows, to the place of its claim. */
static void note_others(const struct audit *a, const struct stated_loss *kind, size_t n,
                        struct losses *others)
{
    for (size_t i = 0; n > 1 && i < n; i++)
        others[kind[i].claim - a->claims] =
            (struct losses){.least = kind[i == 0].loss,
                            .most = kind[i == n - 1 ? n - 2 : n - 1].loss,
                            .n = n - 1,
                            .other = kind[i == 0].claim};
}

static void compare_page_loss(struct audit *a, const struct claim *c, const struct losses *others)
{
    double own = claim_figure(c, "loss")->value;
    bool below = own * LOSS_FACTOR<others->least, above = own> LOSS_FACTOR * others->most;
    if (!others->n || (others->n == 1 && c < others->other) || (!below && !above))
        return;
    const char *range =
        others->least < others->most
            ? sentence_say(a->arena, "%s to %s", audit_number(a->arena, others->least),
                           audit_number(a->arena, others->most))
            : audit_number(a->arena, others->least);
    struct check_result *r =
        others->n == 1 ? audit_fail(a, c,
                                    "this row has a loss of %s, but another row has %s (row "
                                    "%d): one of the two losses is probably wrong",
                                    claim_cell(c, "loss"), range, others->other->row)
                       : audit_fail(a, c, "the loss is %s, but the other rows of the table have %s",
                                    claim_cell(c, "loss"), range);
    audit_expect(r, claim_cell(c, "loss"), range);
}

/* Rows of one table and stage end at about the same loss. Of two rows that differ the second is
 * named; which of them is wrong nobody can tell. */
static void check_page_loss(struct audit *a)
{
    size_t n;
    const struct stated_loss *all = read_losses(a, &n);
    struct losses *others = arena_array(a->arena, a->n_claims, sizeof *others);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && by_kind(&all[from], &all[to]) == 0; to++)
            continue;
        note_others(a, &all[from], to - from, others);
    }
    for (size_t i = 0; i < a->n_claims; i++)
        compare_page_loss(a, &a->claims[i], &others[i]);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s to %s",
     .zh = "{1} 至 {2}"},
    {.en = "this row has a loss of %s, but another row has %s (row %d): one of the two losses is "
           "probably wrong",
     .zh = "表格这一行的损失为 {1}，而同一张表第 {3} 行的损失为 {2}：这两个损失中可能有一个是错的"},
    {.en = "the loss is %s, but the other rows of the table have %s",
     .zh = "表格这一行的损失为 {1}，而同一张表其他各行的损失为 {2:said}"},
    {NULL, NULL},
};

const struct rule rule_fp2024 = {
    .id = "FP2024",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .page = check_page_loss,
    .title = {.en = "Losses of one table compared with each other",
              .zh = "同一张表各行的损失相互比较"},
    .statement = {.en = "Compared with the other losses of the same table and training stage, a "
                        "loss must be at least a third of the smallest and at most three times the "
                        "largest.",
                  .zh = "表格中的任何一个损失，都不得小于同一张表、同一训练阶段其他损失的最小值的三"
                        "分之一，也不得大于其他损失的最大值的三倍。"},
    .why = {.en = "All rows of one case train the same model on the same data, so their losses are "
                  "similar. A loss far from all others belongs to another run, or has a digit too "
                  "many or too few.",
            .zh = "同一用例的所有表格行用相同的数据训练同一模型，因此各行的损失相近。如果一行的损失"
                  "与其他各行相差很大，那么这个损失不是来自另一次运行，就是多写或少写了一位数字。"},
    .how = {.en = "The rule compares the loss of each row with the losses of the other rows of the "
                  "same table and training stage. A loss is reported if it is below a third of all "
                  "other losses, or above three times all other losses. If the table has only two "
                  "rows and their losses do not agree, the second row is reported.",
            .zh = "把每一行的损失与同一张表、同一训练阶段其他各行的损失比较。表格一行的损失小于其他"
                  "各行的最小损失的三分之一，或大于其他各行的最大损失的三倍时，这一行检查不通过。如"
                  "果表格只有两行，且两行的损失相差三倍以上，则第二行检查不通过。"},
    .fix = {.en = "Look up the correct loss in the training log, and correct the table cell.",
            .zh = "在训练日志中查出正确的损失，并改正表格的单元格。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 8*400=3200 | 1.95 |",
                .changed = "| 8*400=3200 | 0.195 |"},
};
/* clang-format on */
