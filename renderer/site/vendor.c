/* The rows of one vendor, and before them what it has to fix. */
#include "renderer/site/history/timeline.h"
#include "renderer/site/sheet/kind.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/text.h"

#include <string.h>

#define FIXES_OPEN 6 /* a box of more is folded */
#define FIXES_MAX 20 /* errors that the box has; all of a result are on its own page */

static void push_fix(struct sheet *s, struct view *list, const struct site_entry *e,
                     const struct check_result *c)
{
    struct view *v = view_push_object(list);
    const char *file = path_published(s->arena, s->site->project->root, c->file);
    sheet_set_of(s, v, e);
    sheet_set_place(s, v, c->table, c->row);
    view_set_text(v, "rule", c->rule);
    sheet_set_said(s, v, "message", c->message, c->sentence);
    const struct site_rule *rule =
        text_find(s->site->rules, s->site->n_rules, sizeof *s->site->rules, c->rule);
    sheet_set_inline(s, v, "fix", sheet_words(s, rule ? rule->fix : (struct words){NULL, NULL}));
    sheet_set_joined(s, v, "at",
                     !file     ? ""
                     : c->line ? arena_printf(s->arena, "%s:%d", file, c->line)
                               : file);
}

/* {"fixes": [{"path", "case", "place", "rule", "message", "fix", "at"}], "to_fix": how many}. Rows
 * of a result stand together. */
static void set_fixes(struct sheet *s, const struct site_list *vendor)
{
    struct view *list = view_set_list(s->view, "fixes");
    size_t n = 0;
    for (size_t i = 0; i < vendor->n; i++) {
        const struct site_entry *e = vendor->rows[i]->entry;
        bool is_seen = i > 0 && vendor->rows[i - 1]->entry == e;
        if (is_seen || e->verdict->state != STATE_FAILED)
            continue;
        for (size_t c = 0; c < e->verdict->n_checks; c++) {
            const struct check_result *check = &e->verdict->checks[c];
            if (check->outcome == OUTCOME_FAIL && check->severity == SEVERITY_ERROR &&
                !check->informational && n++ < FIXES_MAX)
                push_fix(s, list, e, check);
        }
    }
    view_set_flag(s->view, "few", n <= FIXES_OPEN);
    view_set_text(s->view, "to_fix",
                  n ? sheet_fill(s, "vendor.tofix", {"n", sheet_number(s, n)}) : "");
    view_set_text(
        s->view, "fixes_cut",
        n > FIXES_MAX ? sheet_fill(s, "vendor.more", {"n", sheet_number(s, n - FIXES_MAX)}) : "");
}

static void fill_vendor_page(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->vendor_parts.items[i];
    const struct vendor *vendor = part->list->record;
    sheet_set_part(s, part, sheet_list_vendor(s, part->list), "vendor");
    const char *url = vendor && vendor->url ? vendor->url : "";
    view_set_text(s->view, "vendor_url", url);
    view_set_flag(s->view, "vendor_link", foreign_url_whole(url));
    view_set_flag(s->view, "begins", part->number == 1);
    if (part->number == 1)
        set_fixes(s, part->list);
    sheet_set_timeline(s, part->list);
    sheet_set_rows(s, s->view, part->rows, part->n, NULL);
}

const struct site_kind site_kind_vendor = {
    .name = "vendor",
    .path = "vendor/{name}index.html",
    .template = "site/vendor.html",
    .section = "directory",
    .parts = SITE_PARTS(vendor),
    .fill = fill_vendor_page,
    .depends = SITE_ON_LIST,
};
