/* err, buf, arena, diag and file: the invariants that their headers promise. */
#include "tests/unit/folder.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/files/dir.h"
#include "base/files/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void err_keeps_a_complete_message(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    errno = ENOENT;
    assert_int_equal(err_errno(&err, ERR_INPUT, "%s", "a.json"), -1);
    assert_string_equal(err.text, "a.json: No such file or directory");
    err_prefix(&err, "vendor %s", "x");
    assert_string_equal(err.text, "vendor x: a.json: No such file or directory");
    assert_int_equal(err.kind, ERR_INPUT);
}

static void err_tells_the_machine_from_the_input(void **state)
{
    static const struct {
        int code;
        enum err_kind kind;
    } rows[] = {{EMFILE, ERR_IO},     {ENOMEM, ERR_IO},    {EIO, ERR_IO},       {ESTALE, ERR_IO},
                {ETIMEDOUT, ERR_IO},  {EUCLEAN, ERR_IO},   {EBADF, ERR_IO},     {EFAULT, ERR_IO},
                {ECHILD, ERR_IO},     {ESRCH, ERR_IO},     {ENOTSOCK, ERR_IO},  {EPIPE, ERR_IO},
                {ENOSYS, ERR_IO},     {EDOM, ERR_IO},      {EHWPOISON, ERR_IO}, {ENOENT, ERR_INPUT},
                {ENOTDIR, ERR_INPUT}, {EISDIR, ERR_INPUT}, {ELOOP, ERR_IO},     {EACCES, ERR_IO},
                {EPERM, ERR_IO}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        errno = rows[i].code;
        err_errno(&err, ERR_INPUT, "x");
        assert_int_equal(err.kind, rows[i].kind);
        assert_int_equal(err_text_is_of_machine(err.text), rows[i].kind == ERR_IO);
    }
    assert_false(err_text_is_of_machine(""));
    assert_false(err_text_is_of_machine("files"));
    assert_true(err_text_is_of_machine("x: Too many open files"));
    assert_false(err_text_is_of_machine("x: no folder Too many open files"));
}

static void err_cuts_long_messages_between_characters(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    char longer[ERR_TEXT_MAX * 2] = "";
    for (size_t i = 0; i + 3 < sizeof longer; i += 3)
        memcpy(longer + i, "显", 4);
    err_set(&err, ERR_IO, "%s", longer);
    size_t n = strlen(err.text);
    assert_true(n < ERR_TEXT_MAX);
    assert_string_equal(err.text + n - 3, "…");
    assert_int_equal((n - 3) % 3, 0);
}

static void buf_is_a_string_from_birth(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 10);
    assert_string_equal(b.data, "");
    buf_clear(&b);
    buf_printf(&b, "%d-%s", 12, "ab");
    assert_string_equal(b.data, "12-ab");
    buf_release(&b);
    assert_string_equal(b.data, "");
}

static void buf_stops_at_its_maximum(void **state)
{
    (void)state;
    struct buf b;
    struct err err = ERR_INIT;
    buf_init(&b, 4);
    buf_str(&b, "1234");
    assert_int_equal(buf_check(&b, "x", &err), 0);
    buf_char(&b, '5');
    buf_str(&b, ""); /* overflow is sticky */
    assert_string_equal(b.data, "1234");
    assert_int_equal(buf_check(&b, "the page", &err), -1);
    assert_string_equal(err.text, "the page is larger than 4 bytes");
    buf_release(&b);
}

static void arenas_take_over_what_others_hold(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT, b = ARENA_INIT, none = ARENA_INIT;
    char *mine = arena_strdup(&a, "mine"), *theirs = arena_strdup(&b, "theirs");
    for (int i = 0; i < 100; i++)
        arena_alloc(&b, 5000);
    arena_adopt(&a, &b);
    arena_adopt(&a, &none);
    assert_null(b.last);
    arena_release(&b);
    arena_alloc(&a, 100000);
    assert_string_equal(mine, "mine");
    assert_string_equal(theirs, "theirs");
    arena_adopt(&b, &a);
    assert_null(a.last);
    assert_string_equal(mine, "mine");
    arena_release(&b); /* the sanitizer tells when something is left */
}

static void arena_push_keeps_what_was_pushed(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    int *items = NULL;
    size_t n = 0;
    for (int i = 0; i < 100000; i++)
        *(int *)ARENA_PUSH(&a, items, n) = i;
    assert_int_equal(n, 100000);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    arena_release(&a);
}

static void diags_count_what_they_drop(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    diags_init(&d, &a);
    for (int i = 0; i < DIAGS_MAX + 5; i++)
        diags_add(&d, i % 2 ? SEVERITY_ERROR : SEVERITY_WARNING, "f", i, 1, "message %d", i);
    assert_int_equal(d.n, DIAGS_MAX);
    assert_int_equal(d.dropped, 5);
    assert_int_equal(d.errors, (DIAGS_MAX + 5) / 2);
    assert_string_equal(d.items[7].message, "message 7");
    arena_release(&a);
}

static char *temp_folder(void)
{
    static char path[64];
    strcpy(path, "/tmp/fpreport-unit-XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

/* A name that does not fit into the message, and one that does. */
static void diags_name_the_file_once(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct err err = ERR_INIT;
    struct bytes ignored;
    diags_init(&d, &a);
    char longest[4 * ERR_TEXT_MAX] = "";
    memset(longest, '/', sizeof longest - 1);
    const char *names[] = {"/none/such", longest};
    for (size_t i = 0; i < 2; i++) {
        memset(err.text, 'x', sizeof err.text); /* what an overrun would read */
        assert_int_equal(file_read(names[i], 1, &a, &ignored, &err), -1);
        diags_add_err(&d, names[i], 0, 0, &err);
        assert_string_equal(d.items[i].file, names[i]);
    }
    assert_string_equal(d.items[0].message, "No such file or directory");
    assert_non_null(strstr(d.items[1].message, "File name too long"));
    arena_release(&a);
}

static void file_round_trip_and_walk(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes got;
    const char *root = temp_folder();
    const char *names[] = {"b/z.txt", "a.txt", "b/c/d.txt", "b.txt"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(file_write(path_join(&a, root, names[i]), "hi\0there", 8, &err), 0);
    assert_int_equal(file_read(path_join(&a, root, "b/c/d.txt"), 8, &a, &got, &err), 0);
    assert_int_equal(got.len, 8);
    assert_memory_equal(got.data, "hi\0there", 9);

    const char **paths;
    size_t n;
    assert_int_equal(dir_walk(root, &a, &paths, &n, &err), 0);
    assert_int_equal(n, 4);
    const char *sorted[] = {"a.txt", "b.txt", "b/c/d.txt", "b/z.txt"};
    for (size_t i = 0; i < n; i++)
        assert_string_equal(paths[i], sorted[i]);
    assert_int_equal(file_remove_tree(root, &err), 0);
    assert_false(file_exists(root));
    assert_int_equal(file_remove_tree(root, &err), 0);
    arena_release(&a);
}

static void file_read_refuses_what_it_should(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes got;
    const char *root = temp_folder();
    const char *path = path_join(&a, root, "f");
    const char *fifo = path_join(&a, root, "p");
    assert_int_equal(file_write(path, "12345", 5, &err), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(file_read(path, 5, &a, &got, &err), 0);
    assert_int_equal(file_read(path, 4, &a, &got, &err), -1);
    assert_non_null(strstr(err.text, "found 5 bytes, expected at most 4"));
    assert_int_equal(file_read(root, 100, &a, &got, &err), -1);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(file_read(fifo, 100, &a, &got, &err), -1);
    assert_int_equal(file_read("/dev/zero", 100, &a, &got, &err), -1);
    assert_int_equal(file_read(path_join(&a, root, "none"), 100, &a, &got, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    file_remove_tree(root, &err);
    arena_release(&a);
}

static void file_write_reports_a_full_disk(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    assert_int_equal(file_write_all(1 << 20, "x", 1, "out", &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    assert_int_equal(file_write("/dev/null/x", "x", 1, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
}

/* Of many at once one writes, and the file is that one's. */
static void a_new_file_is_one_writers(void **state)
{
    const char *path = in_folder(state, "new/file");
    char text[8];
    int won = 0, status;
    struct bytes bytes;
    struct err err = ERR_INIT;
    for (int i = 0; i < 8; i++) {
        snprintf(text, sizeof text, "%d", i);
        if (fork() == 0)
            _exit(file_write_new(path, text, 1, &err) == 0 ? 100 + i : 0);
    }
    for (int i = 0; i < 8; i++)
        if (wait(&status) > 0 && WEXITSTATUS(status) >= 100)
            won = won ? -1 : WEXITSTATUS(status);
    assert_in_range(won, 100, 107);
    struct folder *f = *state;
    assert_int_equal(file_read(path, 8, &f->arena, &bytes, &err), 0);
    assert_int_equal(bytes.data[0] - '0', won - 100);
    assert_false(file_exists(in_folder(state, "new/file" FILE_TEMP_SUFFIX)));
    assert_int_equal(symlink("nowhere", in_folder(state, "link")), 0);
    assert_int_equal(file_write_new(in_folder(state, "link"), "x", 1, &err), FILE_THERE);
    assert_false(file_exists(in_folder(state, "nowhere")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_new_file_is_one_writers),
        cmocka_unit_test(err_tells_the_machine_from_the_input),
        cmocka_unit_test(err_keeps_a_complete_message),
        cmocka_unit_test(err_cuts_long_messages_between_characters),
        cmocka_unit_test(buf_is_a_string_from_birth),
        cmocka_unit_test(buf_stops_at_its_maximum),
        cmocka_unit_test(arenas_take_over_what_others_hold),
        cmocka_unit_test(arena_push_keeps_what_was_pushed),
        cmocka_unit_test(diags_count_what_they_drop),
        cmocka_unit_test(diags_name_the_file_once),
        cmocka_unit_test(file_round_trip_and_walk),
        cmocka_unit_test(file_read_refuses_what_it_should),
        cmocka_unit_test(file_write_reports_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
