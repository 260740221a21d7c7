/* strings: two languages or none, a project's words over the shipped ones, values in their places;
 * constants of templates; the site that was published before. */
#include "tests/unit/template_room.h"

#include "renderer/site/index/previous.h"
#include "renderer/words/strings.h"

#include <string.h>

#define TABLE(entries) "{\"schema\": \"fpreport.strings/1\", \"strings\": {\n" entries "}}\n"

/* "" when it loads, else what is wrong, without the folder. */
static const char *load(struct room *r, struct strings *strings)
{
    r->err = (struct err)ERR_INIT;
    if (strings_load(strings, &r->templates, &r->folder.arena, &r->err) == 0)
        return "";
    const char *place = strstr(r->err.text, r->folder.path);
    return place ? place + strlen(r->folder.path) + 1 : r->err.text;
}

static void a_word_has_two_languages(void **state)
{
    struct room *r = *state;
    struct strings strings;
    put(r, "shipped/site/strings.json",
        TABLE("\"b\": {\"zh\": \"乙\", \"en\": \"B\"},\n\"a\": {\"zh\": \"甲\", \"en\": \"A\"}"));
    assert_string_equal(load(r, &strings), "");
    assert_string_equal(strings_get(&strings, PAGE_ZH, "a"), "甲");
    assert_string_equal(strings_get(&strings, PAGE_EN, "b"), "B");
    assert_null(strings_get(&strings, PAGE_EN, "c"));
    put(r, "own/site/strings.json", TABLE("\"a\": {\"zh\": \"子\", \"en\": \"own\"}"));
    assert_string_equal(load(r, &strings), "");
    assert_string_equal(strings_get(&strings, PAGE_EN, "a"), "own");
    assert_string_equal(strings_get(&strings, PAGE_EN, "b"), "B");
    assert_int_equal(strings.n, 2);
}

static void what_is_wrong_with_a_table_has_its_place(void **state)
{
    struct room *r = *state;
    struct strings strings;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {TABLE("\"a\": {\"zh\": \"甲\"}"),
         "shipped/site/strings.json:2:1: \"a\" has no text in \"en\""},
        {TABLE("\"a\": {\"en\": \"A\", \"zh\": \"\"}"),
         "shipped/site/strings.json:2:1: \"a\" has no text in \"zh\""},
        {TABLE("\"a\": \"A\""), "shipped/site/strings.json:2:1: \"a\" has no text in \"zh\""},
        {"{}",
         "shipped/site/strings.json: expected \"schema\": \"fpreport.strings/1\" and an object "
         "\"strings\""},
        {"{", "shipped/site/strings.json:1:2: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(r, "shipped/site/strings.json", cases[i].text);
        const char *said = load(r, &strings);
        if (strncmp(said, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("case %zu says: %s", i, said);
    }
    put(r, "shipped/site/strings.json", TABLE(""));
    assert_true(strncmp(load(r, &strings), "template site/strings.json: not found, expected", 47) ==
                    0 ||
                strstr(r->err.text, "site/strings.json: not found"));
}

static void values_go_to_their_places(void **state)
{
    struct room *r = *state;
    const struct string_value values[] = {{"n", "3"}, {"name", "{n}"}, {"k", "1"}};
    static const struct {
        const char *text, *filled;
    } cases[] = {
        {"{n} rows of {name}", "3 rows of {n}"}, /* a value is not filled again */
        {"共 {n} 行", "共 3 行"},
        {"{no} {n", "{no} {n"},
        {"{{n}}", "{3}"},
        {"{k} {k|row|rows}, {n} {n|row|rows}", "1 row, 3 rows"}, /* by what the value is */
        {"{k||s}{n||s}", "s"},
        {"{k|row} {k|row|rows", "{k|row} {k|row|rows"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(strings_fill(cases[i].text, values, 3, &r->folder.arena),
                            cases[i].filled);
}

static const char *constant(const void *self, const char *name)
{
    return strcmp(name, "a.b") == 0 ? self : NULL;
}

static void constants_are_put_in_when_compiled(void **state)
{
    struct room *r = *state;
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    r->templates.constant = constant;
    r->templates.constants = "<&>";
    put(r, "own/x.html", "{{t.a.b}} {{{t.a.b}}} {{t}}\n");
    put(r, "own/missing.html", "<p>\n {{t.no}}\n");
    put(r, "own/section.html", "{{#t.a.b}}x{{/t.a.b}}\n");
    struct view *view = view_object(&r->folder.arena);
    view_set_text(view, "t", "own");
    if (templates_render(&r->templates, "x.html", view, &out, &r->err) < 0)
        fail_msg("%s", r->err.text);
    assert_string_equal(out.data, "&lt;&amp;&gt; <&> own\n");
    assert_int_equal(templates_render(&r->templates, "missing.html", view, &out, &r->err), -1);
    assert_non_null(strstr(r->err.text, "own/missing.html:2:2: {{t.no}}: no such string"));
    r->err = (struct err)ERR_INIT;
    assert_int_equal(templates_render(&r->templates, "section.html", view, &out, &r->err), -1);
    assert_non_null(strstr(r->err.text, "own/section.html:1:1: {{t.a.b}}: a constant is text"));
    buf_release(&out);
}

static void the_site_before_is_read_back(void **state)
{
    struct room *r = *state;
    struct site_previous previous;
    struct diags diags;
    diags_init(&diags, &r->folder.arena);
    put(r, "data/index.json",
        "{\"schema\": \"fpreport.index/1\", \"tool\": \"0.1.0\", \"rules\": \"2026.1\", "
        "\"results\": [\n"
        "{\"id\": \"b/y\", \"history\": [{\"state\": \"failed\", \"tool\": \"0.1.0\", \"rules\": "
        "\"1\"},"
        "{\"state\": \"verified\", \"tool\": \"0.1.0\", \"rules\": \"2\"}]},\n"
        "{\"id\": \"a/x\", \"history\": [{\"state\": \"partial\"}]}]}\n");
    assert_int_equal(site_previous_load(&previous, r->folder.path, &r->folder.arena, &diags), 0);
    const struct site_was *was = site_previous_find(&previous, "b/y");
    assert_non_null(was);
    assert_int_equal(was->n_history, 2);
    assert_int_equal(was->history[1].state, STATE_VERIFIED);
    assert_string_equal(was->history[0].rules, "1");
    assert_null(site_previous_find(&previous, "c/z"));
    assert_null(site_previous_find(NULL, "a/x"));
    static const char *const refused[] = {
        "{\"results\": []}",
        "{\"schema\": \"fpreport.index/1\", \"results\": [{\"id\": \"a/x\"}]}",
        "{\"schema\": \"fpreport.index/1\", \"results\": [{\"id\": \"a/x\", \"history\": []}]}",
        "{\"schema\": \"fpreport.index/1\", \"results\": [{\"history\": [{\"state\": 1}]}]}",
        "{\"schema\": \"fpreport.index/1\", \"results\": [{\"id\": \"a\", \"history\": [{}]}]}",
        "[",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        put(r, "data/index.json", refused[i]);
        assert_int_equal(site_previous_load(&previous, r->folder.path, &r->folder.arena, &diags),
                         -1);
        assert_int_equal(diags.errors, i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_word_has_two_languages, room_open, room_close),
        cmocka_unit_test_setup_teardown(what_is_wrong_with_a_table_has_its_place, room_open,
                                        room_close),
        cmocka_unit_test_setup_teardown(values_go_to_their_places, room_open, room_close),
        cmocka_unit_test_setup_teardown(constants_are_put_in_when_compiled, room_open, room_close),
        cmocka_unit_test_setup_teardown(the_site_before_is_read_back, room_open, room_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
