/* spool: what was written is read again, from wherever it stands; and no name of it is left. */
#include "tests/unit/folder.h"

#include "base/files/dir.h"
#include "base/files/spool.h"

#define PIECES 5

static void all_is_read_again(void **state)
{
    struct folder *f = *state;
    struct spool s = SPOOL_INIT;
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t at[PIECES], n;
    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(spool_add(&s, f->path, "abcdefgh", i + 1, &at[i], &err), 0);
    for (size_t i = PIECES; i-- > 0;) { /* the first last, and each twice */
        struct bytes got;
        for (int k = 0; k < 2; k++)
            assert_int_equal(spool_read(&s, at[i], i + 1, &f->arena, &got, &err), 0);
        assert_int_equal(got.len, i + 1);
        assert_memory_equal(got.data, "abcdefgh", i + 1);
    }
    assert_int_equal(dir_list(f->path, &f->arena, &entries, &n, &err), 0);
    assert_int_equal(n, 0);
    spool_close(&s);
    spool_close(&s);
}

static void a_folder_that_is_not_there_is_said(void **state)
{
    struct spool s = SPOOL_INIT;
    struct err err = ERR_INIT;
    size_t at;
    assert_int_equal(spool_add(&s, in_folder(state, "none"), "x", 1, &at, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    spool_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(all_is_read_again),
        IN_FOLDER(a_folder_that_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
