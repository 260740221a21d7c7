/*
 * json: what is refused and where, what is read, and what is written.
 *
 * `test_json echo FILE…` reads each file and writes FILE.out (what json_parse understood) or
 * FILE.err (its message): tests/cli/records_json.sh holds that against python3.
 */
#include "base/files/file.h"
#include "tests/unit/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct refusal {
    const char *text;
    size_t n; /* 0: strlen(text) */
    const char *message;
};

#define BYTES(s) s, sizeof(s) - 1

static const struct refusal refusals[] = {
    {"", 0, "1:1: found the end of the file, expected a value"},
    {" \n ", 0, "2:2: found the end of the file, expected a value"},
    {"\xEF\xBB\xBF{}", 0, "1:1: found a byte order mark, expected JSON"},
    {"\xFF\xFE{\0}\0", 6, "1:1: found byte 0xFF, expected UTF-8 text"},
    {BYTES("[\"a\0b\"]"), "1:4: found byte 0x00, expected UTF-8 text"},
    {BYTES("[1]\0"), "1:4: found byte 0x00, expected UTF-8 text"},
    {"[\"\\u0000\"]", 0, "1:3: found \\u0000, expected text without NUL"},
    {"{\"\\u0000\":1}", 0, "1:3: found \\u0000, expected text without NUL"},
    {"[\"\\ud800\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uDFAA\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uD800\\u0041\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uD800\\uD800\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uD800\\uE000\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uDC00\\uD800\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uD834\\\"]", 0, "1:3: found half of a surrogate pair, expected both halves"},
    {"[\"\\uFFFF\"]", 0, "1:3: found U+FFFF, which is not a character, expected text"},
    {"{\"\\ufdd0\":1}", 0, "1:3: found U+FDD0, which is not a character, expected text"},
    {"[\"\\uD83F\\uDFFE\"]", 0, "1:3: found U+1FFFE, which is not a character, expected text"},
    {"[\"a\xEF\xBF\xBE\"]", 0, "1:4: found U+FFFE, which is not a character, expected text"},
    {"[\"\xEF\xB7\xAF\"]", 0, "1:3: found U+FDEF, which is not a character, expected text"},
    {"[\"\xF4\x8F\xBF\xBF\"]", 0, "1:3: found U+10FFFF, which is not a character, expected text"},
    {"[\"\\u00A\"]", 0, "1:8: found '\"', expected four hexadecimal digits after \\u"},
    {"[\"\\u{61}\"]", 0, "1:5: found '{', expected four hexadecimal digits after \\u"},
    {"[\"\\x61\"]", 0, "1:4: found 'x', expected one of \" \\ / b f n r t u after a backslash"},
    {"[\"\\\n\"]", 0,
     "1:4: found byte 0x0A, expected one of \" \\ / b f n r t u after a backslash"},
    {"[\"\\", 0,
     "1:4: found the end of the file, expected one of \" \\ / b f n r t u after a backslash"},
    {"[\"\xC0\xAF\"]", 0, "1:3: found byte 0xC0, expected UTF-8 text"},         /* overlong '/' */
    {"[\"\xE0\x80\xAF\"]", 0, "1:3: found byte 0xE0, expected UTF-8 text"},     /* overlong '/' */
    {"[\"\xF0\x80\x80\xAF\"]", 0, "1:3: found byte 0xF0, expected UTF-8 text"}, /* overlong '/' */
    {"[\"\xED\xA0\x80\"]", 0, "1:3: found byte 0xED, expected UTF-8 text"},     /* a surrogate */
    {"[\"\xF4\x90\x80\x80\"]", 0, "1:3: found byte 0xF4, expected UTF-8 text"}, /* U+110000 */
    {"[\"显\xE6\x98\"]", 0, "1:4: found byte 0xE6, expected UTF-8 text"},       /* cut */
    {"[\n\"\xB0\"]", 0, "2:2: found byte 0xB0, expected UTF-8 text"},
    {"{\"a\": 1,\n \"b\": 2, \"a\": 3}", 0,
     "2:10: found key \"a\" again, expected each key once (first at line 1)"},
    {"{\"a\":1, \"\\u0061\":2}", 0,
     "1:9: found key \"a\" again, expected each key once (first at line 1)"},
    {"{\"a\":1,\"a\":2,\"b\":1,\"b\":2}", 0,
     "1:8: found key \"a\" again, expected each key once (first at line 1)"},
    {"{\"b\":1,\"b\":2,\"a\":1,\"a\":2}", 0,
     "1:8: found key \"b\" again, expected each key once (first at line 1)"},
    {"{\"\":1,\"\":2}", 0, "1:7: found key \"\" again, expected each key once (first at line 1)"},
    {"{\"x\":{\"b\":1,\"a\":1,\"a\":2,\"b\":2,\"a\":3}}", 0,
     "1:19: found key \"a\" again, expected each key once (first at line 1)"},
    {"[01]", 0, "1:2: found '01', expected a number"},
    {"[-01]", 0, "1:2: found '-01', expected a number"},
    {"[+1]", 0, "1:2: found '+', expected a value"},
    {"[1.]", 0, "1:2: found '1.', expected a number"},
    {"[.5]", 0, "1:2: found '.', expected a value"},
    {"[-]", 0, "1:2: found '-', expected a number"},
    {"[-.5]", 0, "1:2: found '-.5', expected a number"},
    {"[--1]", 0, "1:2: found '--1', expected a number"},
    {"[1e]", 0, "1:2: found '1e', expected a number"},
    {"[1E]", 0, "1:2: found '1E', expected a number"},
    {"[1e+]", 0, "1:2: found '1e+', expected a number"},
    {"[1.e1]", 0, "1:2: found '1.e1', expected a number"},
    {"[1 000]", 0, "1:4: found '0', expected ',' or ']'"},
    {"[0x1F]", 0, "1:2: found '0x1F', expected a number"},
    {"[80.83.2%]", 0, "1:2: found '80.83.2%', expected a number"},
    {"[1/2]", 0, "1:2: found '1/2', expected a number"},
    {"[１]", 0, "1:2: found '１', expected a value"},
    {"[1显]", 0, "1:2: found '1显', expected a number"},
    {"[1e400]", 0, "1:2: found '1e400', expected a number below 1.8e308"},
    {"[-1e400]", 0, "1:2: found '-1e400', expected a number below 1.8e308"},
    {"[1000000000000000000000000000000000000000000000000000000000000000]", 0,
     "1:2: found a number of 64 characters, expected at most 63"},
    {"[NaN]", 0, "1:2: found 'N', expected a value"},
    {"[nan]", 0, "1:2: found 'nan', expected a value"},
    {"[-Infinity]", 0, "1:2: found '-Infinity', expected a number"},
    {"[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]", 0,
     "1:2: found 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', expected a value"},
    {"[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]", 0, "1:2: found 'a', expected a value"},
    {"[\x7f]", 0, "1:2: found byte 0x7F, expected a value"},
    {"[True]", 0, "1:2: found 'T', expected a value"},
    {"[nul]", 0, "1:2: found 'nul', expected a value"},
    {"[truefalse]", 0, "1:2: found 'truefalse', expected a value"},
    {"[true1]", 0, "1:6: found '1', expected ',' or ']'"},
    {"[1,]", 0, "1:4: found ']', expected a value"},
    {"[,1]", 0, "1:2: found ',', expected a value"},
    {"[1,,2]", 0, "1:4: found ',', expected a value"},
    {"[1 2]", 0, "1:4: found '2', expected ',' or ']'"},
    {"[1:2]", 0, "1:3: found ':', expected ',' or ']'"},
    {"{\"a\":1,}", 0, "1:8: found '}', expected a key in double quotes"},
    {"{,}", 0, "1:2: found ',', expected a key in double quotes"},
    {"{a:1}", 0, "1:2: found 'a', expected a key in double quotes"},
    {"{'a':1}", 0, "1:2: found ''', expected a key in double quotes"},
    {"{1:1}", 0, "1:2: found '1', expected a key in double quotes"},
    {"{\"a\"}", 0, "1:5: found '}', expected ':' after the key"},
    {"{\"a\" 1}", 0, "1:6: found '1', expected ':' after the key"},
    {"{\"a\"：1}", 0, "1:5: found '：', expected ':' after the key"},
    {"{\"a\":}", 0, "1:6: found '}', expected a value"},
    {"{\"a\":1 \"b\":2}", 0, "1:8: found '\"', expected ',' or '}'"},
    {"[1}", 0, "1:3: found '}', expected ',' or ']'"},
    {"{\"a\":1]", 0, "1:7: found ']', expected ',' or '}'"},
    {"[", 0, "1:2: found the end of the file, expected a value"},
    {"[1", 0, "1:3: found the end of the file, expected ',' or ']'"},
    {"{", 0, "1:2: found the end of the file, expected a key in double quotes"},
    {"{\"a\":1", 0, "1:7: found the end of the file, expected ',' or '}'"},
    {"]", 0, "1:1: found ']', expected a value"},
    {"{} {}", 0, "1:4: found '{', expected the end of the file"},
    {"1 2", 0, "1:3: found '2', expected the end of the file"},
    {"{}x", 0, "1:3: found 'x', expected the end of the file"},
    {"[]\n]", 0, "2:1: found ']', expected the end of the file"},
    {"\"显存\" x", 0, "1:6: found 'x', expected the end of the file"},
    {"[\"abc", 0, "1:2: found a string that does not end, expected '\"'"},
    {"[\n  \"abc]\n", 0,
     "2:8: found byte 0x0A, expected a character that is not a control character"},
    {"[\"a\tb\"]", 0, "1:4: found byte 0x09, expected a character that is not a control character"},
    {"[\"\x1f\"]", 0, "1:3: found byte 0x1F, expected a character that is not a control character"},
    {"['a']", 0, "1:2: found ''', expected a value"},
    {"[1] // note", 0, "1:5: found '/', expected the end of the file"},
    {"/* note */ [1]", 0, "1:1: found '/', expected a value"},
    {"# note\n[1]", 0, "1:1: found '#', expected a value"},
    {"[1]\f", 0, "1:4: found byte 0x0C, expected the end of the file"},
    {"[1\xC2\xA0]", 0, "1:2: found '1\xC2\xA0', expected a number"},
    {"<b>", 0, "1:1: found '<', expected a value"},
};

static void faults_are_named_where_they_stand(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *r = &refusals[i];
        const char *got = parse(&a, r->text, r->n ? r->n : strlen(r->text), NULL);
        if (strcmp(got, r->message) != 0)
            fail_msg("%s\n  gave     %s\n  expected %s", r->text, got, r->message);
    }
    arena_release(&a);
}

/* Every prefix of a valid text is refused or is itself a whole text; none reads past its end. */
static void every_cut_is_noticed(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1.5e-3,true,null,\"\\uD834\\uDD1E 显\\n\"],\"b\":{\"c\":-0}}";
    struct arena a = ARENA_INIT;
    for (size_t n = 0; n < sizeof text - 1; n++)
        if (*parse(&a, text, n, NULL) == '\0')
            fail_msg("%.*s was read", (int)n, text);
    assert_string_equal(parse(&a, text, sizeof text - 1, NULL), "");
    arena_release(&a);
}

static void values_keep_their_text_and_place(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct json *root;
    static const char text[] = "\r\n{\"显存\" :\t-0.50e+1, \"t\":true,\n  \"s\": \"\\u663e\\uD834"
                               "\\uDD1E\\/\\b\", \"l\":[null,\n[]], \"o\":{} }";
    assert_string_equal(parse(&a, text, strlen(text), &root), "");
    assert_int_equal(root->kind, JSON_OBJECT);
    assert_int_equal(root->n, 5);
    assert_int_equal(root->line, 2);
    assert_int_equal(root->col, 1);
    const struct json *number = json_get(root, "显存");
    assert_string_equal(number->text, "-0.50e+1");
    assert_true(number->number == -5);
    assert_int_equal(number->key_col, 2);
    assert_int_equal(number->col, 9); /* characters, not bytes */
    assert_true(json_get(root, "t")->truth);
    assert_string_equal(json_get_text(root, "s", ""), "显𝄞/\b");
    assert_string_equal(json_get_text(root, "t", "otherwise"), "otherwise");
    const struct json *list = json_get(root, "l");
    assert_int_equal(list->n, 2);
    assert_int_equal(list->child->kind, JSON_NULL);
    assert_int_equal(list->child->next->line, 4);
    assert_int_equal(list->child->next->col, 1);
    assert_null(json_get(root, "L")); /* names are exact */
    assert_string_equal(parse(&a, "1E5", 3, &root), "");
    assert_true(root->kind == JSON_NUMBER && root->number == 1e5);
    assert_string_equal(root->text, "1E5");
    assert_null(json_get(NULL, "a"));
    assert_null(json_get(list, "a"));
    arena_release(&a);
}

static void numbers_read_back_exactly(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {0.1, "0.1"},
        {16.3, "16.3"},
        {100, "100"},
        {2048, "2048"},
        {7e9, "7000000000"},
        {1.0 / 3, "0.3333333333333333"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
        {1e-8, "1e-8"},
        {-1.5e-10, "-1.5e-10"},
        {1e22, "1e22"},
    };
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_number_format(text, rows[i].value);
        assert_string_equal(text, rows[i].text);
    }
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        double value;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        json_number_format(text, value);
        assert_true(strtod(text, NULL) == value && strlen(text) < sizeof text);
    }
}

static void write_value(struct json_writer *w, const struct json *v)
{
    switch (v->kind) {
    case JSON_NULL:
        json_null(w, v->key);
        break;
    case JSON_BOOL:
        json_bool(w, v->key, v->truth);
        break;
    case JSON_NUMBER:
        json_number(w, v->key, v->number);
        break;
    case JSON_STRING:
        json_string(w, v->key, v->text);
        break;
    default:
        v->kind == JSON_ARRAY ? json_begin_array(w, v->key) : json_begin_object(w, v->key);
        for (const struct json *c = v->child; c; c = c->next)
            write_value(w, c);
        v->kind == JSON_ARRAY ? json_end_array(w) : json_end_object(w);
    }
}

static void write_root(struct buf *out, const struct json *root)
{
    struct json_writer w;
    json_writer_init(&w, out);
    write_value(&w, root);
    json_finish(&w);
}

static void writing_lays_out_the_same_way(void **state)
{
    (void)state;
    static const char expected[] = "{\n"
                                   "  \"a\": 1,\n"
                                   "  \"empty\": [],\n"
                                   "  \"none\": {},\n"
                                   "  \"list\": [\n"
                                   "    true,\n"
                                   "    null\n"
                                   "  ],\n"
                                   "  \"flat\": [1.5, [\"x\", {\"y\": null}], 1e3],\n"
                                   "  \"last\": \"\\\"\\\\\\u0001\\n显\xEF\xBF\xBD\",\n"
                                   "  \"hid\\u202eden\": "
                                   "\"\\u0085\\u202e\\udb40\\udc41\xE2\x80\x8D\\u007f\"\n"
                                   "}\n";
    struct buf b;
    struct json_writer w;
    buf_init(&b, BUF_DEFAULT_MAX);
    json_writer_init(&w, &b);
    json_begin_object(&w, NULL);
    json_integer(&w, "a", 1);
    json_begin_array(&w, "empty");
    json_end_array(&w);
    json_begin_object(&w, "none");
    json_end_object(&w);
    json_begin_array(&w, "list");
    json_bool(&w, NULL, true);
    json_string(&w, NULL, NULL);
    json_end_array(&w);
    json_begin_array_flat(&w, "flat");
    json_number(&w, NULL, 1.5);
    json_begin_array(&w, NULL);
    json_string(&w, NULL, "x");
    json_begin_object(&w, NULL);
    json_number(&w, "y", NAN);
    json_end_object(&w);
    json_end_array(&w);
    json_number_text(&w, NULL, "1e3");
    json_end_array(&w);
    json_string(&w, "last", "\"\\\x01\n显\xFF");
    json_string(&w,
                "hid\xE2\x80\xAE"
                "den",
                "\xC2\x85\xE2\x80\xAE\xF3\xA0\x81\x81\xE2\x80\x8D\x7F");
    json_end_object(&w);
    json_finish(&w);
    assert_string_equal(b.data, expected);
    buf_release(&b);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[1,-2.5e-7,{\"b\":\"\\u0001\\t\\\"\\\\/显𝄞\"},[]],"
                               "\"\":null,\"t\":[true,false]}";
    struct arena a = ARENA_INIT;
    struct json *root;
    struct buf once, twice;
    buf_init(&once, BUF_DEFAULT_MAX);
    buf_init(&twice, BUF_DEFAULT_MAX);
    assert_string_equal(parse(&a, text, strlen(text), &root), "");
    write_root(&once, root);
    assert_string_equal(parse(&a, once.data, once.len, &root), "");
    write_root(&twice, root);
    assert_string_equal(once.data, twice.data);
    assert_string_equal(json_get(root, "a")->child->next->next->child->text, "\x01\t\"\\/显𝄞");
    buf_release(&once);
    buf_release(&twice);
    arena_release(&a);
}

static void files_that_cannot_be_read_are_findings(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct json *root;
    diags_init(&d, &a);
    assert_int_equal(json_load("/nonexistent/x.json", &a, &root, &d), -1);
    assert_string_equal(d.items[0].message, "No such file or directory");
    assert_int_equal(d.items[0].line, 0);
    assert_int_equal(json_load("/", &a, &root, &d), -1);
    assert_string_equal(d.items[1].message, "not a regular file");
    assert_int_equal(d.items[1].line, 1);
    arena_release(&a);
}

static int echo(const char *path)
{
    struct arena a = ARENA_INIT;
    struct diags d;
    struct err err = ERR_INIT;
    struct json *root;
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    diags_init(&d, &a);
    bool read = json_load(path, &a, &root, &d) == 0;
    if (read)
        write_root(&out, root);
    else
        buf_printf(&out, "%s:%d:%d: %s\n", path, d.items[0].line, d.items[0].col,
                   d.items[0].message);
    int rc =
        file_write(arena_printf(&a, "%s.%s", path, read ? "out" : "err"), out.data, out.len, &err);
    buf_release(&out);
    arena_release(&a);
    return rc;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_named_where_they_stand),
        cmocka_unit_test(every_cut_is_noticed),
        cmocka_unit_test(values_keep_their_text_and_place),
        cmocka_unit_test(numbers_read_back_exactly),
        cmocka_unit_test(writing_lays_out_the_same_way),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(files_that_cannot_be_read_are_findings),
    };
    if (argc > 1 && strcmp(argv[1], "echo") == 0) {
        for (int i = 2; i < argc; i++)
            if (echo(argv[i]) < 0)
                return 1;
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
