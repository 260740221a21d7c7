/* The archive of submissions: what is put into it is read again, and what cannot be true is
 * refused. */
#include "tests/unit/store_sample.h"

static void what_is_written_is_read(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    diags_init(&d, &f->arena);
    assert_int_equal(store_open(&s, root, &f->arena, &d, &err), 0);
    assert_int_equal(d.n, 0);
    assert_int_equal(s.log.n, 4);
    assert_int_equal(s.index.n_items, 2);
    assert_int_equal(s.index.n_objects, 3);
    const struct store_item *one = store_item_of(&s.index, DIGITS);
    const struct store_item *two = store_item_of(&s.index, OTHER);
    assert_non_null(one->withdrawn);
    assert_string_equal(one->withdrawn->reason.en, "The driver was at fault.");
    assert_null(two->withdrawn);
    assert_int_equal(two->redaction->n_withheld, 2);
    assert_string_equal(two->redaction->withheld[1], "rank0.out.log");
    assert_ptr_equal(store_find(&s, "01234567", &err), one);
    const struct store_item *file = store_find(&s, two->added->object, &err);
    assert_string_equal(file->object, two->added->object);
    assert_ptr_equal(file->redaction, two->redaction);
    assert_null(store_find(&s, "0123456", &err));
    assert_null(store_find(&s, "aaaaaaaa", &err));
    assert_null(store_find(&s, "0123456g", &err));
    assert_null(store_find(&s, DIGITS "0", &err));
    /* What stands in the place of a whole submission is found by that. */
    assert_ptr_equal(store_find(&s, two->redaction->object, &err), two);
    store_close(&s);
    FINDS(root, "");
}

static void an_id_that_two_begin_with_is_refused(void **state)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    const char *like = "01234567ffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
    diags_init(&d, &f->arena);
    assert_int_equal(store_lock(&s, make(state), &f->arena, &d, &err), 0);
    add(&s, "three", like);
    assert_null(store_find(&s, "01234567", &err));
    assert_non_null(strstr(err.text, "more than one submission"));
    assert_string_equal(store_find(&s, "01234567f", &err)->submission, like);
    store_close(&s);
}

static void nothing_is_written_behind_a_fault(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    struct bytes whole = read_file(path, &f->arena);
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    struct store_repaired did;
    char *text = arena_alloc(&f->arena, whole.len);
    memcpy(text, whole.data, whole.len);
    text[200] ^= 1;
    write_file(path, text, whole.len);
    diags_init(&d, &f->arena);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), -1);
    assert_memory_equal(read_file(path, &f->arena).data, text, whole.len);
}

/* What the clock says beside a last entry of 2026-11-22T16:00:00Z, and what the next one has. */
static void a_clock_that_cannot_be_right_is_not_believed(void **state)
{
    struct folder *f = *state;
    static const long long last = 1795363200;
    static const struct {
        long long now;
        bool trust;
        const char *time, *clock; /* NULL, "": refused, and with what word */
    } rows[] = {
        {last, false, "2026-11-22T16:00:00Z", NULL},
        {last - 300, false, "2026-11-22T16:00:00Z", NULL},
        {last - 301, false, NULL, "5 minutes before the last entry"},
        {last - 100 * 86400, false, NULL,
         "100 days before the last entry of the log (line 1, 2026-"},
        {last - 100 * 86400, true, "2026-11-22T16:00:00Z", "2026-08-14T16:00:00Z"},
        {last + 400 * 86400, false, "2027-12-27T16:00:00Z", NULL},
        {last + 401 * 86400, false, NULL, "401 days after the last entry"},
        {last + 401 * 86400, true, "2027-12-28T16:00:00Z", NULL},
        {1, true, NULL, "shows 1970-01-01T00:00:01Z, expected 2020 or later"},
        {-1, true, NULL, "expected 2020"},
        {253402300800LL, true, NULL, "expected 2020"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct store s;
        struct diags d;
        struct err err = ERR_INIT;
        const char *root = in_folder(state, arena_printf(&f->arena, "clock%zu", i));
        struct store_entry e = {
            .kind = STORE_WITHDRAWN, .submission = DIGITS, .by = "A", .reason = {"x", NULL}};
        diags_init(&d, &f->arena);
        assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
        s.now = last;
        add(&s, "one", DIGITS);
        s.now = rows[i].now;
        s.trust_clock = rows[i].trust;
        int rc = store_append(&s, &e, &err);
        if (rows[i].time) {
            assert_int_equal(rc, 0);
            assert_string_equal(e.time, rows[i].time);
            assert_string_equal(store_entry_day(&e), rows[i].clock ? rows[i].clock : e.time);
            /* What was said once holds for the next one. */
            struct store_entry next = e;
            s.trust_clock = false;
            s.now += 60;
            next.clock = NULL;
            assert_int_equal(store_append(&s, &next, &err), 0);
            assert_int_equal(next.clock != NULL, rows[i].clock != NULL);
        } else {
            assert_int_equal(rc, -1);
            assert_int_equal(err.kind, ERR_USAGE);
            if (!strstr(err.text, rows[i].clock))
                fail_msg("%s", err.text);
            /* Nor does an object come for which there will be no entry. */
            char hex[HASH_HEX_SIZE];
            hash_sha256("two", 3, hex);
            assert_int_equal(store_put(&s, (struct bytes){"two", 3}, hex, &err), -1);
            assert_false(file_exists(store_object_path(root, hex, &f->arena)));
        }
        store_close(&s);
        diags_init(&d, &f->arena);
        assert_int_equal(store_log_read(root, &f->arena, &s.log, &d), 0);
    }
}

static void a_checkpoint_holds_for_what_came_after_it(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    struct diags d;
    struct store_log log;
    diags_init(&d, &f->arena);
    assert_int_equal(store_log_read(root, &f->arena, &log, &d), 0);
    struct checkpoint c = {.date = log.entries[3].time, .head = STORE_NO_LINE};
    assert_null(checkpoint_problem(&c, &log, &f->arena));
    for (size_t n = 1; n <= 4; n++) {
        c.n = (long long)n;
        c.head = n == 4 ? log.head : log.entries[n].prev;
        assert_null(checkpoint_problem(&c, &log, &f->arena));
        c.head = DIGITS;
        assert_non_null(checkpoint_problem(&c, &log, &f->arena));
    }
    c.n = 5;
    assert_non_null(checkpoint_problem(&c, &log, &f->arena));
    c = (struct checkpoint){.n = 4, .head = log.head, .date = "2020-01-01T00:00:00Z"};
    assert_non_null(strstr(checkpoint_problem(&c, &log, &f->arena), "the wrong time"));
}

#define KIND(kind) "\"kind\": \"" kind "\", \"submission\": \"" DIGITS "\""
#define TEXT(key, text) ", \"" key "\": \"" text "\""
#define VERDICT TEXT("rules", "2026.2") TEXT("verdict", DIGITS)
#define WHY TEXT("by", "A") TEXT("reason", "x")

static void entries_have_what_their_kind_needs(void **state)
{
    struct folder *f = *state;
    static const struct {
        const char *line, *fault; /* of what stands behind the time */
    } rows[] = {
        {"\"kind\": \"withdrawn\", \"submission\": \"" DIGITS "\", \"by\": \"A\"}",
         "withdrawn without a reason"},
        {"\"clock\": \"2026-11-22T16:00:00Z\", \"kind\": \"withdrawn\", \"submission\": \"" DIGITS
         "\", \"by\": \"A\", \"reason\": \"x\"}",
         "the clock is not behind the time"},
        {"\"clock\": \"yesterday\", \"kind\": \"withdrawn\", \"submission\": \"" DIGITS
         "\", \"by\": \"A\", \"reason\": \"x\"}",
         "the time is not one"},
        {"\"kind\": \"withdrawn\", \"submission\": \"" DIGITS
         "\", \"by\": \"A\", \"reason\": \"\"}",
         "withdrawn without a reason"},
        {"\"kind\": \"withdrawn\", \"submission\": \"" DIGITS "\", \"reason\": \"x\"}",
         "says not by whom"},
        {"\"kind\": \"added\", \"submission\": \"" DIGITS "\"}", "added without rules"},
        {"\"kind\": \"redaction\", \"submission\": \"" DIGITS "\", \"object\": \"" OTHER
         "\", \"by\": \"A\", \"publish\": \"redacted\", \"reason\": \"x\"}",
         "files are withheld when"},
        {"\"kind\": \"redaction\", \"submission\": \"" DIGITS "\", \"object\": \"" OTHER
         "\", \"by\": \"A\", \"publish\": \"redacted\", \"withheld\": [\"b\", \"a\"], \"reason\": "
         "\"x\"}",
         "not names in their order"},
        {KIND("added") VERDICT "}", "an object is named when one is added"},
        {KIND("added") TEXT("object", OTHER) TEXT("rules", "2026.2") "}", "added without rules"},
        {KIND("added") TEXT("object", OTHER) TEXT("of", OTHER) VERDICT "}",
         "only a withdrawal or a redaction is about a file"},
        {KIND("added") TEXT("object", OTHER) VERDICT TEXT("by", "A") "}",
         "an added submission has no reason"},
        {KIND("added") TEXT("object", OTHER) VERDICT TEXT("reason", "x") "}",
         "an added submission has no reason"},
        {KIND("added") TEXT("object", OTHER) VERDICT TEXT("publish", "full") "}",
         "only a redaction determines the published files"},
        {KIND("withdrawn") VERDICT WHY "}", "only an added submission has a verdict"},
        {KIND("withdrawn") TEXT("object", OTHER) WHY "}", "an object is named when"},
        {KIND("withdrawn") TEXT("signer", "A") WHY "}", "only an added submission has a signer"},
        {KIND("withdrawn") TEXT("key", "SHA256:x") WHY "}",
         "only an added submission has a signer"},
        {KIND("withdrawn") TEXT("publish", "full") WHY "}",
         "only a redaction determines the published files"},
        {KIND("redaction") TEXT("object", OTHER) WHY "}",
         "only a redaction determines the published files"},
        {KIND("redaction") TEXT("object", OTHER) TEXT("publish", "full") WHY "}",
         "an object is named when"},
        {KIND("redaction") TEXT("publish", "full") ", \"withheld\": [\"a\"]" WHY "}",
         "files are withheld when"},
        {KIND("redaction") TEXT("object", OTHER) TEXT("by", "A") TEXT("publish", "hashes") "}",
         "withheld without a reason"},
        {KIND("redaction") TEXT("object", OTHER) TEXT("publish", "redacted") ", \"withheld\": "
                                                                             "[\"../a\"]" WHY "}",
         "not names in their order"},
        {KIND("redaction") TEXT("object", OTHER) TEXT("publish", "redacted") ", \"withheld\": "
                                                                             "[\"a\", \"a\"]" WHY
                                                                             "}",
         "not names in their order"},
        {"\"kind\": \"deleted\", \"submission\": \"" DIGITS "\"}", "expected one of"},
        {"\"kind\": \"withdrawn\", \"submission\": \"" DIGITS
         "\", \"by\": \"A\", \"reason\": \"x\" }",
         "not in the form"},
        {"\"kind\": \"withdrawn\", \"submission\": \"" DIGITS
         "\", \"by\": \"A\", \"reason\": \"\\u0078\"}",
         "not in the form"},
    };
    const char *path = in_folder(state, "log.jsonl");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct store_log log;
        struct diags d;
        const char *line =
            arena_printf(&f->arena,
                         "{\"schema\": \"fpreport.log/1\", \"n\": 1, \"prev\": \"" STORE_NO_LINE
                         "\", \"time\": \"2026-11-22T16:00:00Z\", %s\n",
                         rows[i].line);
        write_file(path, line, strlen(line));
        diags_init(&d, &f->arena);
        assert_int_equal(store_log_read_file(path, &f->arena, &log, &d), -1);
        if (!strstr(d.items[0].message, rows[i].fault))
            fail_msg("%s: %s", rows[i].fault, d.items[0].message);
    }
}

static void times_are_whole(void **state)
{
    (void)state;
    char text[STORE_TIME_SIZE];
    store_time_write(1795363200, text);
    assert_string_equal(text, "2026-11-22T16:00:00Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_written_is_read),
        IN_FOLDER(an_id_that_two_begin_with_is_refused),
        IN_FOLDER(nothing_is_written_behind_a_fault),
        IN_FOLDER(a_clock_that_cannot_be_right_is_not_believed),
        IN_FOLDER(a_checkpoint_holds_for_what_came_after_it),
        IN_FOLDER(entries_have_what_their_kind_needs),
        cmocka_unit_test(times_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
