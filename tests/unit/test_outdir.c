/* outdir: old or new, never between; others' files survive; unchanged files are not touched. */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "base/outdir.h"
#include "base/outdir_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIGEST "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" /* of "1" */
#define N(array) (sizeof(array) / sizeof *(array))

struct fixture {
    struct arena arena;
    char root[64]; /* holds everything; in memory where possible, since each build syncs */
    const char *site;
};

static int set_up(void **state)
{
    struct fixture *f = memory_alloc(sizeof *f);
    strcpy(f->root, "/dev/shm/fpreport-outdir-XXXXXX");
    if (!mkdtemp(f->root)) {
        strcpy(f->root, "/tmp/fpreport-outdir-XXXXXX");
        assert_non_null(mkdtemp(f->root));
    }
    f->site = path_join(&f->arena, f->root, "site");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    file_remove_tree(f->root, &err);
    arena_release(&f->arena);
    free(f);
    return 0;
}

static const char *in_site(struct fixture *f, const char *rel)
{
    return path_join(&f->arena, f->site, rel);
}

static void put(struct fixture *f, const char *rel, const char *text)
{
    struct err err = ERR_INIT;
    assert_int_equal(file_write(in_site(f, rel), text, strlen(text), &err), 0);
}

struct page {
    const char *rel, *text;
};

struct run {
    const struct page *pages;
    size_t n;
    bool by_file;
    int kill_at; /* step; 0: never */
    int step;
};

static void count_step(void *self)
{
    struct run *run = self;
    if (++run->step == run->kill_at)
        _exit(9);
}

static int build(struct fixture *f, struct run *run, struct outdir_stats *stats,
                 struct diags *diags, struct err *err)
{
    struct outdir od;
    if (outdir_open_stepped(&od, f->site, count_step, run, err) < 0)
        return -1;
    od.by_file = run->by_file;
    for (size_t i = 0; i < run->n; i++)
        if (outdir_add(&od, run->pages[i].rel, run->pages[i].text, strlen(run->pages[i].text),
                       err) < 0) {
            outdir_abort(&od);
            return -1;
        }
    return outdir_commit(&od, stats, diags, err);
}

static struct outdir_stats must_build(struct fixture *f, struct run run)
{
    struct outdir_stats stats;
    struct err err = ERR_INIT;
    if (build(f, &run, &stats, NULL, &err) < 0)
        fail_msg("%s", err.text);
    return stats;
}

/* Everything below a folder, with contents and link targets; our list left out. */
static void snapshot_below(struct fixture *f, const char *root, const char *rel, struct buf *out)
{
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n;
    if (dir_list(path_join(&f->arena, root, rel), &f->arena, &entries, &n, &err) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *inner = path_join(&f->arena, rel, entries[i].name);
        const char *path = path_join(&f->arena, root, inner);
        struct bytes text = {"", 0};
        char target[256] = "";
        if (strcmp(inner, OUTDIR_LIST_NAME) == 0)
            continue;
        if (entries[i].is_regular)
            assert_int_equal(file_read(path, 1 << 20, &f->arena, &text, &err), 0);
        else if (!entries[i].is_dir)
            assert_true(readlink(path, target, sizeof target - 1) > 0);
        buf_printf(out, "%s%s[%s%s]\n", inner, entries[i].is_dir ? "/" : "", text.data, target);
        if (entries[i].is_dir)
            snapshot_below(f, root, inner, out);
    }
}

static const char *snapshot(struct fixture *f, const char *root)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    snapshot_below(f, root, "", &out);
    const char *copy = arena_strdup(&f->arena, out.data);
    buf_release(&out);
    return copy;
}

static ino_t inode(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_ino;
}

static const struct page first[] = {
    {"index.html", "one"}, {"zh/a.html", "same"}, {"zh/gone.html", "gone"},
    {"old/x/y.html", "y"}, {"kept.html", "ours"}, {"swap", "a file"},
};
static const struct page second[] = {
    {"index.html", "two"},
    {"zh/a.html", "same"},
    {"en/new.html", "new"},
    {"swap/inner.html", "z"},
};

/* What others put there between the two builds. */
static void add_foreign(struct fixture *f)
{
    put(f, ".git/objects/ab", "object");
    put(f, "CNAME", "example.org");
    put(f, "old/theirs.txt", "theirs");
    put(f, "kept.html", "changed by somebody");
    assert_int_equal(symlink("../elsewhere", in_site(f, "link")), 0);
    assert_int_equal(mkdir(in_site(f, "empty"), 0751), 0);
}

static const char second_tree[] = ".git/[]\n.git/objects/[]\n.git/objects/ab[object]\n"
                                  "CNAME[example.org]\nempty/[]\nen/[]\nen/new.html[new]\n"
                                  "index.html[two]\nkept.html[changed by somebody]\n"
                                  "link[../elsewhere]\nold/[]\nold/theirs.txt[theirs]\n"
                                  "swap/[]\nswap/inner.html[z]\nzh/[]\nzh/a.html[same]\n";

static void assert_clean(struct fixture *f)
{
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n;
    assert_int_equal(dir_list(f->root, &f->arena, &entries, &n, &err), 0);
    assert_int_equal(n, 1);
    assert_string_equal(entries[0].name, "site");
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
    assert_int_equal(outdir_open(&od, f->site, &err), 0);
    assert_int_equal(outdir_add(&od, "index.html", "x", 1, &err), 0);
    outdir_abort(&od);
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
    assert_int_equal(outdir_open(&od, f->site, &err), 0);
    for (size_t i = 0; i < N(paths); i++)
        if (outdir_add(&od, paths[i], "x", 1, &err) == 0)
            fail_msg("'%s' was accepted", paths[i]);
    char *longer = arena_alloc(&f->arena, OUTDIR_PATH_MAX + 2);
    memset(longer, 'x', OUTDIR_PATH_MAX + 1);
    assert_int_equal(outdir_add(&od, longer, "x", 1, &err), -1);
    outdir_abort(&od);
    assert_false(file_exists(f->site));
}

static void the_same_path_twice_is_refused(void **state)
{
    struct fixture *f = *state;
    struct outdir od;
    struct err err = ERR_INIT;
    assert_int_equal(outdir_open(&od, f->site, &err), 0);
    for (int i = 0; i < 1000; i++) /* the table of names grows */
        assert_int_equal(outdir_add(&od, arena_printf(&f->arena, "Dir/%d.html", i), "x", 1, &err),
                         0);
    assert_int_equal(outdir_add(&od, "Dir/7.html", "x", 1, &err), -1);
    assert_non_null(strstr(err.text, "Dir/7.html: is written twice"));
    assert_int_equal(outdir_add(&od, "dir/7.HTML", "x", 1, &err), -1);
    assert_non_null(strstr(err.text, "first as Dir/7.html"));
    outdir_abort(&od);
}

static void a_folder_of_others_is_refused(void **state)
{
    struct fixture *f = *state;
    struct outdir od;
    struct err err = ERR_INIT;
    put(f, "thesis.tex", "mine");
    assert_int_equal(outdir_open(&od, f->site, &err), -1);
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
    assert_int_equal(outdir_open(&od, f->site, &err), -1);
    assert_non_null(strstr(err.text, "please remove it"));
    assert_true(file_exists(mine));
    assert_int_equal(outdir_open(&od, path_join(&f->arena, f->root, "no/such"), &err), -1);
    assert_int_equal(outdir_open(&od, mine, &err), -1);
    assert_int_equal(outdir_open(&od, "/", &err), -1);
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
        assert_int_equal(outdir_open(&od, f->site, &err), -1);
        assert_non_null(strstr(err.text, OUTDIR_LIST_NAME));
    }
    assert_clean(f);
}

static void two_builders_do_not_meet(void **state)
{
    struct fixture *f = *state;
    struct outdir one, two;
    struct err err = ERR_INIT;
    assert_int_equal(outdir_open(&one, f->site, &err), 0);
    assert_int_equal(outdir_open(&two, f->site, &err), -1);
    assert_non_null(strstr(err.text, "another fpreport"));
    outdir_abort(&one);
    assert_int_equal(outdir_open(&two, f->site, &err), 0);
    outdir_abort(&two);
}

/* ---- killed at every step -------------------------------------------------------------- */

/* True if the child came to its end, false if it was killed at its step. */
static bool build_in_child(struct fixture *f, struct run run)
{
    pid_t child = fork();
    if (child == 0) {
        struct outdir_stats s;
        struct err err = ERR_INIT;
        int rc = build(f, &run, &s, NULL, &err);
        if (rc < 0)
            fprintf(stderr, "# step %d: %s\n", run.kill_at, err.text);
        _exit(rc < 0 ? 1 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 1);
    return WEXITSTATUS(status) == 0;
}

static void start_over(struct fixture *f)
{
    struct err err = ERR_INIT;
    assert_int_equal(file_remove_tree(f->root, &err), 0);
    assert_int_equal(mkdir(f->root, 0700), 0);
}

/* Every path of ours holds its old or its new bytes, or is not there where one tree lacks it. */
static void assert_each_file_old_or_new(struct fixture *f)
{
    const char *now = snapshot(f, f->site);
    static const char *const whole[] = {
        "\nzh/a.html[same]\n",    "CNAME[example.org]\n",      "\nold/theirs.txt[theirs]\n",
        "\nlink[../elsewhere]\n", ".git/objects/ab[object]\n", "\nkept.html[changed by somebody]\n",
    };
    for (size_t i = 0; i < N(whole); i++)
        assert_non_null(strstr(now, whole[i]));
    assert_true(strstr(now, "\nindex.html[one]\n") || strstr(now, "\nindex.html[two]\n"));
    assert_true(strstr(now, "en/new.html[new]\n") || !strstr(now, "en/new.html["));
}

static void kill_everywhere(struct fixture *f, bool by_file, bool twice)
{
    bool finished = false;
    int steps = 0;
    for (int n = 1; !finished; n++, steps++) {
        start_over(f);
        must_build(f, (struct run){first, N(first), by_file, 0, 0});
        add_foreign(f);
        const char *before = snapshot(f, f->site);
        finished = build_in_child(f, (struct run){second, N(second), by_file, n, 0});
        if (twice && !finished)
            build_in_child(f, (struct run){second, N(second), by_file, 1 + n % 7, 0});
        const char *after = snapshot(f, f->site);
        if (by_file)
            assert_each_file_old_or_new(f);
        else if (strcmp(after, before) != 0)
            assert_string_equal(after, second_tree);
        assert_true(build_in_child(f, (struct run){second, N(second), by_file, 0, 0}));
        assert_string_equal(snapshot(f, f->site), second_tree);
        assert_clean(f);
    }
    assert_true(steps > 20);
}

static void killed_while_trees_are_exchanged(void **state)
{
    kill_everywhere(*state, false, false);
}

static void killed_file_by_file(void **state)
{
    kill_everywhere(*state, true, false);
}

static void killed_again_during_the_recovery(void **state)
{
    kill_everywhere(*state, false, true);
    kill_everywhere(*state, true, true);
}

static void killed_at_the_first_build(void **state)
{
    struct fixture *f = *state;
    for (int by_file = 0; by_file < 2; by_file++) {
        bool finished = false;
        for (int n = 1; !finished; n++) {
            start_over(f);
            finished = build_in_child(f, (struct run){second, N(second), by_file, n, 0});
            if (!by_file)
                assert_int_equal(file_exists(f->site), finished);
            assert_true(build_in_child(f, (struct run){second, N(second), by_file, 0, 0}));
            assert_non_null(strstr(snapshot(f, f->site), "swap/inner.html[z]"));
            assert_clean(f);
        }
    }
}

/* Killed, then another content is built: nothing of the killed run stays. */
static void killed_then_built_otherwise(void **state)
{
    struct fixture *f = *state;
    for (int by_file = 0; by_file < 2; by_file++) {
        bool finished = false;
        for (int n = 1; !finished; n++) {
            start_over(f);
            must_build(f, (struct run){first, N(first), by_file, 0, 0});
            finished = build_in_child(f, (struct run){second, N(second), by_file, n, 0});
            must_build(f, (struct run){first, 2, by_file, 0, 0});
            assert_string_equal(snapshot(f, f->site), "index.html[one]\nzh/[]\nzh/a.html[same]\n");
            assert_clean(f);
        }
    }
}

/* ---- others at work at the same time --------------------------------------------------- */

struct meddler {
    struct fixture *f;
    int step, at;
};

/* Files appear and change in the live folder just before step `at`. */
static void meddle(void *self)
{
    struct meddler *m = self;
    if (++m->step != m->at)
        return;
    put(m->f, "appeared.txt", "appeared");
    put(m->f, "CNAME", "changed");
    put(m->f, "newdir/file.txt", "inner");
}

static void what_appears_meanwhile_is_not_lost(void **state)
{
    struct fixture *f = *state;
    for (int at = 1;; at++) {
        struct outdir od;
        struct outdir_stats stats;
        struct err err = ERR_INIT;
        struct meddler m = {f, 0, at};
        start_over(f);
        must_build(f, (struct run){first, N(first), false, 0, 0});
        add_foreign(f);
        assert_int_equal(outdir_open_stepped(&od, f->site, meddle, &m, &err), 0);
        for (size_t i = 0; i < N(second); i++)
            assert_int_equal(
                outdir_add(&od, second[i].rel, second[i].text, strlen(second[i].text), &err), 0);
        if (outdir_commit(&od, &stats, NULL, &err) < 0)
            fail_msg("step %d: %s", at, err.text);
        if (m.step < at)
            break;
        const char *now = snapshot(f, f->site);
        assert_non_null(strstr(now, "appeared.txt[appeared]\n"));
        assert_non_null(strstr(now, "newdir/file.txt[inner]\n"));
        assert_non_null(strstr(now, "[changed]\n")); /* in its place or as CNAME.fpreport-kept-1 */
        assert_non_null(strstr(now, "index.html[two]\n"));
        assert_clean(f);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(exchange_of_trees),
        TEST(file_by_file),
        TEST(nothing_new_touches_nothing),
        TEST(order_of_adding_does_not_matter),
        TEST(ours_changed_by_others_is_written_again),
        TEST(through_a_link_to_the_folder),
        TEST(abort_leaves_no_trace),
        TEST(bad_paths_are_refused),
        TEST(the_same_path_twice_is_refused),
        TEST(a_folder_of_others_is_refused),
        TEST(things_in_the_way_are_refused),
        TEST(other_things_beside_are_refused),
        TEST(a_damaged_list_is_refused),
        TEST(two_builders_do_not_meet),
        TEST(killed_while_trees_are_exchanged),
        TEST(killed_file_by_file),
        TEST(killed_again_during_the_recovery),
        TEST(killed_at_the_first_build),
        TEST(killed_then_built_otherwise),
        TEST(what_appears_meanwhile_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
