/* The site map: one file, several of a list, and none of a site without an address. */
#include "tests/unit/unit.h"

#include "renderer/site/kinds.h"

#include <string.h>

extern const struct site_kind site_kind_sitemap;

#define RESULTS 30000 /* more pages than one file holds, in two languages */

struct ground {
    struct arena arena;
    struct site_settings settings;
    struct project project;
    struct site site;
    struct site_index index;
};

static void ground_init(struct ground *g, const char *url, size_t results)
{
    static const struct result result = {.vendor = "v", .case_id = "c"};
    *g = (struct ground){.settings = {.url = url}, .index = {.n_entries = results}};
    g->index.entries = arena_array(&g->arena, results, sizeof *g->index.entries);
    for (size_t i = 0; i < results; i++)
        g->index.entries[i].result = &result;
}

/* After it stands where it will stay. */
static void ground_open(struct ground *g)
{
    g->site.settings = &g->settings;
    g->site.project = &g->project;
    g->index.site = &g->site;
}

static struct sheet map_of(struct ground *g, size_t i)
{
    struct sheet s = {
        .site = &g->site, .index = &g->index, .arena = &g->arena, .view = view_object(&g->arena)};
    site_kind_sitemap.fill(&s, i);
    return s;
}

static size_t pages_of(struct ground *g, size_t i)
{
    struct sheet s = map_of(g, i);
    const struct view *pages = view_get(s.view, "pages");
    return pages ? pages->n : 0;
}

static void a_small_site_has_one(void **state)
{
    (void)state;
    struct ground g;
    ground_init(&g, "https://x.example/", 3);
    ground_open(&g);
    assert_int_equal(site_map_files(&g.index), 1);
    assert_string_equal(site_map_name(&g.index, 0, &g.arena), "");
    assert_true(pages_of(&g, 0) > 3);
    assert_false(view_is_true(view_get(map_of(&g, 0).view, "index")));
    arena_release(&g.arena);
}

static void a_large_one_has_a_list_of_them(void **state)
{
    (void)state;
    struct ground g;
    ground_init(&g, "https://x.example/", 3);
    ground_open(&g);
    size_t others = pages_of(&g, 0) - 3;
    arena_release(&g.arena);
    ground_init(&g, "https://x.example/", RESULTS);
    ground_open(&g);
    assert_int_equal(site_map_files(&g.index), 3);
    struct sheet list = map_of(&g, 0);
    assert_true(view_is_true(view_get(list.view, "index")));
    assert_int_equal(view_get(list.view, "maps")->n, 2);
    assert_string_equal(site_map_name(&g.index, 2, &g.arena), "-2");
    assert_int_equal(pages_of(&g, 1), 25000); /* 50,000 addresses */
    assert_int_equal(pages_of(&g, 2), RESULTS + others - 25000);
    arena_release(&g.arena);
}

static void without_an_address_there_is_none(void **state)
{
    (void)state;
    struct ground g;
    ground_init(&g, NULL, 3);
    ground_open(&g);
    assert_int_equal(site_map_files(&g.index), 0);
    arena_release(&g.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_site_has_one),
        cmocka_unit_test(a_large_one_has_a_list_of_them),
        cmocka_unit_test(without_an_address_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
