/* lookup: every text is found where it first stands, and nothing else is. */
#include "tests/unit/unit.h"

#include "base/lookup.h"

#include <stddef.h>
#include <string.h>

struct item {
    int number;
    const char *name;
};

static void all_are_found(void **state)
{
    (void)state;
    for (size_t n = 0; n < 3000; n = n * 3 + 1) {
        struct arena a = ARENA_INIT;
        struct item *items = arena_array(&a, n, sizeof *items);
        for (size_t i = 0; i < n; i++) /* alike but for their ends, and some nothing but a number */
            items[i].name = arena_printf(&a, i % 3 ? "records/results/vendor/%zu" : "%zu", i / 2);
        const struct lookup l = lookup_of(items, n, sizeof *items, offsetof(struct item, name), &a);
        for (size_t i = 0; i < n; i++) {
            size_t first = 0;
            while (strcmp(items[first].name, items[i].name) != 0)
                first++;
            assert_int_equal(lookup_find(&l, items[i].name), first);
            assert_true(lookup_find(&l, arena_printf(&a, "%s ", items[i].name)) == LOOKUP_NONE);
        }
        arena_release(&a);
    }
}

/* As the array grows and moves. */
static void it_grows(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct item *items = NULL;
    struct lookup l = {.stride = sizeof *items, .at = offsetof(struct item, name)};
    assert_true(lookup_find(&l, "0") == LOOKUP_NONE);
    for (size_t n = 0; n < 1000;) {
        const char *name = arena_printf(&a, "%zu", n / 2); /* each twice */
        assert_true(lookup_find(&l, name) == (n % 2 ? n - 1 : LOOKUP_NONE));
        ((struct item *)ARENA_PUSH(&a, items, n))->name = name;
        lookup_grow(&l, items, n, &a);
        for (size_t i = 0; i < n; i += 7)
            assert_int_equal(lookup_find(&l, items[i].name), i / 2 * 2);
    }
    arena_release(&a);
}

static void nothing_is_found_in_nothing(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const struct item items[] = {{1, NULL}, {2, ""}, {3, "x"}, {4, "x"}};
    const struct lookup none = lookup_of(NULL, 0, 1, 0, &a);
    const struct lookup l = lookup_of(items, 4, sizeof *items, offsetof(struct item, name), &a);
    assert_true(lookup_find(&none, "x") == LOOKUP_NONE);
    assert_true(lookup_find(&l, NULL) == LOOKUP_NONE);
    assert_int_equal(lookup_find(&l, ""), 1);
    assert_int_equal(lookup_find(&l, "x"), 2);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_found),
        cmocka_unit_test(it_grows),
        cmocka_unit_test(nothing_is_found_in_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
