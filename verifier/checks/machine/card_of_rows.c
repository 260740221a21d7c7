#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/alike.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

/* The last claim of those from `i` on that name one card, follow each other and are of one table.
 */
static size_t end_of_range(const struct audit *a, const size_t *cards, size_t i)
{
    while (i + 1 < a->n_claims && cards[i + 1] == cards[i] &&
           a->claims[i + 1].table == a->claims[i].table)
        i++;
    return i;
}

/* "1.1, 2.1–2.6": the rows whose configuration names this card, from claim `from` on. */
static const char *rows_naming(const struct audit *a, const size_t *cards, size_t from)
{
    const char *rows = "";
    for (size_t i = from; i < a->n_claims; i++) {
        if (cards[i] != cards[from])
            continue;
        const struct claim *first = &a->claims[i], *last = &a->claims[end_of_range(a, cards, i)];
        rows =
            arena_printf(a->arena, "%s%s%d.%d", rows, *rows ? ", " : "", first->table, first->row);
        if (last != first)
            rows = arena_printf(a->arena, "%s%s%d.%d", rows, last == first + 1 ? ", " : "–",
                                last->table, last->row);
        i += (size_t)(last - first);
    }
    return rows;
}

/* Numbers of the cards that rows name, as verifier/claims/alike.h gives them. */
static const size_t *cards_of_rows(const struct audit *a)
{
    const char **names = arena_array(a->arena, a->n_claims, sizeof *names);
    for (size_t i = 0; i < a->n_claims; i++)
        names[i] = a->claims[i].config.accelerator;
    return alike_number(names, a->n_claims, a->arena);
}

static void check_row_card(struct audit *a, const size_t *cards, size_t i)
{
    const struct claim *c = &a->claims[i];
    const char *name = c->config.accelerator, *names = environment_card_names(a);
    const char *rows = rows_naming(a, cards, i),
               *meant = c->accelerator ? NULL : cards_misspelt(a, name);
    struct check_result *r;
    if (meant)
        r = audit_fail(a, c,
                       "'%s' is not a known card; the environment section names '%s' (rows %s)",
                       name, meant, rows);
    else if (cards_in_environment(a, name) == IDENTITY_SAME)
        r = audit_pass(a, c, "'%s' is the card in the environment section (rows %s)", name, rows);
    else if (cards_in_environment(a, name) == IDENTITY_UNKNOWN)
        r = audit_cannot(a, c, "at least one of '%s' and '%s' is not a known card (rows %s)", name,
                         names, rows);
    else
        r = audit_fail(a, c,
                       "the row names '%s', but the environment section states '%s' (rows %s)",
                       name, names, rows);
    audit_expect(r, name, meant ? meant : names);
}

/* One finding for each card that the rows name. */
static void check_accelerator(struct audit *a)
{
    const size_t *cards = cards_of_rows(a);
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        if (!c->has_config || cards[i] != i)
            continue;
        if (!*c->config.accelerator)
            audit_cannot(a, c, "the row does not name its card");
        else if (!a->n_accelerators)
            audit_cannot(a, c, "the environment section does not name the card");
        else
            check_row_card(a, cards, i);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "'%s' is not a known card; the environment section names '%s' (rows %s)",
     .zh = "表格行 {3} 写的“{1}”不是已知的卡型号；环境说明写的是“{2:said}”"},
    {.en = "'%s' is the card in the environment section (rows %s)",
     .zh = "表格行 {2} 写的“{1}”就是环境说明中的卡"},
    {.en = "at least one of '%s' and '%s' is not a known card (rows %s)",
     .zh = "表格行 {3} 写的“{1}”与环境说明写的“{2:said}”，至少有一个不是已知的卡型号"},
    {.en = "the row names '%s', but the environment section states '%s' (rows %s)",
     .zh = "表格行 {3} 写的卡是“{1}”，但环境说明写的卡是“{2:said}”"},
    {.en = "the row does not name its card",
     .zh = "表格行没有写明卡型号"},
    {.en = "the environment section does not name the card",
     .zh = "环境说明没有写明卡型号"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {environment_card_messages, NULL};

const struct rule rule_fp3001 = {
    .id = "FP3001",
    .kind = "environment",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .page = check_accelerator,
    .title = {.en = "Card named in a table row", .zh = "表格行所写的加速卡"},
    .statement = {.en = "The card that a table row names must also be listed in the environment "
                        "section of the page.",
                  .zh = "表格行所写的加速卡，必须在页面的环境说明中列出。"},
    .why = {.en = "If a table row and the environment section name different cards, one of the two "
                  "was copied from another result.",
            .zh = "如果表格行与环境说明所写的加速卡不同，很可能是其中之一从别的结果复制而来。"},
    .how = {.en = "The rule looks up the card that each table row names, and compares it with the "
                  "accelerators in the environment section of the page.",
            .zh = "把表格每一行所写的加速卡，与页面环境说明所列的加速卡比较。"},
    .fix = {.en = "Correct the card in the table row, or add the environment of this row's run to "
                  "the page.",
            .zh = "改正表格行中的卡型号，或在页面中补上这一行所属运行的环境说明。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机单卡（1x1）",
                .changed = "| BI-V150单机单卡（1x1）"},
};
/* clang-format on */
