/* repo: against what the git program did to a repository. */
#include "tests/unit/folder.h"

#include "base/git/repo.h"
#include "renderer/publish/past.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libgit2's, and behind it the errno of something else. */
void git_object_free(void *object);
void git_tree_free(void *tree);

void git_tree_free(void *tree)
{
    git_object_free(tree);
    errno = EMFILE;
}

static void git(struct folder *p, const char *what)
{
    char *command = arena_printf(&p->arena,
                                 "cd %s && export HOME=/nowhere GIT_CONFIG_NOSYSTEM=1 "
                                 "GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' "
                                 "GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' && { %s; } >/dev/null",
                                 p->path, what);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

static const char *output_of(struct folder *p, const char *what)
{
    char line[256] = "";
    FILE *f = popen(arena_printf(&p->arena, "cd %s && %s", p->path, what), "r");
    assert_non_null(fgets(line, sizeof line, f));
    pclose(f);
    line[strcspn(line, "\n")] = '\0';
    return arena_strdup(&p->arena, line);
}

static void a_repository_is_described(void **state)
{
    struct folder *p = *state;
    struct repo_info info;
    git(p, NEW_REPO " && mkdir -p sub/deep && git remote add origin "
                    "https://me:secret@example.org/x/y.git");
    assert_true(repo_describe(path_join(&p->arena, p->path, "sub/deep"), &p->arena, &info));
    assert_null(info.reason);
    assert_string_equal(info.commit, output_of(p, "git rev-parse HEAD"));
    assert_string_equal(info.branch, "trunk");
    assert_string_equal(info.url, "https://example.org/x/y.git");
    assert_false(info.dirty);
}

static void dirty_is_what_git_calls_dirty(void **state)
{
    static const struct {
        const char *change;
        bool dirty;
    } rows[] = {
        {"true", false},
        {"touch a", false},
        {"echo new >untracked", false},
        {"echo two >a", true},
        {"git checkout -q a", false},
        {"rm a", true},
        {"git checkout -q a && echo b >b && git add b", true},
        {"git reset -q --hard && chmod +x a", true},
    };
    struct folder *p = *state;
    git(p, NEW_REPO);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct repo_info info;
        git(p, rows[i].change);
        assert_true(repo_describe(p->path, &p->arena, &info));
        if (info.dirty != rows[i].dirty)
            fail_msg("after '%s' dirty is %d", rows[i].change, info.dirty);
        const char *said = output_of(p, "git describe --always --dirty=-DIRTY");
        assert_int_equal(strstr(said, "-DIRTY") != NULL, rows[i].dirty);
    }
}

static void odd_repositories(void **state)
{
    struct folder *p = *state;
    struct repo_info info;
    assert_false(repo_describe(p->path, &p->arena, &info));
    assert_non_null(strstr(info.reason, "not in a git repository"));
    assert_false(repo_describe("/nonexistent/x", &p->arena, &info));
    assert_non_null(info.reason);

    git(p, "git init -q -b trunk .");
    assert_true(repo_describe(p->path, &p->arena, &info));
    assert_null(info.commit);

    git(p, NEW_REPO " && git checkout -q --detach");
    assert_true(repo_describe(p->path, &p->arena, &info));
    assert_null(info.branch);
    assert_non_null(info.commit);
    assert_null(info.url);

    git(p, "echo broken >.git/HEAD");
    assert_false(repo_describe(p->path, &p->arena, &info));
    assert_non_null(info.reason);
}

static void nothing_in_it_is_run_or_written(void **state)
{
    struct folder *p = *state;
    struct repo_info info;
    git(p, NEW_REPO
        " && git config filter.evil.clean 'touch ran; cat' && echo '* filter=evil' >.gitattributes"
        " && git config core.fsmonitor 'touch ran' && git config diff.external 'touch ran'"
        " && printf '#!/bin/sh\\ntouch ran\\n' >.git/hooks/post-index-change"
        " && chmod +x .git/hooks/post-index-change && sleep 0.01 && echo two >a"
        " && find . -type f -exec sha256sum {} + | sort >../$(basename $PWD).before");
    assert_true(repo_describe(p->path, &p->arena, &info));
    assert_true(info.dirty);
    git(p, "find . -type f -exec sha256sum {} + | sort | cmp - ../$(basename $PWD).before"
           " && rm ../$(basename $PWD).before");
}

/* A folder, a file that is not there, and an object that is not: none of it is the machine's doing,
 * whatever was freed in between. */
static void the_machine_is_at_fault_by_the_call_alone(void **state)
{
    struct folder *p = *state;
    struct err err = ERR_INIT;
    struct bytes out;
    char id[REPO_ID_SIZE];
    git(p, NEW_REPO " && mkdir sub && echo x >sub/b && git add sub && git commit -q -m two");
    struct repo_past *past = repo_past_open(p->path, "trunk", "origin");
    assert_non_null(past);
    assert_true(repo_past_find(past, "a", id));
    assert_false(repo_past_find(past, "sub", id));
    assert_false(repo_past_find(past, "none", id));
    errno = EMFILE;
    assert_int_equal(
        repo_past_read(past, "0123456789012345678901234567890123456789", 9, &p->arena, &out, &err),
        -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(repo_past_trouble(past, &err), 0);
    repo_past_close(past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_repository_is_described),
        IN_FOLDER(dirty_is_what_git_calls_dirty),
        IN_FOLDER(odd_repositories),
        IN_FOLDER(nothing_in_it_is_run_or_written),
        IN_FOLDER(the_machine_is_at_fault_by_the_call_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
