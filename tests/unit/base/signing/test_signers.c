/* signers: which lines of allowed_signers admit a key, and which are refused. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "base/signing/base64.h"
#include "base/signing/signers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOB "AAAAC3NzaC1lZDI1NTE5AAAAIJ/3fnFQfIJSsmoSm2tGudBaW1pVMdwnMmwmWEk/E0n1"
#define KEY "ssh-ed25519 " BLOB
/* The same but for its last byte. */
#define OTHER "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ/3fnFQfIJSsmoSm2tGudBaW1pVMdwnMmwmWEk/E0n0"
#define RSA "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQE="

struct place {
    struct arena arena;
    struct diags diags;
    struct signers signers;
    struct sshkey key;
};

static void open_place(struct place *p)
{
    struct bytes blob;
    *p = (struct place){.arena = ARENA_INIT};
    diags_init(&p->diags, &p->arena);
    assert_true(base64_decode(&KEY[12], strlen(KEY) - 12, &p->arena, &blob));
    assert_true(sshkey_parse(blob, &p->arena, &p->key) && p->key.usable);
}

static int read_text(struct place *p, const char *text)
{
    return signers_read("signers", (struct bytes){text, strlen(text)}, &p->arena, &p->signers,
                        &p->diags);
}

static bool admits(struct place *p, const char *principal, const char *namespace, const char *at,
                   const char **why)
{
    struct signers_question q = {&p->key, principal, namespace, 0};
    assert_true(!at || signers_time(at, &q.at));
    return signers_find(&p->signers, &q, &p->arena, why) != NULL;
}

static void lines_and_whom_they_admit(void **state)
{
    (void)state;
    static const struct {
        const char *text, *principal, *namespace, *at;
        bool admitted;
    } rows[] = {
        {"acme " KEY, "acme", "n", "20260101", true},
        {"acme " KEY, NULL, "n", "20260101", true},
        {"acme " KEY, NULL, "n", NULL, true},
        {"  acme\t" KEY " a comment\r\n", "acme", "n", "20260101", true},
        {"\"acme\" " KEY, "acme", "n", "20260101", true},
        {"\"ab c\" " KEY, "ab c", "n", "20260101", true},
        {"!,acme " KEY, "acme", "n", "20260101", true},
        {"acme* " KEY, "acme", "n", "20260101", true},
        {"acme1 " KEY, "acme", "n", "20260101", false},
        {"# acme " KEY "\n\n \t\n", "acme", "n", "20260101", false},
        {"", "acme", "n", "20260101", false},
        {"acme " OTHER, "acme", "n", "20260101", false},
        {"acme " OTHER "\nacme " KEY, "acme", "n", "20260101", true},
        {"acme " KEY, "Acme", "n", "20260101", false},
        {"acme,globex " KEY, "globex", "n", "20260101", true},
        {"*,!globex " KEY, "globex", "n", "20260101", false},
        {"!globex,* " KEY, "acme", "n", "20260101", true},
        {"!acme " KEY, "globex", "n", "20260101", false},
        {"!acme " KEY, NULL, "n", "20260101", false},
        {"!acme,!globex " KEY, NULL, "n", "20260101", false},
        {"!acme,globex " KEY, NULL, "n", "20260101", true},
        {"a?m* " KEY, "acme", "n", "20260101", true},
        {"a?m* " KEY, "am", "n", "20260101", false},
        {"*a*b*c " KEY, "xxaxxbxxc", "n", "20260101", true},
        {"*a*b*c " KEY, "xxaxxbxxcd", "n", "20260101", false},
        {"acme namespaces=\"n\" " KEY, "acme", "n", "20260101", true},
        {"acme NAMESPACES=\"git,n*\" " KEY, "acme", "names", "20260101", true},
        {"acme namespaces=\"git\" " KEY, "acme", "n", "20260101", false},
        {"acme valid-after=\"20260101\" " KEY, "acme", "n", "20260101", true},
        {"acme valid-after=\"20260101\" " KEY, "acme", "n", "20251231235959", false},
        {"acme valid-before=\"20260101\" " KEY, "acme", "n", "20260101", true},
        {"acme valid-before=\"20260101Z\" " KEY, "acme", "n", "202601010001", false},
        {"acme valid-before=\"20260101\" " KEY, "acme", "n", NULL, false},
        {"acme valid-after=\"19710101\" " KEY, "acme", "n", NULL, false},
        {"acme namespaces=\"n\",valid-after=\"20250101\",valid-before=\"20270101\" " KEY, "acme",
         "n", "20260101", true},
        {"acme cert-authority " KEY, "acme", "n", "20260101", false},
        {"acme " RSA "\nacme " KEY, "acme", "n", "20260101", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct place p;
        const char *why = NULL;
        open_place(&p);
        assert_int_equal(read_text(&p, rows[i].text), 0);
        if (admits(&p, rows[i].principal, rows[i].namespace, rows[i].at, &why) != rows[i].admitted)
            fail_msg("row %zu: %s", i, why);
        assert_true(
            !rows[i].admitted ==
            (why && *why && !admits(&p, rows[i].principal, rows[i].namespace, rows[i].at, &why)));
        arena_release(&p.arena);
    }
}

static void lines_that_are_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"acme", "expected a key behind the principals"},
        {"M\xfcller " KEY, "printable ASCII"},
        {"M\xc3\xbcller " KEY, "printable ASCII"},
        {"a\x1b[1m " KEY, "printable ASCII"},
        {"a\\b " KEY, "printable ASCII"},
        {"acme namespaces=\"\x7f\" " KEY, "printable ASCII"},
        {",acme " KEY, "a name of nothing"},
        {"a,,b " KEY, "a name of nothing"},
        {"a,*b*c*d*e*f " KEY, "more than 4 *"},
        {"acme namespaces=\"*****\" " KEY, "more than 4 *"},
        {"acme namespaces=\"a,\" " KEY, "a name of nothing"},
        {"acme " KEY "\racme " KEY, "the key does not have the type"},
        {KEY, "unknown option"},
        {"acme ssh-ed25519", "the key does not have the type"},
        {"acme ssh-ed25519 AAAA", "the key does not have the type"},
        {"acme ssh-ed25519 AAAA=", "the key does not have the type"},
        {"acme ssh-rsa " KEY, "the key does not have the type"},
        {"acme ssh-rsa " BLOB, "the key does not have the type"},
        {"a\"b\"c " KEY, "expected 'principals"},
        {"-----BEGIN OPENSSH PRIVATE KEY-----\n",
         "found a private key, expected the public one beside it (.pub)"},
        {"acme cert-authority rubbish " KEY, "expected a type of keys, as ssh-ed25519"},
        {"acme cert-authority=\"\" " KEY, "takes no value"},
        {"acme namespaces=\"\" " KEY, "expected namespaces="},
        {"acme valid-after " KEY, "expected valid-after="},
        {"acme valid-after=\"20260101\",valid-after=\"20260101\" " KEY, "expected valid-after="},
        {"acme valid-before " KEY, "expected valid-before="},
        {"acme valid-before=\"20260101\",valid-before=\"20260101\" " KEY, "expected valid-before="},
        {"acme valid-before=\"2026\" " KEY, "expected valid-before="},
        {"acme valid-after=\"202601010060\" " KEY, "expected valid-after="},
        {"acme valid-after=\"20260101000060\" " KEY, "expected valid-after="},
        {"acme valid-after=\"20261231235960\" " KEY, "expected valid-after="},
        {"\"a\tb\" " KEY, "expected names of printable ASCII"},
        {"acme namespaces=\"a\tb\" " KEY, "expected names of printable ASCII"},
        {"acme valid-after=\"20260101000062\" " KEY, "expected valid-after="},
        {"acme valid-after=\"19700101\" " KEY, "expected valid-after="},
        {"acme ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==", "the key does not have the type"},
        {"\"acme " KEY, "expected 'principals"},
        {"\"\" " KEY, "expected 'principals"},
        {"acme rubbish " KEY, "unknown option"},
        {"acme , " KEY, "unknown option"},
        {"acme namespaces= " KEY, "expected namespaces="},
        {"acme namespaces=n " KEY, "expected namespaces="},
        {"acme valid-before=20280101 " KEY, "expected valid-before="},
        {"acme namespaces " KEY, "expected namespaces="},
        {"acme namespaces=\"a\",namespaces=\"b\" " KEY, "expected namespaces="},
        {"acme namespaces=\"a " KEY, "expected namespaces="},
        {"acme cert-authority=yes " KEY, "takes no value"},
        {"acme valid-after=\"2026\" " KEY, "expected valid-after="},
        {"acme valid-after=\"20261301\" " KEY, "expected valid-after="},
        {"acme valid-after=\"20260230\" " KEY, "expected valid-after="},
        {"acme valid-before=\"202601012500\" " KEY, "expected valid-before="},
        {"acme valid-before=\"20260101+01\" " KEY, "expected valid-before="},
        {"acme valid-after=\"20270101\",valid-before=\"20260101\" " KEY, "is before"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct place p;
        const char *why;
        open_place(&p);
        int rc = read_text(&p, rows[i].text);
        if (rc == 0 || p.diags.n != 1 || !strstr(p.diags.items[0].message, rows[i].message))
            fail_msg("row %zu: %s", i, p.diags.n ? p.diags.items[0].message : "taken");
        assert_int_equal(p.diags.items[0].line, 1);
        assert_false(admits(&p, "acme", "n", "20260101", &why));
        arena_release(&p.arena);
    }
}

static void other_keys_admit_nobody_and_say_so(void **state)
{
    (void)state;
    struct place p;
    open_place(&p);
    assert_int_equal(read_text(&p, "acme " RSA "\nacme cert-authority " KEY), 0);
    assert_int_equal(p.diags.n, 2);
    assert_int_equal(p.diags.errors, 0);
    assert_int_equal(p.diags.items[1].line, 2);
    arena_release(&p.arena);
}

static void revoked_keys(void **state)
{
    (void)state;
    struct place p;
    const char *why;
    open_place(&p);
    const char *text = "# lost\n" RSA "\n" OTHER "\n" KEY " stolen\n";
    assert_int_equal(read_text(&p, "acme " KEY), 0);
    assert_true(admits(&p, "acme", "n", "20260101", &why));
    assert_int_equal(signers_read_revoked("r", (struct bytes){text, strlen(text)}, &p.arena,
                                          &p.signers, &p.diags),
                     0);
    assert_false(admits(&p, "acme", "n", "20260101", &why));
    assert_string_equal(why, "is revoked");
    assert_int_equal(signers_read_revoked("r", (struct bytes){"acme " KEY, sizeof KEY + 4},
                                          &p.arena, &p.signers, &p.diags),
                     -1);
    assert_string_equal(p.diags.items[0].message, "expected a public key, as 'ssh-ed25519 AAAA…'");
    /* OpenSSH's binary list. */
    assert_int_equal(
        signers_read_revoked("r", (struct bytes){"SSHKRL\n\0", 8}, &p.arena, &p.signers, &p.diags),
        -1);
    arena_release(&p.arena);
}

/* Long patterns with many stars take no longer than their lengths multiplied. */
static void hostile_files_end(void **state)
{
    (void)state;
    struct place p;
    struct buf text;
    const char *why;
    char name[2001];
    memset(name, 'a', 2000);
    name[2000] = '\0';
    buf_init(&text, BUF_DEFAULT_MAX);
    for (int i = 0; i < 3; i++) /* longer, or more of them, are a fault of its line */
        buf_printf(&text, "*%.300s", name);
    buf_str(&text, "*b " KEY "\n");
    open_place(&p);
    assert_int_equal(read_text(&p, text.data), 0);
    assert_false(admits(&p, name, "n", "20260101", &why));
    buf_clear(&text);
    for (int i = 0; i < 30000; i++)
        buf_str(&text, "\"\n");
    assert_int_equal(read_text(&p, text.data), -1);
    assert_true(p.diags.n <= DIAGS_MAX);
    memset(name, 'a', 1023);
    for (int n = 1022; n <= 1023; n++) {
        struct place q;
        open_place(&q);
        name[n] = '\0';
        assert_int_equal(read_text(&q, arena_printf(&q.arena, "acme,%s " KEY, name)), 1022 - n);
        if (n == 1023)
            assert_string_equal(q.diags.items[0].message,
                                "found a pattern of more than 1022 bytes");
        arena_release(&q.arena);
        name[n] = 'a';
    }
    char *huge = arena_alloc(&p.arena, SIGNERS_BYTES_MAX + 2);
    memset(huge, '"', SIGNERS_BYTES_MAX + 1);
    assert_int_equal(read_text(&p, huge), -1);
    buf_release(&text);
    arena_release(&p.arena);
}

static void keys_have_a_maximum(void **state)
{
    (void)state;
    for (int more = 0; more <= 1; more++)
        for (int revoked = 0; revoked <= 1; revoked++) {
            struct place p;
            struct buf text;
            open_place(&p);
            buf_init(&text, SIGNERS_BYTES_MAX);
            for (int i = 0; i < SIGNERS_MAX + more; i++)
                buf_printf(&text, "%s" KEY "\n", revoked ? "" : "a ");
            const struct bytes bytes = {text.data, text.len};
            int rc = revoked ? signers_read_revoked("r", bytes, &p.arena, &p.signers, &p.diags)
                             : signers_read("s", bytes, &p.arena, &p.signers, &p.diags);
            assert_int_equal(rc, -more);
            assert_int_equal(revoked ? p.signers.n_revoked : p.signers.n, SIGNERS_MAX + more);
            if (more)
                assert_string_equal(p.diags.items[0].message, "more than 10000 keys");
            buf_release(&text);
            arena_release(&p.arena);
        }
}

/* What a reader reads of them is what they are: comments and what is behind a key are not. */
static void the_lines_that_count(void **state)
{
    (void)state;
    struct place p;
    open_place(&p);
    assert_string_equal(signers_text(&p.signers, &p.arena).data, "");
    assert_int_equal(read_text(&p, "# a\n \"acme\"  namespaces=\"n\"\t" KEY " b\r\n\nx " OTHER), 0);
    const struct bytes text = signers_text(&p.signers, &p.arena);
    assert_string_equal(text.data, "\"acme\"  namespaces=\"n\"\t" KEY "\nx " OTHER "\n");
    assert_int_equal(text.len, strlen(text.data));
    arena_release(&p.arena);
}

static void files_are_read(void **state)
{
    (void)state;
    struct place p;
    struct err err = ERR_INIT;
    const char *why;
    char path[] = "/tmp/fpreport-signers-XXXXXX";
    close(mkstemp(path));
    open_place(&p);
    assert_int_equal(file_write(path, "acme " KEY, sizeof KEY + 4, &err), 0);
    assert_int_equal(signers_load(path, &p.arena, &p.signers, &p.diags), 0);
    assert_string_equal(p.signers.file, path);
    assert_true(admits(&p, "acme", "n", "20260101", &why));
    assert_int_equal(file_write(path, KEY, sizeof KEY - 1, &err), 0);
    assert_int_equal(signers_load_revoked(path, &p.arena, &p.signers, &p.diags), 0);
    assert_false(admits(&p, "acme", "n", "20260101", &why));
    unlink(path);
    arena_release(&p.arena);
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    struct place p;
    open_place(&p);
    assert_int_equal(signers_load("/nonexistent", &p.arena, &p.signers, &p.diags), -1);
    assert_int_equal(signers_load_revoked("/dev/null/x", &p.arena, &p.signers, &p.diags), -1);
    assert_int_equal(p.diags.errors, 2);
    arena_release(&p.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_whom_they_admit),
        cmocka_unit_test(lines_that_are_wrong),
        cmocka_unit_test(other_keys_admit_nobody_and_say_so),
        cmocka_unit_test(revoked_keys),
        cmocka_unit_test(hostile_files_end),
        cmocka_unit_test(keys_have_a_maximum),
        cmocka_unit_test(the_lines_that_count),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(files_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
