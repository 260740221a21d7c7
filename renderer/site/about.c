/* Who publishes this. */
#include "renderer/site/sheet/cited.h"
#include "renderer/site/sheet/kind.h"

#include <string.h>

static const char *without_scheme(const char *url)
{
    const char *colon = strchr(url, ':');
    return strncmp(colon, "://", 3) == 0 ? colon + 3 : colon + 1;
}

/* What an operator says of himself, or that he does not. `url` is where more of it is; NULL. */
static void push_said(struct sheet *s, struct view *list, const char *label, const char *text,
                      const char *url)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "label", sheet_t(s, label));
    view_set_text(v, "said", *text ? text : url ? without_scheme(url) : "");
    view_set_text(v, "said_lang", *text ? sheet_foreign(s, text) : "");
    view_set_text(v, "url", url ? url : "");
}

static void fill_about(struct sheet *s, size_t i)
{
    (void)i;
    static const struct site_settings none;
    const struct site_settings *says = s->site->settings ? s->site->settings : &none;
    struct view *list = view_set_list(s->view, "operator");
    push_said(s, list, "about.operator", sheet_words(s, says->operator), NULL);
    push_said(s, list, "about.contact", "", says->contact);
    push_said(s, list, "about.licence", sheet_words(s, says->licence), says->licence_url);
    push_said(s, list, "foot.problem", "", says->problems);
    const char *title = view_get(s->view, "site_title")->text;
    sheet_set_bibtex(
        s, "training-benchmarks", title, "",
        arena_printf(s->arena, "fpreport %s, rule set %s", s->site->tool, s->site->rule_set), NULL);
}

const struct site_kind site_kind_about = {
    .name = "about",
    .path = "about/index.html",
    .template = "site/about.html",
    .title = "about.title",
    .description = "about.description",
    .fill = fill_about,
    .depends = SITE_ON_OUTLINE,
};
