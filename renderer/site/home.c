/* The first page: the best founded rows, at most SHEET_FEW_ROWS, and as many of the latest events.
 */
#include "renderer/site/history/history.h"
#include "renderer/site/sheet/kind.h"

/* Rows of results that evidence speaks for, at least in part: rows are in the order of states. */
static size_t founded_rows(const struct site_index *x)
{
    size_t n = 0;
    while (n < x->n_rows && n < SHEET_FEW_ROWS &&
           x->rows[n]->entry->verdict->state <= STATE_PARTIAL)
        n++;
    return n;
}

static void fill_home(struct sheet *s, size_t i)
{
    (void)i;
    size_t n = founded_rows(s->index);
    sheet_set_counts(s, view_set_list(s->view, "states"));
    sheet_set_all_links(s);
    sheet_set_rows(s, s->view, s->index->rows, n, NULL);
    view_set_flag(s->view, "founded", n > 0);
    view_set_text(s->view, "unfounded",
                  sheet_t(s, s->index->n_rows ? "home.unfounded" : "rows.empty"));
    const struct site_index *x = s->index;
    const char *results = sheet_fill(s, "home.results", {"n", sheet_number(s, x->n_entries)});
    view_set_text(s->view, "counts",
                  x->n_rows ? sheet_fill(s, "home.counts", {"results", results},
                                         {"rows", sheet_row_count(s, x->n_rows)})
                            : "");
    sheet_set_latest(s, SHEET_FEW_ROWS);
    view_set_text(s->view, "all_count",
                  sheet_fill(s, "home.all", {"n", sheet_number(s, s->index->n_rows)}));
}

const struct site_kind site_kind_home = {
    .name = "home",
    .path = "index.html",
    .template = "site/home.html",
    .title = "home.title",
    .description = "home.description",
    .fill = fill_home,
};
