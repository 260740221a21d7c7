/* store_index: what the entries of an archive's log add up to. */
#include "tests/unit/unit.h"

#include "base/store/store_log.h"

#include <string.h>

#define A "a"
#define B "b"
#define C "c"
#define P "p"
#define ONE "one"
#define TWO "two"

struct place {
    struct arena arena;
    struct store_log log;
    struct store_index index;
};

static void open_place(struct place *p, struct store_entry *entries, size_t n)
{
    *p = (struct place){.arena = ARENA_INIT, .log = {.entries = entries, .n = n, .lines = n}};
    for (size_t i = 0; i < n; i++)
        entries[i].line = (int)i + 1;
    store_index_make(&p->log, &p->arena, &p->index);
}

#define OPEN(p, entries) open_place(p, entries, sizeof(entries) / sizeof *(entries))
#define CAME(which, file) .kind = STORE_ADDED, .submission = which, .object = file
#define GONE(which, file) .kind = STORE_WITHDRAWN, .submission = which, .of = file
#define HIDES(which, file, with) \
    .kind = STORE_REDACTION, .submission = which, .of = file, .object = with

static int line_of(const struct store_entry *e)
{
    return e ? e->line : 0;
}

static void nothing_came(void **state)
{
    (void)state;
    struct place p;
    open_place(&p, NULL, 0);
    assert_null(store_item_of(&p.index, ONE));
    assert_null(store_object_of(&p.index, A));
    assert_null(store_submission_of(&p.index, A));
    assert_null(store_withdrawal_of(&p.index, ONE));
    arena_release(&p.arena);
}

/* Of an item: the lines that count, as "added withdrawn redaction". */
static void assert_lines(const struct store_item *item, int added, int withdrawn, int redaction)
{
    assert_non_null(item);
    assert_int_equal(line_of(item->added), added);
    assert_int_equal(line_of(item->withdrawn), withdrawn);
    assert_int_equal(line_of(item->redaction), redaction);
}

static void the_first_withdrawal_and_the_last_redaction_count(void **state)
{
    (void)state;
    struct store_entry entries[] = {
        {CAME(TWO, C)},    {CAME(ONE, A)},    {HIDES(ONE, NULL, P)},
        {CAME(ONE, B)},    {GONE(ONE, NULL)}, {HIDES(ONE, NULL, NULL)},
        {GONE(ONE, NULL)}, {CAME(ONE, A)},    {HIDES(TWO, C, NULL)},
    };
    struct place p;
    OPEN(&p, entries);
    assert_int_equal(p.index.n_items, 2);
    assert_int_equal(p.index.n_objects, 4); /* one of them came twice */
    assert_lines(store_item_of(&p.index, ONE), 2, 5, 6);
    assert_lines(store_item_of(&p.index, TWO), 1, 0, 9);
    assert_lines(store_submission_of(&p.index, A), 2, 5, 6);
    assert_lines(store_submission_of(&p.index, B), 4, 5, 6);
    assert_int_equal(line_of(store_object_of(&p.index, A)->entry), 2);
    assert_null(store_submission_of(&p.index, P)); /* is published, and came not */
    assert_int_equal(line_of(store_object_of(&p.index, P)->entry), 3);
    assert_int_equal(line_of(store_withdrawal_of(&p.index, ONE)), 5);
    assert_null(store_withdrawal_of(&p.index, TWO));
    arena_release(&p.arena);
}

/* What is said of a file is said of that one; what is said of all counts where it is later. */
static void files_are_told_apart(void **state)
{
    (void)state;
    struct store_entry entries[] = {
        {CAME(ONE, A)},        {CAME(ONE, B)}, {HIDES(ONE, A, NULL)}, {HIDES(ONE, NULL, NULL)},
        {GONE(ONE, A)},        {GONE(ONE, A)}, {HIDES(ONE, B, NULL)}, {HIDES(ONE, B, P)},
        {CAME(TWO, C)},        {GONE(TWO, A)}, {GONE(TWO, "none")},   {GONE(TWO, P)},
        {HIDES(TWO, B, NULL)},
    };
    struct place p;
    OPEN(&p, entries);
    assert_lines(store_submission_of(&p.index, A), 1, 5, 4);
    assert_lines(store_submission_of(&p.index, B), 2, 0, 8);
    assert_lines(store_submission_of(&p.index, C), 9, 0, 13);
    assert_null(store_withdrawal_of(&p.index, ONE)); /* the other one stands */
    assert_null(store_withdrawal_of(&p.index, TWO));
    arena_release(&p.arena);
}

static void a_submission_is_gone_with_its_last_file(void **state)
{
    (void)state;
    struct store_entry entries[] = {
        {CAME(ONE, A)}, {CAME(TWO, C)}, {CAME(ONE, B)},    {GONE(ONE, B)},
        {GONE(ONE, A)}, {GONE(TWO, C)}, {GONE(TWO, NULL)}, {GONE(TWO, C)},
    };
    struct place p;
    OPEN(&p, entries);
    assert_int_equal(line_of(store_withdrawal_of(&p.index, ONE)), 4); /* of the file sorted last */
    assert_lines(store_item_of(&p.index, ONE), 1, 0, 0);
    /* Of a file that was withdrawn by itself before all of it was, the earlier line counts. */
    assert_lines(store_submission_of(&p.index, C), 2, 6, 0);
    assert_int_equal(line_of(store_withdrawal_of(&p.index, TWO)), 7);
    arena_release(&p.arena);
}

static void another_owner_is_a_rival(void **state)
{
    (void)state;
    static const struct {
        const char *signer[2], *key[2];
        bool rival;
    } rows[] = {
        {{"acme", "globex"}, {"k", "l"}, true}, {{"acme", "acme"}, {"k", "l"}, false},
        {{"acme", "globex"}, {"k", "k"}, true}, {{NULL, "acme"}, {"k", "l"}, true},
        {{"acme", NULL}, {"k", "k"}, false},    {{NULL, NULL}, {"k", "l"}, true},
        {{NULL, NULL}, {NULL, "l"}, false},     {{NULL, NULL}, {"k", NULL}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct store_entry entries[] = {{CAME(TWO, C)}, {CAME(ONE, A)}, {CAME(ONE, B)}};
        struct place p;
        for (int k = 0; k < 2; k++) {
            entries[k + 1].signer = rows[i].signer[k];
            entries[k + 1].key = rows[i].key[k];
        }
        entries[0].signer = "third";
        entries[0].key = "t";
        OPEN(&p, entries);
        if (line_of(store_rival(&p.log, &p.index, &entries[2])) != (rows[i].rival ? 2 : 0))
            fail_msg("row %zu", i);
        assert_null(store_rival(&p.log, &p.index, &entries[1])); /* was the first */
        arena_release(&p.arena);
    }
}

static void who_is_gone_is_no_rival(void **state)
{
    (void)state;
    struct store_entry entries[] = {
        {CAME(ONE, A), .signer = "acme"},
        {GONE(ONE, A)},
        {HIDES(TWO, NULL, B)},
        {CAME(ONE, B), .signer = "globex"},
        {CAME(ONE, C), .signer = "acme"},
        {CAME(ONE, C), .signer = "globex"},
    };
    const struct store_entry unknown = {CAME("none", C), .signer = "x"};
    struct place p;
    OPEN(&p, entries);
    assert_null(store_rival(&p.log, &p.index, &entries[3]));
    /* Its object was published in place of another before it came. */
    assert_int_equal(line_of(store_rival(&p.log, &p.index, &entries[4])), 4);
    assert_int_equal(line_of(store_rival(&p.log, &p.index, &entries[5])), 5);
    assert_null(store_rival(&p.log, &p.index, &unknown));
    /* One that is not in the log has all of it before it. */
    const struct store_entry next = {CAME(ONE, P), .signer = "initech"};
    assert_int_equal(line_of(store_rival(&p.log, &p.index, &next)), 4);
    const struct store_entry owner = {CAME(TWO, P), .signer = "initech"};
    assert_null(store_rival(&p.log, &p.index, &owner));
    arena_release(&p.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_came),
        cmocka_unit_test(the_first_withdrawal_and_the_last_redaction_count),
        cmocka_unit_test(files_are_told_apart),
        cmocka_unit_test(a_submission_is_gone_with_its_last_file),
        cmocka_unit_test(another_owner_is_a_rival),
        cmocka_unit_test(who_is_gone_is_no_rival),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
