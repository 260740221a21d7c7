/* All rows, in pages. */
#include "renderer/site/kinds.h"

static void fill_results(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->result_parts.items[i];
    size_t scripts = site_row_scripts(s->index);
    sheet_set_rows(s, s->view, part->rows, part->n, NULL);
    sheet_set_pages(s, "results/", part->number, part->of);
    view_set_flag(s->view, "everywhere", true);
    view_set_text(s->view, "scripts", scripts ? sheet_number(s, scripts) : "");
}

const struct site_kind site_kind_results = {
    .name = "results",
    .path = "results/{name}index.html",
    .template = "site/results.html",
    .title = "results.title",
    .description = "results.description",
    .data = "data/results",
    .nav = "nav.results",
    .parts = SITE_PARTS(result),
    .fill = fill_results,
    .depends = SITE_ON_PART,
};
