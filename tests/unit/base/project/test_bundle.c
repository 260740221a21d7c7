/* bundle: opened from its members, in memory; what is none is refused with its place. */
#include "tests/unit/unit.h"

#include "base/project/bundle.h"

#include <stdlib.h>
#include <string.h>

#define ABOUT                                                                           \
    "{\"schema\":\"fpreport.bundle/1\",\"result\":\"acme/toy\",\"state\":\"verified\"," \
    "\"tool\":\"1\",\"rules\":\"2026.3\",\"date\":\"2026-11-27\"}"
#define RESULT "{\"schema\":\"fpreport.result/1\",\"vendor\":\"acme\",\"case\":\"toy\"}"
#define VENDOR "{\"schema\":\"fpreport.vendor/1\",\"id\":\"acme\",\"name\":\"Acme\"}"

struct box {
    struct arena arena;
    struct diags diags;
    struct tar_member members[8];
    size_t n;
    struct bundle bundle;
};

static int box_open(void **state)
{
    struct box *b = calloc(1, sizeof *b);
    *state = b;
    if (b)
        diags_init(&b->diags, &b->arena);
    return b ? 0 : -1;
}

static int box_close(void **state)
{
    struct box *b = *state;
    arena_release(&b->arena);
    free(b);
    return 0;
}

static void add(struct box *b, const char *name, const char *text)
{
    b->members[b->n++] = (struct tar_member){name, {text, strlen(text)}};
}

static int open_box(struct box *b)
{
    return bundle_open("x.bundle.tar", b->members, b->n, &b->arena, &b->bundle, &b->diags);
}

static void test_whole(void **state)
{
    struct box *b = *state;
    add(b, "BUNDLE", ABOUT);
    add(b, "records/evidence/acme/run.tar.zst", "bytes");
    add(b, "records/results/acme/toy.json", RESULT);
    add(b, "records/vendors/acme.json", VENDOR);
    if (open_box(b) < 0)
        fail_msg("%s", b->diags.n ? b->diags.items[0].message : "refused");
    assert_string_equal(b->bundle.result->case_id, "toy");
    assert_string_equal(b->bundle.result->file, "x.bundle.tar/results/acme/toy.json");
    assert_string_equal(b->bundle.project.vendors[0].name.zh, "Acme");
    assert_string_equal(b->bundle.project.dated, "2026-11-27");
    assert_int_equal(b->bundle.about.state, STATE_VERIFIED);
    assert_null(b->bundle.project.signers);
    const struct store_place at = store_place_of(b->bundle.project.store, "x.bundle.tar",
                                                 "evidence/acme/run.tar.zst", NULL, &b->arena);
    const struct bytes *held = held_find(at.held, at.path);
    assert_non_null(held);
    assert_int_equal(held->len, 5);
    assert_null(held_find(at.held, "evidence/acme/other.tar.zst"));
}

static void refuse(struct box *b, const char *message)
{
    assert_int_equal(open_box(b), -1);
    for (size_t i = 0; i < b->diags.n; i++)
        if (strstr(b->diags.items[i].message, message))
            return;
    fail_msg("nothing says: %s", message);
}

static void test_without_about(void **state)
{
    add(*state, "records/results/acme/toy.json", RESULT);
    refuse(*state, "holds no BUNDLE");
}

static void test_without_result(void **state)
{
    add(*state, "BUNDLE", ABOUT);
    refuse(*state, "holds no record of acme/toy");
}

static void test_other_name(void **state)
{
    add(*state, "BUNDLE", ABOUT);
    add(*state, "records/results/acme/toy.json", RESULT);
    add(*state, "records/vendors/globex.json", VENDOR);
    refuse(*state, "expected \"globex\"");
}

/* Two records of one name would lie in folders of different depth. */
static void test_other_depth(void **state)
{
    struct box *b = *state;
    add(b, "BUNDLE", ABOUT);
    add(b, "records/results/acme/toy.json", RESULT);
    add(b, "records/vendors/acme.json", VENDOR);
    add(b, "records/vendors/more/acme.json", VENDOR);
    assert_int_equal(open_box(b), 0);
    assert_int_equal(b->bundle.project.n_vendors, 1);
}

static void test_broken(void **state)
{
    add(*state, "BUNDLE", ABOUT);
    add(*state, "archive/log.jsonl", "{}\n");
    add(*state, "records/results/acme/toy.json", RESULT);
    refuse(*state, "not an entry");
}

static void test_begins(void **state)
{
    const char tar[] = "BUNDLE\0\0rest", log[] = "BUNDLED in a log";
    (void)state;
    assert_true(bundle_begins((struct bytes){tar, sizeof tar}));
    assert_false(bundle_begins((struct bytes){log, sizeof log}));
    assert_false(bundle_begins((struct bytes){tar, 3}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, box_open, box_close),
        cmocka_unit_test_setup_teardown(test_without_about, box_open, box_close),
        cmocka_unit_test_setup_teardown(test_without_result, box_open, box_close),
        cmocka_unit_test_setup_teardown(test_other_name, box_open, box_close),
        cmocka_unit_test_setup_teardown(test_other_depth, box_open, box_close),
        cmocka_unit_test_setup_teardown(test_broken, box_open, box_close),
        cmocka_unit_test(test_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
