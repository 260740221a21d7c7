/* A kind of page is one file, which exports `const struct site_kind site_kind_NAME`, and one line
 * here: docs/CONTRIBUTING.md. */
#include "renderer/site/kinds.h"

#include <string.h>

#define KINDS(X)     \
    X(chooser)       \
    X(lost)          \
    X(sitemap)       \
    X(robots)        \
    X(citation)      \
    X(feed_results)  \
    X(feed_verdicts) \
    X(feed_vendor)   \
    X(home)          \
    X(results)       \
    X(row_script)    \
    X(directory)     \
    X(compare)       \
    X(references)    \
    X(mlperf)        \
    X(rules)         \
    X(method)        \
    X(changes)       \
    X(withdrawn)     \
    X(about)         \
    X(search)        \
    X(model)         \
    X(vendor)        \
    X(accelerator)   \
    X(reference)     \
    X(pair)          \
    X(mlperf_round)  \
    X(mlperf_bench)  \
    X(mlperf_org)    \
    X(mlperf_score)  \
    X(result)        \
    X(gone)

#define DECLARED(name) extern const struct site_kind site_kind_##name;
#define LISTED(name) &site_kind_##name,

KINDS(DECLARED)

const struct site_kind *const site_kinds[] = {KINDS(LISTED) NULL};

void site_set_navigation(struct sheet *s, struct view *v, const struct site_kind *current)
{
    struct view *list = view_set_list(v, "navigation");
    for (size_t i = 0; site_kinds[i]; i++) {
        const struct site_kind *kind = site_kinds[i];
        if (!kind->nav || !site_kind_count(kind, s->index))
            continue;
        struct view *item = view_push_object(list);
        view_set_text(item, "label", sheet_t(s, kind->nav));
        view_set_text(item, "href", site_kind_path(kind, s->index, 0, s->arena));
        /* What aria-current says of this place: the page itself, or the one that its page is below.
         */
        bool within = current && current->section && strcmp(current->section, kind->name) == 0;
        view_set_text(item, "current", kind == current ? "page" : within ? "true" : "");
    }
}

const char *site_title(struct sheet *s)
{
    const struct site_settings *settings = s->site->settings;
    bool titled = settings && (settings->title.zh || settings->title.en);
    return titled ? sheet_words(s, settings->title) : sheet_t(s, "site.title");
}
