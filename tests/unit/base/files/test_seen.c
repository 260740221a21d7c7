/* seen and pack: whatever happens to a file is seen later; what is kept comes back, or is refused.
 */
#include "tests/unit/folder.h"

#include "base/files/seen.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(void **state, const char *name, const char *text)
{
    FILE *f = fopen(in_folder(state, name), "w"); /* in place: file_write makes another file */
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* The folder as it is, everything in it older than a tick. */
static struct seen_list look(void **state)
{
    struct folder *f = *state;
    struct seen_list list = {0};
    seen_wait();
    uint64_t now = seen_clock();
    seen_tree(&list, f->path, &f->arena);
    assert_true(seen_is_settled(&list, now));
    return list;
}

static void nothing_changed(void **state)
{
    put(state, "a", "one");
    struct seen_list list = look(state);
    assert_int_equal(list.n, 2);
    assert_int_equal(seen_changed(&list), 0);
}

static void an_old_time_hides_nothing(void **state)
{
    const char *path = in_folder(state, "a");
    struct stat st;
    put(state, "a", "one");
    struct seen_list list = look(state);
    assert_int_equal(stat(path, &st), 0);
    put(state, "a", "two");
    const struct timespec times[] = {st.st_atim, st.st_mtim};
    assert_int_equal(utimensat(0, path, times, 0), 0);
    assert_int_equal(seen_changed(&list), 1);
}

static void another_file_of_the_name(void **state)
{
    put(state, "a", "one");
    put(state, "b", "one");
    struct seen_list list = look(state);
    assert_int_equal(rename(in_folder(state, "b"), in_folder(state, "a")), 0);
    assert_int_equal(seen_changed(&list), 3); /* a, b, and the folder */
}

static void a_name_more(void **state)
{
    struct seen_list list = look(state);
    put(state, "new", "");
    assert_int_equal(seen_changed(&list), 1);
}

/* Deeper than folders stay open, and beside each other with names of one length. */
static void every_file_of_a_deep_tree(void **state)
{
    static const char *const places[] = {"1", "1/0", "0"};
    char path[128] = "";
    size_t n = 1;
    for (size_t depth = 0; depth < 20; depth++)
        for (size_t i = 0; i < 3; i++, n += 2) {
            (void)snprintf(path + depth * 2, sizeof path - depth * 2, "%s", places[i]);
            assert_int_equal(mkdir(in_folder(state, path), 0700), 0);
            strcat(path, "/f");
            put(state, path, "one");
        }
    struct seen_list list = look(state);
    assert_int_equal(list.n, n);
    assert_int_equal(seen_changed(&list), 0);
    put(state, path, "three");
    put(state, "0/0/0/1/0/f", "three");
    assert_int_equal(seen_changed(&list), 2);
}

static void what_a_link_leads_to(void **state)
{
    put(state, "a", "one");
    assert_int_equal(symlink("a", in_folder(state, "link")), 0);
    struct seen_list list = look(state);
    assert_int_equal(list.n, 4); /* folder, a, the link, and a behind it */
    put(state, "a", "two");
    assert_int_equal(seen_changed(&list), 2);
}

static void links_to_folders_cannot_be_watched(void **state)
{
    struct folder *f = *state;
    struct seen_list list = {0};
    assert_int_equal(symlink("/tmp", in_folder(state, "link")), 0);
    seen_tree(&list, f->path, &f->arena);
    assert_true(list.unsure);
    assert_false(seen_is_settled(&list, UINT64_MAX));
}

static void what_is_not_there(void **state)
{
    struct folder *f = *state;
    struct seen_list list = {0};
    seen_path(&list, in_folder(state, "later"), &f->arena);
    assert_false(list.unsure);
    assert_int_equal(seen_changed(&list), 0);
    put(state, "later", "");
    assert_int_equal(seen_changed(&list), 1);
}

/* Written in the tick in which it was looked at: a second write could not be told from the first.
 */
static void what_was_just_written_is_not_settled(void **state)
{
    struct folder *f = *state;
    for (int i = 0; i < 100; i++) {
        struct seen_list list = {0};
        uint64_t now = seen_clock();
        put(state, "a", "one");
        seen_path(&list, in_folder(state, "a"), &f->arena);
        assert_false(seen_is_settled(&list, now));
    }
}

static void whole_seconds_are_doubted(void **state)
{
    struct seen_file file = {.path = "x", .seen = {.mode = 1, .changed = 5000000000u}};
    const struct seen_list list = {.files = &file, .n = 1};
    (void)state;
    assert_false(seen_is_settled(&list, 6999999999u));
    assert_true(seen_is_settled(&list, 7000000001u));
}

static void kept_and_cut_anywhere(void **state)
{
    struct folder *f = *state;
    struct buf out;
    struct seen_list back;
    put(state, "a", "one");
    struct seen_list list = look(state);
    buf_init(&out, BUF_DEFAULT_MAX);
    seen_pack(&list, &out);
    struct unpack whole = {.at = out.data, .end = out.data + out.len};
    seen_unpack(&back, &f->arena, &whole);
    assert_true(unpack_end(&whole));
    assert_int_equal(back.n, list.n);
    for (size_t i = 0; i < list.n; i++) {
        assert_string_equal(back.files[i].path, list.files[i].path);
        assert_true(memcmp(&back.files[i].seen, &list.files[i].seen, sizeof(struct seen)) == 0);
    }
    for (size_t len = 0; len < out.len; len++) {
        struct unpack cut = {.at = out.data, .end = out.data + len};
        seen_unpack(&back, &f->arena, &cut);
        assert_false(unpack_end(&cut));
    }
    buf_release(&out);
}

static void numbers_and_texts(void **state)
{
    static const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
    struct buf out;
    (void)state;
    buf_init(&out, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        pack_number(&out, numbers[i]);
    pack_text(&out, NULL);
    pack_text(&out, "");
    pack_text(&out, "abc");
    struct unpack u = {.at = out.data, .end = out.data + out.len};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(unpack_number(&u) == numbers[i]);
    assert_null(unpack_text(&u));
    assert_string_equal(unpack_text(&u), "");
    assert_string_equal(unpack_text(&u), "abc");
    assert_true(unpack_end(&u));
    buf_release(&out);
}

static void what_nobody_packed(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } texts[] = {
        {"\x04"
         "abc",
         4}, /* no end */
        {"\x04"
         "a\0c\0",
         5}, /* an end within */
        {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11},
        {"\xFF\xFF\xFF\xFF\x0F", 5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct unpack u = {.at = texts[i].bytes, .end = texts[i].bytes + texts[i].len};
        assert_null(unpack_text(&u));
        assert_true(u.bad);
        assert_int_equal(unpack_number(&u), 0);
    }
    const char *few = "\x7F"
                      "abc";
    struct unpack many = {.at = few, .end = few + 4};
    assert_int_equal(unpack_count(&many, 1), 0);
    assert_true(many.bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(nothing_changed),
        IN_FOLDER(an_old_time_hides_nothing),
        IN_FOLDER(another_file_of_the_name),
        IN_FOLDER(a_name_more),
        IN_FOLDER(every_file_of_a_deep_tree),
        IN_FOLDER(what_a_link_leads_to),
        IN_FOLDER(links_to_folders_cannot_be_watched),
        IN_FOLDER(what_is_not_there),
        IN_FOLDER(what_was_just_written_is_not_settled),
        cmocka_unit_test(whole_seconds_are_doubted),
        IN_FOLDER(kept_and_cut_anywhere),
        cmocka_unit_test(numbers_and_texts),
        cmocka_unit_test(what_nobody_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
