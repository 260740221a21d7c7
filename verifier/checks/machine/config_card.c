#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

#include <ctype.h>

/* "BI-V" of "BI-V100": the number was lost. */
static bool is_cut_short(const char *name, const char *card, struct arena *arena)
{
    const char *folded = text_fold(arena, name), *at = strstr(text_fold(arena, card), folded);
    return at && !strpbrk(folded, "0123456789") && isdigit((unsigned char)at[strlen(folded)]);
}

/* A name that no record has is one that nobody has, where the environment's card is known and
 * has another: BI-V for BI-V100, 9100 for Ascend 910A. */
static void report_card(struct audit *a, int line, const char *file, const char *name)
{
    const struct accelerator *card = audit_card(a, name);
    enum identity identity = cards_in_environment(a, name);
    bool cut = !card && is_cut_short(name, a->accelerators[0], a->arena);
    bool unknown = cut || (!card && *name && identity != IDENTITY_SAME);
    bool own_known = audit_accelerator(a) || cards_near(a, a->accelerators[0]);
    if (unknown ? !own_known : identity == IDENTITY_UNKNOWN)
        return;
    struct check_result *r = audit_judge_at(
        a, identity == IDENTITY_SAME && !cut, line,
        unknown ? "the configuration %s names no known card; the environment section names '%s'"
                : "the rows use configurations like %s; the environment section states '%s'",
        file, a->accelerators[0]);
    if (card && strcmp(card->vendor, a->result->vendor) == 0)
        r->severity = SEVERITY_NOTICE;
    audit_expect(r, file, a->accelerators[0]);
}

/* One row's configuration file, and the card that it names. */
struct named_card {
    const char *name, *file;
    int line;
};

/* One finding for each card that the configuration files name. */
static void older_check_cards(struct audit *a)
{
    struct named_card *cards = NULL;
    size_t n = 0;
    for (size_t i = 0; i < a->n_older && a->n_accelerators; i++)
        for (size_t k = 0; k < a->older[i].n_rows; k++) {
            const struct older_row *row = &a->older[i].rows[k];
            const char *file = older_cell(&a->older[i], row, OLDER_CONFIG);
            struct config_name name;
            if (!config_name_parse(file, a->arena, &name))
                continue;
            struct named_card *to = ARENA_PUSH(a->arena, cards, n);
            *to = (struct named_card){name.accelerator, file, row->line};
        }
    const struct lookup first =
        lookup_of(cards, n, sizeof *cards, offsetof(struct named_card, name), a->arena);
    for (size_t i = 0; i < n; i++)
        if (lookup_find(&first, cards[i].name) == i)
            report_card(a, cards[i].line, cards[i].file, cards[i].name);
}

/* The configuration file's card; what no record knows may be a name of the vendor's own. One
 * vendor's cards may share a file (A800 and A100), which is only worth a notice. */
static void check_config_card(struct audit *a)
{
    const struct lookup files = audit_batch_files(a);
    for (size_t i = 0; i < files.n; i++) {
        const struct batch_item *item = &a->result->batch[i];
        struct config_name name;
        if (!config_name_parse(item->file, a->arena, &name) || lookup_find(&files, item->file) != i)
            continue;
        const struct accelerator *card = audit_card(a, name.accelerator);
        const char *meant = card ? NULL : cards_misspelt(a, name.accelerator);
        enum identity identity = cards_on_page(a, name.accelerator);
        if (!meant && (!card || identity == IDENTITY_UNKNOWN))
            continue;
        const char *names = environment_card_names(a);
        bool ok = !meant && identity == IDENTITY_SAME;
        struct check_result *r = audit_judge_at(
            a, ok, item->line,
            meant ? "the configuration %s names no known card; the environment section names '%s'"
                  : "the batch sizes come from %s; the environment section states '%s'",
            item->file, meant ? meant : names);
        if (card && strcmp(card->vendor, a->result->vendor) == 0)
            r->severity = SEVERITY_NOTICE;
        audit_expect(r, item->file, names);
    }
    older_check_cards(a);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the configuration %s names no known card; the environment section names '%s'",
     .zh = "配置文件名 {1} 中没有已知的卡型号；环境说明写的卡是“{2}”"},
    {.en = "the rows use configurations like %s; the environment section states '%s'",
     .zh = "表格各行使用 {1} 之类的配置文件；环境说明写的卡是“{2}”"},
    {.en = "the configuration %s names no known card; the environment section names '%s'",
     .zh = "配置文件名 {1} 中没有已知的卡型号；环境说明写的卡是“{2:said}”"},
    {.en = "the batch sizes come from %s; the environment section states '%s'",
     .zh = "批大小取自配置文件 {1}；环境说明写的卡是“{2:said}”"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {environment_card_messages, NULL};

const struct rule rule_fp3008 = {
    .id = "FP3008",
    .kind = "settings",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .needs_records = true,
    .page = check_config_card,
    .title = {.en = "Card in the configuration file name", .zh = "配置文件名中的加速卡"},
    .statement = {.en = "If a page names a configuration file for its batch sizes, this file must "
                        "be for a card that the page lists.",
                  .zh = "页面写明批大小取自哪个配置文件时，该配置文件必须对应页面所列的一种加速卡。"},
    .why = {.en = "If the batch sizes of a page come from the configuration file of another card, "
                  "these batch sizes belong to another run.",
            .zh = "批大小取自另一种卡的配置文件时，这些批大小属于另一次运行。"},
    .how = {.en = "The rule compares the card in the name of the configuration file with the card "
                  "in the environment section of the page. If the file is for another card of the "
                  "same vendor, the rule gives only a notice. On pages of the older format, the "
                  "rule also reports a card that no record describes.",
            .zh = "把配置文件名中的卡型号，与页面环境说明中的加速卡比较。页面所写的配置文件对应同一"
                  "厂商的另一种卡时，只给出提示，不判错。旧版格式的页面中，配置文件名中的卡型号没有"
                  "加速卡记录时，检查也不通过。"},
    .fix = {.en = "Name the configuration file that the run used.",
            .zh = "在页面上写明运行实际使用的配置文件。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "config_A100x1x8.py",
                .changed = "config_BI-V150x1x8.py"},
};
/* clang-format on */
