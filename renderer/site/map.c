/*
 * The site map: every page in both languages, for those who collect sites. Its addresses have to be
 * whole, so that a site that does not know its own has none. A file of it may hold so many; of more
 * pages sitemap.xml lists the files sitemap-1.xml, sitemap-2.xml … (sitemaps.org/protocol.html).
 */
#include "renderer/site/kinds.h"

#include "base/text.h"

#define ADDRESSES_MAX 50000
#define PAGES_MAX (ADDRESSES_MAX / PAGE_LANGS)

/* Of these pages. */
static size_t listed_pages(const struct site_kind *kind, const struct site_index *index)
{
    return !kind->root && text_ends(kind->path, ".html") ? site_kind_count(kind, index) : 0;
}

size_t site_map_files(const struct site_index *index)
{
    size_t pages = 0;
    if (!index->site->settings || !index->site->settings->url)
        return 0;
    for (size_t k = 0; site_kinds[k]; k++)
        pages += listed_pages(site_kinds[k], index);
    return pages <= PAGES_MAX ? 1 : 1 + (pages + PAGES_MAX - 1) / PAGES_MAX;
}

const char *site_map_name(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)index;
    return i ? arena_printf(arena, "-%zu", i) : "";
}

/* The pages from `first` on, as many as a file holds. */
static void set_pages(struct sheet *s, size_t first)
{
    size_t before = 0;
    struct view *list = view_set_list(s->view, "pages");
    for (size_t k = 0; site_kinds[k]; k++) {
        size_t pages = listed_pages(site_kinds[k], s->index);
        for (size_t p = 0; p < pages; p++)
            if (before + p >= first && before + p < first + PAGES_MAX)
                view_set_text(view_push_object(list), "path",
                              site_kind_path(site_kinds[k], s->index, p, s->arena));
        before += pages;
    }
}

static void fill_sitemap(struct sheet *s, size_t i)
{
    size_t files = site_map_files(s->index);
    view_set_flag(s->view, "index", files > 1 && i == 0);
    if (files == 1 || i > 0) {
        set_pages(s, i > 0 ? (i - 1) * PAGES_MAX : 0);
        return;
    }
    struct view *maps = view_set_list(s->view, "maps");
    for (size_t f = 1; f < files; f++)
        view_set_text(view_push_object(maps), "name", site_map_name(s->index, f, s->arena));
}

const struct site_kind site_kind_sitemap = {
    .name = "sitemap",
    .path = "sitemap{name}.xml",
    .template = "site/sitemap.xml",
    .root = true,
    .count = site_map_files,
    .name_of = site_map_name,
    .fill = fill_sitemap,
    .depends = SITE_ON_OUTLINE,
};

const struct site_kind site_kind_robots = {
    .name = "robots",
    .path = "robots.txt",
    .template = "site/robots.txt",
    .root = true,
    .depends = SITE_ON_OUTLINE,
};
