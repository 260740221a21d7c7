/* Rule sets: which rows of the table were in force when, and what a choice leaves out. */
#include "tests/unit/unit.h"

#include "base/columns.h"
#include "base/foreign.h"
#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"

#include <string.h>

static void rows_come_and_end(void **state)
{
    static const struct rule first = {.id = "FP1001", .since = "2026.1", .until = "2026.3"};
    static const struct rule second = {.id = "FP1001", .since = "2026.3"};
    static const char *const sets[] = {"2026.1", "2026.2", "2026.3", "2026.4", "2027.1"};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(rules_in_set(&first, sets[i]), i < 2);
        assert_int_equal(rules_in_set(&second, sets[i]), i >= 2);
    }
    assert_false(rules_in_set(&first, "2025.9"));
    assert_false(rules_in_set(&first, "2026.10"));
    assert_true(rules_in_set(&second, "2026.10"));
    assert_true(rules_in_set(&(struct rule){.since = "2026.2", .until = "2026.10"}, "2026.9"));
    assert_false(rules_in_set(&(struct rule){.since = "2026.10"}, "2026.9"));
}

static void seals_are_told_from_contents(void **state)
{
    static const char *const two[] = {"FP4002", "FP4015"}, *const family[] = {"FP4"},
                             *const more[] = {"FP4002", "FP2001"};
    const struct rules only_two = {.only = (const char **)(uintptr_t)two, .n_only = 2},
                       all_of_it = {.only = (const char **)(uintptr_t)family, .n_only = 1},
                       one_more = {.only = (const char **)(uintptr_t)more, .n_only = 2};
    (void)state;
    assert_true(rules_sealed(&only_two));
    assert_false(rules_sealed(&all_of_it));
    assert_false(rules_sealed(&one_more));
    assert_false(rules_sealed(NULL));
}

static bool is_a_set(const char *version)
{
    size_t n;
    const struct rules_set *sets = rules_sets(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(sets[i].version, version) == 0)
            return true;
    return false;
}

static void the_table_is_sound(void **state)
{
    size_t n_sets, n;
    const struct rules_set *sets = rules_sets(&n_sets);
    const struct rule *const *rules = rules_all(&n);
    (void)state;
    assert_string_equal(sets[n_sets - 1].version, RULES_CURRENT);
    for (size_t i = 0; i + 1 < n_sets; i++)
        assert_true(strcmp(sets[i].version, sets[i + 1].version) < 0);
    for (size_t i = 0; i < n; i++) {
        assert_true(is_a_set(rules[i]->since));
        assert_true(!rules[i]->until || is_a_set(rules[i]->until));
        assert_true(!rules[i]->until || strcmp(rules[i]->since, rules[i]->until) < 0);
    }
    /* No two rows of one id in one set. */
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = i + 1; k < n; k++)
                if (strcmp(rules[i]->id, rules[k]->id) == 0)
                    assert_false(rules_in_set(rules[i], sets[s].version) &&
                                 rules_in_set(rules[k], sets[s].version));
}

static bool is_a_kind(const char *id)
{
    size_t n;
    const struct rule_kind *kinds = rule_kinds(&n);
    for (size_t i = 0; id && i < n; i++)
        if (strcmp(kinds[i].id, id) == 0)
            return true;
    return false;
}

/* A rule of a kind that is not there would be missing on the page of rules. */
static void each_rule_is_of_a_kind(void **state)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        if (!is_a_kind(rules[i]->kind))
            fail_msg("%s is of no kind", rules[i]->id);
    assert_false(is_a_kind("none"));
    assert_null(rule_find("FP9999"));
    assert_null(rule_find(""));
}

static void expect_both(const struct rule *r, struct words text, const char *what)
{
    if (!text.en || !*text.en || !text.zh || !*text.zh)
        fail_msg("%s: found %s in one language only", r->id, what);
}

static void each_rule_says_all_in_both_languages(void **state)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const struct rule *r = rules[i];
        expect_both(r, r->title, "its title");
        expect_both(r, r->statement, "its statement");
        expect_both(r, r->why, "its why");
        expect_both(r, r->how, "its how");
        expect_both(r, r->fix, "its fix");
        for (const struct rule_case *c = r->cases; c && c->says; c++)
            expect_both(r, c->fix, c->says);
        for (const struct words *m = r->messages; m && (m->en || m->zh); m++)
            expect_both(r, *m, m->en ? m->en : m->zh);
        assert_true(r->example.honest && *r->example.honest && r->example.changed);
    }
}

static void a_choice_leaves_out(void **state)
{
    struct arena a = ARENA_INIT;
    const char *words[] = {"FP2003", "FP1"};
    struct rules some = {.only = words, .n_only = 2};
    size_t all, whole, chosen = rules_count(&some, &all);
    (void)state;
    assert_int_equal(rules_count(NULL, &whole), all);
    assert_int_equal(whole, all);
    assert_true(chosen > 1 && chosen < all);
    assert_true(rules_partial(&some));
    assert_false(rules_partial(NULL));
    assert_null(rules_only_text(NULL, &a));
    assert_string_equal(rules_only_text(&some, &a), "FP2003,FP1");
    assert_true(rules_name(RULES_CURRENT, "FP2003"));
    assert_true(rules_name(RULES_CURRENT, "FP2"));
    assert_false(rules_name(RULES_CURRENT, "FP"));
    assert_false(rules_name(RULES_CURRENT, ""));
    assert_false(rules_name(RULES_CURRENT, "FP20033"));
    assert_false(rules_name("2025.1", "FP2003"));
    arena_release(&a);
}

static void foreign_text_is_one_plain_line(void **state)
{
    static const struct {
        const char *text;
        size_t max;
        const char *shown;
    } rows[] = {
        {"", 0, ""},
        {"token/p/s", 0, "token/p/s"},
        {"a\tb\nc\r\nd", 0, "a b c  d"},
        {"\x1b[31m", 0, "\xEF\xBF\xBD[31m"},
        {"\xE2\x80\xAEgnp", 0, "\xEF\xBF\xBDgnp"},
        {"\xC2\x9B", 0, "\xEF\xBF\xBD"},
        {"\xFF\xFE", 0, "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xE9\x95", 0, "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xEF\xBF\xBF", 0, "\xEF\xBF\xBD"},
        {"soft\xC2\xADhyphen", 0, "soft\xEF\xBF\xBDhyphen"},
        {"\xE2\x80\x8B", 0, "\xEF\xBF\xBD"}, /* zero width space */
        {"\xE2\x80\x8C", 0, "\xE2\x80\x8C"}, /* ZWNJ and ZWJ are spelling */
        {"\xE2\x80\x8D", 0, "\xE2\x80\x8D"}, /* in Persian, Hindi and emoji */
        {"\xE2\x80\xA8", 0, "\xEF\xBF\xBD"}, /* line separator */
        {"\xE2\x80\xA9", 0, "\xEF\xBF\xBD"}, /* paragraph separator */
        {"\xE2\x81\xA0", 0, "\xEF\xBF\xBD"}, /* word joiner */
        {"\xE2\x81\xA4", 0, "\xEF\xBF\xBD"}, /* invisible plus */
        {"\xEF\xBB\xBF", 0, "\xEF\xBF\xBD"}, /* byte order mark */
        {"显存使用（GB）…", 0, "显存使用（GB）…"},
        {"abcdef", 6, "abcdef"},
        {"abcdef", 5, "abcde\xE2\x80\xA6"},
        {"\xE9\x95\xBF\xE9\x95\xBF", 4, "\xE9\x95\xBF\xE2\x80\xA6"},
        {"\xE9\x95\xBF", 1, "\xE2\x80\xA6"},
    };
    struct arena a = ARENA_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(foreign_line(&a, rows[i].text, rows[i].max), rows[i].shown);
    arena_release(&a);
}

static void names_fit_their_columns(void **state)
{
    static const struct {
        const char *text;
        size_t width;
        const char *shown;
    } rows[] = {
        {"abc", 5, "abc   "},
        {"abcde", 5, "abcde "},
        {"abcdef", 5, "abcd\xE2\x80\xA6 "},
        {"\xE9\x95\xBF\xE9\x95\xBF", 4, "\xE9\x95\xBF\xE9\x95\xBF "},
        {"\xE9\x95\xBF\xE9\x95\xBF", 3, "\xE9\x95\xBF\xE2\x80\xA6 "},
        {"\xE9\x95\xBF\xE9\x95\xBF\xE9\x95\xBF", 4, "\xE9\x95\xBF\xE2\x80\xA6  "},
        {"\xFF\xFF\xFF", 2, "\xFF\xE2\x80\xA6 "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        columns_fit(&out, rows[i].text, rows[i].width);
        assert_string_equal(out.data, rows[i].shown);
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_and_end),
        cmocka_unit_test(seals_are_told_from_contents),
        cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(each_rule_is_of_a_kind),
        cmocka_unit_test(each_rule_says_all_in_both_languages),
        cmocka_unit_test(a_choice_leaves_out),
        cmocka_unit_test(foreign_text_is_one_plain_line),
        cmocka_unit_test(names_fit_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
