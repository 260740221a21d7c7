/* store_check: every change of an archive is found. */
#include "tests/unit/store_sample.h"
#include "tests/unit/under_asan.h"

/* Each line by itself: taken away, doubled, exchanged with the next, and in each byte of it. */
static void every_edit_of_the_log_is_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const struct bytes whole = read_file(path, &f->arena);
    const char *lines[5] = {whole.data};
    char *text = arena_alloc(&f->arena, whole.len * 2);
    for (size_t i = 1; i < 5; i++)
        lines[i] = strchr(lines[i - 1], '\n') + 1;
    assert_ptr_equal(lines[4], whole.data + whole.len);
    for (size_t i = 0; i < 4; i++) {
        size_t before = (size_t)(lines[i] - whole.data), one = (size_t)(lines[i + 1] - lines[i]);
        memcpy(text, whole.data, before);
        memcpy(text + before, lines[i + 1], whole.len - before - one);
        write_file(path, text, whole.len - one);
        struct arena a = ARENA_INIT;
        char kinds[256];
        assert_true(check(root, &a, kinds, sizeof kinds) > 0); /* removed */
        memcpy(text, whole.data, before + one);
        memcpy(text + before + one, lines[i], whole.len - before);
        write_file(path, text, whole.len + one);
        assert_true(check(root, &a, kinds, sizeof kinds) > 0); /* doubled */
        if (i < 3) {
            size_t next = (size_t)(lines[i + 2] - lines[i + 1]);
            memcpy(text, whole.data, whole.len);
            memcpy(text + before, lines[i + 1], next);
            memcpy(text + before + next, lines[i], one);
            write_file(path, text, whole.len);
            assert_true(check(root, &a, kinds, sizeof kinds) > 0); /* exchanged */
        }
        arena_release(&a);
    }
    write_file(path, whole.data, whole.len);
    FINDS(root, "");
}

static void every_truncation_of_the_log_is_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const struct bytes whole = read_file(path, &f->arena);
    for (size_t n = 0; n < whole.len; n++) {
        struct arena a = ARENA_INIT;
        char kinds[256];
        write_file(path, whole.data, n);
        assert_true(check(root, &a, kinds, sizeof kinds) > 0);
        assert_non_null(strstr(kinds, "log")); /* never taken for a line that was not finished */
        arena_release(&a);
    }
}

static size_t flips_not_found(const char *root, const char *path, struct arena *arena)
{
    const struct bytes whole = read_file(path, arena);
    char *text = arena_alloc(arena, whole.len);
    size_t missed = 0;
    for (size_t bit = 0; bit < whole.len * 8; bit += UNDER_ASAN ? 9 : 1) {
        struct arena a = ARENA_INIT;
        char kinds[256];
        memcpy(text, whole.data, whole.len);
        text[bit / 8] ^= (char)(1 << bit % 8);
        write_file(path, text, whole.len);
        missed += check(root, &a, kinds, sizeof kinds) == 0;
        arena_release(&a);
    }
    write_file(path, whole.data, whole.len);
    return missed;
}

static void every_bit_is_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    char one[HASH_HEX_SIZE];
    hash_sha256("one", 3, one);
    const char *const files[] = {path_join(&f->arena, root, STORE_LOG_NAME),
                                 path_join(&f->arena, root, STORE_HEAD_NAME),
                                 store_object_path(root, one, &f->arena)};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(flips_not_found(root, files[i], &f->arena), 0);
    FINDS(root, "");
}

static void files_that_are_not_the_archives_are_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    static const struct {
        const char *path, *kind;
    } files[] = {
        {"notes.txt", "foreign"},
        {"objects/x", "foreign"},
        {"objects/sha256/xy", "foreign"},
        {"objects/sha256/7b/readme", "foreign"},
        {"head.fpreport-tmp", "left"},
        {"incoming/" DIGITS, "left"},
        {"objects/sha256/01/" DIGITS, "altered unlogged"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err err = ERR_INIT;
        const char *path = path_join(&f->arena, root, files[i].path);
        assert_int_equal(file_mkdirs_for(path, &err), 0);
        write_file(path, "x", 1);
        FINDS(root, files[i].kind);
        if (strncmp(files[i].path, "incoming", 8) == 0)
            assert_int_equal(file_remove_tree(path_join(&f->arena, root, STORE_INCOMING), &err), 0);
        else
            assert_int_equal(unlink(path), 0);
    }
    char one[HASH_HEX_SIZE];
    hash_sha256("one", 3, one);
    assert_int_equal(unlink(store_object_path(root, one, &f->arena)), 0);
    FINDS(root, "missing");
    assert_int_equal(symlink("/dev/null", store_object_path(root, one, &f->arena)), 0);
    FINDS(root, "missing foreign");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_edit_of_the_log_is_found),
        IN_FOLDER(every_truncation_of_the_log_is_found),
        IN_FOLDER(every_bit_is_found),
        IN_FOLDER(files_that_are_not_the_archives_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
