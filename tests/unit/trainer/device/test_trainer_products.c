/* The record of chosen algorithms: what tells products apart, what is written is read, and what a
 * hostile file may hold. */
#include "tests/unit/unit.h"
#include "trainer/device/product_record.h"

#include <stdio.h>
#include <string.h>

#define PLACE "cuBLASLt 13.1.0, NVIDIA H200, 9.0, 132 multiprocessors, bf16"

static _Alignas(64) char memory[3][64];

static struct matrix_product product(void)
{
    return (struct matrix_product){
        .m = 5, .n = 7, .k = 3, .alpha = 1, .a = memory[0], .b = memory[1], .c = memory[2]};
}

static struct product_choice choice_of(const struct matrix_product *p, uint64_t first)
{
    struct product_choice c = {.key = product_key_of(p), .microseconds = 12.5};
    for (int i = 0; i < PRODUCT_ALGORITHM_WORDS; i++)
        c.algorithm[i] = first + (uint64_t)i * 0x0123456789abcdefULL;
    return c;
}

static void defaults_are_filled_in(void **state)
{
    struct matrix_product p = product();
    struct product_key k = product_key_of(&p);
    assert_int_equal(k.of[PRODUCT_LDA], 3);
    assert_int_equal(k.of[PRODUCT_LDB], 7);
    assert_int_equal(k.of[PRODUCT_LDC], 7);
    assert_int_equal(k.of[PRODUCT_BATCH], 1);
    p.transpose_a = p.transpose_b = true;
    k = product_key_of(&p);
    assert_int_equal(k.of[PRODUCT_LDA], 5);
    assert_int_equal(k.of[PRODUCT_LDB], 3);
    assert_int_equal(sizeof k, PRODUCT_FIELDS * sizeof(int64_t)); /* no padding */
    (void)state;
}

/* Each of these is another product; another alpha is not. */
static void what_tells_products_apart(void **state)
{
    struct matrix_product p = product(), others[13];
    struct product_key own = product_key_of(&p), key;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        others[i] = p;
    others[0].m++, others[1].n++, others[2].k++, others[3].lda = 8, others[4].ldb = 8;
    others[5].ldc = 8, others[6].batch = 2, others[7].transpose_a = true;
    others[8].transpose_b = true, others[9].beta = 1, others[10].c_fp32 = true;
    others[11].stride_a = 9, others[12].stride_c = 9;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        key = product_key_of(&others[i]);
        assert_false(product_key_same(&own, &key));
    }
    p.alpha = 2;
    key = product_key_of(&p);
    assert_true(product_key_same(&own, &key));
    (void)state;
}

static void alignments_are_of_each_operand(void **state)
{
    static const struct {
        int by, aligned;
    } rows[] = {{0, 16}, {2, 2}, {4, 4}, {6, 2}, {8, 8}, {16, 16}, {24, 8}, {32, 16}, {1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct matrix_product p = product();
        p.b = memory[1] + rows[i].by;
        struct product_key k = product_key_of(&p);
        assert_int_equal(k.of[PRODUCT_ALIGN_A], 16);
        assert_int_equal(k.of[PRODUCT_ALIGN_B], rows[i].aligned);
        assert_int_equal(k.of[PRODUCT_ALIGN_C], 16);
    }
    (void)state;
}

static void write_two(struct buf *out)
{
    struct matrix_product p = product();
    struct product_choice first = choice_of(&p, 1), second;
    p.a = memory[0] + 2;
    p.stride_a = (size_t)1 << 40;
    second = choice_of(&p, 0xfedcba9876543210ULL);
    buf_init(out, 1 << 16);
    product_record_head(out, PLACE);
    product_record_line(out, &first);
    product_record_line(out, &second);
}

static void what_is_written_is_read(void **state)
{
    struct buf text;
    struct product_record r;
    struct err err = ERR_INIT;
    struct matrix_product p = product();
    write_two(&text);
    assert_int_equal(product_record_read(&r, text.data, &err), 0);
    assert_string_equal(r.place, PLACE);
    assert_int_equal(r.n, 2);
    struct product_choice want = choice_of(&p, 1);
    const struct product_choice *found = product_record_find(&r, &want.key);
    assert_non_null(found);
    assert_memory_equal(found->algorithm, want.algorithm, sizeof want.algorithm);
    assert_true(found->microseconds == 12.5);
    p.c = memory[2] + 4; /* aligned otherwise: not what was recorded */
    want.key = product_key_of(&p);
    assert_null(product_record_find(&r, &want.key));
    product_record_release(&r);
    buf_release(&text);
    (void)state;
}

/* A file of version 1 has no first line, no alignments and no last word on where it is from. */
static void older_files_hold_nothing(void **state)
{
    static const char *const texts[] = {
        "16 16 16 16 16 16 1 0 0 0 0 0 0 0 3.5 "
        "0000000000000001000000000000000200000000000000030000000000000004"
        "0000000000000005000000000000000600000000000000070000000000000008\n",
        "", NULL};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct product_record r;
        struct err err = ERR_INIT;
        assert_int_equal(product_record_read(&r, texts[i], &err), 0);
        assert_string_equal(r.place, "");
        assert_int_equal(r.n, 0);
        product_record_release(&r);
    }
    (void)state;
}

/* Any one byte that goes missing or becomes another sort of byte is seen, but for what is a digit
 * still; nothing is read past the end. */
static void damage_is_seen(void **state)
{
    struct buf text;
    struct product_record r;
    struct err err = ERR_INIT;
    char hurt[4096];
    write_two(&text);
    size_t head = strcspn(text.data, "\n") + 1;
    assert_in_range(text.len, head, sizeof hurt - 1);
    for (size_t i = head; i < text.len - 1; i++) {
        memcpy(hurt, text.data, text.len + 1);
        hurt[i] = hurt[i] == 'z' ? '#' : 'z';
        assert_int_equal(product_record_read(&r, hurt, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        memcpy(hurt, text.data, i);
        hurt[i] = '\0';
        bool at_a_line = text.data[i - 1] == '\n' || text.data[i] == '\n';
        assert_int_equal(product_record_read(&r, hurt, &err), at_a_line ? 0 : -1);
        product_record_release(&r);
        err = (struct err)ERR_INIT;
    }
    buf_release(&text);
    (void)state;
}

static void what_no_product_can_be_is_refused(void **state)
{
    static const char *const lines[] = {
        "products/2 \n",
        "products/3 x\n",
        "other\n",
        " products/2 x\n",
        "products/2",
        "products/2 x\n-1 7 3 3 7 7 1 0 0 0 0 0 0 0 16 16 16 1.0 ",
        "products/2 x\n0 7 3 3 7 7 1 0 0 0 0 0 0 0 16 16 16 1.0 ",
        "products/2 x\n5 7 3 3 7 7 1 2 0 0 0 0 0 0 16 16 16 1.0 ",
        "products/2 x\n5 7 3 3 7 7 1 0 0 0 0 0 0 0 16 16 32 1.0 ",
        "products/2 x\n99999999999999999999 7 3 3 7 7 1 0 0 0 0 0 0 0 16 16 16 1.0 ",
        "products/2 x\n5 7 3 3 7 7 1 0 0 0 0 0 0 0 16 16 16 nan ",
        "products/2 x\n5 7 3 3 7 7 1 0 0 0 0 0 0 0 16 16 16 1e999 ",
        "products/2 x\n\n",
    };
    static const char algorithm[] =
        "0000000000000001000000000000000200000000000000030000000000000004"
        "0000000000000005000000000000000600000000000000070000000000000008\n";
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[1024];
        struct product_record r;
        struct err err = ERR_INIT;
        bool cut = lines[i][strlen(lines[i]) - 1] == ' ';
        snprintf(text, sizeof text, "%s%s", lines[i], cut ? algorithm : "");
        assert_int_equal(product_record_read(&r, text, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
    }
    (void)state;
}

static void no_more_lines_than_there_may_be(void **state)
{
    struct matrix_product p = product();
    struct product_choice c = choice_of(&p, 9);
    struct buf text;
    struct product_record r;
    struct err err = ERR_INIT;
    buf_init(&text, (size_t)4 << 20);
    product_record_head(&text, PLACE);
    for (int i = 0; i < PRODUCT_CHOICES_MAX; i++)
        product_record_line(&text, &c);
    assert_int_equal(product_record_read(&r, text.data, &err), 0);
    product_record_release(&r);
    product_record_line(&text, &c);
    assert_int_equal(product_record_read(&r, text.data, &err), -1);
    buf_release(&text);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_filled_in),
        cmocka_unit_test(what_tells_products_apart),
        cmocka_unit_test(alignments_are_of_each_operand),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(older_files_hold_nothing),
        cmocka_unit_test(damage_is_seen),
        cmocka_unit_test(what_no_product_can_be_is_refused),
        cmocka_unit_test(no_more_lines_than_there_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
