/* wire: messages of protobuf's own documentation, every type, and bytes that are none. */
#include "tests/unit/unit.h"

#include "trainer/tokens/wire.h"

#include <string.h>

#define READER(text)                         \
    {                                        \
        .message = { text, sizeof text - 1 } \
    }

/* protobuf.dev's examples: 150 in field 1, "testing" in field 2; then fixed ones. */
static void fields_of_every_type(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct wire_field f;
    struct wire_reader r = READER("\x08\x96\x01"
                                  "\x12\x07testing"
                                  "\x1d\x00\x00\x20\xc1"
                                  "\x21\x01\x02\x03\x04\x05\x06\x07\x08");
    assert_int_equal(wire_next(&r, &f, &err), 1);
    assert_int_equal(f.number, 1);
    assert_int_equal(f.type, WIRE_VARINT);
    assert_int_equal(f.value, 150);
    assert_int_equal(wire_next(&r, &f, &err), 1);
    assert_int_equal(f.number, 2);
    assert_int_equal(f.bytes.len, 7);
    assert_memory_equal(f.bytes.data, "testing", 7);
    assert_int_equal(wire_next(&r, &f, &err), 1);
    assert_true(f.type == WIRE_FIXED32 && wire_float(&f) == -10);
    assert_int_equal(wire_next(&r, &f, &err), 1);
    assert_true(f.type == WIRE_FIXED64 && f.value == 0x0807060504030201u);
    assert_int_equal(wire_next(&r, &f, &err), 0);
}

static void largest_number(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct wire_field f;
    struct wire_reader r = READER("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    assert_int_equal(wire_next(&r, &f, &err), 1);
    assert_true(f.value == UINT64_MAX);
}

static void refuses(struct wire_reader r, const char *expected)
{
    struct err err = ERR_INIT;
    struct wire_field f;
    assert_int_equal(wire_next(&r, &f, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.text, expected));
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    refuses((struct wire_reader)READER("\x08"), "a number of at most 10 bytes");
    refuses((struct wire_reader)READER("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
            "a number of at most 10 bytes");
    refuses((struct wire_reader)READER("\x12\x08testing"), "as many bytes as their length says");
    refuses((struct wire_reader)READER("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"),
            "as many bytes as their length says");
    refuses((struct wire_reader)READER("\x1d\x01\x02\x03"), "a fixed number has");
    refuses((struct wire_reader)READER("\x21\x01\x02\x03\x04\x05\x06\x07"), "a fixed number has");
    refuses((struct wire_reader)READER("\x02\x01"), "a field number of 1 or more");
    refuses((struct wire_reader)READER("\x0b"), "a field of type 0, 1, 2 or 5");
    refuses((struct wire_reader)READER("\x0f"), "a field of type 0, 1, 2 or 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_every_type),
        cmocka_unit_test(largest_number),
        cmocka_unit_test(other_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
