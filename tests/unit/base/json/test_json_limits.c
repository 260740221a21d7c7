/* json: how much is read, to the byte, and in what time. */
#include "tests/unit/json_text.h"

#include <stdlib.h>
#include <time.h>

static void limits_are_exact(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    char deep[2 * JSON_DEPTH_MAX + 3];
    memset(deep, '[', JSON_DEPTH_MAX);
    memset(deep + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    assert_string_equal(parse(&a, deep, 2 * JSON_DEPTH_MAX, NULL), "");
    memset(deep, '[', JSON_DEPTH_MAX + 1);
    assert_string_equal(parse(&a, deep, JSON_DEPTH_MAX + 1, NULL),
                        "1:33: found a deeper level, expected at most 32 levels");
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    buf_char(&b, '{');
    for (int i = 0; i < JSON_KEYS_MAX; i++)
        buf_printf(&b, "%s\"%d\":0", i ? "," : "", i);
    buf_char(&b, '}');
    assert_string_equal(parse(&a, b.data, b.len, NULL), "");
    b.data[b.len - 1] = ',';
    buf_str(&b, "\"x\":0}");
    const char *message = parse(&a, b.data, b.len, NULL);
    assert_true(text_ends(message, "found another key, expected at most 10000 in one object"));
    buf_clear(&b);
    buf_char(&b, '"');
    for (size_t i = 0; i < JSON_BYTES_MAX; i++)
        buf_char(&b, 'x');
    assert_string_equal(parse(&a, b.data, b.len, NULL),
                        "1:1: found 4194305 bytes, expected at most 4194304");
    b.data[JSON_BYTES_MAX - 1] = '"';
    assert_string_equal(parse(&a, b.data, JSON_BYTES_MAX, NULL), "");
    buf_release(&b);
    arena_release(&a);
}

static void fill_values(struct buf *b, size_t n)
{
    buf_char(b, '[');
    for (size_t i = 1; i < n; i++)
        buf_str(b, i > 1 ? ",0" : "0");
    buf_char(b, ']');
}

static void a_million_values_are_the_limit(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct json *root;
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    fill_values(&b, JSON_VALUES_MAX);
    assert_string_equal(parse(&a, b.data, b.len, &root), "");
    assert_int_equal(root->n, JSON_VALUES_MAX - 1);
    arena_release(&a);
    buf_clear(&b);
    fill_values(&b, JSON_VALUES_MAX + 1);
    assert_true(text_ends(parse(&a, b.data, b.len, NULL), "expected at most 1000000"));
    buf_release(&b);
    arena_release(&a);
}

static void fill_strings(struct buf *b, size_t n)
{
    buf_char(b, '"');
    while (b->len < n - 1)
        buf_str(b, "\\u663e显a");
    buf_char(b, '"');
}

static void fill_wide(struct buf *b, size_t n)
{
    buf_char(b, '[');
    while (b->len < n) {
        buf_str(b, b->len > 1 ? ",{" : "{");
        for (int i = 0; i < JSON_KEYS_MAX; i++)
            buf_printf(b, "%s\"%x\":0", i ? "," : "", 1000 - i);
        buf_char(b, '}');
    }
    buf_char(b, ']');
}

static void fill_nested(struct buf *b, size_t n)
{
    buf_char(b, '[');
    while (b->len < n) {
        buf_str(b, b->len > 1 ? "," : "");
        for (int i = 1; i < JSON_DEPTH_MAX; i++)
            buf_char(b, '[');
        for (int i = 1; i < JSON_DEPTH_MAX; i++)
            buf_char(b, ']');
    }
    buf_char(b, ']');
}

static void fill_numbers(struct buf *b, size_t n)
{
    buf_char(b, '[');
    while (b->len < n)
        buf_printf(b, "%s0.%060d", b->len > 1 ? "," : "", (int)b->len);
    buf_char(b, ']');
}

static void fill_unclosed(struct buf *b, size_t n)
{
    while (b->len < n)
        buf_str(b, "显\n");
    b->data[0] = '"';
    b->data[1] = b->data[2] = ' ';
}

static double seconds_for(void (*fill)(struct buf *, size_t), size_t n)
{
    struct arena a = ARENA_INIT;
    struct buf b;
    struct timespec from, to;
    buf_init(&b, BUF_DEFAULT_MAX);
    fill(&b, n);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    parse(&a, b.data, b.len, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    buf_release(&b);
    arena_release(&a);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

/* Four doublings of the input: a quadratic reader would take 256 times as long, a linear one 16
 * times. The bound leaves room for a busy machine. */
static void time_grows_with_the_text(void **state)
{
    (void)state;
    static void (*const fills[])(struct buf *, size_t) = {fill_values, fill_strings, fill_wide,
                                                          fill_nested, fill_numbers, fill_unclosed};
    for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++) {
        size_t most = i == 0 ? JSON_VALUES_MAX : JSON_BYTES_MAX - 20000;
        double small = seconds_for(fills[i], most / 16), large = seconds_for(fills[i], most);
        if (large > 80 * small + 0.25)
            fail_msg("row %zu: %.4f s, then %.4f s for 16 times as much", i, small, large);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(a_million_values_are_the_limit),
        cmocka_unit_test(time_grows_with_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
