/* checkpoint: the one form of its file, whose signature counts, and how the two are exchanged. */
#include "tests/unit/folder.h"

#include "base/signing/sshsig.h"
#include "base/store/checkpoint.h"

#include <sys/stat.h>
#include <unistd.h>

#define DIGITS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define NOW "2026-11-22T16:00:00Z"
#define TEXT                                                                       \
    "{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"head\": \"" STORE_NO_LINE \
    "\", \"date\": "                                                               \
    "\"" NOW "\"}\n"
#define OTHER_TEXT                                                                 \
    "{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"head\": \"" STORE_NO_LINE \
    "\", \"date\": "                                                               \
    "\"2026-11-22T16:00:01Z\"}\n"
/* printf TEXT | ssh-keygen -Y sign -f KEY -n fpreport-checkpoint-v1 */
#define SIGNATURE                                                              \
    "-----BEGIN SSH SIGNATURE-----\n"                                          \
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgPncL/NotfvlCfFKYEkOuT2o8Z/\n" \
    "9zyzz9v6ydXUd/lPAAAAAWZnByZXBvcnQtY2hlY2twb2ludC12MQAAAAAAAAAGc2hhNTEy\n" \
    "AAAAUwAAAAtzc2gtZWQyNTUxOQAAAECvfUBB0JHtlfxMPZXZ+IGFoQNqJ+wjRFyCAhV2f8\n" \
    "HE5wGYydsp+SeTu8Ck7em9v6uJx0NNxRop+/Bq/rtpfyYM\n"                         \
    "-----END SSH SIGNATURE-----\n"
#define KEY "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID53C/zaLX75QnxSmBJDrk9qPGf/c8s8/b+snV1Hf5Tw"
#define SHOWN "SHA256:Cumv7MWE8rd2aHGoK1T36JWy3tveDXmP1+GE+ruup9M"

static void write_text(const char *path, const char *text, size_t len)
{
    struct err err = ERR_INIT;
    assert_int_equal(file_write(path, text, len, &err), 0);
}

static void only_one_form_is_read(void **state)
{
    static const struct {
        const char *text, *message; /* NULL: it is read */
    } rows[] = {
        {TEXT, NULL},
        {"", "found the end of the file, expected a value"},
        {"{\"schema\": \"fpreport.checkpoint/1\"}\n",
         "found no key \"n\", expected it in every checkpoint"},
        {"{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"head\": \"" STORE_NO_LINE
         "\", \"date\": \"yesterday\"}\n",
         "the date does not have the form YYYY-MM-DDTHH:MM:SSZ"},
        {"{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"date\": \"" NOW
         "\", \"head\": \"" STORE_NO_LINE "\"}\n",
         "not in the form that fpreport writes"},
        {"{\"schema\": \"fpreport.checkpoint/1\", \"n\": 00000, \"head\": \"" STORE_NO_LINE
         "\", \"date\": \"" NOW "\"}\n",
         "found '00000', expected a number"},
        {"{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"head\": \"" STORE_NO_LINE
         "\", \"date\": \"\\u0032026-11-22T16:00:00Z\"}\n",
         "not in the form that fpreport writes"},
        {"{\"schema\": \"fpreport.checkpoint/1\",\t\"n\": 0, \"head\": \"" STORE_NO_LINE
         "\", \"date\": \"" NOW "\"}\n",
         "not in the form that fpreport writes"},
    };
    struct folder *f = *state;
    const char *path = in_folder(state, CHECKPOINT_NAME);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct checkpoint c;
        struct bytes text;
        struct diags d;
        diags_init(&d, &f->arena);
        write_text(path, rows[i].text, strlen(rows[i].text));
        int rc = checkpoint_read(path, &f->arena, &c, &text, &d);
        assert_int_equal(rc, rows[i].message ? -1 : 0);
        assert_string_equal(d.n ? d.items[0].message : "", rows[i].message ? rows[i].message : "");
    }
    struct checkpoint c;
    struct bytes text;
    struct diags d;
    diags_init(&d, &f->arena);
    unlink(path);
    assert_int_equal(checkpoint_read(path, &f->arena, &c, &text, &d), -1);
    assert_int_equal(d.errors, 1);
    char *huge = arena_alloc(&f->arena, CHECKPOINT_BYTES_MAX + 1);
    memset(huge, ' ', CHECKPOINT_BYTES_MAX + 1);
    write_text(path, huge, CHECKPOINT_BYTES_MAX + 1);
    assert_int_equal(checkpoint_read(path, &f->arena, &c, &text, &d), -1);
    assert_int_equal(d.errors, 2);
}

static void whose_signature_counts(void **state)
{
    static const struct {
        const char *text, *signature, *signers, *principal;
        long long at;
        const char *told;
        bool good;
    } rows[] = {
        {TEXT, NULL, NULL, NULL, 0, "is not signed", false},
        {TEXT, "", NULL, NULL, 0,
         "has a signature that is not an SSH signature in the format of ssh-keygen", false},
        {OTHER_TEXT, SIGNATURE, NULL, NULL, 0,
         "has a signature that is not one of this checkpoint for fpreport-checkpoint-v1", false},
        {TEXT, SIGNATURE, NULL, NULL, 0,
         "is signed with the key " SHOWN "; its owner was not checked", true},
        {TEXT, SIGNATURE, "acme " KEY, NULL, 0, "is signed by acme with the key " SHOWN, true},
        {TEXT, SIGNATURE, "*,!globex " KEY, "acme", 0, "is signed by acme with the key " SHOWN,
         true},
        {TEXT, SIGNATURE, "acme " KEY, "globex", 0,
         "is signed with the key " SHOWN ", which belongs to acme, not to globex", false},
        {TEXT, SIGNATURE, "acme namespaces=\"git\" " KEY, NULL, 0,
         "is signed with the key " SHOWN ", which may sign for git, not for fpreport-checkpoint-v1",
         false},
        {TEXT, SIGNATURE, "acme valid-before=\"20261122160000Z\" " KEY, NULL, 0,
         "is signed by acme with the key " SHOWN, true},
        {TEXT, SIGNATURE, "acme valid-before=\"20261122155959Z\" " KEY, NULL, 0,
         "is signed with the key " SHOWN
         ", which was valid until 2026-11-22 15:59:59 UTC, but not on 2026-11-22 16:00:00 UTC",
         false},
        /* Somebody says when keys must have been valid. */
        {TEXT, SIGNATURE, "acme valid-before=\"20261122155959Z\" " KEY, NULL, 1795363199,
         "is signed by acme with the key " SHOWN, true},
        {TEXT, SIGNATURE, "# nobody", NULL, 0,
         "is signed with the key " SHOWN ", which is not among the keys of signers", false},
    };
    struct folder *f = *state;
    const char *path = in_folder(state, CHECKPOINT_NAME),
               *sig = in_folder(state, CHECKPOINT_SIGNATURE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct checkpoint c = {.date = NOW};
        struct signers signers = {.principal = rows[i].principal, .at = rows[i].at};
        struct diags d;
        struct err err = ERR_INIT;
        bool good;
        diags_init(&d, &f->arena);
        const char *who = rows[i].signers;
        if (who)
            assert_int_equal(
                signers_read("signers", (struct bytes){who, strlen(who)}, &f->arena, &signers, &d),
                0);
        if (rows[i].signature)
            write_text(sig, rows[i].signature, strlen(rows[i].signature));
        const struct bytes text = {rows[i].text, strlen(rows[i].text)};
        assert_string_equal(
            checkpoint_signed(path, &c, text, who ? &signers : NULL, &f->arena, &good, &err),
            rows[i].told);
        assert_int_equal(good, rows[i].good);
    }
    struct err err = ERR_INIT;
    bool good;
    const struct checkpoint c = {.date = NOW};
    char *huge = arena_alloc(&f->arena, SSHSIG_BYTES_MAX + 1);
    memset(huge, 'A', SSHSIG_BYTES_MAX + 1);
    write_text(sig, huge, SSHSIG_BYTES_MAX + 1);
    assert_non_null(strstr(checkpoint_signed(path, &c, (struct bytes){TEXT, sizeof TEXT - 1}, NULL,
                                             &f->arena, &good, &err),
                           "has a signature that cannot be read: "));
    assert_false(good);
}

static void assert_file(void **state, const char *name, const char *text)
{
    struct folder *f = *state;
    const char *path = in_folder(state, name);
    assert_int_equal(file_exists(path), text != NULL);
    if (text) {
        struct err err = ERR_INIT;
        struct bytes b;
        assert_int_equal(file_read(path, 4096, &f->arena, &b, &err), 0);
        assert_string_equal(b.data, text);
    }
}

static void two_files_are_exchanged(void **state)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    bool was = true;
    assert_int_equal(checkpoint_finish(f->path, &f->arena, &was, &err), 0);
    assert_false(was); /* there was nothing to finish */
    assert_int_equal(checkpoint_keep(f->path, "text\n", "signature\n", &f->arena, &err), 0);
    assert_file(state, CHECKPOINT_NAME, "text\n");
    assert_file(state, CHECKPOINT_SIGNATURE, "signature\n");
    assert_file(state, CHECKPOINT_NEXT, NULL);
}

/* What a writer left that was stopped: put in place when it is a checkpoint and its signature. */
static void what_was_on_its_way_is_put_in_place(void **state)
{
    static const struct {
        const char *next;
        bool whole;
    } rows[] = {
        {"", false},
        {TEXT, false},
        {"no line", false},
        {SIGNATURE, false},
        {TEXT SIGNATURE "x", false},
        {OTHER_TEXT SIGNATURE, false},
        {TEXT SIGNATURE, true},
    };
    struct folder *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        bool was = !rows[i].whole;
        write_text(in_folder(state, CHECKPOINT_NAME), "old", 3);
        write_text(in_folder(state, CHECKPOINT_SIGNATURE), "older", 5);
        write_text(in_folder(state, CHECKPOINT_NEXT), rows[i].next, strlen(rows[i].next));
        assert_int_equal(checkpoint_finish(f->path, &f->arena, &was, &err), 0);
        assert_int_equal(was, rows[i].whole);
        assert_file(state, CHECKPOINT_NAME, rows[i].whole ? TEXT : "old");
        assert_file(state, CHECKPOINT_SIGNATURE, rows[i].whole ? SIGNATURE : "older");
        assert_file(state, CHECKPOINT_NEXT, NULL);
    }
}

/* In place of each of the three: a link is not followed, a folder not replaced, and nothing is
 * changed. */
static void places_that_cannot_be_written(void **state)
{
    static const char *const names[] = {CHECKPOINT_NAME, CHECKPOINT_SIGNATURE, CHECKPOINT_NEXT};
    struct folder *f = *state;
    for (int i = 0; i < 3; i++) {
        struct err err = ERR_INIT;
        const char *path = in_folder(state, names[i]);
        bool was;
        assert_int_equal(mkdir(path, 0700), 0);
        assert_int_equal(checkpoint_keep(f->path, TEXT, SIGNATURE, &f->arena, &err), -1);
        if (i == 2) {
            assert_int_equal(checkpoint_finish(f->path, &f->arena, &was, &err), -1);
            assert_false(was);
        }
        assert_int_equal(rmdir(path), 0);
        for (int k = 0; k < 3; k++)
            assert_file(state, names[k], NULL);
    }
    struct err err = ERR_INIT;
    bool was;
    char *huge = arena_alloc(&f->arena, CHECKPOINT_BYTES_MAX + SSHSIG_BYTES_MAX + 1);
    memset(huge, '\n', CHECKPOINT_BYTES_MAX + SSHSIG_BYTES_MAX + 1);
    write_text(in_folder(state, CHECKPOINT_NEXT), huge,
               CHECKPOINT_BYTES_MAX + SSHSIG_BYTES_MAX + 1);
    assert_int_equal(checkpoint_finish(f->path, &f->arena, &was, &err), -1);
    assert_false(was);
}

/* The log has lines that nobody could read: nothing is known of those. */
static void logs_that_are_not_whole(void **state)
{
    struct folder *f = *state;
    struct store_entry entries[] = {{.line = 1, .prev = DIGITS, .time = NOW},
                                    {.line = 2, .prev = OTHER, .time = NOW, .clock = NOW}};
    struct store_log log = {.entries = entries, .n = 2, .lines = 4};
    struct checkpoint c = {.n = 3, .head = DIGITS, .date = NOW};
    strcpy(log.head, DIGITS);
    assert_string_equal(checkpoint_problem(&c, &log, &f->arena),
                        "says that line 3 has the SHA-256 0123456789abcdef…, found …: the log was "
                        "changed since");
    c.n = 4;
    assert_null(checkpoint_problem(&c, &log, &f->arena));
    c.n = 1;
    c.head = OTHER;
    assert_null(checkpoint_problem(&c, &log, &f->arena));
    c.date = "2026-11-22T15:59:59Z";
    assert_string_equal(
        checkpoint_problem(&c, &log, &f->arena),
        "is of 2026-11-22T15:59:59Z, and line 1, which it names, of 2026-11-22T16:00:00Z: one of "
        "the two has the wrong time");
    c.n = 5;
    assert_string_equal(checkpoint_problem(&c, &log, &f->arena),
                        "is about a log of 5 lines, found 4: its end was cut off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_one_form_is_read),         IN_FOLDER(whose_signature_counts),
        IN_FOLDER(two_files_are_exchanged),       IN_FOLDER(what_was_on_its_way_is_put_in_place),
        IN_FOLDER(places_that_cannot_be_written), IN_FOLDER(logs_that_are_not_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
