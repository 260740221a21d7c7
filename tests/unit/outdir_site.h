/* outdir_site: a site that is built twice, with what others put there in between, for the tests of
 * outdir. Each test has a folder of its own that holds nothing else. */
#pragma once

#include "tests/unit/unit.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "renderer/output/list.h"
#include "renderer/output/outdir.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N(array) (sizeof(array) / sizeof *(array))

struct fixture {
    struct arena arena;
    char root[64]; /* holds everything; in memory where possible, since each build syncs */
    const char *site;
    size_t list_part; /* bytes of a part of the list of files */
};

static inline int set_up(void **state)
{
    struct fixture *f = memory_alloc(sizeof *f);
    strcpy(f->root, "/dev/shm/fpreport-outdir-XXXXXX");
    if (!mkdtemp(f->root)) {
        strcpy(f->root, "/tmp/fpreport-outdir-XXXXXX");
        assert_non_null(mkdtemp(f->root));
    }
    f->site = path_join(&f->arena, f->root, "site");
    f->list_part = OUTDIR_LIST_PART;
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    file_remove_tree(f->root, &err);
    arena_release(&f->arena);
    free(f);
    return 0;
}

static inline const char *in_site(struct fixture *f, const char *rel)
{
    return path_join(&f->arena, f->site, rel);
}

static inline void put(struct fixture *f, const char *rel, const char *text)
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

static inline void count_step(void *self)
{
    struct run *run = self;
    if (++run->step == run->kill_at)
        _exit(9);
}

/* What comes between outdir_lock and outdir_close. */
static inline int build_locked(struct outdir *od, const struct page *pages, size_t n,
                               struct outdir_stats *stats, struct diags *diags, struct err *err)
{
    int rc = outdir_begin(od, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = outdir_add(od, pages[i].rel, pages[i].text, strlen(pages[i].text), err);
    if (rc == 0)
        rc = outdir_finish(od, stats, diags, err);
    if (rc < 0)
        outdir_abandon(od);
    return rc;
}

static inline int build(struct fixture *f, struct run *run, struct outdir_stats *stats,
                        struct diags *diags, struct err *err)
{
    struct outdir od;
    if (outdir_lock(&od, f->site, err) < 0)
        return -1;
    od.step = count_step;
    od.self = run;
    od.by_file = run->by_file;
    od.list_part = f->list_part;
    int rc = build_locked(&od, run->pages, run->n, stats, diags, err);
    outdir_close(&od);
    return rc;
}

static inline struct outdir_stats must_build(struct fixture *f, struct run run)
{
    struct outdir_stats stats;
    struct err err = ERR_INIT;
    if (build(f, &run, &stats, NULL, &err) < 0)
        fail_msg("%s", err.text);
    return stats;
}

/* Everything below a folder, with contents and link targets; our list left out. */
static inline void snapshot_below(struct fixture *f, const char *root, const char *rel,
                                  struct buf *out)
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
        if (outdir_list_is(inner))
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

static inline const char *snapshot(struct fixture *f, const char *root)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    snapshot_below(f, root, "", &out);
    const char *copy = arena_strdup(&f->arena, out.data);
    buf_release(&out);
    return copy;
}

static inline ino_t inode(const char *path)
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
static inline void add_foreign(struct fixture *f)
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

static inline void assert_clean(struct fixture *f)
{
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n;
    assert_int_equal(dir_list(f->root, &f->arena, &entries, &n, &err), 0);
    assert_int_equal(n, 1);
    assert_string_equal(entries[0].name, "site");
}

#define IN_SITE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
