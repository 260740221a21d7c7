/* challenge: the seed is what hashlib gives, and a file that says another, or is none, is refused.
 */
#include "tests/unit/folder.h"

#include "base/records/challenge.h"

#include <stdio.h>
#include <string.h>

#define KEY "SHA256:dUKMRbXG7GJBGYl2dQtL2SD5dVTkkxDLT9Kf1Z3rZhE"
#define ONES "1111111111111111111111111111111111111111111111111111111111111111"
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define EFFS "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define ABABS "abababababababababababababababababababababababababababababababab"

/* int.from_bytes(hashlib.sha256(("fpreport-seed-v1" + nonce + key + sha256).encode()).digest()[:8],
 * "big") >> 11 */
static void the_seed_is_that_of_hashlib(void **state)
{
    (void)state;
    static const struct challenge cases[] = {
        {.nonce = ZEROS, .key = "", .case_sha256 = ONES, .seed = 6648077390727640},
        {.nonce = EFFS, .key = KEY, .case_sha256 = ABABS, .seed = 8226864923046637},
        {.nonce = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
         .key = "",
         .case_sha256 = ZEROS,
         .seed = 5931481115174921},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(challenge_seed(&cases[i]), cases[i].seed);
}

static void it_is_issued_from_random_bytes(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    unsigned char nonce[CHALLENGE_NONCE_BYTES];
    struct challenge c = {.key = KEY, .case_sha256 = ABABS, .date = "2026-11-22"};
    memset(nonce, 0xff, sizeof nonce);
    challenge_issue(&c, nonce, &a);
    assert_string_equal(c.nonce, EFFS);
    assert_string_equal(c.round, "2026-11-22-ffffffffffff");
    assert_int_equal(c.seed, 8226864923046637);
    assert_true(shape_is_id(c.round));
    arena_release(&a);
}

/* ---- its file -------------------------------------------------------------------------------- */

#define FILE_OF(round, key, nonce, date, seed, more)                                  \
    "{\"schema\": \"fpreport.challenge/1\", \"round\": \"" round "\", \"case\": "     \
    "\"mini\", \"case_sha256\": \"" ABABS "\", \"vendor\": \"acme\", \"key\": \"" key \
    "\", \"nonce\": \"" nonce "\", \"date\": \"" date "\", \"seed\": " seed more "}"
#define SEED "8226864923046637"
#define ROUND "2026-11-22-ffffffffffff"

static int read_text(struct arena *a, const char *text, size_t n, struct challenge *out,
                     struct diags *d)
{
    diags_init(d, a);
    return challenge_read("c.json", (struct bytes){arena_strndup(a, text, n), n}, a, out, d);
}

static void a_whole_file_is_read(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct challenge c;
    const char *text = FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, "");
    assert_int_equal(read_text(&a, text, strlen(text), &c, &d), 0);
    assert_string_equal(c.vendor, "acme");
    assert_int_equal(c.seed, 8226864923046637);
    for (size_t n = 0; n < strlen(text); n++)
        if (read_text(&a, text, n, &c, &d) == 0)
            fail_msg("read although only %zu bytes are there", n);
    arena_release(&a);
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } faults[] = {
        {"", "expected"},
        {"[]", "expected an object"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", "8226864923046636", ""), "was altered"},
        {FILE_OF(ROUND, KEY, ONES, "2026-11-22", SEED, ""), "was altered"},
        {FILE_OF(ROUND, "", EFFS, "2026-11-22", SEED, ""), "was altered"},
        {FILE_OF(ROUND, "MD5:00", EFFS, "2026-11-22", SEED, ""), "ssh-keygen -l"},
        {FILE_OF(ROUND, KEY "=", EFFS, "2026-11-22", SEED, ""), "ssh-keygen -l"},
        {FILE_OF(ROUND, KEY, "FF", "2026-11-22", SEED, ""), "64 lower-case"},
        {FILE_OF(ROUND, KEY, EFFS, "22.11.2026", SEED, ""), "a date"},
        {FILE_OF("2026-11-21-ffffffffffff", KEY, EFFS, "2026-11-22", SEED, ""), "date and nonce"},
        {FILE_OF("2026-11-22-fffffffffffe", KEY, EFFS, "2026-11-22", SEED, ""), "date and nonce"},
        {FILE_OF("2026-11-22", KEY, EFFS, "2026-11-22", SEED, ""), "date and nonce"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-23", SEED, ""), "date and nonce"},
        {FILE_OF("../r", KEY, EFFS, "2026-11-22", SEED, ""), "an id"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", "-1", ""), "0 to 9007199254740992"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", "8.5", ""), "a whole number"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", "\"" SEED "\"", ""), "a whole number"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, ", \"seed\": " SEED), "again"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, ", \"vendor2\": \"x\""), "unknown key"},
        {FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, "} {"), "expected"},
        {FILE_OF("r\\u0000", KEY, EFFS, "2026-11-22", SEED, ""), "NUL"},
        {"{\"schema\": \"fpreport.challenge/1\"}", "no key"},
        {"{\"schema\": \"fpreport.challenge/1\", \"key\": \"\"}", "no key \"nonce\""},
        {"{\"schema\": \"fpreport.challenge/1\", \"key\": \"\", \"nonce\": \"" ZEROS "\"}",
         "no key \"case_sha256\""},
        {"{\"schema\": \"fpreport.challenge/1\", \"key\": \"\", \"nonce\": \"" ZEROS
         "\", \"case_sha256\": \"" ONES "\"}",
         "no key \"seed\""},
        {"{\"schema\": \"fpreport.challenge/1\", \"key\": \"\", \"nonce\": \"" ZEROS
         "\", \"case_sha256\": \"" ONES "\", \"seed\": 7}",
         "no key \"date\""},
        {"{\"schema\": \"fpreport.challenge/1\", \"key\": \"\", \"nonce\": \"" ZEROS
         "\", \"case_sha256\": \"" ONES "\", \"seed\": 6648077390727640, \"date\": \"2026-11-22\"}",
         "no key \"round\""},
        {"{\"schema\": \"fpreport.challenge/2\"}", "fpreport.challenge/1"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct arena a = ARENA_INIT;
        struct diags d;
        struct challenge c;
        bool said = false;
        if (read_text(&a, faults[i].text, strlen(faults[i].text), &c, &d) == 0)
            fail_msg("taken: %s", faults[i].text);
        for (size_t k = 0; k < d.n; k++)
            said = said || strstr(d.items[k].message, faults[i].says);
        if (!said)
            fail_msg("%s\nsays %s, expected %s", faults[i].text, d.items[0].message,
                     faults[i].says);
        arena_release(&a);
    }
}

static void it_is_read_from_a_file(void **state)
{
    struct folder *f = *state;
    struct diags d;
    struct challenge c;
    struct err err = ERR_INIT;
    const char *path = in_folder(state, "c.json");
    const char *text = FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, "");
    diags_init(&d, &f->arena);
    assert_int_equal(challenge_load(path, &f->arena, &c, &d), -1);
    assert_non_null(strstr(d.items[0].message, "No such file or directory"));
    assert_int_equal(file_write(path, text, strlen(text), &err), 0);
    assert_int_equal(challenge_load(path, &f->arena, &c, &d), 0);
    assert_string_equal(c.round, ROUND);
    assert_int_equal(d.n, 1);
}

static void a_large_file_is_refused(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct challenge c;
    char *text = arena_alloc(&a, CHALLENGE_BYTES_MAX + 2);
    memset(text, ' ', CHALLENGE_BYTES_MAX + 1);
    memcpy(text, FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, ""),
           strlen(FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, "")));
    assert_int_equal(read_text(&a, text, CHALLENGE_BYTES_MAX, &c, &d), 0);
    assert_int_equal(read_text(&a, text, CHALLENGE_BYTES_MAX + 1, &c, &d), -1);
    assert_non_null(strstr(d.items[0].message, "at most 4096"));
    arena_release(&a);
}

/* Every bit of its file flipped: no other seed, nonce, key, case or vendor gets through unseen. */
static void no_flipped_bit_gives_another_seed(void **state)
{
    (void)state;
    const char *text = FILE_OF(ROUND, KEY, EFFS, "2026-11-22", SEED, "");
    struct arena a = ARENA_INIT;
    size_t taken = 0, n = strlen(text);
    for (size_t bit = 0; bit < 8 * n; bit++) {
        struct arena each = ARENA_INIT;
        struct diags d;
        struct challenge c;
        char *flipped = arena_strndup(&each, text, n);
        flipped[bit / 8] = (char)(flipped[bit / 8] ^ 1 << bit % 8);
        if (read_text(&each, flipped, n, &c, &d) == 0) {
            taken++;
            assert_string_equal(c.nonce, EFFS);
            assert_string_equal(c.key, KEY);
            assert_string_equal(c.case_sha256, ABABS);
            assert_int_equal(c.seed, 8226864923046637);
        }
        arena_release(&each);
    }
    assert_true(taken > 0 && taken < n); /* letters of names, and the date */
    arena_release(&a);
}

static void another_case_is_named(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const struct challenge c = {
        .case_id = "mini",
        .case_sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
    assert_null(challenge_other_case(&c, "mini", (struct bytes){"abc", 3}, &a));
    assert_non_null(
        strstr(challenge_other_case(&c, "mini", (struct bytes){"abd", 3}, &a), "SHA-256"));
    assert_non_null(
        strstr(challenge_other_case(&c, "two", (struct bytes){"abc", 3}, &a), "found two"));
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seed_is_that_of_hashlib),
        cmocka_unit_test(it_is_issued_from_random_bytes),
        cmocka_unit_test(a_whole_file_is_read),
        cmocka_unit_test(what_is_none_is_refused),
        IN_FOLDER(it_is_read_from_a_file),
        cmocka_unit_test(a_large_file_is_refused),
        cmocka_unit_test(no_flipped_bit_gives_another_seed),
        cmocka_unit_test(another_case_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
