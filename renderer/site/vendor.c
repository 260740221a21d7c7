/* The rows of one vendor. */
#include "renderer/site/sheet/kind.h"

#include "base/foreign.h"

static void fill_vendor_page(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->vendor_parts.items[i];
    const struct vendor *vendor = part->list->record;
    sheet_set_part(s, part, sheet_list_vendor(s, part->list), "vendor");
    const char *url = vendor && vendor->url ? vendor->url : "";
    view_set_text(s->view, "vendor_url", url);
    view_set_flag(s->view, "vendor_link", foreign_url_whole(url));
    sheet_set_rows(s, s->view, part->rows, part->n, NULL);
}

const struct site_kind site_kind_vendor = {
    .name = "vendor",
    .path = "vendor/{name}index.html",
    .template = "site/vendor.html",
    .section = "directory",
    .parts = SITE_PARTS(vendor),
    .fill = fill_vendor_page,
    .depends = SITE_ON_PART,
};
