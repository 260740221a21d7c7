/* All rows, in pages. */
#include "renderer/site/kinds.h"
#include "renderer/site/sheet/points.h"

/* The rows of this page as points; a filter over all pages moves them (script/points.js). */
static void set_points(struct sheet *s, const struct site_part *part, bool has_scripts)
{
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    size_t n = sheet_write_all_points(s, &svg, "points", part->rows, part->n);
    struct view *list = view_set_list(s->view, "points");
    if (n > 1 || has_scripts) {
        struct view *v = view_push_object(list);
        view_set_raw(v, "svg", svg.data);
        view_set_text(v, "drawn",
                      sheet_fill(s, "points.drawn", {"n", sheet_number(s, n)},
                                 {"m", sheet_number(s, part->n)}));
    }
    buf_release(&svg);
}

static void fill_results(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->result_parts.items[i];
    size_t scripts = site_row_scripts(s->index);
    sheet_set_rows(s, s->view, part->rows, part->n, NULL);
    set_points(s, part, scripts > 0);
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
