/* outdir: one build after the other: others' files survive, unchanged files are not touched, and
 * what is in the way is refused. */
#include "tests/unit/outdir_site.h"

#define DIGEST "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" /* of "1" */

static int open_site(struct outdir *od, const char *path, struct err *err)
{
    if (outdir_lock(od, path, err) < 0)
        return -1;
    int rc = outdir_begin(od, err);
    if (rc < 0)
        outdir_close(od);
    return rc;
}

static void give_up(struct outdir *od)
{
    outdir_abandon(od);
    outdir_close(od);
}

/* ---- one run after the other ----------------------------------------------------------- */

static void second_build_changes_what_it_should(struct fixture *f, bool by_file)
{
    struct outdir_stats s = must_build(f, (struct run){first, N(first), by_file, 0, 0});
    assert_int_equal(s.written, N(first));
    assert_clean(f);
    add_foreign(f);
    ino_t same = inode(in_site(f, "zh/a.html")), cname = inode(in_site(f, "CNAME"));
    ino_t object = inode(in_site(f, ".git/objects/ab")), link = inode(in_site(f, "link"));
    struct run run = {second, N(second), by_file, 0, 0};
    struct diags diags;
    struct err err = ERR_INIT;
    diags_init(&diags, &f->arena);
    if (build(f, &run, &s, &diags, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(snapshot(f, f->site), second_tree);
    assert_int_equal(s.written, 3);
    assert_int_equal(s.unchanged, 1);
    assert_int_equal(s.removed, 3);
    assert_int_equal(s.kept_foreign, 5);
    assert_int_equal(diags.n, 1);
    assert_string_equal(diags.items[0].file, in_site(f, "kept.html"));
    assert_int_equal(inode(in_site(f, "zh/a.html")), same);
    assert_int_equal(inode(in_site(f, "CNAME")), cname);
    assert_int_equal(inode(in_site(f, ".git/objects/ab")), object);
    assert_int_equal(inode(in_site(f, "link")), link);
    struct stat st;
    assert_int_equal(stat(in_site(f, "empty"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0751);
    assert_clean(f);
}

static void exchange_of_trees(void **state)
{
    second_build_changes_what_it_should(*state, false);
}

static void file_by_file(void **state)
{
    second_build_changes_what_it_should(*state, true);
}

static size_t parts_of_list(struct fixture *f)
{
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n, parts = 0;
    assert_int_equal(dir_list(f->site, &f->arena, &entries, &n, &err), 0);
    for (size_t i = 0; i < n; i++)
        parts += outdir_list_is(entries[i].name) && strcmp(entries[i].name, OUTDIR_LIST_NAME) != 0;
    return parts;
}

static void a_long_list_lies_in_parts(void **state)
{
    struct fixture *f = *state;
    struct outdir_list whole, again;
    struct err err = ERR_INIT;
    must_build(f, (struct run){second, N(second), false, 0, 0});
    assert_int_equal(parts_of_list(f), 0);
    assert_int_equal(outdir_list_load(&whole, f->site, &f->arena, &err), 0);
    for (int by_file = 0; by_file < 2; by_file++) {
        assert_int_equal(file_remove_tree(f->site, &err), 0);
        f->list_part = 200;
        second_build_changes_what_it_should(f, by_file);
        assert_int_equal(parts_of_list(f), 2);
        assert_int_equal(outdir_list_load(&again, f->site, &f->arena, &err), 0);
        assert_int_equal(again.n, whole.n);
        for (size_t i = 0; i < whole.n; i++)
            assert_string_equal(again.files[i].path, whole.files[i].path);
        f->list_part = OUTDIR_LIST_PART;
        must_build(f, (struct run){second, N(second), by_file, 0, 0});
        assert_int_equal(parts_of_list(f), 0);
    }
}

static void a_changed_part_is_refused(void **state)
{
    struct fixture *f = *state;
    struct outdir_list list;
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n, i = 0;
    f->list_part = 200;
    must_build(f, (struct run){first, N(first), false, 0, 0});
    assert_int_equal(dir_list(f->site, &f->arena, &entries, &n, &err), 0);
    while (strncmp(entries[i].name, OUTDIR_LIST_NAME "-", sizeof OUTDIR_LIST_NAME) != 0)
        i++;
    put(f, entries[i].name, DIGEST "  mine\n");
    assert_int_equal(outdir_list_load(&list, f->site, &f->arena, &err), -1);
    assert_non_null(strstr(err.text, entries[i].name));
}

static void nothing_new_touches_nothing(void **state)
{
    struct fixture *f = *state;
    must_build(f, (struct run){first, N(first), false, 0, 0});
    ino_t root = inode(f->site), list = inode(in_site(f, OUTDIR_LIST_NAME));
    struct outdir_stats s = must_build(f, (struct run){first, N(first), false, 0, 0});
    assert_int_equal(s.written, 0);
    assert_int_equal(s.unchanged, N(first));
    assert_int_equal(inode(f->site), root);
    assert_int_equal(inode(in_site(f, OUTDIR_LIST_NAME)), list);
    assert_clean(f);
}

static void order_of_adding_does_not_matter(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    struct bytes one, two;
    static const struct page forth[] = {{"b", "1"}, {"a/c", "2"}, {"a-b", "3"}};
    static const struct page back[] = {{"a-b", "3"}, {"a/c", "2"}, {"b", "1"}};
    must_build(f, (struct run){forth, N(forth), false, 0, 0});
    assert_int_equal(file_read(in_site(f, OUTDIR_LIST_NAME), 4096, &f->arena, &one, &err), 0);
    assert_int_equal(file_remove_tree(f->site, &err), 0);
    must_build(f, (struct run){back, N(back), true, 0, 0});
    assert_int_equal(file_read(in_site(f, OUTDIR_LIST_NAME), 4096, &f->arena, &two, &err), 0);
    assert_string_equal(one.data, two.data);
    assert_non_null(strstr(one.data, "\n" DIGEST "  b\n"));
}

static void ours_changed_by_others_is_written_again(void **state)
{
    struct fixture *f = *state;
    must_build(f, (struct run){first, N(first), false, 0, 0});
    put(f, "index.html", "vandalised");
    struct outdir_stats s = must_build(f, (struct run){first, N(first), false, 0, 0});
    assert_int_equal(s.written, 1);
    assert_non_null(strstr(snapshot(f, f->site), "index.html[one]"));
}

static void through_a_link_to_the_folder(void **state)
{
    struct fixture *f = *state;
    struct outdir_stats s;
    struct err err = ERR_INIT;
    must_build(f, (struct run){first, N(first), false, 0, 0});
    struct fixture other = *f;
    other.site = path_join(&f->arena, f->root, "alias");
    assert_int_equal(symlink("site", other.site), 0);
    struct run run = {second, N(second), false, 0, 0};
    assert_int_equal(build(&other, &run, &s, NULL, &err), 0);
    assert_non_null(strstr(snapshot(f, f->site), "index.html[two]"));
    char target[16] = "";
    assert_int_equal(readlink(other.site, target, sizeof target), 4);
}

static void abort_leaves_no_trace(void **state)
{
    struct fixture *f = *state;
    struct outdir od;
    struct err err = ERR_INIT;
    must_build(f, (struct run){first, N(first), false, 0, 0});
    const char *before = snapshot(f, f->site);
    assert_int_equal(open_site(&od, f->site, &err), 0);
    assert_int_equal(outdir_add(&od, "index.html", "x", 1, &err), 0);
    give_up(&od);
    assert_string_equal(snapshot(f, f->site), before);
    assert_clean(f);
}

/* ---- what is refused ------------------------------------------------------------------- */

static void bad_paths_are_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const paths[] = {
        "",
        "/etc/passwd",
        "../x",
        "a/../b",
        "a/..",
        "..",
        ".",
        "a/./b",
        "a//b",
        "a/",
        "a\\b",
        "a\nb",
        "a\x7F",
        "\xFF",
        ".git/config",
        "a/.GIT/x",
        ".fpreport-build",
    };
    struct outdir od;
    struct err err = ERR_INIT;
    assert_int_equal(open_site(&od, f->site, &err), 0);
    for (size_t i = 0; i < N(paths); i++)
        if (outdir_add(&od, paths[i], "x", 1, &err) == 0)
            fail_msg("'%s' was accepted", paths[i]);
    char *longer = arena_alloc(&f->arena, OUTDIR_PATH_MAX + 2);
    memset(longer, 'x', OUTDIR_PATH_MAX + 1);
    assert_int_equal(outdir_add(&od, longer, "x", 1, &err), -1);
    give_up(&od);
    assert_false(file_exists(f->site));
}

static void the_same_path_twice_is_refused(void **state)
{
    struct fixture *f = *state;
    struct outdir od;
    struct err err = ERR_INIT;
    assert_int_equal(open_site(&od, f->site, &err), 0);
    for (int i = 0; i < 1000; i++) /* the table of names grows */
        assert_int_equal(outdir_add(&od, arena_printf(&f->arena, "Dir/%d.html", i), "x", 1, &err),
                         0);
    assert_int_equal(outdir_add(&od, "Dir/7.html", "x", 1, &err), -1);
    assert_non_null(strstr(err.text, "Dir/7.html: is written twice"));
    assert_int_equal(outdir_add(&od, "dir/7.HTML", "x", 1, &err), -1);
    assert_non_null(strstr(err.text, "first as Dir/7.html"));
    give_up(&od);
}

static void a_folder_of_others_is_refused(void **state)
{
    struct fixture *f = *state;
    struct outdir od;
    struct err err = ERR_INIT;
    put(f, "thesis.tex", "mine");
    assert_int_equal(open_site(&od, f->site, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "thesis.tex"));
    assert_string_equal(snapshot(f, f->site), "thesis.tex[mine]\n");
    assert_clean(f);
    assert_int_equal(unlink(in_site(f, "thesis.tex")), 0);
    must_build(f, (struct run){first, N(first), false, 0, 0}); /* an empty one will do */
    assert_clean(f);
}

static void things_in_the_way_are_refused(void **state)
{
    struct fixture *f = *state;
    static const struct page ways[] = {{"CNAME", "x"},   {"link/x", "x"}, {"link", "x"},
                                       {"CNAME/x", "x"}, {"empty", "x"},  {".gitx", ""}};
    must_build(f, (struct run){first, N(first), false, 0, 0});
    add_foreign(f);
    const char *before = snapshot(f, f->site);
    for (size_t i = 0; i < N(ways); i++) {
        struct run run = {&ways[i], 1, false, 0, 0};
        struct outdir_stats s;
        struct err err = ERR_INIT;
        bool refused = build(f, &run, &s, NULL, &err) < 0;
        assert_int_equal(refused, i < N(ways) - 1);
        if (refused)
            assert_string_equal(snapshot(f, f->site), before);
    }
    assert_clean(f);
}

static void other_things_beside_are_refused(void **state)
{
    struct fixture *f = *state;
    struct outdir od;
    struct err err = ERR_INIT;
    const char *mine = path_join(&f->arena, f->root, "site.fpreport-new/mine");
    assert_int_equal(file_write(mine, "x", 1, &err), 0);
    assert_int_equal(open_site(&od, f->site, &err), -1);
    assert_non_null(strstr(err.text, "please remove it"));
    assert_true(file_exists(mine));
    assert_int_equal(open_site(&od, path_join(&f->arena, f->root, "no/such"), &err), -1);
    assert_int_equal(open_site(&od, mine, &err), -1);
    assert_int_equal(open_site(&od, "/", &err), -1);
}

static void a_damaged_list_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const lists[] = {
        "",
        "something else\n",
        "fpreport-build 1\nshort\n",
        ("fpreport-build 1\n" DIGEST "  ../x\n"),
    };
    for (size_t i = 0; i < N(lists); i++) {
        struct outdir od;
        struct err err = ERR_INIT;
        put(f, OUTDIR_LIST_NAME, lists[i]);
        assert_int_equal(open_site(&od, f->site, &err), -1);
        assert_non_null(strstr(err.text, OUTDIR_LIST_NAME));
    }
    assert_clean(f);
}

static void two_builders_do_not_meet(void **state)
{
    struct fixture *f = *state;
    struct outdir one, two;
    struct err err = ERR_INIT;
    setenv("FPREPORT_LOCK_TIMEOUT", "0", 1);
    assert_int_equal(open_site(&one, f->site, &err), 0);
    assert_int_equal(open_site(&two, f->site, &err), -1);
    assert_non_null(strstr(err.text, "another fpreport"));
    give_up(&one);
    assert_int_equal(open_site(&two, f->site, &err), 0);
    give_up(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SITE(exchange_of_trees),
        IN_SITE(file_by_file),
        IN_SITE(a_long_list_lies_in_parts),
        IN_SITE(a_changed_part_is_refused),
        IN_SITE(nothing_new_touches_nothing),
        IN_SITE(order_of_adding_does_not_matter),
        IN_SITE(ours_changed_by_others_is_written_again),
        IN_SITE(through_a_link_to_the_folder),
        IN_SITE(abort_leaves_no_trace),
        IN_SITE(bad_paths_are_refused),
        IN_SITE(the_same_path_twice_is_refused),
        IN_SITE(a_folder_of_others_is_refused),
        IN_SITE(things_in_the_way_are_refused),
        IN_SITE(other_things_beside_are_refused),
        IN_SITE(a_damaged_list_is_refused),
        IN_SITE(two_builders_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
