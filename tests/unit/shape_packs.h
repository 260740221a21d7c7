/* shape_packs: a record as bytes and back, for the tests of shapes. */
#pragma once

#include "tests/unit/unit.h"

#include "base/json/shape.h"

/* As bytes and back it is the same, with its lines; cut anywhere it is refused. */
static inline void assert_packs(const struct shape *shape, const void *value, struct arena *a)
{
    struct buf once, twice;
    void *back = arena_alloc(a, shape->size);
    buf_init(&once, BUF_DEFAULT_MAX);
    buf_init(&twice, BUF_DEFAULT_MAX);
    shape_pack(shape, value, &once);
    struct unpack u = {.at = once.data, .end = once.data + once.len};
    shape_unpack(shape, back, a, &u);
    assert_true(unpack_end(&u));
    assert_null(shape_diff(shape, value, back, a));
    shape_pack(shape, back, &twice);
    assert_int_equal(once.len, twice.len);
    assert_memory_equal(once.data, twice.data, once.len);
    for (size_t cut = 0; cut < once.len; cut += 1 + once.len / 200) {
        u = (struct unpack){.at = once.data, .end = once.data + cut};
        shape_unpack(shape, arena_alloc(a, shape->size), a, &u);
        assert_false(unpack_end(&u));
    }
    buf_release(&once);
    buf_release(&twice);
}
