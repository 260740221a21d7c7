/* Links to all models, vendors and accelerators. */
#include "renderer/site/sheet/kind.h"

static void fill_directory(struct sheet *s, size_t i)
{
    (void)i;
    sheet_set_all_links(s);
}

const struct site_kind site_kind_directory = {
    .name = "directory",
    .path = "models/index.html",
    .template = "site/directory.html",
    .title = "directory.title",
    .description = "directory.description",
    .nav = "nav.models",
    .fill = fill_directory,
    .depends = SITE_ON_OUTLINE,
};
