/* row_key and row_pairs: a row is its configuration, wherever it stands and whatever it states. */
#include "tests/unit/unit.h"

#include "base/figures/row_key.h"
#include "base/records/row_pairs.h"

#include <string.h>

#define COLUMNS 7
#define ROWS 4

static const char *const usual[COLUMNS] = {"配置", "precision", "parallel", "fix_hp",
                                           "备注", "token/p/s", "MFU"};

static const struct row_key *keys_of(struct arena *a, const char *const columns[COLUMNS],
                                     const char *caption, const char *const cells[ROWS][COLUMNS])
{
    struct table *t = arena_alloc(a, sizeof *t);
    *t = (struct table){.caption = caption, .n_columns = COLUMNS};
    t->columns = arena_array(a, COLUMNS, sizeof *t->columns);
    memcpy(t->columns, columns, COLUMNS * sizeof *columns);
    t->rows = arena_array(a, ROWS, sizeof *t->rows);
    for (; t->n_rows < ROWS && cells[t->n_rows][0]; t->n_rows++) {
        struct row *row = &t->rows[t->n_rows];
        row->cells = arena_array(a, COLUMNS, sizeof *row->cells);
        for (row->n_cells = 0; row->n_cells < COLUMNS && cells[t->n_rows][row->n_cells];)
            row->cells[row->n_cells] = (struct cell){.text = cells[t->n_rows][row->n_cells]},
            row->n_cells++;
    }
    return row_keys(t, a);
}

/* The key of one row in a table of its own. */
static const char *key_of(struct arena *a, const char *const row[COLUMNS])
{
    const char *cells[ROWS][COLUMNS] = {{NULL}};
    memcpy(cells[0], row, sizeof cells[0]);
    return keys_of(a, usual, NULL, (const char *const(*)[COLUMNS])cells)[0].key;
}

#define KEY(...) key_of(&a, (const char *const[COLUMNS]){__VA_ARGS__})

static void figures_and_spelling_are_no_part(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const char *key = KEY("A100单机8卡（1x8）", "bf16", "TP4PP2DP1", "GAS=16", "", "100", "30%");
    assert_int_equal(strlen(key), ROW_KEY_LEN);
    assert_string_equal(
        key, KEY("A100单机8卡（1x8）", "bf16", "TP4PP2DP1", "GAS=16", "see log", "999", "/"));
    assert_string_equal(key, KEY("**a100单机8卡(1X8)** ", "BF16", "tp4pp2dp1", "GAS = 16", NULL));
    arena_release(&a);
}

static void what_describes_it_is(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const char *key = KEY("A100单机8卡（1x8）", "bf16", "TP4PP2DP1", "GAS=16", "", "100", "30%");
    assert_string_not_equal(
        key, KEY("A800单机8卡（1x8）", "bf16", "TP4PP2DP1", "GAS=16", "", "100", "30%"));
    assert_string_not_equal(
        key, KEY("A100单机8卡（2x8）", "bf16", "TP4PP2DP1", "GAS=16", "", "100", "30%"));
    assert_string_not_equal(
        key, KEY("A100单机8卡（1x8）", "fp16", "TP4PP2DP1", "GAS=16", "", "100", "30%"));
    assert_string_not_equal(
        key, KEY("A100单机8卡（1x8）", "bf16", "TP2PP4DP1", "GAS=16", "", "100", "30%"));
    assert_string_not_equal(
        key, KEY("A100单机8卡（1x8）", "bf16", "TP4PP2DP1", "GAS=32", "", "100", "30%"));
    assert_string_not_equal(
        key, KEY("A100单机8卡（1x8）", "bf16", "GAS=16", "TP4PP2DP1", "", "100", "30%"));
    arena_release(&a);
}

/* "", "/" and "-" say nothing; a column that says nothing, or stands elsewhere, changes no row. */
static void columns_may_come_and_move(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    static const char *const moved[COLUMNS] = {"configuration", "token/p/s", "MFU", "超参修改",
                                               "数据精度",      "loss",      "备注"};
    const char *key = KEY("A100 1x8", "bf16", "/", "", "", "100", "30%");
    assert_string_equal(key, KEY("A100 1x8", "bf16", "", "-", "", "100", "30%"));
    assert_string_equal(key, keys_of(&a, moved, NULL,
                                     (const char *const[ROWS][COLUMNS]){
                                         {"A100 1x8", "100", "30%", "/", "bf16", "2.5", ""}})[0]
                                 .key);
    arena_release(&a);
}

static void headings_and_captions_count(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const char *const cells[ROWS][COLUMNS] = {
        {"GPT3-6.7B", "---", "---", "---", "", "---", "---"},
        {"A100 1x8", "bf16", "", "", "", "100", "30%"},
        {"A100 2x8", "", "", "", "", "", ""}, /* nothing stated yet heads nothing */
        {"A100 1x8", "bf16", "", "", "", "90", "29%"},
    };
    const struct row_key *keys = keys_of(&a, usual, NULL, cells);
    assert_string_equal(keys[1].key, keys[3].key);
    assert_string_equal(keys[1].words, "GPT3-6.7B · A100 1x8 · bf16");
    assert_string_not_equal(keys[1].key, KEY("A100 1x8", "bf16", "", "", "", "100", "30%"));
    assert_string_not_equal(keys[1].key, keys_of(&a, usual, "ablation", cells)[1].key);
    assert_string_equal(row_name(1, 2, "3f2a91c0", &a), "1.2-3f2a91c0");
    assert_string_equal(row_name(1, 2, NULL, &a), "1.2");
    arena_release(&a);
}

/* ---- pairs: "a1 b2" is a row of key a that states 1, then one of key b that states 2; "?1" has
 * no key. The answer: of each new row the old one, from 0, or '-'. --------------------------- */

static struct row_side read_side(const char *text, struct arena *arena)
{
    static const char *const keys[] = {"a", "b", "c", "d"};
    struct row_side s = row_side_of(2 * strlen(text), arena);
    for (size_t i = strlen(text) + 1; i >= 3; i -= 3) { /* backwards, and twice: no order needed */
        row_side_add(&s, 1, (int)i / 3);
        row_side_add(&s, 1, (int)i / 3);
    }
    row_side_settle(&s);
    for (size_t i = 0; i < s.n; i++) {
        const char of[] = {text[3 * i + 1], '\0'};
        struct row_place *p = row_side_find(&s, 1, (int)i + 1);
        p->figures = true;
        p->key = text[3 * i] == '?' ? NULL : keys[text[3 * i] - 'a'];
        p->stated = row_stated(0, "mfu", of);
    }
    return s;
}

static void pairs_are(const char *old, const char *now, const char *expected, bool by_key)
{
    struct arena arena = ARENA_INIT;
    struct row_side a = read_side(old, &arena), b = read_side(now, &arena);
    char found[9] = "";
    assert_int_equal(row_sides_pair(&a, &b), by_key);
    for (size_t i = 0; i < b.n; i++) {
        size_t partner = b.places[i].partner, number = row_side_number(&b, &b, 1, (int)i + 1);
        found[i] = partner == ROW_ALONE ? '-' : (char)('0' + partner);
        assert_int_equal(row_number_is_alone(number), partner == ROW_ALONE);
        for (size_t k = 0; k < a.n; k++) {
            bool is = row_side_number(&a, &b, 1, (int)k + 1) == number;
            assert_int_equal(is, partner == k);
            assert_int_equal(is, a.places[k].partner == i);
        }
    }
    assert_string_equal(found, expected);
    arena_release(&arena);
}

static void rows_are_found_where_they_are(void **state)
{
    (void)state;
    pairs_are("a1 b2", "a1 b2", "01", true);
    pairs_are("a1 b2", "c3 a1 b2", "-01", true);    /* one in front */
    pairs_are("a1 b2 c3", "b2 c3", "12", true);     /* one that is gone */
    pairs_are("a1 b2", "b2 a1", "10", true);        /* changed places */
    pairs_are("a1 b2", "a3 b2", "01", true);        /* another figure */
    pairs_are("a1 b2", "c1 b2", "-1", true);        /* another configuration with its figure */
    pairs_are("a1 a2", "a2 a1", "10", true);        /* two of one configuration */
    pairs_are("a1 a2", "a3 a1 a2", "-01", true);    /* and one more of it in front */
    pairs_are("a1 a1 b2", "b2 a1 a1", "201", true); /* that state the same */
    pairs_are("a1 a2", "a3 a2", "01", true);        /* one states another figure */
    pairs_are("a1 a2", "a3 a3 a2", "0-1", true);    /* and a new one, too */
    pairs_are("", "a1", "-", true);
    pairs_are("a1", "", "", true);
    pairs_are("?1 a2", "?3 a2", "01", true); /* without a key: by place, for itself */
    pairs_are("a2 ?1", "?1 a2", "-0", true);
    pairs_are("?1 ?2", "c3 a1 b2", "01-", false); /* an old document has none */
    pairs_are("a1 b2", "?1", "0", false);
}

static void what_is_stated_counts_with_its_name(void **state)
{
    (void)state;
    assert_true(row_stated(0, "mfu", "1") == row_stated(0, "mfu", "1"));
    assert_true(row_stated(0, "mfu", "1") != row_stated(0, "loss", "1"));
    assert_true(row_stated(0, "mfu", NULL) != row_stated(0, "mfu", ""));
    assert_true(row_stated(0, "mf", "u1") != row_stated(0, "mfu", "1"));
}

/* Figures in any order state the same; of a row that is said twice the first counts; what is of no
 * row is no row of figures. */
static void what_is_known_of_rows_comes_in_any_order(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct row_side a = row_side_of(3, &arena), b = row_side_of(3, &arena);
    struct row_figure up[] = {{1, 1, "loss", "2", 0}, {1, 1, "mfu", "1", 0}, {1, 0, "mfu", "3", 0}};
    struct row_figure down[] = {
        {1, 0, "mfu", "3", 0}, {1, 1, "mfu", "1", 0}, {1, 1, "loss", "2", 0}};
    const struct row_said said[] = {{
                                        1,
                                        1,
                                        "first",
                                        "x",
                                    },
                                    {1, 1, "second", "y"}};
    for (int row = 0; row < 2; row++) {
        row_side_add(&a, 1, row);
        row_side_add(&b, 1, row);
    }
    row_side_settle(&a);
    row_side_settle(&b);
    row_side_know(&a, up, 3, said, 2);
    row_side_know(&b, down, 3, NULL, 0);
    assert_true(row_side_find(&a, 1, 1)->stated == row_side_find(&b, 1, 1)->stated);
    assert_true(row_side_find(&a, 1, 1)->stated != row_side_find(&a, 1, 0)->stated);
    assert_string_equal(row_side_find(&a, 1, 1)->key, "first");
    assert_string_equal(row_side_find(&a, 1, 1)->words, "x");
    assert_true(row_side_find(&b, 1, 1)->figures && !row_side_find(&b, 1, 0)->figures);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_and_spelling_are_no_part),
        cmocka_unit_test(what_describes_it_is),
        cmocka_unit_test(columns_may_come_and_move),
        cmocka_unit_test(headings_and_captions_count),
        cmocka_unit_test(rows_are_found_where_they_are),
        cmocka_unit_test(what_is_stated_counts_with_its_name),
        cmocka_unit_test(what_is_known_of_rows_comes_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
