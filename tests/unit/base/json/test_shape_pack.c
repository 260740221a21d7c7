/* Records as bytes: the same again, and nothing that the shape would not load. */
#include "tests/unit/unit.h"

#include "base/json/shape_pack.h"
#include "base/project/project.h"

#include <stdlib.h>
#include <string.h>

static bool take(const struct shape *shape, const char *bytes, size_t n, struct arena *arena)
{
    struct unpack u = {.at = bytes, .end = bytes + n};
    shape_unpack(shape, arena_alloc(arena, shape->size), arena, &u);
    return unpack_end(&u);
}

static void same_again(const struct shape *shape, const void *value, struct arena *arena)
{
    struct buf packed, again;
    void *back = arena_alloc(arena, shape->size);
    buf_init(&packed, BUF_DEFAULT_MAX);
    buf_init(&again, BUF_DEFAULT_MAX);
    shape_pack(shape, value, &packed);
    struct unpack u = {.at = packed.data, .end = packed.data + packed.len};
    shape_unpack(shape, back, arena, &u);
    assert_true(unpack_end(&u));
    assert_null(shape_diff(shape, value, back, arena));
    shape_pack(shape, back, &again);
    assert_int_equal(again.len, packed.len);
    assert_memory_equal(again.data, packed.data, packed.len); /* lines, too */
    buf_release(&packed);
    buf_release(&again);
}

static void all_records_come_back(void **state)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct project p;
    (void)state;
    diags_init(&diags, &arena);
    project_load("records", &p, &arena, &diags);
    assert_true(p.n_results > 5 && p.n_cases > 5 && p.n_reproductions > 0);
    for (size_t i = 0; i < p.n_results; i++)
        same_again(&result_shape, &p.results[i], &arena);
    for (size_t i = 0; i < p.n_cases; i++)
        same_again(&case_shape, &p.cases[i], &arena);
    for (size_t i = 0; i < p.n_reproductions; i++)
        same_again(&reproduction_shape, &p.reproductions[i], &arena);
    for (size_t i = 0; i < p.n_accelerators; i++)
        same_again(&accelerator_shape, &p.accelerators[i], &arena);
    arena_release(&arena);
}

/* The largest that is cut everywhere. */
static void cut_and_changed_ones(void **state)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct project p;
    struct buf packed;
    (void)state;
    diags_init(&diags, &arena);
    project_load("tests/golden/build/records", &p, &arena, &diags);
    assert_true(p.n_results > 0);
    buf_init(&packed, BUF_DEFAULT_MAX);
    shape_pack(&result_shape, &p.results[0], &packed);
    for (size_t n = 0; n < packed.len; n++) {
        char *cut = malloc(n ? n : 1);
        memcpy(cut, packed.data, n);
        assert_false(take(&result_shape, cut, n, &arena));
        free(cut);
    }
    for (size_t i = 0; i < packed.len * 8; i++) {
        char *changed = malloc(packed.len);
        memcpy(changed, packed.data, packed.len);
        changed[i / 8] ^= (char)(1 << i % 8);
        take(&result_shape, changed, packed.len, &arena);
        free(changed);
    }
    buf_release(&packed);
    arena_release(&arena);
}

static void what_no_shape_would_load(void **state)
{
    struct arena arena = ARENA_INIT;
    struct case_alignment alignment = {.from_step = 21, .max_mean_rel_error = NAN};
    struct diags diags;
    struct project p;
    struct buf packed;
    const struct {
        const char *id, *reference;
        double limit;
        long long steps;
        bool good;
    } rows[] = {
        {"x", "a/b.csv", 0.02, 1, true},     {"x", NULL, NAN, 0, true},
        {"../x", "a/b.csv", 0.02, 1, false}, {NULL, "a/b.csv", 0.02, 1, false},
        {"x", "../b.csv", 0.02, 1, false},   {"x", "/etc/passwd", 0.02, 1, false},
        {"x", "a/b.csv", 0.02, -1, false},   {"x", "a/b.csv", 0.02, 1LL << 60, false},
        {"x", "\xff.csv", 0.02, 1, false},
    };
    (void)state;
    diags_init(&diags, &arena);
    project_load("records", &p, &arena, &diags);
    struct case_record c = *project_case(&p, "tiny_llama");
    c.alignment = &alignment;
    buf_init(&packed, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_clear(&packed);
        c.id = rows[i].id;
        c.steps = rows[i].steps;
        alignment.reference = rows[i].reference;
        alignment.max_mean_rel_error = rows[i].limit;
        shape_pack(&case_shape, &c, &packed);
        if (take(&case_shape, packed.data, packed.len, &arena) != rows[i].good)
            fail_msg("row %zu", i);
    }
    buf_release(&packed);
    arena_release(&arena);
}

/* Bullets hold bullets; a hundred thousand of them deep would be a stack of our own. */
static void depth_ends(void **state)
{
    struct arena arena = ARENA_INIT;
    struct item *inner = NULL;
    (void)state;
    for (int depth = 1; depth <= SHAPE_DEPTH_MAX + 8; depth++) {
        struct item *outer = arena_alloc(&arena, sizeof *outer);
        struct group group = {.label = "g", .items = outer, .n_items = 1};
        struct environment e = {.title = "t", .groups = &group, .n_groups = 1};
        struct result r = {.vendor = "v", .case_id = "c", .environments = &e, .n_environments = 1};
        struct buf packed;
        *outer = (struct item){.value = "x", .items = inner, .n_items = inner ? 1 : 0};
        buf_init(&packed, BUF_DEFAULT_MAX);
        shape_pack(&result_shape, &r, &packed);
        assert_int_equal(take(&result_shape, packed.data, packed.len, &arena),
                         depth + 3 <= SHAPE_DEPTH_MAX);
        buf_release(&packed);
        inner = outer;
    }
    arena_release(&arena);
}

/* Of damage to a few bytes nothing is missed, wherever it is. */
static void a_checksum_sees_every_bit(void **state)
{
    (void)state;
    char bytes[101];
    uint64_t sums[sizeof bytes + 1];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i / 40);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        sums[n] = pack_checksum(bytes, n);
        for (size_t k = 0; k < n; k++)
            assert_true(sums[n] != sums[k]);
    }
    for (size_t bit = 0; bit < sizeof bytes * 8; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_true(pack_checksum(bytes, sizeof bytes) != sums[sizeof bytes]);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_checksum_sees_every_bit),
        cmocka_unit_test(all_records_come_back),
        cmocka_unit_test(cut_and_changed_ones),
        cmocka_unit_test(what_no_shape_would_load),
        cmocka_unit_test(depth_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
