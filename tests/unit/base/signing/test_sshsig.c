/* sshsig: what ssh-keygen signed is taken, and nothing else. */
#include "tests/unit/unit.h"

#include "base/signing/base64.h"
#include "base/signing/sshsig.h"

#include <stdio.h>
#include <string.h>

#define NAMESPACE SSHSIG_SUBMISSION
#define BEGIN "-----BEGIN SSH SIGNATURE-----\n"
#define END "-----END SSH SIGNATURE-----\n"

/* printf 'the message' | ssh-keygen -Y sign -f KEY -n fpreport-submission-v1 */
static const char armour[] =
    "-----BEGIN SSH SIGNATURE-----\n"
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgn/d+cVB8glKyahKba0a50FpbWl\n"
    "Ux3CcybCZYST8TSfUAAAAWZnByZXBvcnQtc3VibWlzc2lvbi12MQAAAAAAAAAGc2hhNTEy\n"
    "AAAAUwAAAAtzc2gtZWQyNTUxOQAAAEAQQwx62Iz3XaxZqfLDIll4mMmqvxuS7MGlBUnrO8\n"
    "hW2GnWgK/4nFDfdpYwxKnoLCrkpGh0K3NPR8ol0bGKStYG\n"
    "-----END SSH SIGNATURE-----\n";
static const char fingerprint[] = "SHA256:7upuXVZJ7bqXF9lRnVb6sYya1bVZy2ixXhHGairkffQ";
static const struct bytes message = {"the message", 11};

/* Where things stand in the signature's 192 bytes. */
enum {
    AT_VERSION = 6,
    AT_KEY = 10,
    AT_TYPE = 14,
    AT_POINT = 33,
    AT_NAMESPACE = 65,
    AT_RESERVED = 91,
    AT_HASH = 95,
    AT_SIGNATURE = 105,
    AT_SIGNATURE_TYPE = 109,
    AT_R = 128,
    AT_S = 160,
    BLOB = 192,
};

static struct bytes whole(const char *text)
{
    return (struct bytes){text, strlen(text)};
}

static struct bytes blob_of(struct arena *a)
{
    char text[512];
    size_t n = 0;
    struct bytes blob;
    for (const char *at = armour + strlen(BEGIN); *at != '-'; at++)
        if (*at != '\n')
            text[n++] = *at;
    assert_true(base64_decode(text, n, a, &blob));
    assert_int_equal(blob.len, BLOB);
    return blob;
}

static struct bytes arm(struct arena *a, const void *blob, size_t len)
{
    struct buf text, out;
    buf_init(&text, 65536);
    buf_init(&out, 65536);
    base64_encode(blob, len, &text);
    buf_str(&out, BEGIN);
    for (size_t i = 0; i < text.len; i += 70)
        buf_printf(&out, "%.70s\n", text.data + i);
    buf_str(&out, END);
    const struct bytes armoured = {arena_strndup(a, out.data, out.len), out.len};
    buf_release(&text);
    buf_release(&out);
    return armoured;
}

static bool is_taken(struct bytes text, struct arena *a, struct err *err)
{
    struct sshsig s;
    return sshsig_parse(text, a, &s, err) == 0 && sshsig_holds(&s, NAMESPACE, message);
}

static void what_ssh_keygen_signed_is_taken(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct sshsig s;
    assert_int_equal(sshsig_parse(whole(armour), &a, &s, &err), 0);
    assert_string_equal(s.namespace, NAMESPACE);
    assert_string_equal(s.key.fingerprint, fingerprint);
    assert_true(sshsig_holds(&s, NAMESPACE, message));
    assert_false(sshsig_tells_its_key(&s));
    assert_false(sshsig_holds(&s, "fpreport-submission-v2", message));
    assert_false(sshsig_holds(&s, "", message));
    assert_false(sshsig_holds(&s, NAMESPACE, (struct bytes){"the message", 10}));
    assert_false(sshsig_holds(&s, NAMESPACE, (struct bytes){"", 0}));
    const struct bytes again = arm(&a, blob_of(&a).data, BLOB);
    assert_string_equal(again.data, armour);
    arena_release(&a);
}

static void no_bit_can_be_another(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const struct bytes blob = blob_of(&a);
    for (size_t bit = 0; bit < BLOB * 8; bit++) {
        struct err err = ERR_INIT;
        char other[BLOB];
        memcpy(other, blob.data, BLOB);
        other[bit / 8] ^= (char)(1 << bit % 8);
        if (is_taken(arm(&a, other, BLOB), &a, &err))
            fail_msg("bit %zu", bit);
    }
    for (size_t bit = 0; bit < strlen(armour) * 8; bit++) {
        struct err err = ERR_INIT;
        char other[sizeof armour];
        memcpy(other, armour, sizeof armour);
        other[bit / 8] ^= (char)(1 << bit % 8);
        if (is_taken((struct bytes){other, strlen(armour)}, &a, &err))
            fail_msg("bit %zu of the armour", bit);
    }
    arena_release(&a);
}

static void nothing_may_be_missing_or_behind(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    const struct bytes blob = blob_of(&a);
    char longer[BLOB + 1];
    memcpy(longer, blob.data, BLOB);
    longer[BLOB] = 0;
    assert_false(is_taken(arm(&a, longer, BLOB + 1), &a, &err));
    for (size_t len = 0; len < BLOB; len++)
        assert_false(is_taken(arm(&a, blob.data, len), &a, &err));
    for (size_t len = 0; len < strlen(armour); len++)
        assert_false(is_taken((struct bytes){armour, len}, &a, &err));
    char *huge = arena_alloc(&a, 1 << 20);
    memset(huge, 'A', 1 << 20);
    memcpy(huge, BEGIN, strlen(BEGIN));
    memcpy(huge + (1 << 20) - strlen(END), END, strlen(END));
    assert_false(is_taken((struct bytes){huge, 1 << 20}, &a, &err));
    arena_release(&a);
}

/* Each row puts bytes at a place of the good one. */
static void every_field_is_asked_for(void **state)
{
    (void)state;
    static const struct {
        size_t at, len;
        const char *bytes, *message;
    } rows[] = {
        {0, 6, "SSHSIH", "is not an SSH signature"},
        {AT_VERSION, 4, "\0\0\0\2", "does not have version 1"},
        {AT_VERSION, 4, "\0\0\0\0", "does not have version 1"},
        {AT_KEY, 4, "\0\0\0\0", "contains data beside the signature"},
        {AT_KEY, 4, "\x80\0\0\0", "is truncated"},
        {AT_KEY, 4, "\xff\xff\xff\xff", "is truncated"},
        {AT_TYPE, 4, "\xff\xff\xff\xff", "contains no public key"},
        {AT_TYPE + 4, 11, "ssh-ed25518", "contains no public key"},
        {AT_POINT - 4, 4, "\0\0\0\x1f", "contains no public key"},
        {AT_NAMESPACE, 4, "\x7f\xff\xff\xff", "is truncated"},
        {AT_NAMESPACE + 4, 1, "\0", "contains data beside the signature"},
        {AT_RESERVED, 4, "\0\0\0\1", "is truncated"},
        {AT_HASH + 4, 6, "sha256", "uses the hash 'sha256', expected sha512"},
        {AT_HASH + 4, 6, "\x1b[31m ", "uses the hash '\\x1b[31m ', expected sha512"},
        {AT_SIGNATURE, 4, "\0\0\0\x52", "contains data beside the signature"},
        {AT_SIGNATURE_TYPE + 4, 11, "ssh-ed25518",
         "contains no signature of its key's type, ssh-ed25519"},
        {AT_R - 4, 4, "\0\0\0\x3f", "contains no signature of its key's type, ssh-ed25519"},
    };
    struct arena a = ARENA_INIT;
    const struct bytes blob = blob_of(&a);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        char other[BLOB];
        memcpy(other, blob.data, BLOB);
        memcpy(other + rows[i].at, rows[i].bytes, rows[i].len);
        if (is_taken(arm(&a, other, BLOB), &a, &err) || !strstr(err.text, rows[i].message))
            fail_msg("row %zu: '%s'", i, err.text);
    }
    arena_release(&a);
}

/* A key that is not whole is a key all the same, and none that signs here; Ed25519 must be whole.
 */
static void keys_of_every_kind(void **state)
{
    (void)state;
#define ED25519 "\0\0\0\x0bssh-ed25519"
#define POINT    \
    "\0\0\0\x20" \
    "01234567890123456789012345678901"
#define LONG65 "0123456789012345678901234567890123456789012345678901234567890123x"
    static const struct {
        const char *blob;
        size_t len;
        bool taken, usable;
    } rows[] = {
#define ROW(blob, taken, usable) {blob, sizeof(blob) - 1, taken, usable}
        ROW("", false, false),
        ROW("\0\0\0", false, false),
        ROW("\0\0\0\0", false, false),
        ROW("\0\0\0\x41" LONG65, false, false),
        ROW("\0\0\0\x40" LONG65, false, false),
        ROW("\0\0\0\x0bssh-ed2551\0", false, false),
        ROW("\0\0\0\x0cssh-ed25519\0", false, false),
        ROW("\0\0\0\x07ssh-rsa", true, false),
        ROW("\0\0\0\x07ssh-rsa and more", true, false),
        ROW(ED25519, false, false),
        ROW(ED25519 "\0\0\0\x1f"
                    "0123456789012345678901234567890",
            false, false),
        ROW(ED25519 POINT "x", false, false),
        ROW(ED25519 POINT, true, true),
#undef ROW
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sshkey key;
        if (sshkey_parse((struct bytes){rows[i].blob, rows[i].len}, &a, &key) != rows[i].taken ||
            key.usable != rows[i].usable)
            fail_msg("row %zu", i);
    }
    arena_release(&a);
}

/* Whole signatures that name other keys, or hold something more. */
static void signatures_of_other_keys(void **state)
{
    (void)state;
#define HEAD "SSHSIG\0\0\0\1"
#define RSA "\0\0\0\x0b\0\0\0\x07ssh-rsa"
#define OWN "\0\0\0\x33" ED25519 POINT
#define BEHIND_KEY "\0\0\0\1n\0\0\0\0\0\0\0\6sha512"
#define R64      \
    "\0\0\0\x40" \
    "0123456789012345678901234567890123456789012345678901234567890123"
    static const struct {
        const char *blob;
        size_t len;
        const char *message; /* "": it is read */
    } rows[] = {
#define ROW(blob, message) {blob, sizeof(blob) - 1, message}
        ROW(HEAD RSA BEHIND_KEY "\0\0\0\x53" ED25519 R64,
            "was made with a key of type ssh-rsa, expected Ed25519, ECDSA, RSA of 2048 bits or "
            "more, "
            "or "
            "FIDO"),
        ROW(HEAD OWN BEHIND_KEY "\0\0\0\x53" ED25519 R64, ""),
        ROW(HEAD OWN BEHIND_KEY "\0\0\0\x54" ED25519 R64 "x",
            "contains no signature of its key's type, ssh-ed25519"),
        ROW(HEAD OWN BEHIND_KEY "\0\0\0\x0f" ED25519,
            "contains no signature of its key's type, ssh-ed25519"),
        ROW(HEAD OWN BEHIND_KEY "\0\0\0\0", "contains no signature of its key's type, ssh-ed25519"),
        ROW(HEAD OWN "\0\0\0\1n\0\0\0\1r\0\0\0\6sha512\0\0\0\x53" ED25519 R64,
            "contains data beside the signature"),
        ROW(HEAD OWN "\0\0\0\1\0\0\0\0\0\0\0\0\6sha512\0\0\0\x53" ED25519 R64,
            "contains data beside the signature"),
        ROW(HEAD OWN BEHIND_KEY "\0\0\0\x53" ED25519 R64 "x", "contains data beside the signature"),
        ROW(HEAD OWN BEHIND_KEY, "is truncated"),
        ROW("SSHSIG\0\0", "does not have version 1"),
#undef ROW
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct sshsig s;
        int rc = sshsig_parse(arm(&a, rows[i].blob, rows[i].len), &a, &s, &err);
        assert_int_equal(rc, *rows[i].message ? -1 : 0);
        assert_string_equal(err.text, rows[i].message);
        assert_false(rc == 0 && sshsig_holds(&s, "n", message));
    }
    arena_release(&a);
}

/* What ssh-keygen made when its sum for the nonce had no memory, with a key that was thrown away.
 */
static void a_nonce_of_zero_tells_the_key(void **state)
{
    static const char checkpoint[] =
        "{\"schema\": \"fpreport.checkpoint/1\", \"n\": 1, \"head\": "
        "\"7beaf854d166728c76de000e3116595df2686b83085f3de37301507202fb9754\", \"root\": "
        "\"402bbced9ed99717a721730f84949a9d895f3f4fd975c7864a6e502c81a03f7b\", \"date\": "
        "\"2026-11-23T13:07:35Z\"}\n";
    static const char made[] =
        "-----BEGIN SSH SIGNATURE-----\n"
        "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgEFys98zV3xlsDvurBc8rRE+pHl\n"
        "V66F7RWg7DWRvdw5IAAAAWZnByZXBvcnQtY2hlY2twb2ludC12MQAAAAAAAAAGc2hhNTEy\n"
        "AAAAUwAAAAtzc2gtZWQyNTUxOQAAAEABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"
        "AAAGF24niKlO1MhX0Hq59U6HoDgt15HdlHPlkvp9XGPvkE\n"
        "-----END SSH SIGNATURE-----\n";
    const struct bytes text = {made, sizeof made - 1};
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct sshsig s;
    (void)state;
    assert_int_equal(sshsig_parse(text, &arena, &s, &err), 0);
    assert_true(
        sshsig_holds(&s, SSHSIG_CHECKPOINT, (struct bytes){checkpoint, sizeof checkpoint - 1}));
    assert_true(sshsig_tells_its_key(&s));
    arena_release(&arena);
}

/* The order of the group (RFC 8032, 5.1) added to s: the same equation holds, and it is refused. */
static void s_is_below_the_order(void **state)
{
    (void)state;
    static const unsigned char order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,
                                            0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
                                            0,    0,    0,    0,    0,    0,    0,    0,
                                            0,    0,    0,    0,    0,    0,    0,    0x10};
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    unsigned char other[BLOB];
    unsigned carry = 0;
    memcpy(other, blob_of(&a).data, BLOB);
    for (size_t i = 0; i < sizeof order; i++) {
        carry += other[AT_S + i] + order[i];
        other[AT_S + i] = (unsigned char)carry;
        carry >>= 8;
    }
    assert_int_equal(carry, 0);
    assert_false(is_taken(arm(&a, other, BLOB), &a, &err));
    arena_release(&a);
}

static void base64_has_one_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes; /* NULL: none */
    } rows[] = {
        {"", ""},       {"Zg==", "f"},      {"Zm8=", "fo"}, {"Zm9v", "foo"},  {"Zm9vYg==", "foob"},
        {"Zh==", NULL}, {"Zm9=", NULL},     {"Zg=", NULL},  {"Zg", NULL},     {"Z===", NULL},
        {"====", NULL}, {"Zg==Zg==", NULL}, {"Zm 9", NULL}, {"Zm9v\n", NULL}, {"Zm-_", NULL},
    };
    struct arena a = ARENA_INIT;
    struct bytes out;
    struct buf back;
    buf_init(&back, 1024);
    assert_false(base64_decode("Zm\0v", 4, &a, &out));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool good = base64_decode(rows[i].text, strlen(rows[i].text), &a, &out);
        if (good != (rows[i].bytes != NULL) || (good && strcmp(out.data, rows[i].bytes) != 0))
            fail_msg("'%s'", rows[i].text);
        buf_clear(&back);
        if (good)
            base64_encode(out.data, out.len, &back);
        assert_string_equal(back.data, good ? rows[i].text : "");
    }
    buf_release(&back);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ssh_keygen_signed_is_taken),
        cmocka_unit_test(no_bit_can_be_another),
        cmocka_unit_test(nothing_may_be_missing_or_behind),
        cmocka_unit_test(every_field_is_asked_for),
        cmocka_unit_test(keys_of_every_kind),
        cmocka_unit_test(signatures_of_other_keys),
        cmocka_unit_test(a_nonce_of_zero_tells_the_key),
        cmocka_unit_test(s_is_below_the_order),
        cmocka_unit_test(base64_has_one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
