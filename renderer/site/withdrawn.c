/* Results that were withdrawn, and those that are gone. */
#include "renderer/site/history/history.h"
#include "renderer/site/sheet/kind.h"

static struct view *push_result(struct sheet *s, struct view *list, const struct site_entry *e)
{
    struct view *v = view_push_object(list);
    sheet_set_of(s, v, e);
    sheet_set_state(s, v, e->verdict->state);
    return v;
}

static void fill_withdrawn_page(struct sheet *s, size_t i)
{
    (void)i;
    struct view *list = view_set_list(s->view, "results");
    for (size_t w = 0; w < s->index->n_withdrawn; w++) {
        const struct site_entry *e = s->index->withdrawn[w];
        sheet_set_withdrawal(s, push_result(s, list, e), e->result);
    }
    /* One that was withdrawn before its record was taken away has its reason. */
    struct view *removed = view_set_list(s->view, "removed");
    for (size_t j = 0; j < s->index->n_gone; j++) {
        const struct site_entry *e = &s->index->gone[j];
        if (e->result->withdrawn) {
            sheet_set_withdrawal(s, push_result(s, list, e), e->result);
        } else if (!e->unread) {
            struct view *v = push_result(s, removed, e);
            sheet_set_removed(s, v);
            view_set_text(v, "sentence", sheet_gone_text(s, e));
        }
    }
    view_set_flag(s->view, "has_removed", removed->n > 0);
    view_set_flag(s->view, "any", list->n > 0);
}

const struct site_kind site_kind_withdrawn = {
    .name = "withdrawn",
    .path = "withdrawn/index.html",
    .template = "site/withdrawn.html",
    .title = "withdrawn.title",
    .description = "withdrawn.description",
    .data = "data/withdrawn",
    .fill = fill_withdrawn_page,
    .depends = SITE_ON_OUTLINE,
};
