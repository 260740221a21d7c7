/* Reference curves: all of them, and the page of each. */
#include "renderer/site/sheet/chart.h"
#include "renderer/site/sheet/kind.h"

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

static void fill_references_page(struct sheet *s, size_t i)
{
    (void)i;
    struct view *list = view_set_list(s->view, "references");
    for (size_t r = 0; r < s->index->n_references; r++)
        set_reference(s, view_push_object(list), s->index->references[r].record);
    view_set_flag(s->view, "any", list->n > 0);
}

const struct site_kind site_kind_references = {
    .name = "references",
    .path = "reference/index.html",
    .template = "site/references.html",
    .title = "references.title",
    .description = "references.description",
    .data = "data/references",
    .nav = "nav.references",
    .fill = fill_references_page,
    .depends = SITE_ON_OUTLINE,
};

/* Is the file published with the site? Then some result was compared with it. */
static bool is_published(const struct site_list *reference)
{
    for (size_t i = 0; i < reference->n; i++)
        if (reference->rows[i]->evidence && reference->rows[i]->evidence->alignment)
            return true;
    return false;
}

static void fill_reference(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->reference_parts.items[i];
    const struct site_list *list = part->list;
    sheet_set_part(s, part, sheet_fill(s, "reference.title", {"case", list->id}), "reference");
    set_reference(s, s->view, list->record);
    view_set_flag(s->view, "published", is_published(list));
    sheet_set_overlay(s, s->view, list->rows, list->n, 1);
    sheet_set_rows(s, s->view, part->rows, part->n, NULL);
}

const struct site_kind site_kind_reference = {
    .name = "reference",
    .path = "reference/{name}index.html",
    .template = "site/reference.html",
    .section = "references",
    .parts = SITE_PARTS(reference),
    .fill = fill_reference,
    .depends = SITE_ON_LIST,
};
