/* statement: what is written follows from the files, and what says something else is told. */
#include "tests/unit/pace.h"
#include "tests/unit/unit.h"

#include "base/sealed/statement.h"
#include "base/signing/hash.h"

#include <stdio.h>
#include <string.h>

#define CASE "{\"id\": \"x\", \"seed\": 7, \"precision\": \"bf16\"}"
#define RUN                                                                         \
    "{\"fpreport\": \"9.9\", \"started\": \"2026-01-02T03:04:05Z\", \"finished\": " \
    "\"2026-01-02T03:05:05Z\", \"command\": [\"torchrun\", \"a b\"], \"challenge\": null}"
#define FACTS                                                                              \
    "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": [{\"key\": \"libc\", \"value\": " \
    "\"glibc 2.36\"}, {\"key\": \"blas\", \"unknown\": \"nobody said\"}, "                 \
    "{\"key\": \"framework_commit\", \"value\": \"0123456789012345678901234567890123456789\"}]}"

static const char manifest[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static const struct tar_member members[] = {
    {"case.json", {CASE, sizeof CASE - 1}},
    {"run.json", {RUN, sizeof RUN - 1}},
    {"x/fingerprint.json", {FACTS, sizeof FACTS - 1}},
};
#define MEMBERS (sizeof members / sizeof *members)

static char *write_it(struct arena *a, const struct tar_member *from, size_t n)
{
    struct buf text;
    buf_init(&text, STATEMENT_BYTES_MAX);
    statement_write(from, n, manifest, &text);
    char *out = arena_strndup(a, text.data, text.len);
    buf_release(&text);
    return out;
}

static const char *difference(struct arena *a, const char *text)
{
    struct diags diags;
    diags_init(&diags, a);
    return statement_difference("s", (struct bytes){text, strlen(text)}, members, MEMBERS, manifest,
                                a, &diags);
}

static void it_says_what_is_known(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const char *text = write_it(&a, members, MEMBERS);
    static const char *const said[] = {
        "\"case\": \"x\"",
        "\"seed\": 7",
        "\"command\": [\"torchrun\", \"a b\"]",
        "\"gitCommit\": \"0123456789012345678901234567890123456789\"",
        "\"uri\": \"pkg:generic/libc@glibc%202.36\"",
        "\"startedOn\": \"2026-01-02T03:04:05Z\"",
        "\"version\": {\"fpreport\": \"9.9\"}",
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(text, said[i]))
            fail_msg("%s: not in %s", said[i], text);
    assert_null(strstr(text, "blas"));
    assert_null(strstr(text, "challenge"));
    assert_string_equal(text, write_it(&a, members, MEMBERS));
    const struct bytes bytes = {text, strlen(text)};
    assert_null(statement_problem(bytes, manifest, &a));
    assert_null(difference(&a, text));
    assert_int_equal(statement_finished(bytes, &a), 1767323105);
    arena_release(&a);
}

/* Of a run whose files are missing or broken: less is said, and it is a statement still. */
static void what_is_not_there_is_left_out(void **state)
{
    (void)state;
    static const struct tar_member broken[] = {
        {"case.json", {"{", 1}},
        {"run.json", {"[]", 2}},
        {"x/fingerprint.json", {"{}", 2}},
    };
    struct arena a = ARENA_INIT;
    for (size_t n = 0; n <= 3; n++) {
        const char *text = write_it(&a, broken, n);
        assert_null(statement_problem((struct bytes){text, strlen(text)}, manifest, &a));
        assert_null(strstr(text, "startedOn"));
        assert_int_equal(statement_finished((struct bytes){text, strlen(text)}, &a), 0);
    }
    arena_release(&a);
}

/* Values of every kind are copied as they stand; null is left out. */
#define RICH_CASE                                                                                  \
    "{\"id\": \"x\", \"trainer\": {\"fast\": true, \"slow\": false, \"list\": [1, null, [2.50]], " \
    "\"none\": null}, \"steps\": 1e2}"
#define RICH_RUN "{\"challenge\": {\"nonce\": \"n\"}, \"resumed\": true, \"command\": []}"
#define RICH_FACTS                                                                                \
    "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": [{\"key\": \"libc\", \"value\": "        \
    "\"@AZ[`az{/09:._~-\\u00e9\"}, {\"key\": \"framework_commit\", \"value\": \"c\"}, {\"key\": " \
    "\"framework_tree\", \"value\": \"dirty\"}, {\"key\": \"framework_origin\", \"value\": "      \
    "\"https://example.org/x.git\"}]}"

static const struct tar_member rich[] = {
    {"case.json", {RICH_CASE, sizeof RICH_CASE - 1}},
    {"run.json", {RICH_RUN, sizeof RICH_RUN - 1}},
    {"x/fingerprint.json", {RICH_FACTS, sizeof RICH_FACTS - 1}},
};

static void values_of_every_kind_are_copied(void **state)
{
    (void)state;
    static const char *const said[] = {
        ("\"externalParameters\": {\"case\": \"x\", \"trainer\": {\"fast\": true, \"slow\": false, "
         "\"list\": [1, [2.50]]}, \"steps\": 1e2, \"challenge\": {\"nonce\": \"n\"}}, "
         "\"internalParameters\": {\"command\": [], \"resumed\": true}, "),
        ("{\"name\": \"framework\", \"uri\": \"git+https://example.org/x.git\", \"digest\": "
         "{\"gitCommit\": \"c\"}, \"annotations\": {\"tree\": \"dirty\"}}"),
        "\"pkg:generic/libc@%40AZ%5B%60az%7B%2F09%3A._~-%C3%A9\"",
    };
    struct arena a = ARENA_INIT;
    const char *text = write_it(&a, rich, 3);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(text, said[i]))
            fail_msg("%s: not in %s", said[i], text);
    arena_release(&a);
}

static const char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("no %s", from);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void another_word_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message; /* message NULL: fine */
    } rows[] = {
        {"\"seed\": 7", "\"seed\": 8", "externalParameters.seed: found 8, expected 7"},
        {"\"seed\": 7", "\"seed\": \"7\"", "found \"7\", expected 7"},
        {"\"seed\": 7", "\"seed\": null", "found null, expected 7"},
        {"\"seed\": 7", "\"seed\": 7, \"recompute\": true",
         "externalParameters.recompute: found true, expected none"},
        {"\"seed\": 7", "\"seed\": 7, \"predicate\": {\"seed\": 8}",
         "externalParameters.predicate: found"},
        {"\"internalParameters\": {", "\"internalParameters\": {\"host\": \"n1\", ", NULL},
        {"\"buildDefinition\": {",
         "\"buildDefinition\": {\"note\": {\"externalParameters\": {\"a\": 1}}, ", NULL},
        {"\"case\": \"x\", ", "", NULL},
        {"glibc%202.36", "musl", "resolvedDependencies[libc].uri: found"},
        {"\"name\": \"libc\"", "\"name\": \"musl\"", NULL},
        {"\"torchrun\", \"a b\"", "\"torchrun\", \"b\"",
         "command[]: found \"b\", expected \"a b\""},
        {"\"torchrun\", \"a b\"", "\"torchrun\", \"a b\", \"c\"", "found \"c\", expected none"},
        {"03:05:05Z", "03:05:06Z", "metadata.finishedOn"},
        {"0123456789012345678901234567890123456789", "f", "resolvedDependencies[framework]"},
        {"{\"name\": \"libc\", ", "{\"name\": \"libc\"}, {\"name\": \"libc\", ",
         "resolvedDependencies[libc]: found an object, expected none"},
        {"{\"_type\"", "{\"_type\": 1, \"_type\"", "again"},
        {"}\n", "", "expected"},
    };
    struct arena a = ARENA_INIT;
    const char *good = write_it(&a, members, MEMBERS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *found = difference(&a, replaced(&a, good, rows[i].from, rows[i].to));
        if (!found != !rows[i].message || (found && !strstr(found, rows[i].message)))
            fail_msg("row %zu: %s", i, found ? found : "no difference");
    }
    arena_release(&a);
}

static void another_value_of_another_kind_is_told(void **state)
{
    (void)state;
#define TRAINER "predicate.buildDefinition.externalParameters.trainer"
    static const struct {
        const char *from, *to, *message; /* message NULL: fine */
    } rows[] = {
        {"\"fast\": true", "\"fast\": true", NULL},
        {"\"fast\": true", "\"fast\": false", TRAINER ".fast: found false, expected true"},
        {"\"slow\": false", "\"slow\": true", TRAINER ".slow: found true, expected false"},
        {"\"fast\": true", "\"fast\": {}", TRAINER ".fast: found an object, expected true"},
        {"[1, [2.50]]", "[1, []]", NULL},
        {"[1, [2.50]]", "[1, [2.5]]", TRAINER ".list[][]: found 2.5, expected 2.50"},
        {"[1, [2.50]]", "[1, [2.50, null]]", TRAINER ".list[]: found null, expected none"},
        {"[1, [2.50]]", "[1, {}]", TRAINER ".list[]: found an object, expected an array"},
        {"[1, [2.50]]", "[1, [2.50], {\"name\": \"x\"}]",
         TRAINER ".list[x]: found an object, expected none"},
        {"[1, [2.50]]", "[{\"name\": \"x\"}, [2.50]]",
         TRAINER ".list[x]: found an object, expected none"},
    };
    struct arena a = ARENA_INIT;
    const char *good = write_it(&a, rich, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diags diags;
        diags_init(&diags, &a);
        const char *text = replaced(&a, good, rows[i].from, rows[i].to);
        const char *found = statement_difference("s", (struct bytes){text, strlen(text)}, rich, 3,
                                                 manifest, &a, &diags);
        if (!found != !rows[i].message || (found && strcmp(found, rows[i].message) != 0))
            fail_msg("row %zu: %s", i, found ? found : "no difference");
    }
    arena_release(&a);
}

/* 20 KB of an archive, as zstd packs it: one value of the case, and a statement that names it again
 * and again. */
static void one_value_is_not_held_against_many(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct buf kase, again;
    buf_init(&kase, 1 << 20);
    buf_init(&again, 1 << 20);
    for (int i = 0; i < JSON_KEYS_MAX; i++)
        buf_printf(&kase, "%s\"k%d\": 0", i ? ", " : "{\"id\": [{\"name\": \"x\", \"all\": {", i);
    buf_str(&kase, "}}]}");
    for (int i = 0; i < 10000; i++)
        buf_printf(&again, "%s{\"name\": \"x\", \"all\": {}}", i ? ", " : "\"case\": [");
    const struct tar_member large = {"case.json", {kase.data, kase.len}};
    char *text = write_it(&a, &large, 1), *at = strstr(text, "\"case\": [");
    const char *rest = strstr(at, "}}]") + 2;
    text = arena_printf(&a, "%.*s%s%s", (int)(at - text), text, again.data, rest);
    struct diags diags;
    diags_init(&diags, &a);
    clock_t begin = clock();
    const char *found = statement_difference("s", (struct bytes){text, strlen(text)}, &large, 1,
                                             manifest, &a, &diags);
    assert_string_equal(found, "predicate.buildDefinition.externalParameters.case[x]: found an "
                               "object, expected none");
    /* 0.05 s at 3 GHz, with sanitizers 0.3 s. */
    assert_true(pace_since(begin) < 25 * pace_seconds());
    buf_release(&again);
    buf_release(&kase);
    arena_release(&a);
}

/* A case as deep as JSON may be is deeper in the statement about it. */
static void a_case_that_is_too_deep_gives_none(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags diags;
    struct buf text;
    buf_init(&text, 1 << 16);
    buf_str(&text, "{\"model\": ");
    for (int i = 1; i < JSON_DEPTH_MAX; i++)
        buf_char(&text, '[');
    for (int i = 1; i < JSON_DEPTH_MAX; i++)
        buf_char(&text, ']');
    buf_char(&text, '}');
    const struct tar_member deep = {"case.json", {text.data, text.len}};
    diags_init(&diags, &a);
    assert_string_equal(
        statement_difference("s", (struct bytes){"{}", 2}, &deep, 1, manifest, &a, &diags),
        "fpreport cannot derive the statement from the files");
    buf_release(&text);
    arena_release(&a);
}

static void another_head_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"{\"_type\"", " {\"_type\"", "not a statement"},
        {"in-toto", "In-toto", "not a statement"},
        {"aaaa", "aaab", "not a statement"},
        {"SHA256SUMS", "SHA512SUMS", "not a statement"},
        {"}\n", "}\n\n", "not a single line"},
        {"}\n", "}", "not a single line"},
        {"}\n", "}\r", "not a single line"},
    };
    struct arena a = ARENA_INIT;
    const char *good = write_it(&a, members, MEMBERS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = replaced(&a, good, rows[i].from, rows[i].to);
        const char *found = statement_problem((struct bytes){text, strlen(text)}, manifest, &a);
        if (!found || !strstr(found, rows[i].message))
            fail_msg("row %zu: %s", i, found ? found : "taken");
    }
    for (size_t n = 0; n < strlen(good); n++)
        assert_non_null(statement_problem((struct bytes){good, n}, manifest, &a));
    char *huge = arena_alloc(&a, STATEMENT_BYTES_MAX + 2);
    memset(huge, ' ', STATEMENT_BYTES_MAX + 1);
    assert_string_equal(
        statement_problem((struct bytes){huge, STATEMENT_BYTES_MAX + 1}, manifest, &a),
        "the statement is larger than 1 MiB");
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_is_known),
        cmocka_unit_test(what_is_not_there_is_left_out),
        cmocka_unit_test(another_word_is_told),
        cmocka_unit_test(values_of_every_kind_are_copied),
        cmocka_unit_test(another_value_of_another_kind_is_told),
        cmocka_unit_test(one_value_is_not_held_against_many),
        cmocka_unit_test(a_case_that_is_too_deep_gives_none),
        cmocka_unit_test(another_head_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
