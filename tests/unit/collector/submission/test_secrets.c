/* What may be secret in a file: forms that are told, forms that are not, and in what time. */
#include "tests/unit/unit.h"

#include "collector/submission/secret_forms.h"
#include "collector/submission/secrets.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static size_t scan(const char *text, size_t len, char *said, size_t size)
{
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    size_t n = secrets_scan(&(struct tar_member){"f", {text, len}}, 1, 10, &out);
    snprintf(said, size, "%.*s", (int)out.len, out.data ? out.data : "");
    buf_release(&out);
    return n;
}

static const struct {
    const char *line, *what;
} told[] = {
    {"export WANDB_API_KEY=0123456789abcdef", "a key, token or password that is set"},
    {"  \"hf_token\": \"abcdefgh\",", "a key, token or password that is set"},
    {"password : hunter22", "a key, token or password that is set"},
    {"AWS_SECRET=abcdefg", "a key, token or password that is set"},
    {"login with hf_abcdefghijklmnopqrstuv", "an access token"},
    {"Authorization: Bearer abcdefghijklmnop", "an access token"},
    {"AKIAIOSFODNN7EXAMPLEX", "an access token"},
    {"-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"},
    {"clone https://me:pass@example.org/x", "a name and password in an address"},
    {"master 10.1.2.3:29500", "the address of a machine"},
    {"from 8.10.11.8", "the address of a machine"},
    {"gateway 8.192.168.8", "the address of a machine"},
    {"link fe80::5054:ff:fe12:3456%eth0 up", "the address of a machine"},
    {"NCCL INFO NET/Socket : Using [0]eth0:fe80::5054:ff:fe12:3456%eth0<0>",
     "the address of a machine"},
    {"master [2001:db8:0:1::17]:29500", "the address of a machine"},
    {"peer 2001:0db8:0000:0001:0000:0000:0000:0017.", "the address of a machine"},
    {"fd00::17: refused", "the address of a machine"},
    {"addr=FD12:3456:789A:1::1/64", "the address of a machine"},
    {"mapped ::ffff:10.1.2.3", "the address of a machine"},
    {"GID fe80:0000:0000:0000:506b:4b03:00cb:e54c", "the address of a machine"},
    {"ether 7c:c2:55:9d:13:02 txqueuelen 1000", "the hardware address of a machine"},
    {"\"mac\": \"7C-C2-55-9D-13-02\"", "the hardware address of a machine"},
    {"eth0:7c:c2:55:9d:13:02", "the hardware address of a machine"},
    {"00:00:10:29:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:cb:e5:4c",
     "the hardware address of a machine"},
    {"node_guid:\t506b:4b03:00cb:e54c", "the hardware address of a machine"},
    {"link/ether 52:54:00:12:34:56 brd", "the hardware address of a machine"},
    {"mac 52:54:00:12:34:56", "the hardware address of a machine"},
    {"eth1 52-54-00-12-34-56 up", "the hardware address of a machine"},
    {"\"mac\": \"00:15:17:12:34:56\"", "the hardware address of a machine"},
    {"HWaddr 00:15:17:12:34:56", "the hardware address of a machine"},
    {"mac-aa:bb:cc:dd:ee:ff", "the hardware address of a machine"},
    {"node_guid: 0xe41d2d030012a1b2", "the hardware address of a machine"},
    {"GUID=0x0002c90300001234.", "the hardware address of a machine"},
    {"eth0.100:fe80::1", "the address of a machine"},
    {"HOSTNAME=node-17", "the name of a machine"},
    {"\"hostname\": \"gpu4\"", "the name of a machine"},
    {"host=gpu17.example.com", "the name of a machine"},
    {"\"host\": \"node-3\",", "the name of a machine"},
    {"connected to trainer.eu.corp:22", "the name of a machine"},
    {"api_key=0123456789 host=gpu4.corp 10.1.2.3",
     "a key, token or password that is set; the name of a machine; the address of a machine"},
};

#define N_TOLD (sizeof told / sizeof *told)

static void what_may_be_secret_is_told(void **state)
{
    (void)state;
    char said[256], expected[256];
    for (size_t i = 0; i < N_TOLD; i++) {
        size_t n = scan(told[i].line, strlen(told[i].line), said, sizeof said);
        snprintf(expected, sizeof expected, "f:1: %s\n", told[i].what);
        assert_string_equal(said, expected);
        assert_int_equal(n, 1);
    }
}

static void what_runs_say_all_day_is_not(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "token_per_s_per_card: 17789.9",
        "{\"key\": \"accelerator_driver\", \"value\": \"535.104.05\"}",
        "tokens: 1234567 tokenizer=llama2_7b",
        "\"eos_token\": \"</s>\"",
        "monkey=bananas turkey: sandwich",
        "lr 0.0002 loss 10.37",
        "driver 535.104.05, cuda 12.2, nccl 2.18.3",
        "version 1.2.3.4.5 1.2.3.400 256.1.1.1",
        "listening on 127.0.0.1",
        "[12:34:56] step 3, 2026-11-23T12:34:56Z, 24:11:23:12:34:56, 26-11-23-12-34-56",
        "23:11:26:12:34:56 00:15:17:12:34:56 26:11:23:23:59:60 00-00-10-00-00-20",
        "a machine 26:11:23:12:34:56, emac 00:15:17:12:34:56",
        "at 0xe41d2d030012a1b2 guide 0xe41d2d030012a1b2 guid 0xe41d2d03 guid 0xe41d2d030012a1b2c",
        "x-7c-c2-55-9d-13-02-03 1.5:2 v1.2:ab:cd",
        "GPU 0000:3b:00.0, 00000000:3B:00.0, 10000:e1:00.0, busId 3b000, 15b3:1017, fb03:0a:00.0",
        "GPU-550e8400-e29b-41d4-a716-446655440000 550e8400-e29b-41d4-a716-446655440000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48 16:27:ac:a5:76:28:2d:36:63:1b",
        "std::add c10::ad at::cat a::b add::ed dead::beef cafe::add fade::ace",
        "x[2000::4] x[3000::2] ::1 :: ff02::1 ff:ff:ff:ff:ff:ff 00:00:00:00:00:00",
        "1:2:3:4:5:6 a:b:c:d:e:f abc:def ab:cd:ef 0x7c:c2 2:8.7 7c:c2:55:9d:13:02:1",
        "7c:c2:55:9d:13:0g 7c-c2-55-9d-13-02-03 x7c:c2:55:9d:13 506b:4b03:00cb:e54c:1",
        "https://github.com/FlagOpen/FlagPerf",
        "see mailto:me@example.org",
        "hf_short sk-learn",
        "the hostname is not told",
        "host: cpu, device: cuda",
        "localhost:8080 tiny_llama:fpreport_0.1.0:host:1:1:1",
        "import torch.nn.functional as F; loss.local_rank; a locally made one.",
        "",
    };
    char said[256];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (scan(lines[i], strlen(lines[i]), said, sizeof said))
            fail_msg("%s: %s", lines[i], said);
}

static void lines_are_counted_and_limited(void **state)
{
    (void)state;
    char text[4096] = "", said[2048];
    for (int i = 0; i < 30; i++)
        strcat(text, "ok\nPASSWORD=abcdef\n");
    assert_int_equal(scan(text, strlen(text), said, sizeof said), 30);
    assert_non_null(strstr(said, "f:20: "));
    assert_null(strstr(said, "f:22: "));
    assert_int_equal(scan("a\0PASSWORD=abcdef", 17, said, sizeof said), 1);
}

/* Every form asked of every line, as no search by anchors could say otherwise; the forms that were
 * found anywhere. */
static unsigned scan_all(const char *text, size_t len, struct buf *out)
{
    unsigned any = 0;
    size_t number = 1;
    for (const char *line = text, *stop = text + len; line < stop; number++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        unsigned found = secret_forms_in(line, end, SECRET_ALL_FORMS);
        if (found)
            buf_printf(out, "f:%zu: ", number);
        for (unsigned i = 0; i < SECRET_FORMS; i++)
            if (found >> i & 1)
                buf_printf(out, "%s%s", found & ((1U << i) - 1) ? "; " : "", secret_form_words(i));
        if (found)
            buf_char(out, '\n');
        any |= found;
        line = end + 1;
    }
    return any;
}

/* By anchors, the same is found. The text stands at the very end of its memory. */
static unsigned check_same(const char *text, size_t len)
{
    struct buf all, anchored;
    char *alone = test_malloc(len + 1);
    memcpy(alone, text, len);
    buf_init(&all, BUF_DEFAULT_MAX);
    buf_init(&anchored, BUF_DEFAULT_MAX);
    unsigned any = scan_all(alone, len, &all);
    secrets_scan(&(struct tar_member){"f", {alone, len}}, 1, SIZE_MAX, &anchored);
    if (strcmp(all.data, anchored.data) != 0)
        fail_msg("of '%.*s' all forms say '%.9999s', by anchors '%.9999s'",
                 len < 999 ? (int)len : 999, text, all.data, anchored.data);
    buf_release(&all);
    buf_release(&anchored);
    test_free(alone);
    return any;
}

static unsigned draw(uint64_t *state, size_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 33) % below);
}

/* The lines above cut off at either end, with each byte replaced, and in the other case. */
static void anchors_hide_nothing_of_what_is_told(void **state)
{
    (void)state;
    static const char others[] = "aF0_-.:/= \"\n\0\xE9";
    for (size_t i = 0; i < N_TOLD; i++) {
        const char *line = told[i].line;
        size_t len = strlen(line);
        struct buf lines;
        buf_init(&lines, BUF_DEFAULT_MAX);
        for (size_t at = 0; at < len; at++) {
            check_same(line, at);
            check_same(line + at, len - at);
            for (size_t k = 0; k < sizeof others; k++)
                buf_printf(&lines, "%.*s%c%s\n", (int)at, line, others[k], line + at + 1);
        }
        for (size_t at = 0; at < len; at++)
            buf_char(&lines, (char)(isalpha((unsigned char)line[at]) ? line[at] ^ 32 : line[at]));
        assert_true(check_same(lines.data, lines.len));
        buf_release(&lines);
    }
}

/* Texts of pieces of forms, in any order. */
static void anchors_hide_nothing_of_any_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {"ghp_",
                                         "gho_",
                                         "github_pat_",
                                         "hf_",
                                         "glpat-",
                                         "AKIA",
                                         "xoxb-",
                                         "xoxp-",
                                         "sk-",
                                         "nvapi-",
                                         "ya29.",
                                         "Bearer ",
                                         "dckr_pat_",
                                         "abcdefghijklmnop",
                                         "0123456789abcdef",
                                         "_key",
                                         "-KEY",
                                         "apikey",
                                         "ApiKey",
                                         "token",
                                         "secret",
                                         "Password",
                                         "passwd",
                                         "credentials",
                                         "=",
                                         ": ",
                                         "\"",
                                         "'",
                                         "\t",
                                         " ",
                                         "-----BEGIN RSA PRIVATE KEY-----",
                                         "PRIVATE KEY",
                                         "-----",
                                         "https:",
                                         "//",
                                         "me:it@",
                                         "host",
                                         "HostName",
                                         ".corp",
                                         ".internal",
                                         ".intranet",
                                         ".lan",
                                         ".LocalDomain",
                                         "node-17",
                                         "10.",
                                         "255.",
                                         "1.",
                                         ".",
                                         "7",
                                         "fe80:",
                                         "2001:db8:",
                                         "fd12:",
                                         ":",
                                         "::1",
                                         "52:",
                                         "54-",
                                         "ab:",
                                         "AB-",
                                         "0x",
                                         "guid",
                                         "506b:",
                                         "node_guid:",
                                         "52:54:00:ab:34:56",
                                         "506b:4b03:00cb:e54c",
                                         "0xe41d2d030012a1b2",
                                         "ether ",
                                         "mac-",
                                         "_",
                                         "-",
                                         "a",
                                         "g",
                                         "Z",
                                         "9",
                                         "\n",
                                         "\n\n",
                                         "\r\n",
                                         "\xC3\xA9",
                                         "%",
                                         "#",
                                         "|",
                                         "[",
                                         "]"};
    uint64_t seed = 36;
    unsigned any = 0;
    for (int i = 0; i < 300; i++) {
        struct buf text;
        buf_init(&text, BUF_DEFAULT_MAX);
        for (int k = 0; k < 1500; k++) {
            buf_str(&text, pieces[draw(&seed, sizeof pieces / sizeof *pieces)]);
            if (draw(&seed, 16) == 0)
                buf_char(&text, (char)draw(&seed, 256));
        }
        any |= check_same(text.data, text.len);
        buf_release(&text);
    }
    assert_int_equal(any, SECRET_ALL_FORMS);
}

/* Processor time of one line of n bytes in a form that is nearly one. */
static double seconds(const char *piece, size_t n)
{
    char *text = test_malloc(n), said[64];
    size_t len = strlen(piece);
    for (size_t i = 0; i < n; i++)
        text[i] = piece[i % len];
    clock_t begun = clock();
    scan(text, n, said, sizeof said);
    double spent = (double)(clock() - begun) / CLOCKS_PER_SEC;
    test_free(text);
    return spent;
}

static void time_goes_with_the_length(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "token ", "://a:", "1.2.3.", "a:",  "fe80:",   "zz:", "a:z", "hostname=", "_key= ", "hf_a",
        "a-",     "0x",    "a.",     "12:", "guid 0x", "a",   "0",   "\"':= ",    "Bearer "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        double one, two;
        int tries = 0;
        do { /* a neighbour may have been at work */
            one = seconds(pieces[i], 1 << 19);
            two = seconds(pieces[i], 1 << 20);
        } while (two > 0.2 && two > 3 * one && ++tries < 5);
        if (tries == 5)
            fail_msg("'%s': %.3f s, twice as much %.3f s", pieces[i], one, two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_secret_is_told),
        cmocka_unit_test(what_runs_say_all_day_is_not),
        cmocka_unit_test(lines_are_counted_and_limited),
        cmocka_unit_test(anchors_hide_nothing_of_what_is_told),
        cmocka_unit_test(anchors_hide_nothing_of_any_text),
        cmocka_unit_test(time_goes_with_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
