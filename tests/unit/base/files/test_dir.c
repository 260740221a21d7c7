/* dir: how much a walk looks through has an end, whichever way there is too much. */
#include "tests/unit/folder.h"

#include "base/files/dir.h"

#include <sys/stat.h>

static const struct dir_limits plenty = {.entries = 100, .text = 1000, .depth = 10};

static int walked(void **state, const struct dir_limits *limits, size_t *n, struct err *err)
{
    struct folder *f = *state;
    const char **paths;
    *err = (struct err)ERR_INIT;
    return dir_walk_within(limits, f->path, &f->arena, &paths, n, err);
}

/* a, b/, b/c, b/d/, b/d/e and a pipe: 6 entries, of 3 + 3 + 4 + 4 + 6 + 6 bytes, '/' and end
 * counted. */
static void plant(void **state)
{
    struct err err = ERR_INIT;
    static const char *const files[] = {"a", "b/c", "b/d/e"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(file_write(in_folder(state, files[i]), "x", 1, &err), 0);
    assert_int_equal(mkfifo(in_folder(state, "pipe"), 0600), 0);
}

static void is_refused(void **state, struct dir_limits limits, const char *word)
{
    size_t n;
    struct err err;
    assert_int_equal(walked(state, &limits, &n, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.text, word));
}

static void a_walk_has_limits(void **state)
{
    size_t n;
    struct err err;
    plant(state);
    assert_int_equal(walked(state, &plenty, &n, &err), 0);
    assert_int_equal(n, 3);
    assert_int_equal(walked(state, &(struct dir_limits){6, 26, 2}, &n, &err), 0);
    assert_int_equal(n, 3);
    is_refused(state, (struct dir_limits){5, 26, 2}, "the folder is too large");
    is_refused(state, (struct dir_limits){6, 25, 2}, "the folder is too large");
    is_refused(state, (struct dir_limits){6, 26, 1}, "b/d: folders are nested too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(a_walk_has_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
