/* Pages that are in both languages: the choice of one, and what hosts show in place of what is not
 * there. */
#include "renderer/site/kinds.h"

#include <string.h>

/* What a reader of one language needs; returns what the site is called in it. */
static const char *push_side(struct sheet *page, struct view *sides, enum page_lang lang,
                             const char *lead)
{
    struct sheet s = *page;
    s.lang = lang;
    s.view = view_push_object(sides);
    view_set_text(s.view, "lang", sheet_t(&s, "lang"));
    view_set_text(s.view, "dir", sheet_t(&s, "dir"));
    view_set_text(s.view, "name", sheet_t(&s, "lang.name"));
    const char *title = site_title(&s);
    view_set_text(s.view, "lead", sheet_t(&s, lead));
    view_set_text(s.view, "home", sheet_t(&s, "nav.home"));
    view_set_text(s.view, "search", sheet_t(&s, "nav.search"));
    view_set_text(s.view, "navigation_label", sheet_t(&s, "nav.label"));
    sheet_set_counts(&s, view_set_list(s.view, "states"));
    view_set_flag(s.view, "any", s.index->n_entries > 0);
    site_set_navigation(&s, s.view, NULL);
    if (!page->missing)
        page->missing = s.missing;
    return title;
}

/* `at`: what addresses begin with. */
static void set_chooser_sides(struct sheet *s, const char *lead, const char *at)
{
    struct view *sides = view_set_list(s->view, "sides");
    const char *zh = push_side(s, sides, PAGE_ZH, lead), *en = push_side(s, sides, PAGE_EN, lead);
    view_set_text(s->view, "at", at);
    view_set_text(s->view, "title_zh", strcmp(zh, en) == 0 ? "" : zh);
    view_set_text(s->view, "title_en", en);
}

static void fill_chooser(struct sheet *s, size_t i)
{
    (void)i;
    set_chooser_sides(s, "home.description", "");
    sheet_set_title(s, site_title(s), sheet_t(s, "home.description"));
}

static void fill_lost(struct sheet *s, size_t i)
{
    (void)i;
    const struct site_settings *settings = s->site->settings;
    set_chooser_sides(s, "lost.description", settings && settings->url ? settings->url : "");
    sheet_set_title(s, "404", sheet_t(s, "lost.description"));
}

const struct site_kind site_kind_chooser = {
    .name = "chooser",
    .path = "index.html",
    .template = "site/chooser.html",
    .root = true,
    .fill = fill_chooser,
    .depends = SITE_ON_OUTLINE,
};

const struct site_kind site_kind_lost = {
    .name = "lost",
    .path = "404.html",
    .template = "site/404.html",
    .root = true,
    .fill = fill_lost,
    .depends = SITE_ON_OUTLINE,
};
