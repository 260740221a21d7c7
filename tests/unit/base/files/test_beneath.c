/* beneath: every kind of link and of path on the way to a file, each refused for what it is. */
#include "tests/unit/folder.h"

#include "base/files/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECRET "secret"

/* secret beside root/; below root: links of all kinds, each of which leads to something. */
static const char *make(void **state)
{
    struct err err = ERR_INIT;
    const char *root = in_folder(state, "root");
    static const char *const files[] = {"secret", "root/a/b/file", "root/a/link.d/x"};
    static const struct {
        const char *to, *at;
    } links[] = {
        {"../secret", "root/up"},    {"file", "root/a/b/inside"}, {"b", "root/a/folder"},
        {"..", "root/a/b/back"},     {"/", "root/slash"},         {"loop", "root/loop"},
        {"nowhere", "root/hanging"}, {"root", "again"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(file_write(in_folder(state, files[i]), SECRET, strlen(SECRET), &err), 0);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        assert_int_equal(symlink(links[i].to, in_folder(state, links[i].at)), 0);
    assert_int_equal(mkfifo(in_folder(state, "root/fifo"), 0600), 0);
    return root;
}

static void links_are_not_followed(void **state)
{
    const char *root = make(state);
    char deep[6000], name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(deep, 'a', sizeof deep - 1);
    for (size_t i = 1; i < sizeof deep; i += 2)
        deep[i] = '/';
    deep[sizeof deep - 1] = '\0';
    const struct {
        const char *path;
        int why;
    } rows[] = {
        {"a/b/file", 0},
        {"a/link.d/x", 0},
        {"up", ELOOP},
        {"a/b/inside", ELOOP},
        {"a/folder/file", ELOOP},
        {"a/b/back/b/file", ELOOP},
        {"slash/etc/passwd", ELOOP},
        {"loop", ELOOP},
        {"hanging", ELOOP},
        {"hanging/x", ELOOP},
        {"../secret", EINVAL},
        {"a/../../secret", EINVAL},
        {"a/b/..", EINVAL},
        {"./a/b/file", EINVAL},
        {"a//b/file", EINVAL},
        {"/etc/passwd", EINVAL},
        {"a/b/", EINVAL},
        {"", EINVAL},
        {"a/b/file/x", ENOTDIR},
        {"nothing", ENOENT},
        {"a/nothing/x", ENOENT},
        {name, ENAMETOOLONG},
        {deep, ENOENT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        errno = 0;
        int fd = beneath_open(root, rows[i].path), why = fd < 0 ? errno : 0;
        if (why != rows[i].why)
            fail_msg("%.40s: %s, expected %s", rows[i].path, strerror(why), strerror(rows[i].why));
        if (fd >= 0)
            close(fd);
    }
}

static void files_are_read(void **state)
{
    make(state);
    struct arena arena = ARENA_INIT;
    struct bytes bytes;
    struct err err = ERR_INIT;
    const char *again = in_folder(state, "again");
    assert_int_equal(beneath_read(again, "a/b/file", 100, &arena, &bytes, &err), 0);
    assert_int_equal(bytes.len, strlen(SECRET));
    assert_string_equal(bytes.data, SECRET);
    static const struct {
        const char *path, *says;
    } rows[] = {
        {"up", "again/up: found a link, expected a regular file inside "},
        {"a/folder/file", "again/a/folder/file: found a link"},
        {"../secret", "again/../secret: expected a path below "},
        {"a/b", "again/a/b: not a regular file"},
        {"fifo", "again/fifo: not a regular file"},
        {"a/b/none", "again/a/b/none: No such file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err fault = ERR_INIT;
        assert_int_equal(beneath_read(again, rows[i].path, 100, &arena, &bytes, &fault), -1);
        assert_int_equal(fault.kind, ERR_INPUT);
        if (!strstr(fault.text, rows[i].says))
            fail_msg("%s\nexpected: %s", fault.text, rows[i].says);
    }
    struct err large = ERR_INIT;
    assert_int_equal(beneath_read(again, "a/b/file", 5, &arena, &bytes, &large), -1);
    assert_non_null(strstr(large.text, "found 6 bytes, expected at most 5"));
    arena_release(&arena);
}

static void write_letters(const char *path, size_t n)
{
    struct err err = ERR_INIT;
    char *letters = test_malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        letters[i] = (char)('a' + i % 23);
    assert_int_equal(file_write(path, letters, n, &err), 0);
    test_free(letters);
}

/* Below and beyond the size from which files are mapped, on the end of a page and beside it. */
static void files_are_mapped(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t sizes[] = {0,
                            1,
                            page - 1,
                            page,
                            page + 1,
                            40 * page,
                            40 * page + 1,
                            64 * page - 1,
                            64 * page,
                            1 << 20,
                            (1 << 20) + page / 2};
    struct arena *arena = &((struct folder *)*state)->arena;
    const char *root = in_folder(state, "root"), *path = in_folder(state, "root/letters");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct err err = ERR_INIT;
        struct bytes mapped, read;
        write_letters(path, sizes[i]);
        assert_int_equal(beneath_map(root, "letters", sizes[i], arena, &mapped, &err), 0);
        assert_int_equal(beneath_read(root, "letters", sizes[i], arena, &read, &err), 0);
        assert_int_equal(mapped.len, sizes[i]);
        assert_int_equal(read.len, sizes[i]);
        assert_memory_equal(mapped.data, read.data, sizes[i]);
        assert_int_equal(((const char *)mapped.data)[mapped.len], '\0');
        if (sizes[i])
            assert_int_equal(beneath_map(root, "letters", sizes[i] - 1, arena, &mapped, &err), -1);
        assert_int_equal(err.kind, sizes[i] ? ERR_INPUT : err.kind);
    }
}

/* The NUL behind the bytes is ours: another reader of the file does not see it. */
static void what_is_mapped_is_not_written(void **state)
{
    struct err err = ERR_INIT;
    struct arena *arena = &((struct folder *)*state)->arena;
    const char *path = in_folder(state, "letters");
    const size_t n = (1 << 20) + 5;
    struct bytes mapped, again;
    write_letters(path, n);
    int fd = open(path, O_RDONLY);
    assert_int_equal(file_map_open(fd, path, n, arena, &mapped, &err), 0);
    close(fd); /* the bytes stay */
    assert_int_equal(((const char *)mapped.data)[0], 'a');
    assert_int_equal(((const char *)mapped.data)[n - 1], 'a' + (n - 1) % 23);
    assert_int_equal(file_read(path, n, arena, &again, &err), 0);
    assert_memory_equal(mapped.data, again.data, n);
}

static void what_is_no_file_is_not_mapped(void **state)
{
    const char *root = make(state);
    struct arena *arena = &((struct folder *)*state)->arena;
    static const char *const paths[] = {"up",   "a/folder/file", "../secret", "a",
                                        "fifo", "hanging",       "none"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct err err = ERR_INIT;
        struct bytes out;
        assert_int_equal(beneath_map(root, paths[i], 100, arena, &out, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.text, path_base(paths[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(links_are_not_followed),
        IN_FOLDER(files_are_read),
        IN_FOLDER(files_are_mapped),
        IN_FOLDER(what_is_mapped_is_not_written),
        IN_FOLDER(what_is_no_file_is_not_mapped),
    };
    return cmocka_run_group_tests_name("beneath", tests, NULL, NULL);
}
