/* mustache: the rules of the specification (tests/golden/mustache, one file per module; cases
 * marked "ours" are where it leaves the choice to us), errors, strictness, caps. */
#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "renderer/templates/escape.h"
#include "renderer/templates/mustache.h"
#include "renderer/templates/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(array) (sizeof(array) / sizeof *(array))

/* ---- the specification ----------------------------------------------------------------- */

static struct view *view_of(struct arena *a, const struct json *j);

static void add_children(struct view *view, const struct json *j)
{
    for (const struct json *c = j->child; c; c = c->next) {
        struct view *value = view_of(view->arena, c);
        if (view->kind == VIEW_OBJECT)
            view_set(view, c->key, value);
        else
            view_push(view, value);
    }
}

static struct view *view_of(struct arena *a, const struct json *j)
{
    struct view *holder = view_object(a);
    if (j->kind == JSON_STRING)
        view_set_text(holder, "x", j->text);
    else if (j->kind == JSON_BOOL)
        view_set_flag(holder, "x", j->truth);
    else
        add_children(
            j->kind == JSON_OBJECT ? view_set_object(holder, "x") : view_set_list(holder, "x"), j);
    return (struct view *)view_get(holder, "x");
}

struct partials {
    const struct json *sources;
    struct arena *arena;
};

static const struct mustache *find_partial(void *self, const char *name)
{
    struct partials *p = self;
    struct mustache *template;
    struct err err = ERR_INIT;
    const char *source = json_get_text(p->sources, name, NULL);
    if (!source ||
        mustache_compile(&template, name, source, strlen(source), escape_html, p->arena, &err) < 0)
        return NULL;
    return template;
}

static void run_case(const char *file, const struct json *c, struct arena *a)
{
    struct err err = ERR_INIT;
    struct buf out;
    struct mustache *template;
    struct partials partials = {json_get(c, "partials"), a};
    struct mustache_options options = {.find = find_partial, .self = &partials};
    const char *source = json_get_text(c, "template", "");
    const char *expected = json_get_text(c, "expected", "");
    buf_init(&out, BUF_DEFAULT_MAX);
    if (mustache_compile(&template, "t", source, strlen(source), escape_html, a, &err) < 0 ||
        mustache_render(template, view_of(a, json_get(c, "data")), &options, &out, &err) < 0)
        fail_msg("%s: %s: %s", file, json_get_text(c, "name", ""), err.text);
    if (strcmp(out.data, expected) != 0)
        fail_msg("%s: %s\n  template [%s]\n  got      [%s]\n  expected [%s]", file,
                 json_get_text(c, "name", ""), source, out.data, expected);
    buf_release(&out);
}

static void the_specification(void **state)
{
    (void)state;
    static const char *const modules[] = {"interpolation", "sections", "inverted",
                                          "comments",      "partials", "delimiters"};
    struct arena a = ARENA_INIT;
    size_t n = 0;
    for (size_t i = 0; i < N(modules); i++) {
        struct diags diags;
        struct json *cases;
        char path[128];
        snprintf(path, sizeof path, "tests/golden/mustache/%s.json", modules[i]);
        diags_init(&diags, &a);
        if (json_load(path, &a, &cases, &diags) < 0)
            fail_msg("%s:%d: %s", path, diags.items[0].line, diags.items[0].message);
        for (const struct json *c = cases->child; c; c = c->next, n++)
            run_case(path, c, &a);
    }
    assert_true(n >= 100);
    arena_release(&a);
}

/* ---- faults of a template -------------------------------------------------------------- */

static void faults_name_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *source, *message;
    } cases[] = {
        {"a\nb {{#rows}}\nc\n",
         "x.md:2:3: section {{#rows}} is not closed, expected {{/rows}} before the end at 4:1"},
        {"{{^a.b}}",
         "x.md:1:1: section {{^a.b}} is not closed, expected {{/a.b}} before the end at 1:9"},
        {"{{#a}}\n{{#b}}\n{{/a}}",
         "x.md:3:1: found {{/a}}, expected {{/b}} for the section {{#b}} at 2:1"},
        {"显 {{/a}}", "x.md:1:3: found {{/a}}, but no section is open"},
        {"\n  {{name", "x.md:2:3: tag {{ is not closed, expected }}"},
        {"{{{name}}", "x.md:1:1: tag {{ is not closed, expected }}}"},
        {"{{! comment", "x.md:1:1: tag {{ is not closed, expected }}"},
        {"{{}}", "x.md:1:1: tag {{}}: found '', expected a name"},
        {"{{#}}", "x.md:1:1: tag {{#}}: found '', expected a name"},
        {"{{a b}}", "x.md:1:1: tag {{a b}}: found 'a b', expected a name"},
        {"{{=a=}}", "x.md:1:1: found 'a', expected two delimiters"},
        {"{{=a b c=}}", "x.md:1:1: found 'a b c', expected two delimiters"},
        {"{{= = = =}}", "x.md:1:1: found '= =', expected two delimiters"},
        {"{{=aaaaaaaaaaaaaaaa b=}}",
         "x.md:1:1: found 'aaaaaaaaaaaaaaaa b', expected two delimiters"},
        {"{{<parent}}", "x.md:1:1: template inheritance ({{<…}}) is not supported"},
        {"{{$block}}", "x.md:1:1: template inheritance ({{$…}}) is not supported"},
        {"{{=<% %>=}}\n<%#a%>{{/a}}",
         "x.md:2:1: section {{#a}} is not closed, expected {{/a}} before the end at 2:13"},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < N(cases); i++) {
        struct err err = ERR_INIT;
        struct mustache *template = NULL;
        const char *s = cases[i].source;
        assert_int_equal(mustache_compile(&template, "x.md", s, strlen(s), escape_html, &a, &err),
                         -1);
        assert_string_equal(err.text, cases[i].message);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_null(template);
    }
    arena_release(&a);
}

/* ---- strictness ------------------------------------------------------------------------ */

static void strict_rendering_finds_typos(void **state)
{
    (void)state;
    static const char source[] = "{{title}} {{titel}}\n"
                                 "{{#rows}}{{n}}{{m}}{{title}}{{/rows}}\n"
                                 "{{#nope}}x{{/nope}}{{^nope}}y{{/nope}}\n"
                                 "{{run.loss}} {{run.los}} {{rows}} {{>p}}\n"
                                 "{{#run}}{{absent}}{{/run}}{{#off}}{{typo}}{{/off}}{{empty}}";
    static const char *const expected[] = {
        "1:11 {{titel}}: this name is in no context here",
        "2:15 {{m}}: this name is in no context here",
        "3:1 {{nope}}: this name is in no context here",
        "3:20 {{nope}}: this name is in no context here",
        "4:14 {{run.los}}: no such member",
        "4:26 {{rows}}: a list or object, expected text",
        "4:35 {{p}}: there is no such partial",
        "5:9 {{absent}}: this name is in no context here",
    };
    struct arena a = ARENA_INIT;
    struct diags diags;
    struct err err = ERR_INIT;
    struct mustache *template;
    struct view *root = view_object(&a), *rows, *run;
    view_set_text(root, "title", "T");
    view_set_text(root, "empty", "");
    view_set_flag(root, "off", false);
    rows = view_set_list(root, "rows");
    for (int i = 0; i < 3; i++)
        view_set_printf(view_push_object(rows), "n", "%d", i);
    run = view_set_object(root, "run");
    view_set_text(run, "loss", "1.5");
    diags_init(&diags, &a);
    struct mustache_options strict = {.strict = &diags};
    struct buf out, lenient;
    buf_init(&out, 4096);
    buf_init(&lenient, 4096);
    assert_int_equal(
        mustache_compile(&template, "x", source, strlen(source), escape_html, &a, &err), 0);
    assert_int_equal(mustache_render(template, root, &strict, &out, &err), 0);
    assert_int_equal(mustache_render(template, root, NULL, &lenient, &err), 0);
    assert_string_equal(out.data, lenient.data);
    assert_string_equal(out.data, "T \n0T1T2T\ny\n1.5   \n");
    assert_int_equal(diags.n, N(expected));
    for (size_t i = 0; i < diags.n; i++) {
        char line[128];
        snprintf(line, sizeof line, "%d:%d %s", diags.items[i].line, diags.items[i].col,
                 diags.items[i].message);
        assert_string_equal(line, expected[i]);
        assert_string_equal(diags.items[i].file, "x");
        assert_int_equal(diags.items[i].severity, SEVERITY_WARNING);
    }
    buf_release(&out);
    buf_release(&lenient);
    arena_release(&a);
}

/* ---- escaping -------------------------------------------------------------------------- */

static void each_template_has_its_escape(void **state)
{
    (void)state;
    static const struct {
        mustache_escape *escape;
        const char *expected;
    } cases[] = {
        {escape_html, "|a&lt;b|c \\*2|a<b|c \\*2|<br>|"},
        {escape_markdown_cell,
         "|a&lt;b\\|c \\*2|a<b|c \\*2|<br>|"}, /* "<b|c *2>" is a tag to browsers */
        {escape_none, "|a<b|c \\*2|a<b|c \\*2|<br>|"},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < N(cases); i++) {
        struct err err = ERR_INIT;
        struct mustache *t;
        struct buf out;
        struct view *root = view_object(&a);
        view_set_text(root, "x", "a<b|c \\*2");
        view_set_raw(root, "raw", "<br>");
        buf_init(&out, 4096);
        const char *source = "|{{x}}|{{{x}}}|{{raw}}|";
        assert_int_equal(
            mustache_compile(&t, "x", source, strlen(source), cases[i].escape, &a, &err), 0);
        assert_int_equal(mustache_render(t, root, NULL, &out, &err), 0);
        assert_string_equal(out.data, cases[i].expected);
        buf_release(&out);
    }
    arena_release(&a);
}

/* ---- caps ------------------------------------------------------------------------------ */

static void depth_is_capped(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct mustache *t;
    struct buf source, out;
    struct view *root = view_object(&a);
    view_set_flag(root, "x", true);
    buf_init(&out, 4096);
    for (int depth = MUSTACHE_DEPTH_MAX; depth <= MUSTACHE_DEPTH_MAX + 1; depth++) {
        buf_init(&source, 4096);
        for (int i = 0; i < depth; i++)
            buf_str(&source, "{{#x}}");
        buf_str(&source, "in");
        for (int i = 0; i < depth; i++)
            buf_str(&source, "{{/x}}");
        int rc = mustache_compile(&t, "x", source.data, source.len, escape_html, &a, &err);
        assert_int_equal(rc, depth == MUSTACHE_DEPTH_MAX ? 0 : -1);
        if (rc == 0)
            assert_int_equal(mustache_render(t, root, NULL, &out, &err), 0);
        buf_release(&source);
    }
    assert_string_equal(out.data, "in");
    assert_string_equal(err.text, "x:1:385: sections nest more than 64 deep");
    buf_release(&out);
    arena_release(&a);
}

/* Ten to the power of twelve turns that write nothing, which no limit of the output ends. */
static void turns_are_capped(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct mustache *t;
    struct buf source, out;
    struct view *root = view_object(&a), *list = view_set_list(root, "x");
    for (int i = 0; i < 10; i++)
        view_push_object(list);
    buf_init(&source, 4096);
    buf_init(&out, 4096);
    buf_str(&source, "a\n");
    for (int i = 0; i < 12; i++)
        buf_str(&source, "{{#x}}");
    for (int i = 0; i < 12; i++)
        buf_str(&source, "{{/x}}");
    assert_int_equal(mustache_compile(&t, "x", source.data, source.len, escape_html, &a, &err), 0);
    assert_int_equal(mustache_render(t, root, NULL, &out, &err), -1);
    assert_non_null(strstr(err.text, "sections and partials repeat without an end in sight"));
    assert_int_equal(strncmp(err.text, "x:2:", 4), 0);
    buf_release(&source);
    buf_release(&out);
    arena_release(&a);
}

static const struct mustache *find_itself(void *self, const char *name)
{
    (void)name;
    return *(struct mustache **)self;
}

static void endless_partials_are_stopped(void **state)
{
    (void)state;
    static const char *const sources[] = {"a{{>self}}", "{{#x}}{{#x}}{{#x}}{{#x}}{{#x}}{{>self}}"
                                                        "{{/x}}{{/x}}{{/x}}{{/x}}{{/x}}"};
    for (size_t i = 0; i < N(sources); i++) {
        struct arena a = ARENA_INIT;
        struct err err = ERR_INIT;
        struct mustache *t;
        struct buf out;
        struct view *root = view_object(&a);
        view_set_flag(root, "x", true);
        buf_init(&out, 4096);
        assert_int_equal(
            mustache_compile(&t, "x", sources[i], strlen(sources[i]), escape_html, &a, &err), 0);
        struct mustache_options options = {.find = find_itself, .self = &t};
        assert_int_equal(mustache_render(t, root, &options, &out, &err), -1);
        assert_non_null(strstr(err.text, "deep"));
        buf_release(&out);
        arena_release(&a);
    }
}

/* 64 partials deep, each with its own list: 3^64 lines, were it not for the maximum. */
static void output_is_capped(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct mustache *t;
    struct buf out;
    struct view *root = view_object(&a), *rows = view_set_list(root, "rows");
    for (int i = 0; i < 3; i++)
        view_push(rows, root);
    const char *source = "x{{#rows}}{{>self}}{{/rows}}";
    buf_init(&out, 10000);
    assert_int_equal(mustache_compile(&t, "x", source, strlen(source), escape_html, &a, &err), 0);
    struct mustache_options options = {.find = find_itself, .self = &t};
    assert_int_equal(mustache_render(t, root, &options, &out, &err), -1);
    buf_release(&out);
    arena_release(&a);
}

static void sources_are_capped(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct mustache *t;
    char *large = arena_alloc(&a, MUSTACHE_SOURCE_MAX + 1);
    memset(large, 'x', MUSTACHE_SOURCE_MAX + 1);
    assert_int_equal(
        mustache_compile(&t, "x", large, MUSTACHE_SOURCE_MAX + 1, escape_html, &a, &err), -1);
    assert_int_equal(mustache_compile(&t, "x", "a\0b", 3, escape_html, &a, &err), -1);
    /* many tags, many lines: positions are counted once, not once per tag */
    for (size_t i = 0; i + 4 < MUSTACHE_SOURCE_MAX; i += 5)
        memcpy(large + i, "{{a}}", 5);
    assert_int_equal(
        mustache_compile(&t, "x", large, MUSTACHE_SOURCE_MAX / 5 * 5, escape_html, &a, &err), 0);
    arena_release(&a);
}

/* Random tags and text: compiled or refused, never read beyond the end (for the sanitizers). */
static void soup_is_survived(void **state)
{
    (void)state;
    static const char *const bits[] = {
        "{{",    "}}",     "{{{",    "}}}",    "#",           "^",  "/", ">",  "!",
        "=",     "&",      "{",      "}",      "x",           ".",  " ", "\n", "\r\n",
        "{{x}}", "{{#x}}", "{{/x}}", "{{>x}}", "{{=<% %>=}}", "<%", "%>"};
    uint32_t seed = 7;
    size_t compiled = 0;
    for (int round = 0; round < 20000; round++) {
        struct arena a = ARENA_INIT;
        struct err err = ERR_INIT;
        struct mustache *t;
        struct buf source, out;
        buf_init(&source, 4096);
        buf_init(&out, 4096);
        for (int i = 0; i < 12; i++) {
            seed = seed * 1664525u + 1013904223u;
            buf_str(&source, bits[(seed >> 16) % N(bits)]);
        }
        struct view *root = view_object(&a);
        view_set_text(root, "x", "v");
        char *exact = memcpy(memory_alloc(source.len), source.data, source.len);
        if (mustache_compile(&t, "x", exact, source.len, escape_html, &a, &err) == 0)
            compiled += mustache_render(t, root, NULL, &out, &err) == 0;
        free(exact);
        buf_release(&source);
        buf_release(&out);
        arena_release(&a);
    }
    assert_true(compiled > 100);
}

static void view_keeps_order_and_replaces(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct view *v = view_object(&a);
    view_set_text(v, "b", "1");
    view_set_text(v, "a", NULL);
    view_set_text(v, "b", "2");
    assert_int_equal(v->n, 2);
    assert_string_equal(v->members[0].key.name, "b");
    assert_string_equal(v->members[0].value->text, "2");
    assert_string_equal(view_get(v, "a")->text, "");
    assert_null(view_get(v, "c"));
    assert_null(view_get(NULL, "c"));
    assert_null(view_get(view_set_list(view_object(&a), "list"), "c"));
    assert_false(view_is_true(NULL));
    arena_release(&a);
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *raw, *expected;
    } rows[] = {
        {"123456", "", "[123456]"},
        {"1234567", "", "[123456 (1 more)]"},
        {"<<<<<<<<", "", "[&lt;&lt;&lt;&lt;&lt;&lt; (2 more)]"},
        {"12字34字", "", "[12字3 (2 more)]"},
        {"1234字", "", "[1234 (1 more)]"},
        {"", "<b>long</b>", "[<b>long</b>]"},
    };
    const struct mustache_options options = {.text_max = 6, .text_cut = " ({n} more)"};
    static const char source[] = "[{{text}}{{raw}}]";
    for (size_t i = 0; i < N(rows); i++) {
        struct arena a = ARENA_INIT;
        struct err err = ERR_INIT;
        struct mustache *t;
        struct buf out;
        struct view *view = view_object(&a);
        buf_init(&out, 4096);
        view_set_text(view, "text", rows[i].text);
        view_set_raw(view, "raw", rows[i].raw);
        assert_int_equal(mustache_compile(&t, "t", source, strlen(source), escape_html, &a, &err),
                         0);
        assert_int_equal(mustache_render(t, view, &options, &out, &err), 0);
        assert_string_equal(out.data, rows[i].expected);
        buf_release(&out);
        arena_release(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_specification),
        cmocka_unit_test(faults_name_the_place),
        cmocka_unit_test(strict_rendering_finds_typos),
        cmocka_unit_test(each_template_has_its_escape),
        cmocka_unit_test(depth_is_capped),
        cmocka_unit_test(turns_are_capped),
        cmocka_unit_test(endless_partials_are_stopped),
        cmocka_unit_test(output_is_capped),
        cmocka_unit_test(sources_are_capped),
        cmocka_unit_test(soup_is_survived),
        cmocka_unit_test(view_keeps_order_and_replaces),
        cmocka_unit_test(long_texts_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
