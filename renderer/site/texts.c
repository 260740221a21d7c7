/* Pages about the site and its rules, and the small ones. */
#include "renderer/site/history/history.h"
#include "renderer/site/sheet/chart.h"

#include "base/signing/signers.h"
#include "base/store/store.h"

#include <string.h>

static void set_plain(struct sheet *s, const char *title, const char *description)
{
    sheet_set_title(s, sheet_t(s, title), sheet_t(s, description));
}

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

/* Commands and keys stand in backticks. */
static void set_explanation(struct sheet *s, struct view *v, const char *key, struct words text)
{
    sheet_set_inline(s, v, key, sheet_words(s, text));
}

static void push_rule(struct sheet *s, struct view *list, const struct site_rule *rule)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "id", rule->id);
    set_severities(s, v, rule->severity);
    view_set_text(v, "since", rule->since);
    view_set_text(v, "title", sheet_words(s, rule->title));
    view_set_text(v, "statement", sheet_words(s, rule->statement));
    view_set_flag(v, "foreign", s->lang != PAGE_EN && !rule->statement.zh);
    set_explanation(s, v, "why", rule->why);
    set_explanation(s, v, "how", rule->how);
    set_explanation(s, v, "fix", rule->fix);
}

void sheet_rules(struct sheet *s, size_t i)
{
    (void)i;
    set_plain(s, "rules.title", "rules.description");
    view_set_text(s->view, "data", "data/rules");
    struct view *kinds = view_set_list(s->view, "kinds"), *kind = NULL, *list = NULL;
    for (size_t r = 0; r < s->site->n_rules; r++) {
        const struct site_rule *rule = &s->site->rules[r];
        if (r == 0 || strcmp(rule->kind, rule[-1].kind) != 0) {
            kind = view_push_object(kinds);
            list = view_set_list(kind, "rules");
            view_set_text(kind, "kind", rule->kind);
            view_set_text(kind, "name", sheet_words(s, rule->kind_title));
        }
        push_rule(s, list, rule);
        view_set_printf(kind, "count", "%zu", list->n);
    }
    view_set_text(s->view, "rule_count",
                  sheet_fill(s, "rules.count", {"n", sheet_number(s, s->site->n_rules)},
                             {"set", s->site->rule_set}));
}

void sheet_method(struct sheet *s, size_t i)
{
    (void)i;
    const struct project *p = s->site->project;
    set_plain(s, "method.title", "method.description");
    view_set_flag(s->view, "has_signers", p->signers && p->signers->whole.data);
    view_set_flag(s->view, "has_revoked",
                  p->signers && p->signers->whole.data && p->signers->n_revoked);
    view_set_flag(s->view, "has_log", p->store && p->store->log.size);
    struct view *list = view_set_list(s->view, "states");
    for (int state = 0; state < SITE_STATES; state++)
        sheet_set_state(s, view_push_object(list), (enum state)state);
}

static const char *without_scheme(const char *url)
{
    const char *colon = strchr(url, ':');
    return strncmp(colon, "://", 3) == 0 ? colon + 3 : colon + 1;
}

/* What an operator says of himself, or that he does not. `url` is where more of it is; NULL. */
static void push_said(struct sheet *s, struct view *list, const char *label, const char *text,
                      const char *url)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "label", sheet_t(s, label));
    view_set_text(v, "said", *text ? text : url ? without_scheme(url) : "");
    view_set_text(v, "said_lang", *text ? sheet_foreign(s, text) : "");
    view_set_text(v, "url", url ? url : "");
}

void sheet_about(struct sheet *s, size_t i)
{
    (void)i;
    static const struct site_settings none;
    const struct site_settings *says = s->site->settings ? s->site->settings : &none;
    set_plain(s, "about.title", "about.description");
    struct view *list = view_set_list(s->view, "operator");
    push_said(s, list, "about.operator", sheet_words(s, says->operator), NULL);
    push_said(s, list, "about.contact", "", says->contact);
    push_said(s, list, "about.licence", sheet_words(s, says->licence), says->licence_url);
    push_said(s, list, "foot.problem", "", says->problems);
}

static struct view *push_result(struct sheet *s, struct view *list, const struct site_entry *e)
{
    struct view *v = view_push_object(list);
    sheet_set_of(s, v, e);
    sheet_set_state(s, v, e->verdict->state);
    return v;
}

/* One that was withdrawn before its record was taken away has its reason. */
static void set_gone(struct sheet *s, struct view *withdrawn)
{
    struct view *removed = view_set_list(s->view, "removed");
    for (size_t i = 0; i < s->index->n_gone; i++) {
        const struct site_entry *e = &s->index->gone[i];
        if (e->result->withdrawn) {
            sheet_set_withdrawal(s, push_result(s, withdrawn, e), e->result);
        } else if (!e->unread) {
            struct view *v = push_result(s, removed, e);
            sheet_set_removed(s, v);
            view_set_text(v, "sentence", sheet_gone_text(s, e));
        }
    }
    view_set_flag(s->view, "has_removed", removed->n > 0);
}

void sheet_withdrawn(struct sheet *s, size_t i)
{
    (void)i;
    set_plain(s, "withdrawn.title", "withdrawn.description");
    view_set_text(s->view, "data", "data/withdrawn");
    struct view *list = view_set_list(s->view, "results");
    for (size_t w = 0; w < s->index->n_withdrawn; w++) {
        const struct site_entry *e = s->index->withdrawn[w];
        sheet_set_withdrawal(s, push_result(s, list, e), e->result);
    }
    set_gone(s, list);
    view_set_flag(s->view, "any", list->n > 0);
}

/* ---- reference curves -------------------------------------------------------------------- */

static void set_reference(struct sheet *s, struct view *v, const struct case_record *c)
{
    const struct case_alignment *a = c->alignment;
    view_set_text(v, "case", c->id);
    sheet_set_pieces(s, v, "case_title", sheet_words(s, c->title));
    sheet_set_joined(s, v, "file", a->reference);
    view_set_text(v, "file_link", sheet_link(s, a->reference));
    view_set_text(v, "sha256", a->reference_sha256 ? a->reference_sha256 : "");
    view_set_text(v, "note", sheet_words(s, a->reference_note));
    view_set_printf(v, "from_step", "%lld", a->from_step);
    view_set_printf(v, "limit", "%g", a->max_mean_rel_error * 100);
}

void sheet_references(struct sheet *s, size_t i)
{
    (void)i;
    set_plain(s, "references.title", "references.description");
    view_set_text(s->view, "data", "data/references");
    struct view *list = view_set_list(s->view, "references");
    for (size_t r = 0; r < s->index->n_references; r++)
        set_reference(s, view_push_object(list), s->index->references[r].record);
    view_set_flag(s->view, "any", list->n > 0);
}

/* Is the file published with the site? Then some result was compared with it. */
static bool is_published(const struct site_list *reference)
{
    for (size_t i = 0; i < reference->n; i++)
        if (reference->rows[i]->evidence && reference->rows[i]->evidence->alignment)
            return true;
    return false;
}

void sheet_reference(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->reference_parts.items[i];
    const struct site_list *list = part->list;
    sheet_set_part(s, part, sheet_fill(s, "reference.title", {"case", list->id}), "reference");
    set_reference(s, s->view, list->record);
    view_set_flag(s->view, "published", is_published(list));
    sheet_set_overlay(s, s->view, list->rows, list->n, 1);
    sheet_set_rows(s, s->view, part->rows, part->n, NULL);
}
