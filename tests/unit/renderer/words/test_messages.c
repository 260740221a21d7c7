/* messages: what the verifier says, by the row of its format and with its values, in Chinese. */
#include "tests/unit/template_room.h"

#include "renderer/words/messages.h"

#include <string.h>

static void put_table(struct room *r, const char *folder, const char *entries)
{
    const char *const format = "{\"schema\": \"fpreport.messages/1\", \"messages\": {\n%s}}\n";
    put(r, path_join(&r->folder.arena, folder, MESSAGES_FILE),
        arena_printf(&r->folder.arena, format, entries));
}

static const struct words rows[] = {
    {.en = "row %zu has %zu %s", .zh = "第 {1} 行有 {2} {3:said}"},
    {.en = "cell", .zh = "格"},
    {.en = "cells", .zh = "格"},
    {.en = "cells", .zh = "格"}, /* some rows stand there twice */
    {.en = "column %s holds '%s', expected %s", .zh = "{1} 列是“{2}”，应{3:said}"},
    {.en = "more than %g", .zh = "大于 {1}"},
    {.en = "MFU is stated as %s; %s", .zh = "MFU 填报为 {1}；{2:said}"},
    {.en = "%s * %s = %s %% (factor * peak, %s)",
     .zh = "{1} * {2} = {3} %（系数 * 峰值，{4:said}）"},
    {.en = "cannot open: %s", .zh = "打不开：{1:said}"},
    {.en = "at most 100 %", .zh = "至多 100 %"},
    {.en = "%s is in column %s", .zh = "{1}在 {2} 列中"},
    {.en = "at %s", .zh = "在 {1:said}"},
    {.en = "what the maker says", .zh = "制造者所说"},
};

/* "" when it loads, else what is wrong, without the folder. */
static const char *load(struct room *r, struct messages *messages)
{
    r->err = (struct err)ERR_INIT;
    if (messages_load(messages, rows, sizeof rows / sizeof *rows, &r->templates, &r->folder.arena,
                      &r->err) == 0)
        return "";
    const char *place = strstr(r->err.text, r->folder.path);
    return place ? place + strlen(r->folder.path) + 1 : r->err.text;
}

/* The parts of a text of the room's arena in Chinese, foreign ones in angle brackets. */
static const char *said(struct room *r, const struct messages *m, const char *english)
{
    struct message_part *parts;
    struct arena *a = &r->folder.arena;
    const char *text = "";
    size_t n = messages_parts(m, PAGE_ZH, english, sentence_of(a, english), a, &parts);
    for (size_t i = 0; i < n; i++)
        text = arena_printf(a, parts[i].foreign ? "%s<%s>" : "%s%s", text, parts[i].text);
    return text;
}

#define SAY(...) sentence_say(&r->folder.arena, __VA_ARGS__)

static void values_in_their_places(void **state)
{
    struct room *r = *state;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, SAY("row %zu has %zu %s", (size_t)3, (size_t)1, "cell")),
                        "第 3 行有 1 格");
    const char *more = SAY("more than %g", 0.0);
    assert_string_equal(said(r, &m, SAY("column %s holds '%s', expected %s", "loss", "-2", more)),
                        "loss 列是“-2”，应大于 0");
    assert_string_equal(said(r, &m, "at most 100 %"), "至多 100 %");
    assert_string_equal(said(r, &m, ""), "");
}

static void messages_in_messages(void **state)
{
    struct room *r = *state;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    const char *derived = SAY("%s * %s = %s %% (factor * peak, %s)", "6", "8", "48", "Box 8");
    assert_string_equal(said(r, &m, SAY("MFU is stated as %s; %s", "48%", derived)),
                        "MFU 填报为 48%；6 * 8 = 48 %（系数 * 峰值，Box 8）");
}

/* A name in front of a message is put in front of its row. */
static void a_name_in_front(void **state)
{
    struct room *r = *state;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, SAY("%s: cannot open: %s", "a.log", "No")),
                        "a.log：打不开：No");
}

static void what_has_no_row(void **state)
{
    struct room *r = *state;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, "something of an older version"),
                        "<something of an older version>");
    assert_string_equal(said(r, &m, SAY("cannot open: %s", "No such file or directory")),
                        "打不开：<No such file or directory>");
    /* Nothing is taken apart: a text that nobody noted is none of ours, whatever it reads like. */
    assert_string_equal(said(r, &m, "at what the maker says"), "<at what the maker says>");
    assert_string_equal(said(r, &m, "NVIDIA A100 bf16"), "NVIDIA A100 bf16");
}

/* The table cannot know what a value is: blanks are set where the texts meet. */
static void blanks_between_scripts(void **state)
{
    struct room *r = *state;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, SAY("%s is in column %s", "MFU", "mfu")), "MFU 在 mfu 列中");
    assert_string_equal(said(r, &m, SAY("%s is in column %s", "吞吐量", "速度")),
                        "吞吐量在速度列中");
    assert_string_equal(said(r, &m, SAY("%s is in column %s", "\"a\"", "（一）")),
                        "\"a\"在 （一） 列中");
    assert_string_equal(said(r, &m, SAY("at %s", "what the maker says")), "在制造者所说");
    assert_string_equal(said(r, &m, SAY("at %s", "one of these places")),
                        "在 <one of these places>");
}

/* A vendor's text is a value whatever it says, and is not looked up. */
static void hostile_values(void **state)
{
    struct room *r = *state;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    const char *more = SAY("more than %g", 0.0);
    assert_string_equal(
        said(r, &m, SAY("column %s holds '%s', expected %s", "{1}", "{2:said}%s", more)),
        "{1} 列是“{2:said}%s”，应大于 0");
    assert_string_equal(
        said(r, &m, SAY("column %s holds '%s', expected %s", "cells", "cell", more)),
        "cells 列是“cell”，应大于 0");
    const char *nested = "x";
    for (int i = 0; i < 100; i++)
        nested = SAY("cannot open: %s", nested);
    assert_non_null(strstr(said(r, &m, nested), "<cannot open: "));
    char *long_one = arena_alloc(&r->folder.arena, 4096);
    memset(long_one, '\'', 4000);
    assert_int_equal(strlen(said(r, &m, long_one)), 4000);
}

/* What a worker hands on may lack values, or have more than its format. */
static void forged_sentences(void **state)
{
    struct room *r = *state;
    struct sentence value = {.text = "7"};
    struct sentence few = {.text = "row 7", .format = "row %zu has %zu %s", &value, 1};
    struct messages m;
    assert_string_equal(load(r, &m), "");
    assert_string_equal(messages_text(&m, PAGE_ZH, "row 7", &few, &r->folder.arena), "第 7 行有  ");
    assert_string_equal(messages_text(&m, PAGE_ZH, "another", &few, &r->folder.arena), "another");
}

static void in_english_as_it_is(void **state)
{
    struct room *r = *state;
    struct arena *a = &r->folder.arena;
    struct message_part *parts;
    struct messages m;
    assert_string_equal(load(r, &m), "");
    const char *text = SAY("row %zu has %zu %s", (size_t)3, (size_t)2, "cells");
    const struct sentence *made = sentence_of(a, text);
    assert_int_equal(messages_parts(&m, PAGE_EN, text, made, a, &parts), 1);
    assert_string_equal(parts[0].text, "row 3 has 2 cells");
    assert_false(parts[0].foreign);
    assert_string_equal(messages_text(&m, PAGE_ZH, text, made, a), "第 3 行有 2 格");
    assert_string_equal(messages_text(NULL, PAGE_ZH, text, made, a), "row 3 has 2 cells");
}

static void a_project_has_its_own(void **state)
{
    struct room *r = *state;
    struct messages m;
    put_table(r, "own", "\"cells\": \"个格子\", \"row %zu has %zu %s\": \"{1}: {2}{3:said}\"");
    assert_string_equal(load(r, &m), "");
    assert_string_equal(said(r, &m, SAY("row %zu has %zu %s", (size_t)3, (size_t)2, "cells")),
                        "3: 2 个格子");
    assert_string_equal(said(r, &m, SAY("row %zu has %zu %s", (size_t)3, (size_t)1, "cell")),
                        "3: 1 格");
}

static void faults_of_a_table(void **state)
{
    static const struct {
        const char *entry, *fault;
    } faults[] = {
        {"\"a %s\": \"\"", "own/site/messages.json:2:1: \"a %s\": has no translation"},
        {"\"a %s\": 3", "own/site/messages.json:2:1: \"a %s\": has no translation"},
        {"\"a %s b %s\": \"{1}\"",
         "own/site/messages.json:2:1: \"a %s b %s\": the translation leaves a value out"},
        {"\"a %s\": \"{1} {2}\"", "own/site/messages.json:2:1: \"a %s\": the translation names a "
                                  "value that the message does not have"},
        {"\"a %s\": \"{1:sad}\"",
         "own/site/messages.json:2:1: \"a %s\": found '{', expected {1} or {1:said}"},
    };
    struct room *r = *state;
    struct messages m;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        put_table(r, "own", faults[i].entry);
        assert_string_equal(load(r, &m), faults[i].fault);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_in_their_places, room_open, room_close),
        cmocka_unit_test_setup_teardown(messages_in_messages, room_open, room_close),
        cmocka_unit_test_setup_teardown(a_name_in_front, room_open, room_close),
        cmocka_unit_test_setup_teardown(forged_sentences, room_open, room_close),
        cmocka_unit_test_setup_teardown(what_has_no_row, room_open, room_close),
        cmocka_unit_test_setup_teardown(blanks_between_scripts, room_open, room_close),
        cmocka_unit_test_setup_teardown(hostile_values, room_open, room_close),
        cmocka_unit_test_setup_teardown(in_english_as_it_is, room_open, room_close),
        cmocka_unit_test_setup_teardown(a_project_has_its_own, room_open, room_close),
        cmocka_unit_test_setup_teardown(faults_of_a_table, room_open, room_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
