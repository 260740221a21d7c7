/* repo_branch and repo_lock: commits against what the git program says about them. */
#include "tests/unit/folder.h"

#include "base/signing/hash.h"
#include "renderer/publish/branch.h"
#include "renderer/publish/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void sh(struct folder *p, const char *what)
{
    char *command = arena_printf(&p->arena, "cd %s && { %s; } >/dev/null 2>&1", p->path, what);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

static const char *output_of(struct folder *p, const char *what)
{
    char text[4096] = "";
    FILE *f = popen(arena_printf(&p->arena, "cd %s && %s", p->path, what), "r");
    size_t n = fread(text, 1, sizeof text - 1, f);
    pclose(f);
    return arena_strndup(&p->arena, text, n);
}

static struct repo_branch *branch_of(struct folder *p)
{
    struct err err = ERR_INIT;
    struct repo_branch *b = NULL;
    if (repo_branch_open(p->path, "gh-pages", "origin", &b, &err) < 0)
        fail_msg("%s", err.text);
    return b;
}

static const char *sum_of(struct folder *p, const char *text)
{
    char *hex = arena_alloc(&p->arena, HASH_HEX_SIZE);
    hash_sha256(text, strlen(text), hex);
    return hex;
}

/* Files whose text is their path. */
static int commit_paths(struct folder *p, struct repo_branch *b, const char *const *paths, size_t n,
                        char id[REPO_ID_SIZE], struct err *err)
{
    struct repo_file *files = arena_array(&p->arena, n, sizeof *files);
    for (size_t i = 0; i < n; i++)
        files[i] = (struct repo_file){paths[i], sum_of(p, paths[i]), paths[i]};
    const struct repo_commit c = {
        .root = p->path, .files = files, .n = n, .message = "m\n", .time = 1700000000};
    return repo_branch_commit(b, &c, id, err);
}

/* Sorted by strcmp, which is not git's order of a tree: that has "a-b" and "a.b" before "a/". */
static const char *const tricky[] = {
    "A", "a-b", "a.b", "a/b", "a/b0", "a0", "b/c/d/e", "b/c/d/\xE5\x8F\xA5", "b/cc", "z z"};
#define N_TRICKY (sizeof tricky / sizeof *tricky)

static void a_commit_holds_exactly_the_files(void **state)
{
    struct folder *p = *state;
    struct err err = ERR_INIT;
    struct repo_entry *entries;
    struct bytes bytes;
    size_t n;
    char id[REPO_ID_SIZE];
    sh(p, NEW_REPO);
    struct repo_branch *b = branch_of(p);
    assert_null(repo_branch_info(b)->tip);
    assert_int_equal(commit_paths(p, b, tricky, N_TRICKY, id, &err), 0);
    repo_branch_close(b);
    sh(p, "git fsck --full --strict && test -z \"$(git status --porcelain)\"");
    assert_string_equal(output_of(p, "git log -1 --format='%H %at %P|%B' gh-pages | head -n 1"),
                        arena_printf(&p->arena, "%s 1700000000 |m\n", id));
    b = branch_of(p);
    assert_string_equal(repo_branch_info(b)->tip, id);
    assert_int_equal(repo_branch_list(b, &p->arena, &entries, &n, &err), 0);
    assert_int_equal(n, N_TRICKY);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(entries[i].path, tricky[i]);
        assert_int_equal(repo_branch_read(b, &entries[i], &p->arena, &bytes, &err), 0);
        assert_string_equal(bytes.data, tricky[i]);
    }
    repo_branch_close(b);
    assert_string_equal(output_of(p, "git ls-tree -r --name-only -z gh-pages | tr '\\0' '\\n' | "
                                     "LC_ALL=C sort | while read -r f; do git show \"gh-pages:$f\";"
                                     " echo; done"),
                        output_of(p, "git ls-tree -r --name-only -z gh-pages | tr '\\0' '\\n' | "
                                     "LC_ALL=C sort"));
}

static void a_blob_has_gits_name(void **state)
{
    struct folder *p = *state;
    struct err err = ERR_INIT;
    char id[REPO_ID_SIZE];
    assert_int_equal(repo_blob_id("fpreport\n", 9, id, &err), 0);
    assert_string_equal(output_of(p, "echo fpreport | git hash-object --stdin | tr -d '\\n'"), id);
}

static void what_cannot_be_is_refused(void **state)
{
    static const char *const bad[][2] = {
        {".git/config", "git cannot hold"}, {"a//b", "git cannot"}, {"a/../b", "git cannot hold"}};
    struct folder *p = *state;
    char id[REPO_ID_SIZE];
    sh(p, NEW_REPO);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        struct repo_branch *b = branch_of(p);
        assert_int_equal(commit_paths(p, b, &bad[i][0], 1, id, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.text, bad[i][1]));
        repo_branch_close(b);
    }
    struct err err = ERR_INIT;
    struct repo_branch *b = branch_of(p);
    const struct repo_file other = {"x", sum_of(p, "expected"), "found"};
    const struct repo_commit c = {.root = p->path, .files = &other, .n = 1, .message = "m"};
    assert_int_equal(repo_branch_commit(b, &c, id, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    repo_branch_close(b);
    sh(p, "! git rev-parse -q --verify gh-pages && test -z \"$(ls .git/objects/pack)\"");
}

static void a_branch_that_moved_is_not_moved_back(void **state)
{
    struct folder *p = *state;
    struct err err = ERR_INIT;
    char id[REPO_ID_SIZE];
    sh(p, NEW_REPO);
    struct repo_branch *b = branch_of(p);
    sh(p, "git branch gh-pages trunk");
    assert_int_equal(commit_paths(p, b, tricky, 2, id, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    assert_non_null(strstr(err.text, "was moved to"));
    repo_branch_close(b);
    err = (struct err)ERR_INIT;
    b = branch_of(p);
    sh(p, "git branch -D gh-pages");
    assert_int_equal(commit_paths(p, b, tricky, 2, id, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    repo_branch_close(b);
    sh(p, "! git rev-parse -q --verify gh-pages");
}

static void one_holds_the_lock(void **state)
{
    struct folder *p = *state;
    struct repo_lock first, second;
    struct err err = ERR_INIT;
    setenv("FPREPORT_LOCK_TIMEOUT", "0", 1);
    assert_int_equal(repo_lock_take(&first, p->path, &p->arena, &err), 0);
    assert_int_equal(repo_lock_take(&second, p->path, &p->arena, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    repo_lock_release(&second);
    repo_lock_release(&first);
    assert_int_equal(repo_lock_take(&second, p->path, &p->arena, &err), 0);
    repo_lock_release(&second);
}

#define COMMIT "0123456789012345678901234567890123456789"

/* A dead publisher's lock holds the beginning of its commit's line, or what a power failure makes
 * of it; whatever else is another's. */
static void only_a_dead_publishers_lock_goes(void **state)
{
    static const struct {
        const char *note, *lock;
        bool stays;
    } cases[] = {
        {COMMIT " refs/heads/x", "", false},
        {COMMIT " refs/heads/x", "\\0\\0\\0", false},
        {COMMIT " refs/heads/x", "0123\\0\\0", false},
        {COMMIT " refs/heads/x",
         "0123\\0\\0"
         "6",
         true},
        {COMMIT " refs/heads/x", COMMIT "\\0", false},
        {COMMIT " refs/heads/x", COMMIT "\\n\\0", true},
        {COMMIT " refs/heads/y", "\\0\\0\\0", true},
        {COMMIT " refs/heads/x", "0123", false},
        {COMMIT " refs/heads/x", COMMIT "\\n", false},
        {COMMIT " refs/heads/x", "1123", true},
        {COMMIT " refs/heads/x", COMMIT "\\nmore", true},
        {COMMIT " refs/heads/y", "", true},
        {COMMIT " refs/../refs/heads/x", "", true},
        {COMMIT " heads/x", "", true},
        {COMMIT, "", true},
        {"", "", true},
        {"0123 refs/heads/x", "0123", true},
    };
    struct folder *p = *state;
    sh(p, "mkdir -p refs/heads fpreport/pack && touch fpreport/pack/left");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct repo_lock l;
        struct err err = ERR_INIT;
        sh(p,
           arena_printf(&p->arena, "printf '%s' >fpreport/lock && printf '%s' >refs/heads/x.lock",
                        cases[i].note, cases[i].lock));
        assert_int_equal(repo_lock_take(&l, p->path, &p->arena, &err), 0);
        repo_lock_release(&l);
        if (file_exists(path_join(&p->arena, p->path, "refs/heads/x.lock")) != cases[i].stays)
            fail_msg("case %zu", i);
    }
    sh(p, "test ! -e fpreport/pack");
}

/* An empty one is somebody else's that is older than the note, or much younger. */
static void an_empty_lock_is_of_the_notes_time(void **state)
{
    static const char *const others[] = {"1 second ago", "2 minutes"};
    struct folder *p = *state;
    sh(p, "mkdir -p refs/heads fpreport");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct repo_lock l;
        struct err err = ERR_INIT;
        sh(p, arena_printf(&p->arena,
                           "printf '" COMMIT " refs/heads/x' >fpreport/lock && : >refs/heads/x.lock"
                           " && touch -r fpreport/lock -d '%s' refs/heads/x.lock",
                           others[i]));
        assert_int_equal(repo_lock_take(&l, p->path, &p->arena, &err), 0);
        repo_lock_release(&l);
        sh(p, "test -e refs/heads/x.lock");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_commit_holds_exactly_the_files),
        IN_FOLDER(a_blob_has_gits_name),
        IN_FOLDER(what_cannot_be_is_refused),
        IN_FOLDER(a_branch_that_moved_is_not_moved_back),
        IN_FOLDER(one_holds_the_lock),
        IN_FOLDER(an_empty_lock_is_of_the_notes_time),
        IN_FOLDER(only_a_dead_publishers_lock_goes),
    };
    setenv("HOME", "/nowhere", 1); /* nobody's configuration of git */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
