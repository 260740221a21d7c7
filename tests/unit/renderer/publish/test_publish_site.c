/* publish_site: a list of files that is longer than one file may be is divided, and read again. */
#include "tests/unit/folder.h"

#include "base/files/file.h"
#include "cli/archive/store_check_site.h"
#include "renderer/publish/site.h"

#include <stdio.h>
#include <sys/stat.h>

#define N_FILES 20
#define LIST_MAX 500 /* bytes: six lines or so */

static void put(void **state, const char *name, const char *text)
{
    FILE *f = fopen(in_folder(state, name), "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A built site in "site": files whose text is their name. */
static void make_site(void **state)
{
    struct folder *f = *state;
    char hex[HASH_HEX_SIZE];
    const char *list = "fpreport-build 1\n";
    assert_int_equal(mkdir(in_folder(state, "site"), 0777), 0);
    assert_int_equal(mkdir(in_folder(state, "public"), 0777), 0);
    for (int i = 0; i < N_FILES; i++) {
        const char *name = arena_printf(&f->arena, "page-%02d", i);
        hash_sha256(name, strlen(name), hex);
        list = arena_printf(&f->arena, "%s%s  %s\n", list, hex, name);
        put(state, arena_printf(&f->arena, "site/%s", name), name);
    }
    put(state, "site/.fpreport-build", list);
}

static struct publish_site load(void **state, size_t list_max)
{
    struct folder *f = *state;
    struct publish_site site;
    struct err err = ERR_INIT;
    if (publish_site_load(&site, in_folder(state, "site"), list_max, &f->arena, &err) < 0)
        fail_msg("%s", err.text);
    return site;
}

static void publish(void **state, const struct publish_site *site)
{
    struct folder *f = *state;
    for (size_t i = 0; i < site->n; i++)
        put(state, arena_printf(&f->arena, "public/%s", site->files[i].path),
            site->files[i].text ? site->files[i].text : site->files[i].path);
}

static size_t findings(void **state)
{
    struct folder *f = *state;
    struct store_report r = {.arena = &f->arena};
    store_check_site(&r, in_folder(state, "public"), NULL);
    assert_null(r.machine);
    return r.n;
}

static bool sums_hold(void **state, const char *lists)
{
    struct folder *f = *state;
    return system(arena_printf(&f->arena,
                               "cd %s/public && sha256sum -c --strict --quiet %s >/dev/null 2>&1",
                               f->path, lists)) == 0;
}

static void a_long_list_is_in_parts(void **state)
{
    struct folder *f = *state;
    make_site(state);
    struct publish_site whole = load(state, PUBLISH_LIST_MAX), site = load(state, LIST_MAX);
    const char *lines = "";
    size_t parts = 0;
    for (size_t i = 0; i < site.n; i++) {
        const struct repo_file *file = &site.files[i];
        assert_true(i == 0 || strcmp(site.files[i - 1].path, file->path) < 0);
        assert_true(!file->text || strlen(file->text) <= LIST_MAX);
        if (checkpoint_is_site_part(file->path)) {
            parts++;
            lines = arena_printf(&f->arena, "%s%s", lines, file->text);
        }
    }
    assert_int_equal(parts, 4);
    assert_int_equal(whole.n + parts, site.n);
    assert_string_equal(publish_site_find(&whole, CHECKPOINT_SITE_LIST)->text, lines);
    publish(state, &site);
    assert_true(sums_hold(state, "MANIFEST.sha256 MANIFEST-*.sha256"));
    assert_int_equal(findings(state), 0);
}

static void a_file_that_is_added_is_in_its_part(void **state)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    make_site(state);
    struct publish_site site = load(state, LIST_MAX);
    assert_int_equal(publish_site_add(&site, "a-first", "x", &f->arena, &err), 0);
    publish(state, &site);
    assert_true(sums_hold(state, "MANIFEST.sha256 MANIFEST-*.sha256"));
    assert_int_equal(findings(state), 0);
}

static void what_parts_do_not_say_is_found(void **state)
{
    static const struct {
        const char *file, *text;
        size_t findings;
    } changes[] = {
        {"page-03", "another", 1},
        {"MANIFEST-0005.sha256", "", 1},
        {"MANIFEST-0002.sha256", "", 7}, /* itself, and six files that no part names */
    };
    make_site(state);
    struct publish_site site = load(state, LIST_MAX);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        publish(state, &site);
        put(state, arena_printf(&((struct folder *)*state)->arena, "public/%s", changes[i].file),
            changes[i].text);
        assert_int_equal(findings(state), changes[i].findings);
        remove(in_folder(state, "public/MANIFEST-0005.sha256"));
    }
    publish(state, &site);
    remove(in_folder(state, "public/MANIFEST-0002.sha256"));
    assert_int_equal(findings(state), 1);
}

static void names_of_parts_have_one_form(void **state)
{
    (void)state;
    static const char *const others[] = {"MANIFEST.sha256",       "MANIFEST-1.sha256",
                                         "MANIFEST-00001.sha256", "MANIFEST-0001.sha256x",
                                         "MANIFEST- 001.sha256",  "en/MANIFEST-0001.sha256",
                                         "MANIFEST--001.sha256",  "MANIFEST-+001.sha256"};
    assert_true(checkpoint_is_site_part("MANIFEST-0001.sha256"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(checkpoint_is_site_part(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_long_list_is_in_parts),
        IN_FOLDER(a_file_that_is_added_is_in_its_part),
        IN_FOLDER(what_parts_do_not_say_is_found),
        cmocka_unit_test(names_of_parts_have_one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
