/* site_data_old: the rows of a table that was written are found in their order, and nothing inside
 * a cell is taken for a row. */
#include "tests/unit/unit.h"

#include "renderer/output/reuse.h"
#include "renderer/site/data/data_old.h"

#include <string.h>

static bool give(void *self, const char *path, struct arena *arena, struct bytes *text)
{
    (void)arena;
    *text = (struct bytes){self, strlen(self)};
    return strcmp(path, "data/x") == 0;
}

struct fixture {
    struct reuse reuse;
    struct site site;
    struct site_index index;
    struct arena arena;
    struct site_data_old old;
};

typedef void opener(struct site_data_old *, const struct site_index *, const char *,
                    struct arena *);

static void open_text(struct fixture *f, opener *open, const char *text)
{
    static const bool same[1] = {true};
    *f = (struct fixture){.reuse = {.same = same, .old = give, .self = (void *)(uintptr_t)text}};
    f->site.reuse = &f->reuse;
    f->index.site = &f->site;
    open(&f->old, &f->index, "data/x", &f->arena);
}

/* The row that begins so; "-": there is none. */
static const char *row(struct fixture *f, const char *begins)
{
    struct buf b;
    size_t len;
    buf_init(&b, 4096);
    buf_str(&b, begins);
    const char *text = site_data_old_row(&f->old, &b, &len);
    buf_release(&b);
    return text ? arena_strndup(&f->arena, text, len) : "-";
}

static void rows_of_csv(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, site_data_old_csv,
              "vendor,case,place,x\r\na,one,1.1,1\r\na,one,1.2,\"two\r\na,two,1.1,forged\r\n\"\r\n"
              "a,two,1.1,\"he said \"\"\r\na,two,1.1,forged\"\"\"\r\na,three,1.1,4\r\n");
    assert_string_equal(row(&f, "vendor,"), "-"); /* the line of names is no row */
    assert_string_equal(row(&f, "a,one,1.1,"), "a,one,1.1,1");
    assert_string_equal(row(&f, "a,two,1.1,"),
                        "a,two,1.1,\"he said \"\"\r\na,two,1.1,forged\"\"\"");
    assert_string_equal(row(&f, "a,one,1.2,"), "-"); /* it does not go back */
    assert_string_equal(row(&f, "a,three,1.1,"), "a,three,1.1,4");
    assert_string_equal(row(&f, "a,"), "-");
    arena_release(&f.arena);
}

static void rows_of_json(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, site_data_old_json,
              "{\n  \"schema\": \"x\",\n  \"rows\": [\n    {\"a\": \"1\", \"b\": 2},\n"
              "    {\"a\": \"2\", \"b\": \"\\n    {\\\"a\\\": \\\"3\\\", \"},\n"
              "    {\"a\": \"3\", \"b\": 4}\n  ]\n}\n");
    assert_string_equal(row(&f, "{\"a\": \"1\","), "{\"a\": \"1\", \"b\": 2}");
    assert_string_equal(row(&f, "{\"a\": \"3\","), "{\"a\": \"3\", \"b\": 4}");
    assert_string_equal(row(&f, "{\"a\": \"2\","), "-");
    arena_release(&f.arena);
}

static void what_is_cut_has_no_row(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, site_data_old_csv, "vendor\r\na,one,1.1,1");
    assert_string_equal(row(&f, "a,"), "-");
    open_text(&f, site_data_old_csv, "vendor");
    assert_string_equal(row(&f, "v"), "-");
    open_text(&f, site_data_old_json, "");
    assert_string_equal(row(&f, ""), "-");
    open_text(&f, site_data_old_json, "{\n  \"rows\": [\n    {\"a\": 1}");
    assert_string_equal(row(&f, "{\"a\""), "-");
    site_data_old_csv(&f.old, &f.index, "data/other", &f.arena);
    assert_string_equal(row(&f, "a"), "-");
    f.reuse.same = NULL;
    site_data_old_csv(&f.old, &f.index, "data/x", &f.arena);
    assert_string_equal(row(&f, ""), "-");
}

/* Tables that have little in common are not looked through again and again. */
static void misses_end_the_search(void **state)
{
    (void)state;
    struct fixture f;
    open_text(&f, site_data_old_csv, "vendor\r\na,one,1.1,1\r\n");
    for (int i = 0; i < 100; i++)
        assert_string_equal(row(&f, "b,"), "-");
    assert_string_equal(row(&f, "a,"), "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_csv),
        cmocka_unit_test(rows_of_json),
        cmocka_unit_test(what_is_cut_has_no_row),
        cmocka_unit_test(misses_end_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
