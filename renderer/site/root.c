/* Pages that are in both languages: the choice of one, and what hosts show in place of what is not
 * there. What leads on, navigation, is here for them, too. */
#include "renderer/site/kinds.h"

#include <string.h>

/* What aria-current says of this place: the page itself, or the one that its page is below. */
static const char *current_word(const struct site_kind *place, const struct site_kind *current)
{
    bool within = current && current->section && strcmp(current->section, place->name) == 0;
    return place == current ? "page" : within ? "true" : "";
}

void site_set_navigation(struct sheet *s, struct view *v, const struct site_kind *current)
{
    size_t n;
    const struct site_kind *kinds = site_kinds(&n);
    struct view *list = view_set_list(v, "navigation");
    for (size_t i = 0; i < n; i++) {
        if (!kinds[i].nav)
            continue;
        struct view *item = view_push_object(list);
        view_set_text(item, "label", sheet_t(s, kinds[i].nav));
        view_set_text(item, "href", site_kind_path(&kinds[i], s->index, 0, s->arena));
        view_set_text(item, "current", current_word(&kinds[i], current));
    }
}

const char *site_title(struct sheet *s)
{
    const struct site_settings *settings = s->site->settings;
    bool titled = settings && (settings->title.zh || settings->title.en);
    return titled ? sheet_words(s, settings->title) : sheet_t(s, "site.title");
}

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
static void set_sides(struct sheet *s, const char *lead, const char *at)
{
    struct view *sides = view_set_list(s->view, "sides");
    const char *zh = push_side(s, sides, PAGE_ZH, lead), *en = push_side(s, sides, PAGE_EN, lead);
    view_set_text(s->view, "at", at);
    view_set_text(s->view, "title_zh", strcmp(zh, en) == 0 ? "" : zh);
    view_set_text(s->view, "title_en", en);
}

void sheet_chooser(struct sheet *s, size_t i)
{
    (void)i;
    set_sides(s, "home.description", "");
    sheet_set_title(s, site_title(s), sheet_t(s, "home.description"));
}

void sheet_lost(struct sheet *s, size_t i)
{
    (void)i;
    const struct site_settings *settings = s->site->settings;
    set_sides(s, "lost.description", settings && settings->url ? settings->url : "");
    sheet_set_title(s, "404", sheet_t(s, "lost.description"));
}
