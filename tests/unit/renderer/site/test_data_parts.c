#include "renderer/site/data/data.h"
#include "tests/unit/unit.h"

static void has_one_part(size_t rows)
{
    struct arena arena = ARENA_INIT;
    struct data_part p = data_part_of("results", "json", 1, rows, 3, &arena);
    assert_int_equal(data_parts_of(rows, 3), 1);
    assert_string_equal(p.path, "data/results.json");
    assert_null(p.next);
    assert_int_equal(p.from, 0);
    assert_int_equal(p.n, rows);
    arena_release(&arena);
}

static void test_few_rows_are_one_file(void **state)
{
    (void)state;
    has_one_part(0);
    has_one_part(1);
    has_one_part(3);
}

static void test_each_row_is_in_one_part(void **state)
{
    struct arena arena = ARENA_INIT;
    (void)state;
    for (size_t rows = 1; rows < 20; rows++) {
        size_t next = 0;
        for (size_t part = 1; part <= data_parts_of(rows, 3); part++) {
            struct data_part p = data_part_of("results", "csv", part, rows, 3, &arena);
            assert_int_equal(p.from, next);
            assert_in_range(p.n, 1, 3);
            next += p.n;
        }
        assert_int_equal(next, rows);
    }
    arena_release(&arena);
}

/* Links are from the folder of the file that has them. */
static void test_parts_name_the_next(void **state)
{
    struct arena arena = ARENA_INIT;
    (void)state;
    static const struct {
        const char *path, *next;
    } parts[] = {{"data/vendor/acme.json", "acme/2.json"},
                 {"data/vendor/acme/2.json", "3.json"},
                 {"data/vendor/acme/3.json", NULL}};
    for (size_t i = 0; i < 3; i++) {
        struct data_part p = data_part_of("vendor/acme", "json", i + 1, 7, 3, &arena);
        assert_string_equal(p.path, parts[i].path);
        if (parts[i].next)
            assert_string_equal(p.next, parts[i].next);
        else
            assert_null(p.next);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_rows_are_one_file),
        cmocka_unit_test(test_each_row_is_in_one_part),
        cmocka_unit_test(test_parts_name_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
