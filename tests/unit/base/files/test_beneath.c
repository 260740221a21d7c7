/* beneath: every kind of link and of path on the way to a file, each refused for what it is. */
#include "tests/unit/folder.h"

#include "base/files/beneath.h"

#include <errno.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(links_are_not_followed),
        IN_FOLDER(files_are_read),
    };
    return cmocka_run_group_tests_name("beneath", tests, NULL, NULL);
}
