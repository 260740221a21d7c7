/* share_card: a PNG of the promised size, the same twice, whatever its texts are. */
#include "tests/unit/unit.h"

#include "renderer/sharing/share_card.h"

#include <string.h>

static const struct share_card card = {.site = "Training benchmarks",
                                       .kind = "model",
                                       .name = "Llama 3 8B",
                                       .said = "Highest stated: 7,914 tokens/s per card",
                                       .more = "16 rows",
                                       .state = "failed",
                                       .of = STATE_FAILED};

static void draw(const struct share_card *of, struct buf *out)
{
    struct cairo_library cairo;
    struct err err = {0};
    if (!cairo_library_open(&cairo))
        skip();
    buf_init(out, BUF_DEFAULT_MAX);
    assert_int_equal(share_card_write(&cairo, of, out, &err), 0);
}

static unsigned number_at(const struct buf *b, size_t at)
{
    const unsigned char *p = (const unsigned char *)b->data + at;
    return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
}

static void a_card_is_a_png_of_its_size(void **state)
{
    struct buf png;
    draw(&card, &png);
    assert_memory_equal(png.data, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png.data + 12, "IHDR", 4);
    assert_int_equal(number_at(&png, 16), SHARE_CARD_WIDTH);
    assert_int_equal(number_at(&png, 20), SHARE_CARD_HEIGHT);
    buf_release(&png);
    (void)state;
}

static void the_same_card_has_the_same_bytes(void **state)
{
    struct buf one, two, other;
    struct share_card changed = card;
    changed.said = "another answer";
    draw(&card, &one);
    draw(&card, &two);
    draw(&changed, &other);
    assert_int_equal(one.len, two.len);
    assert_memory_equal(one.data, two.data, one.len);
    assert_true(one.len != other.len || memcmp(one.data, other.data, one.len) != 0);
    buf_release(&one);
    buf_release(&two);
    buf_release(&other);
    (void)state;
}

static void hostile_texts_are_drawn(void **state)
{
    static char longest[100001];
    static const char *const texts[] = {
        "", " ", "   ", "昆仑芯", "\xff\xfe\x80", "\x1b[31m\n\t", longest};
    memset(longest, 'W', sizeof longest - 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct share_card c = card;
        struct buf png;
        c.site = c.kind = c.name = c.said = c.more = c.state = texts[i];
        draw(&c, &png);
        assert_true(png.len > 1000);
        buf_release(&png);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_is_a_png_of_its_size),
        cmocka_unit_test(the_same_card_has_the_same_bytes),
        cmocka_unit_test(hostile_texts_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
