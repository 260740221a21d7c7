/* The site map: every page in both languages, for those who collect sites. */
#include "renderer/site_kinds.h"

#include "base/text.h"

void sheet_sitemap(struct sheet *s, size_t i)
{
    (void)i;
    size_t n;
    const struct site_kind *kinds = site_kinds(&n);
    struct view *list = view_set_list(s->view, "pages");
    for (size_t k = 0; k < n; k++) {
        if (kinds[k].root || !text_ends(kinds[k].path, ".html"))
            continue;
        size_t pages = site_kind_count(&kinds[k], s->index);
        for (size_t p = 0; p < pages; p++)
            view_set_text(view_push_object(list), "path",
                          site_kind_path(&kinds[k], s->index, p, s->arena));
    }
}

void sheet_robots(struct sheet *s, size_t i)
{
    (void)s;
    (void)i;
}
