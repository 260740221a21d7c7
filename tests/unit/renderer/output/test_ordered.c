/* Files come in the order of their items, whoever made them; so does the first error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "renderer/output/ordered.h"

#include <stdio.h>
#include <string.h>

#define ITEMS ((size_t)3 * ORDERED_WINDOW + 7)

/* Item i has i % 3 files; item `bad` hands over one and fails. */
struct plan {
    size_t bad;
};

struct seen {
    size_t files, item, part; /* the next that is to come */
    size_t stop_at;           /* the sink refuses that file */
};

static void busy(size_t i)
{
    volatile size_t turns = i % 7 * 3000; /* so that items end out of order */
    while (turns > 0)
        turns--;
}

static int make(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                struct err *err)
{
    const struct plan *p = context;
    char path[32];
    assert_true(worker < ordered_workers());
    busy(i);
    for (size_t part = 0; part < i % 3; part++) {
        snprintf(path, sizeof path, "%zu/%zu", i, part);
        if (emit(self, path, path, part ? strlen(path) : 0, err) < 0)
            return -1;
    }
    return i >= p->bad ? err_set(err, ERR_INPUT, "item %zu", i) : 0;
}

static int see(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct seen *s = self;
    char expected[32];
    if (s->files == s->stop_at)
        return err_set(err, ERR_IO, "full");
    while (s->part == s->item % 3) {
        s->item++;
        s->part = 0;
    }
    snprintf(expected, sizeof expected, "%zu/%zu", s->item, s->part);
    assert_string_equal(path, expected);
    assert_int_equal(len, s->part ? strlen(expected) : 0);
    assert_memory_equal(data, expected, len);
    s->part++;
    s->files++;
    return 0;
}

static void test_order(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    for (size_t n = 0; n <= ITEMS; n += n < 4 ? 1 : ITEMS - 4) {
        struct seen seen = {.stop_at = SIZE_MAX};
        size_t files = 0;
        for (size_t i = 0; i < n; i++)
            files += i % 3;
        assert_int_equal(ordered_emit(n, make, &(struct plan){SIZE_MAX}, see, &seen, &err), 0);
        assert_int_equal(seen.files, files);
    }
}

static void test_first_error(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct seen seen = {.stop_at = SIZE_MAX};
    assert_int_equal(ordered_emit(ITEMS, make, &(struct plan){301}, see, &seen, &err), -1);
    assert_string_equal(err.text, "item 301");
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(seen.files, 301); /* 300 items in threes, and the one file of item 301 */
}

static void test_sink_refuses(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct seen seen = {.stop_at = 5};
    assert_int_equal(ordered_emit(ITEMS, make, &(struct plan){SIZE_MAX}, see, &seen, &err), -1);
    assert_string_equal(err.text, "full");
    assert_int_equal(seen.files, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_first_error),
        cmocka_unit_test(test_sink_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
