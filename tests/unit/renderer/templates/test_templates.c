/* templates: folders in order, escaping by suffix, and mistakes named with their place. */
#include "tests/unit/template_room.h"

#include <string.h>
#include <unistd.h>

/* The rendered text, or the error's. */
static const char *render(struct room *r, const char *name)
{
    struct view *view = view_object(&r->folder.arena);
    view_set_text(view, "text", "<a> | *b*");
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    r->err = (struct err)ERR_INIT;
    int rc = templates_render(&r->templates, name, view, &out, &r->err);
    assert_int_equal(r->err.kind, rc == 0 ? ERR_NONE : ERR_INPUT);
    const char *text = rc == 0 ? arena_strndup(&r->folder.arena, out.data, out.len) : r->err.text;
    buf_release(&out);
    return text;
}

static void what_is_shipped_is_found(void **state)
{
    struct room *r = *state;
    put(r, "shipped/a.txt", "shipped {{>part.txt}}");
    put(r, "shipped/part.txt", "part");
    assert_string_equal(render(r, "a.txt"), "shipped part");
}

static void a_project_overrides_one_file_and_keeps_the_rest(void **state)
{
    struct room *r = *state;
    put(r, "shipped/a.txt", "shipped {{>part.txt}}");
    put(r, "shipped/part.txt", "part");
    put(r, "own/part.txt", "own");
    assert_string_equal(render(r, "a.txt"), "shipped own");
}

static void the_suffix_decides_how_to_escape(void **state)
{
    struct room *r = *state;
    put(r, "shipped/a.html", "{{text}}");
    put(r, "shipped/a.txt", "{{text}}");
    put(r, "shipped/a.md", "{{text}}");
    assert_string_equal(render(r, "a.html"), "&lt;a&gt; | *b*");
    assert_string_equal(render(r, "a.txt"), "<a> | *b*");
    assert_null(strstr(render(r, "a.md"), " | ")); /* would end a table's cell */
}

static void mistakes_are_named_with_their_place(void **state)
{
    static const struct {
        const char *text, *said;
    } mistakes[] = {
        {"x\n{{#text}}", "bad.html:2:1: "},    {"x\n\n {{oops", "bad.html:3:2: "},
        {"{{/text}}", "bad.html:1:1: "},       {"x\n{{texxt}}", "bad.html:2:1: {{texxt}}"},
        {"{{>nothing.html}}", "nothing.html"},
    };
    struct room *r = *state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        templates_init(&r->templates, &r->folder.arena); /* compiled files are kept */
        templates_add_folder(&r->templates, in_room(r, "own"));
        put(r, "own/bad.html", mistakes[i].text);
        const char *said = render(r, "bad.html");
        if (!strstr(said, mistakes[i].said))
            fail_msg("'%s' lacks '%s'", said, mistakes[i].said);
    }
}

static void what_is_not_there_or_no_file_is_named(void **state)
{
    struct room *r = *state;
    assert_non_null(strstr(render(r, "none.html"), "none.html"));
    put(r, "own/folder.html/x", "");
    assert_non_null(strstr(render(r, "folder.html"), "folder.html"));
}

static void a_template_that_holds_itself_ends(void **state)
{
    struct room *r = *state;
    put(r, "own/loop.html", "{{>loop.html}}");
    assert_non_null(strstr(render(r, "loop.html"), "loop.html"));
}

/* Names that lead out of the folders, and links in them, wherever they lead. */
static void nothing_outside_is_read(void **state)
{
    struct room *r = *state;
    static const char *const names[] = {
        "../secret.txt",     "sub/../../secret.txt", "/etc/hostname", "linked.txt",
        "folder/secret.txt", "sub//part.txt",        "./part.txt",    "inside.txt",
    };
    put(r, "secret.txt", "the secret");
    put(r, "own/sub/part.txt", "part");
    put(r, "own/part.txt", "part");
    assert_int_equal(symlink("../secret.txt", in_room(r, "own/linked.txt")), 0);
    assert_int_equal(symlink("part.txt", in_room(r, "own/inside.txt")), 0);
    assert_int_equal(symlink("..", in_room(r, "own/folder")), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *partial = arena_printf(&r->folder.arena, "x{{>%s}}", names[i]);
        put(r, "own/page.txt", partial);
        for (int direct = 0; direct <= 1; direct++) {
            templates_init(&r->templates, &r->folder.arena);
            templates_add_folder(&r->templates, in_room(r, "own"));
            const char *said = render(r, direct ? names[i] : "page.txt");
            if (r->err.kind != ERR_INPUT || strstr(said, "the secret") || !strstr(said, names[i]))
                fail_msg("%s: %s", names[i], said);
        }
    }
    templates_init(&r->templates, &r->folder.arena);
    templates_add_folder(&r->templates, in_room(r, "again"));
    assert_int_equal(symlink("own", in_room(r, "again")), 0);
    assert_string_equal(render(r, "sub/part.txt"), "part"); /* the folder itself may be a link */
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, room_open, room_close)
    const struct CMUnitTest tests[] = {
        TEST(what_is_shipped_is_found),
        TEST(a_project_overrides_one_file_and_keeps_the_rest),
        TEST(the_suffix_decides_how_to_escape),
        TEST(mistakes_are_named_with_their_place),
        TEST(what_is_not_there_or_no_file_is_named),
        TEST(a_template_that_holds_itself_ends),
        TEST(nothing_outside_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
