/* outdir: old or new, never between, when a build is killed at any step or others are at work. */
#include "tests/unit/outdir_site.h"

#include <stdio.h>
#include <sys/wait.h>

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

/* Each part holds one file or two. */
static void killed_with_a_list_in_parts(void **state)
{
    struct fixture *f = *state;
    f->list_part = 200;
    kill_everywhere(f, false, false);
    kill_everywhere(f, true, false);
    kill_everywhere(f, true, true);
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
        assert_int_equal(outdir_lock(&od, f->site, &err), 0);
        od.step = meddle;
        od.self = &m;
        if (build_locked(&od, second, N(second), &stats, NULL, &err) < 0)
            fail_msg("step %d: %s", at, err.text);
        outdir_close(&od);
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
    const struct CMUnitTest tests[] = {
        IN_SITE(killed_while_trees_are_exchanged),   IN_SITE(killed_file_by_file),
        IN_SITE(killed_with_a_list_in_parts),        IN_SITE(killed_again_during_the_recovery),
        IN_SITE(killed_at_the_first_build),          IN_SITE(killed_then_built_otherwise),
        IN_SITE(what_appears_meanwhile_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
