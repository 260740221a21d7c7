#include "renderer/pages/view.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/foreign.h"
#include "renderer/words/ratio.h"

#include <string.h>

/* "loss 2.06 [recomputed: 2.061]": a figure never stands without its origin. */
static void add_figure(struct buf *b, struct arena *arena, enum page_lang lang, const char *header,
                       const char *text, const struct figure *says, const struct metric *m)
{
    static const struct words from_evidence = {"由证据复算为", "recomputed from evidence:"};
    static const struct words from_stated = {"由填报值复算为", "recomputed from stated figures:"};
    if (!figure_has_value(says))
        return;
    buf_printf(b, "%s%s %s", b->len ? "; " : "", header,
               m ? ratio_read(m->name, text, says, arena) : text);
    if (m && m->found && m->source) {
        bool evidence = strcmp(m->source, "evidence") == 0;
        buf_printf(b, " (%s %s)", page_words(lang, evidence ? &from_evidence : &from_stated),
                   ratio_read(m->name, figure_print(m->found, arena), m->found, arena));
    }
}

static const char *listed_row_figures(struct arena *arena, enum page_lang lang,
                                      const struct page_entry *entry, const struct table *t,
                                      int table, size_t row)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    const struct row *r = &t->rows[row];
    for (size_t k = 0; k < t->n_columns && k < r->n_cells; k++) {
        const struct metrics_column *c = metrics_column(t->columns[k]);
        if (c && metrics_is_numeric(c->kind))
            add_figure(&b, arena, lang, t->columns[k], r->cells[k].text, &r->figures[k],
                       page_metric(entry->verdict, table, (int)row + 1, c->key));
    }
    const char *text = b.len ? page_cell(arena, b.data) : "—";
    buf_release(&b);
    return text;
}

static void push_listed_row(struct view *list, const struct page_options *o,
                            const struct page_entry *entry, const char *link,
                            const char *configuration, const char *figures)
{
    struct view *v = view_push_object(list);
    view_set_raw(v, "case", page_cell(list->arena, entry->result->case_id));
    view_set_raw(v, "link", link);
    view_set_raw(v, "configuration", configuration);
    view_set_raw(v, "figures", figures);
    view_set_raw(v, "state", page_state(o->lang, entry->verdict));
}

/* The rows of one result, each with its configuration and its figures. */
static void add_listed_rows(struct view *list, const struct page_options *o,
                            const struct page_entry *entry, const char *link)
{
    const struct table **tables;
    struct arena *a = list->arena;
    size_t n = result_figure_tables(entry->result, a, &tables), before = list->n;
    for (size_t t = 0; t < n; t++) {
        for (size_t i = 0; i < tables[t]->n_rows; i++) {
            const struct row *r = &tables[t]->rows[i];
            push_listed_row(list, o, entry, link, page_cell(a, r->n_cells ? r->cells[0].text : ""),
                            listed_row_figures(a, o->lang, entry, tables[t], (int)t + 1, i));
        }
    }
    if (list->n == before)
        push_listed_row(list, o, entry, link, "—", "—");
}

static const char *vendor_name(const struct page_options *o, const struct vendor *vendor,
                               const char *id)
{
    const char *name = vendor ? page_words(o->lang, &vendor->name) : NULL;
    return name ? name : id;
}

struct view *page_vendor_view(struct arena *arena, const struct page_options *o,
                              const char *vendor_id, const struct vendor *vendor,
                              const struct page_entry *entries, size_t n)
{
    struct view *v = view_object(arena);
    view_set_raw(v, "name", page_line(arena, vendor_name(o, vendor, vendor_id)));
    const char *url = vendor && vendor->url ? vendor->url : "";
    view_set_raw(v, "url", page_line(arena, url));
    view_set_flag(v, "link", foreign_url_whole(url));
    view_set_raw(v, "tool", page_line(arena, o->tool));
    view_set_raw(v, "index", arena_printf(arena, "../%s", page_path(arena, o->lang, NULL, NULL)));
    struct view *rows = view_set_list(v, "rows");
    for (size_t i = 0; i < n; i++)
        if (strcmp(entries[i].result->vendor, vendor_id) == 0)
            add_listed_rows(rows, o, &entries[i],
                            page_path(arena, o->lang, entries[i].result->case_id, NULL));
    return v;
}

/* How many figures there are, and how many of them were recomputed from what. */
struct counts {
    size_t figures, from_evidence, from_stated;
};

static struct counts count_states(const struct verdict *v)
{
    struct counts counts = {.figures = v ? v->n_metrics : 0};
    for (size_t i = 0; i < counts.figures; i++) {
        const char *source = v->metrics[i].found ? v->metrics[i].source : NULL;
        counts.from_evidence += source && strcmp(source, "evidence") == 0;
        counts.from_stated += source && strcmp(source, "stated") == 0;
    }
    return counts;
}

static void add_vendor_list(struct view *list, const struct page_options *o,
                            const struct project *project, const struct page_entry *entries,
                            size_t n)
{
    const char *id = entries[0].result->vendor;
    struct view *v = view_push_object(list);
    struct arena *a = list->arena;
    const struct vendor *vendor = project ? project_vendor(project, id) : NULL;
    view_set_raw(v, "name", page_cell(a, vendor_name(o, vendor, id)));
    view_set_raw(v, "link", page_path(a, o->lang, id, NULL));
    view_set_printf(v, "count", "%zu", n);
    struct view *rows = view_set_list(v, "results");
    for (size_t i = 0; i < n; i++) {
        const struct result *r = entries[i].result;
        struct view *row = view_push_object(rows);
        view_set_raw(row, "case", page_cell(a, r->case_id));
        view_set_raw(row, "link", page_path(a, o->lang, id, r->case_id));
        view_set_raw(row, "state", page_state(o->lang, entries[i].verdict));
        const struct counts counts = count_states(entries[i].verdict);
        view_set_printf(row, "figures", "%zu", counts.figures);
        view_set_printf(row, "from_evidence", "%zu", counts.from_evidence);
        view_set_printf(row, "from_stated", "%zu", counts.from_stated);
    }
}

struct view *page_index_view(struct arena *arena, const struct page_options *o,
                             const struct project *project, const struct page_entry *entries,
                             size_t n)
{
    struct view *v = view_object(arena);
    struct view *vendors = view_set_list(v, "vendors");
    view_set_raw(v, "tool", page_line(arena, o->tool));
    for (size_t from = 0, to; from < n; from = to) {
        const char *id = entries[from].result->vendor;
        for (to = from + 1; to < n && strcmp(entries[to].result->vendor, id) == 0;)
            to++;
        add_vendor_list(vendors, o, project, entries + from, to - from);
    }
    return v;
}

void page_index_hash(const struct page_entry *entry, struct hash *h)
{
    const struct counts counts = count_states(entry->verdict);
    reuse_hash_text(h, entry->result->vendor);
    reuse_hash_text(h, entry->result->case_id);
    reuse_hash_text(h, page_state(PAGE_EN, entry->verdict));
    reuse_hash_number(h, counts.figures);
    reuse_hash_number(h, counts.from_evidence);
    reuse_hash_number(h, counts.from_stated);
}
