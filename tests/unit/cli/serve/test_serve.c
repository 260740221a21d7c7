/* serve_http, serve_files and serve_watch: what a browser may ask for, and what it gets. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "cli/serve/builds.h"
#include "cli/serve/files.h"
#include "cli/serve/http.h"
#include "cli/serve/microhttpd_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    int status;
    const char *path; /* with 200 */
    const char *sent;
} paths[] = {
    {200, "", "/"},
    {200, "a/b.html", "/a/b.html"},
    {200, "a b", "/a%20b"},
    {200, "\xE6\xA8\xA1", "/%E6%A8%a1"},
    {200, "%2e%2e/x", "/%252e%252e/x"},
    {200, "a..b/...", "/a..b/..."},
    {200, "a/b", "/a%2fb"},
    {400, NULL, "/.."},
    {400, NULL, "/a/../b"},
    {400, NULL, "/%2e%2e/etc/passwd"},
    {400, NULL, "/.%2E/etc"},
    {400, NULL, "/..%2fetc"},
    {400, NULL, "/a/./b"},
    {400, NULL, "//etc/passwd"},
    {400, NULL, "/a//b"},
    {400, NULL, "/a%2f%2fb"},
    {400, NULL, "/a%5C..%5Cb"},
    {400, NULL, "/a\\b"},
    {400, NULL, "/a%00.html"},
    {400, NULL, "/a%0d%0aX:1"},
    {400, NULL, "/a%7f"},
    {400, NULL, "/\xFF"},
    {400, NULL, "/%C0%AE%C0%AE/x"},
    {400, NULL, "*"},
    {400, NULL, "http://localhost/"},
    {400, NULL, "index.html"},
    {400, NULL, ""},
};

static void paths_stay_below_the_site(void **state)
{
    char path[SERVE_PATH_MAX + 1];
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int status = serve_path_decode(paths[i].sent, path);
        if (status != paths[i].status || (status == 200 && strcmp(path, paths[i].path) != 0))
            fail_msg("%s: %d %s", paths[i].sent, status, path);
    }
}

static void paths_have_a_limit(void **state)
{
    char sent[SERVE_PATH_MAX + 2] = "/", path[SERVE_PATH_MAX + 1];
    (void)state;
    memset(sent + 1, 'a', SERVE_PATH_MAX);
    assert_int_equal(serve_path_decode(sent, path), 414);
    sent[SERVE_PATH_MAX] = '\0';
    assert_int_equal(serve_path_decode(sent, path), 200);
    assert_int_equal(strlen(path), SERVE_PATH_MAX - 1);
}

static void hosts_are_this_machine(void **state)
{
    static const char *const ours[] = {"localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.1:9",
                                       "localhost:"};
    static const char *const others[] = {"",
                                         "evil.example",
                                         "localhost.evil.example",
                                         "127.0.0.1.evil.example:8000",
                                         "evil.example:127.0.0.1",
                                         "localhost:80x",
                                         "localhost:123456",
                                         "user@localhost",
                                         "[::1]"};
    (void)state;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(serve_host_is_this_machine(ours[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(serve_host_is_this_machine(others[i]));
}

static const struct {
    const char *policy, *expected;
} policies[] = {
    {"default-src 'none'; style-src 'self'",
     "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'"},
    {"script-src 'sha256-x' 'self'; default-src 'none'",
     "default-src 'none'; script-src 'sha256-x' 'self'; connect-src 'self'"},
    {"default-src 'self' https:;script-src 'none'",
     "default-src 'self' https:; script-src 'self'; connect-src https: 'self'"},
    {" ;; SCRIPT-SRC  a ; script-src b;", "script-src a 'self'"},
    {"img-src 'self'", "img-src 'self'"},
    {"script-src-elem 'none'", "script-src-elem 'none'"},
    {"script-src", "script-src 'self'"},
    {"", ""},
};

static void a_page_gets_our_script(void **state)
{
    struct buf out;
    struct arena arena = ARENA_INIT;
    (void)state;
    buf_init(&out, SERVE_PAGE_MAX);
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        const char *html = arena_printf(
            &arena,
            "<meta http-equiv=\"content-security-policy\" content=\"%s\"><p></body></p></BODY>\n",
            policies[i].policy);
        buf_clear(&out);
        serve_page_with_script(html, strlen(html), "7.1", &out);
        assert_string_equal(
            out.data,
            arena_printf(&arena,
                         "<meta http-equiv=\"content-security-policy\" content=\"%s\"><p></body>"
                         "</p><script src=\"/.fpreport/reload.js\" data-build=\"7.1\"></script>\n"
                         "</BODY>\n",
                         policies[i].expected));
    }
    static const char *const odd[] = {"", "x", "<meta http-equiv=\"Content-Security-Policy\"",
                                      "<meta http-equiv=\"Content-Security-Policy\" content=\">",
                                      "<meta http-equiv=\"Content-Security-Policy\" content=\"a"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        buf_clear(&out);
        serve_page_with_script(odd[i], strlen(odd[i]), "1", &out);
        assert_memory_equal(out.data, odd[i], strlen(odd[i]));
        assert_non_null(strstr(out.data, "reload.js"));
    }
    buf_release(&out);
    arena_release(&arena);
}

static void only_plain_files_below_the_site_are_opened(void **state)
{
    static const struct {
        const char *path;
        int status;
    } cases[] = {
        {"", 200},
        {"index.html", 200},
        {"sub/", 200},
        {"sub", 301},
        {"sub/index.html", 200},
        {"sub/index.html/", 404},
        {"empty/", 404},
        {"empty", 301},
        {".fpreport-build", 404},
        {".git/config", 404},
        {"link", 404},
        {"linked/index.html", 404},
        {"fifo", 404},
        {"none", 404},
        {"index.html/x", 404},
    };
    char root[] = "/tmp/fpreport-serve-XXXXXX";
    struct err err = ERR_INIT;
    struct arena arena = ARENA_INIT;
    (void)state;
    assert_non_null(mkdtemp(root));
    assert_int_equal(
        system(arena_printf(&arena,
                            "cd %s && mkdir -p sub empty .git && echo 1 >index.html && "
                            "echo 2 >sub/index.html && echo 3 >.fpreport-build && "
                            "echo 4 >.git/config && ln -s /etc/passwd link && "
                            "ln -s sub linked && mkfifo fifo",
                            root)),
        0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct serve_file file;
        int status = serve_file_open(root, cases[i].path, &file);
        if (status != cases[i].status)
            fail_msg("%s: %d", cases[i].path, status);
        if (status == 200) {
            assert_int_equal(file.size, 2);
            assert_string_equal(file.type, "text/html; charset=utf-8");
            close(file.fd);
        }
    }
    file_remove_tree(root, &err);
    arena_release(&arena);
}

static void what_editors_leave_does_not_count(void **state)
{
    static const char *const counting[] = {"a.json", "x.html", "run.tar.zst", "d"};
    static const char *const not_counting[] = {".a.json.swp",        "a.json~", "4913", "", ".git",
                                               "a.json.fpreport-tmp"};
    (void)state;
    for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
        assert_true(serve_watch_counts(counting[i]));
    for (size_t i = 0; i < sizeof not_counting / sizeof *not_counting; i++)
        assert_false(serve_watch_counts(not_counting[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_stay_below_the_site),
        cmocka_unit_test(paths_have_a_limit),
        cmocka_unit_test(hosts_are_this_machine),
        cmocka_unit_test(a_page_gets_our_script),
        cmocka_unit_test(only_plain_files_below_the_site_are_opened),
        cmocka_unit_test(what_editors_leave_does_not_count),
    };
    if (!library_open(LIBRARY_MICROHTTPD, "MHD_run"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
