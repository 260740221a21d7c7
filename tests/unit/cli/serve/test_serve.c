/* serve_request, serve_files and serve_watch: what a browser may send, and what it gets. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "cli/serve/files.h"
#include "cli/serve/request.h"
#include "cli/serve/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOST "Host: localhost:8000\r\n"
#define GET(target) "GET " target " HTTP/1.1\r\n" HOST "\r\n"

static const struct {
    int status;
    const char *path; /* with 200 */
    const char *request;
} requests[] = {
    {200, "", GET("/")},
    {200, "a/b.html", GET("/a/b.html")},
    {200, "a/", GET("/a/?x=/../..")},
    {200, "a b", GET("/a%20b")},
    {200, "\xE6\xA8\xA1", GET("/%E6%A8%a1")},
    {200, "%2e%2e/x", GET("/%252e%252e/x")},
    {200, "a..b/...", GET("/a..b/...")},
    {200, "x", "HEAD /x HTTP/1.0\r\nhost:\t127.0.0.1 \r\nContent-Length: 0\r\n\r\n"},
    {200, "x", "GET /x HTTP/1.1\r\nHost: LOCALHOST\r\nA: b: c\r\nEmpty:\r\n\r\n"},
    /* not whole yet */
    {0, NULL, ""},
    {0, NULL, "GET / HTTP/1.1\r\n" HOST "\r"},
    {0, NULL,
     "GET / HTTP/1.1\n"
     "Host: localhost\n\n"},
    /* outside the site */
    {400, NULL, GET("/..")},
    {400, NULL, GET("/a/../b")},
    {400, NULL, GET("/%2e%2e/etc/passwd")},
    {400, NULL, GET("/.%2E/etc")},
    {400, NULL, GET("/a/./b")},
    {400, NULL, GET("//etc/passwd")},
    {400, NULL, GET("/a//b")},
    {400, NULL, GET("/a%2fb")},
    {400, NULL, GET("/a%5C..%5Cb")},
    {400, NULL, GET("/a\\b")},
    {400, NULL, GET("/a%00.html")},
    {400, NULL, GET("/a%0d%0aX:1")},
    {400, NULL, GET("/a%")},
    {400, NULL, GET("/a%4")},
    {400, NULL, GET("/a%4g")},
    {400, NULL, GET("/a%-1")},
    {400, NULL, GET("/\xFF")},
    {400, NULL, GET("/%C0%AE%C0%AE/x")},
    {400, NULL, GET("/a#b")},
    {400, NULL, GET("*")},
    {400, NULL, GET("http://localhost/")},
    {400, NULL, GET("index.html")},
    /* other lines */
    {405, NULL, "POST / HTTP/1.1\r\n" HOST "\r\n"},
    {405, NULL, "get / HTTP/1.1\r\n" HOST "\r\n"},
    {400, NULL, "GET  / HTTP/1.1\r\n" HOST "\r\n"},
    {400, NULL, "GET /\r\n" HOST "\r\n"},
    {400, NULL, "GET / x HTTP/1.1\r\n" HOST "\r\n"},
    {400, NULL, "\r\nGET / HTTP/1.1\r\n" HOST "\r\n"},
    {505, NULL, "GET / HTTP/2.0\r\n" HOST "\r\n"},
    {400, NULL, "GET / FTP/1.1\r\n" HOST "\r\n"},
    {413, NULL, "GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n"},
    {413, NULL, "GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"},
    {400, NULL, "GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n"},
    {400, NULL, "GET / HTTP/1.1\r\n" HOST "No colon\r\n\r\n"},
    {400, NULL, "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"},
    /* other names of this machine */
    {400, NULL, "GET / HTTP/1.1\r\n\r\n"},
    {400, NULL, "GET / HTTP/1.1\r\n" HOST HOST "\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example:8000\r\n\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost: evil.example:127.0.0.1\r\n\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost: localhost:80x\r\n\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost: user@localhost\r\n\r\n"},
    {403, NULL, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
};

static void requests_are_read_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct serve_request r;
        int status = serve_request_parse(requests[i].request, strlen(requests[i].request), &r);
        if (status != requests[i].status ||
            (status == 200 && strcmp(r.path, requests[i].path) != 0))
            fail_msg("%zu: %s: %d %s", i, requests[i].request, status, r.path);
    }
}

static void requests_have_a_limit(void **state)
{
    static char long_one[SERVE_REQUEST_MAX + 1];
    struct serve_request r;
    (void)state;
    memset(long_one, 'a', sizeof long_one);
    memcpy(long_one, "GET /", 5);
    assert_int_equal(serve_request_parse(long_one, SERVE_REQUEST_MAX - 1, &r), 0);
    assert_int_equal(serve_request_parse(long_one, SERVE_REQUEST_MAX, &r), 431);
    memcpy(long_one + SERVE_REQUEST_MAX - 40, " HTTP/1.1\r\n" HOST "\r\n", 11 + 22 + 2);
    assert_int_equal(serve_request_parse(long_one, SERVE_REQUEST_MAX - 5, &r), 414);
    assert_int_equal(serve_request_parse("GET / HTTP/1.1\r\nA: \0\r\n", 22, &r), 400);
}

/* Every prefix of a request is the beginning of one, every byte changed is read without fault. */
static void requests_come_byte_by_byte(void **state)
{
    static const char whole[] = "GET /a%20b/?q HTTP/1.1\r\nHost: localhost:8000\r\nA: b\r\n\r\n";
    char text[sizeof whole];
    struct serve_request r;
    (void)state;
    for (size_t n = 0; n < sizeof whole - 1; n++)
        assert_int_equal(serve_request_parse(whole, n, &r), 0);
    for (size_t n = 0; n < sizeof whole - 1; n++)
        for (int c = 0; c < 256; c++) {
            memcpy(text, whole, sizeof whole);
            text[n] = (char)c;
            int status = serve_request_parse(text, sizeof whole - 1, &r);
            assert_true(status == 0 || (status >= 200 && status <= 505));
            assert_true(status != 200 || !strstr(r.path, ".."));
        }
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
        cmocka_unit_test(requests_are_read_strictly),
        cmocka_unit_test(requests_have_a_limit),
        cmocka_unit_test(requests_come_byte_by_byte),
        cmocka_unit_test(a_page_gets_our_script),
        cmocka_unit_test(only_plain_files_below_the_site_are_opened),
        cmocka_unit_test(what_editors_leave_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
