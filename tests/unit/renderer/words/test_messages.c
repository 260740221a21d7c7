/* messages: what the verifier says, taken apart by its formats and said in Chinese. */
#include "tests/unit/template_room.h"

#include "renderer/words/messages.h"

#include <string.h>

static void put_table(struct room *r, const char *folder, const char *entries)
{
    const char *const format = "{\"schema\": \"fpreport.messages/1\", \"messages\": {\n%s}}\n";
    put(r, path_join(&r->folder.arena, folder, MESSAGES_FILE),
        arena_printf(&r->folder.arena, format, entries));
}

/* "" when it loads, else what is wrong, without the folder. */
static const char *load(struct room *r, struct messages *messages)
{
    r->err = (struct err)ERR_INIT;
    if (messages_load(messages, NULL, 0, &r->templates, &r->folder.arena, &r->err) == 0)
        return "";
    const char *place = strstr(r->err.text, r->folder.path);
    return place ? place + strlen(r->folder.path) + 1 : r->err.text;
}

/* The parts of the text in Chinese, foreign ones in angle brackets. */
static const char *said(struct room *r, const struct messages *m, const char *english)
{
    struct message_part *parts;
    const char *text = "";
    size_t n = messages_parts(m, PAGE_ZH, english, &r->folder.arena, &parts);
    for (size_t i = 0; i < n; i++)
        text = arena_printf(&r->folder.arena, parts[i].foreign ? "%s<%s>" : "%s%s", text,
                            parts[i].text);
    return text;
}

static const char table[] =
    "\"row %zu has %zu %s\": \"第 {1} 行有 {2} {3:said}\",\n"
    "\"cell\": \"格\", \"cells\": \"格\",\n"
    "\"column %s holds '%s', expected %s\": \"{1} 列是“{2}”，应{3:said}\",\n"
    "\"more than %g\": \"大于 {1}\",\n"
    "\"%s to %s\": \"{1} 至 {2}\",\n"
    "\"MFU is stated as %s; %s\": \"MFU 写为 {1}；{2:said}\",\n"
    "\"%s; it follows from %s\": \"{1:said}；按{2:said}可得\",\n"
    "\"%s * %s = %s %% (factor * peak, %s)\": \"{1} * {2} = {3} %（系数 * 峰值，{4:said}）\",\n"
    "\"cannot open: %s\": \"打不开：{1:said}\",\n"
    "\"at most 100 %\": \"至多 100 %\"\n";

static void values_in_their_places(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped", table);
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "row 3 has 1 cell"), "第 3 行有 1 格");
    assert_string_equal(said(r, &m, "column loss holds '-2', expected more than 0"),
                        "loss 列是“-2”，应大于 0");
    assert_string_equal(said(r, &m, "at most 100 %"), "至多 100 %");
    assert_string_equal(said(r, &m, ""), "");
}

/* The outermost format first, whichever has more words. */
static void messages_in_messages(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped", table);
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "MFU is stated as 48%; 6 * 8 = 48 % (factor * peak, Box 8)"),
                        "MFU 写为 48%；6 * 8 = 48 %（系数 * 峰值，Box 8）");
    assert_string_equal(
        said(r, &m,
             "MFU is stated as 48%; 6 * 8 = 48 % (factor * peak, Box 8); it follows from HFU"),
        "MFU 写为 48%；6 * 8 = 48 %（系数 * 峰值，Box 8）；按 HFU 可得");
}

static void what_is_in_no_table(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped", table);
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "something of an older version"),
                        "<something of an older version>");
    assert_string_equal(said(r, &m, "cannot open: No such file or directory"),
                        "打不开：<No such file or directory>");
    assert_string_equal(said(r, &m, "row three has 1 cell"), "<row three has 1 cell>");
    /* Hardly a word of its own: figures fit, sentences do not. */
    assert_string_equal(said(r, &m, "3.5 to 4.2"), "3.5 至 4.2");
    assert_string_equal(said(r, &m, "what was said to the reader of it"),
                        "<what was said to the reader of it>");
    assert_string_equal(said(r, &m, "NVIDIA A100 bf16"), "NVIDIA A100 bf16");
}

/* The table cannot know what a value is: blanks are set where the texts meet. */
static void blanks_between_scripts(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped",
              "\"%s is in column %s\": \"{1}在 {2} 列中\", \"at %s\": \"在 {1:said}\",\n"
              "\"what the maker says\": \"制造者所说\"");
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "MFU is in column mfu"), "MFU 在 mfu 列中");
    assert_string_equal(said(r, &m, "吞吐量 is in column 速度"), "吞吐量在速度列中");
    assert_string_equal(said(r, &m, "\"a\" is in column （一）"), "\"a\"在 （一） 列中");
    assert_string_equal(said(r, &m, "at what the maker says"), "在制造者所说");
    assert_string_equal(said(r, &m, "at one of these places"), "在 <one of these places>");
}

/* A vendor's text is a value whatever it says, and is not looked up. */
static void hostile_values(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped", table);
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "column {1} holds '{2:said}%s', expected more than 0"),
                        "{1} 列是“{2:said}%s”，应大于 0");
    assert_string_equal(said(r, &m, "column cells holds 'cell', expected more than 0"),
                        "cells 列是“cell”，应大于 0");
    char *nested = arena_alloc(&r->folder.arena, 4096);
    for (int i = 0; i < 100; i++)
        strcat(nested, "cannot open: ");
    assert_non_null(strstr(said(r, &m, nested), "<cannot open: "));
    memset(nested, '\'', 4000);
    assert_int_equal(strlen(said(r, &m, nested)), 4000);
}

static void in_english_as_it_is(void **state)
{
    struct room *r = *state;
    struct message_part *parts;
    struct messages m;
    put_table(r, "shipped", table);
    assert_string_equal(load(r, &m), "");
    assert_int_equal(messages_parts(&m, PAGE_EN, "row 3 has 1 cell", &r->folder.arena, &parts), 1);
    assert_string_equal(parts[0].text, "row 3 has 1 cell");
    assert_false(parts[0].foreign);
    assert_string_equal(messages_text(&m, PAGE_ZH, "row 3 has 2 cells", &r->folder.arena),
                        "第 3 行有 2 格");
    assert_string_equal(messages_text(NULL, PAGE_ZH, "row 3 has 2 cells", &r->folder.arena),
                        "row 3 has 2 cells");
}

static void a_project_has_its_own(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped", table);
    put_table(r, "own", "\"cells\": \"个格子\", \"row %zu has %zu %s\": \"{1}: {2}{3:said}\"");
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "row 3 has 2 cells"), "3: 2 个格子");
    assert_string_equal(said(r, &m, "row 3 has 1 cell"), "3: 1 格");
}

static void faults_of_a_table(void **state)
{
    static const struct {
        const char *entry, *fault;
    } rows[] = {
        {"\"a %s\": \"\"", "own/site/messages.json:2:1: \"a %s\": has no translation"},
        {"\"a %s\": 3", "own/site/messages.json:2:1: \"a %s\": has no translation"},
        {"\"a %s b %s\": \"{1}\"",
         "own/site/messages.json:2:1: \"a %s b %s\": the translation leaves a value out"},
        {"\"a %s\": \"{1} {2}\"", "own/site/messages.json:2:1: \"a %s\": the translation names a "
                                  "value that the message does not have"},
        {"\"a %s\": \"{1:sad}\"",
         "own/site/messages.json:2:1: \"a %s\": found '{', expected {1} or {1:said}"},
        {"\"a %s%d\": \"{1} {2}\"", "own/site/messages.json:2:1: \"a %s%d\": two values touch, "
                                    "expected words between them"},
    };
    struct room *r = *state;
    struct messages m;
    put_table(r, "shipped", table);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_table(r, "own", rows[i].entry);
        assert_string_equal(load(r, &m), rows[i].fault);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_in_their_places, room_open, room_close),
        cmocka_unit_test_setup_teardown(messages_in_messages, room_open, room_close),
        cmocka_unit_test_setup_teardown(what_is_in_no_table, room_open, room_close),
        cmocka_unit_test_setup_teardown(blanks_between_scripts, room_open, room_close),
        cmocka_unit_test_setup_teardown(hostile_values, room_open, room_close),
        cmocka_unit_test_setup_teardown(in_english_as_it_is, room_open, room_close),
        cmocka_unit_test_setup_teardown(a_project_has_its_own, room_open, room_close),
        cmocka_unit_test_setup_teardown(faults_of_a_table, room_open, room_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
