/* What an accelerator can do, and the rows on it. */
#include "renderer/site/mlperf/mlperf.h"
#include "renderer/site/sheet/kind.h"
#include "renderer/site/sheet/points.h"

/* Who makes it, with a link where that vendor has a page (site_maker_page). */
static void set_maker(struct sheet *s, const char *id, const struct site_part *part)
{
    const struct vendor *v = project_vendor(s->site->project, id);
    const struct site_list *page = site_maker_page(s->index, part->list);
    view_set_text(s->view, "maker", v ? sheet_short(s, sheet_words(s, v->name)) : id);
    view_set_text(s->view, "maker_id", page ? page->id : "");
}

/* NULL: there is no record. */
static void set_accelerator(struct sheet *s, const struct accelerator *a,
                            const struct site_part *part)
{
    bool memory = a && a->memory_gib > 0;
    set_maker(s, a ? a->vendor : "", part);
    view_set_text(s->view, "memory",
                  memory ? sheet_fill(s, "accelerator.memory",
                                      {"n", arena_printf(s->arena, "%g", a->memory_gib)})
                         : "");
    view_set_text(s->view, "peak_note", a && a->peak_note ? a->peak_note : "");
    struct view *peaks = view_set_list(s->view, "peaks");
    for (size_t p = 0; a && p < a->n_peaks; p++) {
        struct view *v = view_push_object(peaks);
        view_set_text(v, "precision", a->peaks[p].precision);
        view_set_printf(v, "tflops", "%g", a->peaks[p].tflops);
        view_set_text(v, "source", a->peaks[p].source ? a->peaks[p].source : "");
    }
    view_set_flag(s->view, "has_peaks", peaks->n > 0);
}

static void fill_accelerator(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->accelerator_parts.items[i];
    const struct accelerator *a = part->list->record;
    const char *name = sheet_list_card(s, part->list);
    sheet_set_part(s, part, name, "accelerator");
    view_set_text(s->view, "other_name", a ? sheet_short(s, sheet_other_card(s, a)) : "");
    view_set_text(s->view, "name_lang", sheet_foreign(s, name));
    view_set_flag(s->view, "no_record", !a);
    view_set_flag(s->view, "whole", false); /* a result may have rows on other cards */
    set_accelerator(s, a, part);
    /* What its rows reach, drawn; a list of several pages has its own rows on each. */
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    if (a)
        sheet_write_roof(s, &svg, "roof", a, part->rows, part->n);
    view_set_raw(s->view, "roof", svg.len ? svg.data : "");
    buf_release(&svg);
    sheet_set_rows_of_card(s, part);
    mlperf_set_rows_of_card(s, a);
}

const struct site_kind site_kind_accelerator = {
    .name = "accelerator",
    .path = "accelerator/{name}index.html",
    .template = "site/accelerator.html",
    .section = "directory",
    .parts = SITE_PARTS(accelerator),
    .fill = fill_accelerator,
    .depends = SITE_ON_PART,
    .names_maker = true,
};
