/* The rules, by kind, as the verifier's table has them. */
#include "renderer/site/sheet/kind.h"

#include <string.h>

/* What a finding of the rule may be, the worst first. */
static void set_severities(struct sheet *s, struct view *v, const char *severities)
{
    static const struct {
        const char *name, *word;
    } all[] = {
        {"error", "severity.error"},
        {"warning", "severity.warning"},
        {"notice", "severity.notice"},
    };
    struct view *list = view_set_list(v, "severities");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!strstr(severities, all[i].name))
            continue;
        struct view *one = view_push_object(list);
        view_set_text(one, "severity", all[i].name);
        view_set_text(one, "severity_word", sheet_t(s, all[i].word));
    }
}

static void fill_rules_page(struct sheet *s, size_t i)
{
    (void)i;
    struct view *kinds = view_set_list(s->view, "kinds"), *kind = NULL, *list = NULL;
    for (size_t r = 0; r < s->site->n_rules; r++) {
        const struct site_rule *rule = &s->site->rules[r];
        if (r == 0 || strcmp(rule->kind, rule[-1].kind) != 0) {
            kind = view_push_object(kinds);
            list = view_set_list(kind, "rules");
            view_set_text(kind, "kind", rule->kind);
            view_set_text(kind, "name", sheet_words(s, rule->kind_title));
        }
        struct view *v = view_push_object(list);
        view_set_text(v, "id", rule->id);
        set_severities(s, v, rule->severity);
        view_set_text(v, "since", rule->since);
        view_set_text(v, "title", sheet_words(s, rule->title));
        view_set_text(v, "statement", sheet_words(s, rule->statement));
        view_set_flag(v, "foreign", s->lang != PAGE_EN && !rule->statement.zh);
        /* Commands and keys stand in backticks. */
        sheet_set_inline(s, v, "why", sheet_words(s, rule->why));
        sheet_set_inline(s, v, "how", sheet_words(s, rule->how));
        sheet_set_inline(s, v, "fix", sheet_words(s, rule->fix));
        view_set_printf(kind, "count", "%zu", list->n);
    }
    view_set_text(s->view, "rule_count",
                  sheet_fill(s, "rules.count", {"n", sheet_number(s, s->site->n_rules)},
                             {"set", s->site->rule_set}));
}

const struct site_kind site_kind_rules = {
    .name = "rules",
    .path = "rules/index.html",
    .template = "site/rules.html",
    .title = "rules.title",
    .description = "rules.description",
    .data = "data/rules",
    .nav = "nav.rules",
    .fill = fill_rules_page,
    .depends = SITE_ON_OUTLINE,
};
