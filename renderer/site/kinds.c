#include "renderer/site/kinds.h"

static size_t count_entries(const struct site_index *index)
{
    return index->n_entries;
}

static size_t count_gone(const struct site_index *index)
{
    return index->n_gone;
}

static size_t count_pairs(const struct site_index *index)
{
    return index->n_pairs;
}

/* Lists that are cut into pages: how many there are of each kind, and where the i-th is. */
#define PAGES_OF(kind)                                                                            \
    static size_t count_##kind##s(const struct site_index *index)                                 \
    {                                                                                             \
        return index->kind##_parts.n;                                                             \
    }                                                                                             \
    static const char *name_##kind(const struct site_index *index, size_t i, struct arena *arena) \
    {                                                                                             \
        return site_part_path(&index->kind##_parts.items[i], arena);                              \
    }                                                                                             \
    static const struct site_parts *parts_##kind(const struct site_index *index)                  \
    {                                                                                             \
        return &index->kind##_parts;                                                              \
    }
PAGES_OF(result)
PAGES_OF(model)
PAGES_OF(vendor)
PAGES_OF(accelerator)
PAGES_OF(reference)

static size_t count_feeds(const struct site_index *index)
{
    return index->n_feeds;
}

static const char *name_feed(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->feeds[i].id;
}

static size_t count_groups(const struct site_index *index)
{
    size_t n = index->n_comparable;
    return n ? (n + SITE_PAGE_ROWS - 1) / SITE_PAGE_ROWS : 1;
}

/* The first page has no number. */
static const char *name_groups(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)index;
    return i ? arena_printf(arena, "%zu/", i + 1) : "";
}

static const char *name_entry(const struct site_index *index, size_t i, struct arena *arena)
{
    const struct result *r = index->entries[i].result;
    return arena_printf(arena, "%s/%s", r->vendor, r->case_id);
}

static const char *name_gone(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->gone[i].verdict->id;
}

static const char *name_pair(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->pairs[i].name;
}

/* clang-format off */
static const struct site_kind kinds[] = {
    {"chooser", "index.html", "site/chooser.html", .root = true, .make = sheet_chooser,
     .depends = SITE_ON_OUTLINE},
    {"lost", "404.html", "site/404.html", .root = true, .make = sheet_lost,
     .depends = SITE_ON_OUTLINE},
    {"sitemap", "sitemap{name}.xml", "site/sitemap.xml", .root = true, .count = site_map_files,
     .name_of = site_map_name, .make = sheet_sitemap,
     .depends = SITE_ON_OUTLINE},
    {"robots", "robots.txt", "site/robots.txt", .root = true, .make = sheet_robots,
     .depends = SITE_ON_OUTLINE},
    {"feed", "feed/results.atom", "site/feed.xml", .make = sheet_feed_results,
     .depends = SITE_ON_OUTLINE},
    {"feed", "feed/verdicts.atom", "site/feed.xml", .make = sheet_feed_verdicts,
     .depends = SITE_ON_OUTLINE},
    {"feed", "feed/vendor/{name}.atom", "site/feed.xml", .count = count_feeds,
     .name_of = name_feed, .make = sheet_feed_vendor,
     .depends = SITE_ON_OUTLINE},
    {"home", "index.html", "site/home.html", .make = sheet_home},
    {"results", "results/{name}index.html", "site/results.html", "nav.results",
     .count = count_results, .name_of = name_result, .make = sheet_results,
     .depends = SITE_ON_PART, .parts = parts_result},
    {"directory", "models/index.html", "site/directory.html", "nav.models",
     .make = sheet_directory,
     .depends = SITE_ON_OUTLINE},
    {"compare", "compare/{name}index.html", "site/compare.html", "nav.compare",
     .count = count_groups, .name_of = name_groups, .make = sheet_compare,
     .depends = SITE_ON_OUTLINE},
    {"references", "reference/index.html", "site/references.html", "nav.references",
     .make = sheet_references,
     .depends = SITE_ON_OUTLINE},
    {"rules", "rules/index.html", "site/rules.html", "nav.rules", .make = sheet_rules,
     .depends = SITE_ON_OUTLINE},
    {"method", "method/index.html", "site/method.html", "nav.method", .make = sheet_method,
     .depends = SITE_ON_OUTLINE},
    {"changes", "changes/index.html", "site/changes.html", .make = sheet_changes,
     .depends = SITE_ON_OUTLINE},
    {"withdrawn", "withdrawn/index.html", "site/withdrawn.html", .make = sheet_withdrawn,
     .depends = SITE_ON_OUTLINE},
    {"about", "about/index.html", "site/about.html", .make = sheet_about,
     .depends = SITE_ON_OUTLINE},
    {"search", "search/index.html", "site/search.html", .make = sheet_search,
     .depends = SITE_ON_OUTLINE},
    {"model", "model/{name}index.html", "site/model.html", .section = "directory",
     .count = count_models,
     .name_of = name_model, .make = sheet_model_page,
     .depends = SITE_ON_PART, .parts = parts_model},
    {"vendor", "vendor/{name}index.html", "site/vendor.html", .section = "directory",
     .count = count_vendors,
     .name_of = name_vendor, .make = sheet_vendor_page,
     .depends = SITE_ON_PART, .parts = parts_vendor},
    {"accelerator", "accelerator/{name}index.html", "site/accelerator.html",
     .section = "directory",
     .count = count_accelerators, .name_of = name_accelerator, .make = sheet_accelerator_page,
     .depends = SITE_ON_PART, .parts = parts_accelerator, .names_maker = true},
    {"reference", "reference/{name}index.html", "site/reference.html", .section = "references",
     .count = count_references,
     .name_of = name_reference, .make = sheet_reference,
     .depends = SITE_ON_LIST, .parts = parts_reference},
    {"pair", "compare/{name}/index.html", "site/pair.html", .section = "compare",
     .count = count_pairs,
     .name_of = name_pair, .make = sheet_pair,
     .depends = SITE_ON_PAIR},
    {"result", "result/{name}/index.html", "site/result.html", .section = "results",
     .count = count_entries,
     .name_of = name_entry, .make = sheet_result,
     .depends = SITE_ON_RESULT},
    {"gone", "result/{name}/index.html", "site/gone.html", .section = "results",
     .count = count_gone,
     .name_of = name_gone, .make = sheet_gone,
     .depends = SITE_ON_OUTLINE},
};
/* clang-format on */

const struct site_kind *site_kinds(size_t *n)
{
    *n = sizeof kinds / sizeof *kinds;
    return kinds;
}

size_t site_kind_count(const struct site_kind *kind, const struct site_index *index)
{
    return kind->count ? kind->count(index) : 1;
}

/* The path with its {name}, if it has one, filled in. */
const char *site_kind_path(const struct site_kind *kind, const struct site_index *index, size_t i,
                           struct arena *arena)
{
    if (!kind->name_of)
        return kind->path;
    const struct string_value name = {"name", kind->name_of(index, i, arena)};
    return strings_fill(kind->path, &name, 1, arena);
}
