/* outdir, where it is known what the folder is, with a spare tree: the same tree as without, also
 * when a build is killed at any step, others put something there, or what is known is old. */
#include "tests/unit/outdir_site.h"

#include "renderer/output/outdir.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>

#define SPARE "site.fpreport-previous"

static const char *beside(struct fixture *f, const char *name)
{
    return path_join(&f->arena, f->root, name);
}

/* What a cache keeps from one build to the next: bytes. */
struct memory {
    struct buf bytes;
    bool without_spare;
};

static void remember(struct memory *m, const struct outdir_known *known)
{
    struct buf bytes;
    buf_init(&bytes, 1 << 20);
    if (known) { /* its texts lie in what is remembered now */
        seen_pack(&known->tree, &bytes);
        seen_pack(&known->spare, &bytes);
        pack_number(&bytes, known->n_foreign);
    }
    buf_release(&m->bytes);
    m->bytes = bytes;
}

static bool recall(struct fixture *f, const struct memory *m, struct outdir_known *known)
{
    struct unpack u = {.at = m->bytes.data, .end = m->bytes.data + m->bytes.len};
    if (!m->bytes.len)
        return false;
    seen_unpack(&known->tree, &f->arena, &u);
    seen_unpack(&known->spare, &f->arena, &u);
    known->tree.root = f->site;
    known->n_foreign = (size_t)unpack_number(&u);
    assert_true(unpack_end(&u));
    return seen_changed(&known->tree) == 0;
}

static int build_known(struct fixture *f, struct run *run, struct memory *m, void (*step)(void *),
                       void *self, struct err *err)
{
    struct outdir od;
    struct outdir_stats stats;
    struct outdir_known known, now;
    if (outdir_lock(&od, f->site, err) < 0)
        return -1;
    od.step = step;
    od.self = self;
    od.known = recall(f, m, &known) ? &known : NULL;
    od.with_spare = !m->without_spare;
    int rc = build_locked(&od, run->pages, run->n, &stats, NULL, err);
    if (rc == 0)
        remember(m, outdir_note(&od, &stats, &now, &f->arena) ? &now : NULL);
    outdir_close(&od);
    return rc;
}

static void must_know(struct fixture *f, struct memory *m, const struct page *pages, size_t n)
{
    struct err err = ERR_INIT;
    struct run run = {.pages = pages, .n = n};
    if (build_known(f, &run, m, count_step, &run, &err) < 0)
        fail_msg("%s", err.text);
}

/* Both trees are the same files. */
static void assert_spared(struct fixture *f)
{
    struct stat st;
    assert_string_equal(snapshot(f, beside(f, SPARE)), snapshot(f, f->site));
    assert_int_equal(inode(in_site(f, "zh/a.html")), inode(beside(f, SPARE "/zh/a.html")));
    assert_int_equal(stat(beside(f, SPARE), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    assert_int_equal(stat(f->site, &st), 0);
    assert_int_not_equal(st.st_mode & 07777, 0700);
}

/* `first`, then `second`. */
static struct memory two_builds(struct fixture *f)
{
    struct memory m = {0};
    buf_init(&m.bytes, 1 << 20);
    must_know(f, &m, first, N(first));
    assert_spared(f);
    must_know(f, &m, second, N(second));
    assert_spared(f);
    assert_true(m.bytes.len > 0);
    return m;
}

static const struct page third[] = {
    {"index.html", "three"},  {"zh/a.html", "same"}, {"zh/gone.html", "back"},
    {"swap", "a file again"}, {"en", "a file"},
};
static const char third_tree[] = "en[a file]\nindex.html[three]\nswap[a file again]\nzh/[]\n"
                                 "zh/a.html[same]\nzh/gone.html[back]\n";
static const char second_alone[] = "en/[]\nen/new.html[new]\nindex.html[two]\nswap/[]\n"
                                   "swap/inner.html[z]\nzh/[]\nzh/a.html[same]\n";

static void the_trees_take_turns(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    ino_t same = inode(in_site(f, "zh/a.html")), live = inode(f->site),
          spare = inode(beside(f, SPARE));
    for (int i = 0; i < 3; i++) {
        must_know(f, &m, third, N(third));
        assert_string_equal(snapshot(f, f->site), third_tree);
        assert_int_equal(inode(f->site), spare);
        assert_spared(f);
        must_know(f, &m, third, N(third)); /* nothing is done, and nothing forgotten */
        assert_int_equal(inode(f->site), spare);
        must_know(f, &m, second, N(second));
        assert_string_equal(snapshot(f, f->site), second_alone);
        assert_int_equal(inode(f->site), live);
        assert_spared(f);
        assert_int_equal(inode(in_site(f, "zh/a.html")), same);
    }
    m.without_spare = true; /* it goes with the next build */
    must_know(f, &m, second, N(second));
    assert_string_equal(snapshot(f, f->site), second_alone);
    assert_clean(f);
    buf_release(&m.bytes);
}

/* ---- random trees ---------------------------------------------------------------------- */

static unsigned next(unsigned *seed)
{
    return (*seed = *seed * 1103515245u + 12345u) >> 16;
}

static const char *const places[] = {"a", "a/b", "a/b/c", "b", "b/a", "c/a/a", "c/a/b", "d", "e/f"};
static const char *const texts[] = {"one", "two", "three"};

/* Some of the places, none of them a folder of another. */
static size_t random_pages(struct page *pages, unsigned *seed)
{
    size_t n = 0;
    for (size_t p = 0; p < N(places); p++) {
        bool free = next(seed) % 4 != 0;
        for (size_t i = 0; i < n && free; i++) {
            size_t len = strlen(pages[i].rel);
            free = strncmp(pages[i].rel, places[p], len) != 0 || places[p][len] != '/';
        }
        if (free)
            pages[n++] = (struct page){places[p], texts[next(seed) % N(texts)]};
    }
    return n;
}

static void any_tree_after_any_other(void **state)
{
    struct fixture *f = *state, anew = *f;
    struct memory m = {0};
    unsigned seed = 7;
    size_t used = 0;
    buf_init(&m.bytes, 1 << 20);
    anew.site = beside(f, "anew");
    for (int i = 0; i < 60; i++) {
        struct page pages[N(places)];
        size_t n = random_pages(pages, &seed);
        struct err err = ERR_INIT;
        ino_t spare = file_exists(beside(f, SPARE)) ? inode(beside(f, SPARE)) : 0;
        m.without_spare = next(&seed) % 8 == 0;
        must_know(f, &m, pages, n);
        used += spare && inode(f->site) == spare;
        assert_int_equal(file_remove_tree(anew.site, &err), 0);
        must_build(&anew, (struct run){pages, n, false, 0, 0});
        assert_string_equal(snapshot(f, f->site), snapshot(f, anew.site));
        if (next(&seed) % 8 == 0) /* it is forgotten what was */
            remember(&m, NULL);
    }
    assert_true(used > 20);
    buf_release(&m.bytes);
}

/* ---- killed ---------------------------------------------------------------------------- */

static bool in_child(struct fixture *f, struct memory *m, int kill_at)
{
    pid_t child = fork();
    if (child == 0) {
        struct err err = ERR_INIT;
        struct run run = {third, N(third), false, kill_at, 0};
        int rc = build_known(f, &run, m, count_step, &run, &err);
        if (rc < 0)
            fprintf(stderr, "# step %d: %s\n", kill_at, err.text);
        _exit(rc < 0 ? 1 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 1);
    return WEXITSTATUS(status) == 0;
}

/* After the kill somebody builds who knows what was known before it, or nothing. */
static void killed_at_every_step(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    int steps = 0;
    bool finished = false;
    for (int n = 1; !finished; n++, steps++)
        for (int knows = 0; knows < 2; knows++) {
            assert_int_equal(file_remove_tree(f->root, &err), 0);
            assert_int_equal(mkdir(f->root, 0700), 0);
            struct memory m = two_builds(f);
            finished = in_child(f, &m, n);
            const char *after = snapshot(f, f->site);
            if (strcmp(after, second_alone) != 0)
                assert_string_equal(after, third_tree);
            if (!knows)
                remember(&m, NULL);
            must_know(f, &m, third, N(third));
            assert_string_equal(snapshot(f, f->site), third_tree);
            must_know(f, &m, second, N(second));
            assert_string_equal(snapshot(f, f->site), second_alone);
            must_build(f, (struct run){second, N(second), false, 0, 0});
            assert_clean(f);
            buf_release(&m.bytes);
        }
    assert_true(steps > 15);
}

/* ---- a new folder ---------------------------------------------------------------------- */

static const char first_tree[] =
    "index.html[one]\nkept.html[ours]\nold/[]\nold/x/[]\nold/x/y.html[y]\n"
    "swap[a file]\nzh/[]\nzh/a.html[same]\nzh/gone.html[gone]\n";

/* There is no folder or all of it. */
static void killed_at_every_step_of_the_first(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    int steps = 0;
    for (bool finished = false; !finished; steps++) {
        struct memory m = {0};
        buf_init(&m.bytes, 1 << 20);
        assert_int_equal(file_remove_tree(f->root, &err), 0);
        assert_int_equal(mkdir(f->root, 0700), 0);
        finished = in_child(f, &m, steps + 1);
        if (file_exists(f->site))
            assert_string_equal(snapshot(f, f->site), third_tree);
        must_know(f, &m, second, N(second));
        assert_string_equal(snapshot(f, f->site), second_alone);
        must_know(f, &m, first, N(first));
        assert_string_equal(snapshot(f, f->site), first_tree);
        must_know(f, &m, third, N(third));
        assert_string_equal(snapshot(f, f->site), third_tree);
        must_build(f, (struct run){second, N(second), false, 0, 0});
        assert_clean(f);
        buf_release(&m.bytes);
    }
    assert_true(steps > 10);
}

/* ---- others ---------------------------------------------------------------------------- */

struct meddler {
    struct fixture *f;
    int step, at;
};

/* A name comes into the live folder just before step `at`; then into what lies beside it. */
static void meddle(void *self)
{
    struct meddler *m = self;
    if (++m->step == m->at)
        put(m->f, "zh/appeared.txt", "appeared");
}

static void what_appears_meanwhile_is_not_lost(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    for (int at = 1;; at++) {
        struct meddler who = {f, 0, at};
        struct run run = {.pages = third, .n = N(third)};
        assert_int_equal(file_remove_tree(f->root, &err), 0);
        assert_int_equal(mkdir(f->root, 0700), 0);
        struct memory m = two_builds(f);
        if (build_known(f, &run, &m, meddle, &who, &err) < 0)
            fail_msg("step %d: %s", at, err.text);
        bool all = who.step < at;
        for (int i = 0; i < 2 && !all; i++) {
            assert_non_null(strstr(snapshot(f, f->site), "zh/appeared.txt[appeared]\n"));
            must_know(f, &m, i ? third : second, i ? N(third) : N(second));
            assert_non_null(strstr(snapshot(f, f->site), "zh/appeared.txt[appeared]\n"));
        }
        buf_release(&m.bytes);
        if (all)
            break;
    }
}

static void what_is_put_into_the_spare_tree_is_handed_over(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    struct err err = ERR_INIT;
    assert_int_equal(file_write(beside(f, SPARE "/zh/notes.txt"), "mine", 4, &err), 0);
    must_know(f, &m, third, N(third));
    assert_non_null(strstr(snapshot(f, f->site), "zh/notes.txt[mine]\n"));
    assert_false(file_exists(beside(f, SPARE)));
    must_know(f, &m, second, N(second));
    assert_non_null(strstr(snapshot(f, f->site), "zh/notes.txt[mine]\n"));
    assert_clean(f);
    buf_release(&m.bytes);
}

/* With the size and the times that it had. */
static void a_file_that_was_replaced_there_is_not_taken(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    struct stat st;
    struct err err = ERR_INIT;
    const char *path = beside(f, SPARE "/zh/a.html");
    assert_int_equal(stat(path, &st), 0);
    struct timespec times[] = {st.st_atim, st.st_mtim};
    assert_int_equal(unlink(path), 0);
    assert_int_equal(file_write(path, "SAME", 4, &err), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    for (int i = 0; i < 2; i++) {
        must_know(f, &m, third, N(third));
        assert_string_equal(snapshot(f, f->site), third_tree);
        must_know(f, &m, second, N(second));
        assert_string_equal(snapshot(f, f->site), second_alone);
    }
    buf_release(&m.bytes);
}

/* That of a version before, with a file of ours and one of somebody else. */
static void what_is_in_a_tree_before_is_handed_over(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    struct err err = ERR_INIT;
    assert_int_equal(file_remove_tree(beside(f, SPARE), &err), 0);
    assert_int_equal(rename(f->site, beside(f, SPARE)), 0);
    assert_int_equal(chmod(beside(f, SPARE), 0700), 0);
    must_build(f, (struct run){second, N(second), false, 0, 0});
    assert_clean(f);
    assert_int_equal(rename(f->site, beside(f, SPARE)), 0);
    assert_int_equal(chmod(beside(f, SPARE), 0700), 0);
    assert_int_equal(file_write(beside(f, SPARE "/zh/notes.txt"), "mine", 4, &err), 0);
    must_know(f, &m, third, N(third));
    assert_non_null(strstr(snapshot(f, f->site), "zh/notes.txt[mine]\n"));
    assert_false(file_exists(beside(f, SPARE)));
    assert_clean(f);
    buf_release(&m.bytes);
}

static void write_in_place(const char *path, const char *text)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Written to in place, by either name: it is one file. */
static void an_edit_is_seen(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    write_in_place(beside(f, SPARE "/zh/a.html"), "SAME");
    must_know(f, &m, third, N(third));
    assert_string_equal(snapshot(f, f->site), third_tree);
    must_know(f, &m, second, N(second));
    assert_string_equal(snapshot(f, f->site), second_alone);
    buf_release(&m.bytes);
}

static void a_damaged_file_is_mended(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    put(f, "zh/a.html", "vandalised");
    must_know(f, &m, third, N(third));
    must_know(f, &m, second, N(second));
    must_know(f, &m, third, N(third));
    assert_string_equal(snapshot(f, f->site), third_tree);
    buf_release(&m.bytes);
}

static void damage(void *self)
{
    struct meddler *m = self;
    if (++m->step == 1)
        write_in_place(in_site(m->f, "zh/a.html"), "SAME");
}

/* Damaged after the folder was looked at. */
static void a_file_mended_in_between(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    struct meddler who = {f, 0, 0};
    struct run run = {.pages = third, .n = N(third)};
    struct err err = ERR_INIT;
    assert_int_equal(build_known(f, &run, &m, damage, &who, &err), 0);
    assert_string_equal(snapshot(f, f->site), third_tree);
    must_know(f, &m, second, N(second));
    assert_string_equal(snapshot(f, f->site), second_alone);
    must_know(f, &m, third, N(third));
    assert_string_equal(snapshot(f, f->site), third_tree);
    buf_release(&m.bytes);
}

static void a_folder_of_that_name_stays(void **state)
{
    struct fixture *f = *state;
    struct memory m = {0};
    struct err err = ERR_INIT;
    buf_init(&m.bytes, 1 << 20);
    assert_int_equal(file_write(beside(f, SPARE "/thesis.tex"), "mine", 4, &err), 0);
    must_know(f, &m, first, N(first));
    must_know(f, &m, second, N(second));
    assert_string_equal(snapshot(f, beside(f, SPARE)), "thesis.tex[mine]\n");
    assert_string_equal(snapshot(f, f->site), second_alone);
    buf_release(&m.bytes);
}

static void others_in_the_folder_are_kept(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    put(f, "CNAME", "example.org");
    must_know(f, &m, third, N(third));
    must_know(f, &m, second, N(second));
    must_know(f, &m, third, N(third));
    assert_non_null(strstr(snapshot(f, f->site), "CNAME[example.org]\n"));
    assert_clean(f);
    buf_release(&m.bytes);
}

static void abandoned_before_anything_was_added(void **state)
{
    struct fixture *f = *state;
    struct memory m = two_builds(f);
    struct outdir od;
    struct outdir_known known;
    struct err err = ERR_INIT;
    for (size_t added = 0; added < 2; added++) {
        assert_int_equal(outdir_lock(&od, f->site, &err), 0);
        assert_true(recall(f, &m, &known));
        od.known = &known;
        od.with_spare = true;
        assert_int_equal(outdir_begin(&od, &err), 0);
        assert_int_equal(added ? outdir_add(&od, "x", "y", 1, &err) : 0, 0);
        outdir_abandon(&od);
        outdir_close(&od);
        assert_string_equal(snapshot(f, f->site), second_alone);
        assert_int_equal(file_exists(beside(f, SPARE)), !added);
    }
    assert_clean(f);
    buf_release(&m.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SITE(the_trees_take_turns),
        IN_SITE(any_tree_after_any_other),
        IN_SITE(killed_at_every_step),
        IN_SITE(killed_at_every_step_of_the_first),
        IN_SITE(what_appears_meanwhile_is_not_lost),
        IN_SITE(what_is_in_a_tree_before_is_handed_over),
        IN_SITE(what_is_put_into_the_spare_tree_is_handed_over),
        IN_SITE(a_file_that_was_replaced_there_is_not_taken),
        IN_SITE(an_edit_is_seen),
        IN_SITE(a_damaged_file_is_mended),
        IN_SITE(a_file_mended_in_between),
        IN_SITE(a_folder_of_that_name_stays),
        IN_SITE(others_in_the_folder_are_kept),
        IN_SITE(abandoned_before_anything_was_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
