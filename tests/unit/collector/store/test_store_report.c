/* store_check: what an archive's entries, checkpoints and records say against each other. */
#include "tests/unit/store_sample.h"

#define THIRD "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

/* An archive that is locked, with no entry; what is found in it, as one text. */
struct subject {
    struct store s;
    struct diags diags;
    struct store_report report;
};

static void begin(struct subject *x, void **state, const char *root)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    *x = (struct subject){
        .report = {.arena = &f->arena, .root = root, .now = (long long)time(NULL)}};
    diags_init(&x->diags, &f->arena);
    if (store_lock(&x->s, root, &f->arena, &x->diags, &err) < 0)
        fail_msg("%s", err.text);
}

static const char *append(struct subject *x, struct store_entry e)
{
    struct err err = ERR_INIT;
    if (store_append(&x->s, &e, &err) < 0)
        fail_msg("%s", err.text);
    return x->s.log.entries[x->s.log.n - 1].object;
}

/* "kind line: message" of each, a line each; the report is empty then. */
static const char *found(struct subject *x)
{
    struct store_report *r = &x->report;
    const char *out = "";
    for (size_t i = 0; i < r->n; i++)
        out = arena_printf(r->arena, "%s%s %d: %s\n", out, store_finding_name(r->findings[i].kind),
                           r->findings[i].line, r->findings[i].message);
    assert_null(r->machine);
    r->n = 0;
    return out;
}

/* Entries that this program would refuse to write; somebody who has the lock's file can. */
static void entries_that_follow_from_none_before_are_found(void **state)
{
    struct subject x;
    begin(&x, state, in_folder(state, "archive"));
    const struct words why = {"why", NULL};
    append(&x, (struct store_entry){
                   .kind = STORE_WITHDRAWN, .submission = DIGITS, .by = "us", .reason = why});
    add(&x.s, "one", DIGITS);
    add(&x.s, "two", OTHER);
    add(&x.s, "two", OTHER);
    const char *two = x.s.log.entries[2].object;
    append(
        &x,
        (struct store_entry){
            .kind = STORE_WITHDRAWN, .submission = DIGITS, .of = two, .by = "us", .reason = why});
    append(
        &x,
        (struct store_entry){
            .kind = STORE_WITHDRAWN, .submission = DIGITS, .of = THIRD, .by = "us", .reason = why});
    store_check_files(&x.report, &x.s);
    store_close(&x.s);
    assert_string_equal(found(&x), "entry 1: about a submission that was not added before\n"
                                   "entry 4: adds a file that was added before\n"
                                   "entry 5: about a file of it that was not added before\n"
                                   "entry 6: about a file of it that was not added before\n");
}

/* One run, signed by two, until the file of one is withdrawn. */
static void a_run_that_two_signed_is_found(void **state)
{
    struct subject x;
    struct err err = ERR_INIT;
    begin(&x, state, in_folder(state, "archive"));
    static const char *const files[] = {"one", "uno"}, *const signers[] = {"acme", "globex"};
    for (size_t i = 0; i < 2; i++) {
        char *hex = arena_alloc(x.report.arena, HASH_HEX_SIZE);
        hash_sha256(files[i], 3, hex);
        assert_int_equal(store_put(&x.s, (struct bytes){files[i], 3}, hex, &err), 0);
        append(&x, (struct store_entry){.kind = STORE_ADDED,
                                        .submission = DIGITS,
                                        .object = hex,
                                        .signer = signers[i],
                                        .key = "SHA256:x",
                                        .rules = "2026.2",
                                        .verdict = OTHER});
    }
    store_check_files(&x.report, &x.s);
    assert_string_equal(found(&x), "entry 2: the same run came signed by somebody else, line 1; "
                                   "`fpreport archive withdraw` the file of one\n");
    append(&x, (struct store_entry){.kind = STORE_WITHDRAWN,
                                    .submission = DIGITS,
                                    .of = x.s.log.entries[1].object,
                                    .by = "us",
                                    .reason = {"not theirs", NULL}});
    store_check_files(&x.report, &x.s);
    store_close(&x.s);
    assert_string_equal(found(&x), "");
}

static void faults_that_are_too_many_are_counted(void **state)
{
    struct subject x;
    begin(&x, state, make(state));
    x.diags.dropped = 7;
    store_check_log(&x.report, &x.s.log, "log.jsonl", &x.diags);
    assert_string_equal(found(&x), "log 0: 7 further faults are not shown\n");
    x.diags.dropped = 0;
    x.report.now = 0;
    store_check_log(&x.report, &x.s.log, "log.jsonl", &x.diags);
    assert_int_equal(strncmp(found(&x), "clock 4: is of ", 15), 0);
    store_close(&x.s);
}

/* What stands in the place of log and head, and what a line may not be. */
static void what_is_no_log_is_told(void **state)
{
    struct folder *f = *state;
    struct arena *a = &f->arena;
    const char *root = make(state), *log = path_join(a, root, STORE_LOG_NAME),
               *head = path_join(a, root, STORE_HEAD_NAME), *kept = path_join(a, root, "kept");
    const struct bytes whole = read_file(log, a);
    struct store_log out;
    struct diags d;
    struct err err = ERR_INIT;
    static const char *const names[] = {STORE_LOG_NAME, STORE_HEAD_NAME};
    for (size_t i = 0; i < 2; i++) {
        const char *path = path_join(a, root, names[i]);
        assert_int_equal(rename(path, kept), 0);
        assert_int_equal(file_mkdirs(path, &err), 0);
        diags_init(&d, a);
        assert_int_equal(store_log_read(root, a, &out, &d), -1);
        assert_string_equal(d.items[0].file, path);
        assert_int_equal(rmdir(path), 0);
        assert_int_equal(rename(kept, path), 0);
    }
    diags_init(&d, a);
    assert_int_equal(store_log_read_file(in_folder(state, "nothing"), a, &out, &d), -1);
    write_file(log, whole.data, whole.len - 1);
    diags_init(&d, a);
    assert_int_equal(store_log_read_file(log, a, &out, &d), -1);
    assert_string_equal(d.items[0].message, "the last line has no line end");
    char *text = arena_alloc(a, STORE_LINE_MAX + 2);
    memset(text, ' ', STORE_LINE_MAX);
    memcpy(text + STORE_LINE_MAX, "\n", 2);
    write_file(log, text, STORE_LINE_MAX + 1);
    assert_int_equal(unlink(head), 0);
    diags_init(&d, a);
    assert_int_equal(store_log_read(root, a, &out, &d), -1);
    assert_string_equal(d.items[0].message, "the line is longer than 1 MiB");
}

/* By somebody without the lock: nothing is written behind what nobody has read. */
static void a_log_that_changes_meanwhile_is_left_alone(void **state)
{
    static const char *const instead[] = {"longer", "link", "folder"};
    const struct store_entry e = {
        .kind = STORE_WITHDRAWN, .submission = OTHER, .by = "us", .reason = {"why", NULL}};
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++) {
        struct subject x;
        struct err err = ERR_INIT;
        struct store_entry mine = e;
        begin(&x, state, i == 0 ? make(state) : in_folder(state, "archive"));
        const char *log = path_join(x.report.arena, x.report.root, STORE_LOG_NAME);
        const struct bytes whole = read_file(log, x.report.arena);
        assert_int_equal(unlink(log), 0);
        if (i == 0)
            write_file(log, arena_printf(x.report.arena, "%s\n", whole.data), whole.len + 1);
        else if (i == 1)
            assert_int_equal(symlink("head", log), 0);
        else
            assert_int_equal(file_mkdirs(log, &err), 0);
        assert_int_equal(store_append(&x.s, &mine, &err), -1);
        assert_int_equal(err.kind, ERR_IO);
        if (i > 0)
            assert_int_equal(store_log_cut(x.report.root, &x.s.log, &err), -1);
        store_close(&x.s);
        assert_int_equal(file_remove_tree(log, &err), 0);
        write_file(log, whole.data, whole.len);
    }
}

/* ---- checkpoints ------------------------------------------------------------------------- */

static void put(struct subject *x, const char *name, const char *text, size_t len)
{
    write_file(path_join(x->report.arena, x->report.root, name), text, len);
}

static const char *checkpoint(struct subject *x, const struct signers *signers, bool wanted)
{
    x->report.checkpoint = NULL;
    store_check_own_checkpoint(&x->report, &x->s, signers, wanted);
    return found(x);
}

static void a_checkpoint_is_held_against_the_log_and_its_signers(void **state)
{
    struct subject x;
    const char *text = SIGNED_CHECKPOINT, *armour = strchr(text, '\n') + 1;
    size_t len = (size_t)(armour - text);
    const struct signers anybody = {0}, somebody = {.file = "signers", .principal = "acme"};
    begin(&x, state, make(state));
    assert_string_equal(checkpoint(&x, &anybody, true), "");
    assert_string_equal(checkpoint(&x, &somebody, false), "");
    assert_string_equal(checkpoint(&x, &somebody, true),
                        "checkpoint 0: is not there, expected one that acme signed\n");
    put(&x, CHECKPOINT_SIGNATURE, armour, strlen(armour));
    assert_string_equal(checkpoint(&x, NULL, true),
                        "checkpoint 0: is that of a checkpoint which is not there\n");
    put(&x, CHECKPOINT_NAME, text, len);
    assert_string_equal(checkpoint(&x, NULL, true), "");
    assert_non_null(
        strstr(x.report.checkpoint, CHECKPOINT_NAME " of 0 lines, 2026-11-22T16:00:00Z"));
    assert_int_equal(strncmp(checkpoint(&x, &somebody, true), "checkpoint 1: ", 14), 0);
    put(&x, CHECKPOINT_NAME, "{}\n", 3);
    assert_int_equal(strncmp(checkpoint(&x, NULL, true), "checkpoint 1: ", 14), 0);
    /* While two are exchanged, the pair may be of both. */
    put(&x, CHECKPOINT_NEXT, "", 0);
    assert_string_equal(checkpoint(&x, NULL, true), "");
    store_close(&x.s);
}

static void a_checkpoint_of_more_than_there_is_is_found(void **state)
{
    struct subject x;
    static const char text[] =
        "{\"schema\": \"fpreport.checkpoint/1\", \"n\": 9, \"head\": \"" DIGITS
        "\", \"date\": \"2026-11-22T16:00:00Z\"}\n";
    begin(&x, state, make(state));
    put(&x, CHECKPOINT_NAME, text, strlen(text));
    const char *said = checkpoint(&x, NULL, true);
    assert_non_null(strstr(said, "9")); /* and that nobody signed it */
    assert_non_null(strchr(said, '\n')[1] ? said : NULL);
    store_close(&x.s);
}

/* ---- records ----------------------------------------------------------------------------- */

static void records_that_name_what_is_not_there_are_found(void **state)
{
    struct subject x;
    begin(&x, state, make(state));
    struct evidence known = {
        .archive = "one.tar.zst", .sha256 = x.s.log.entries[0].object, .line = 5};
    struct evidence kept = {
        .archive = "two.tar.zst", .sha256 = x.s.log.entries[1].object, .line = 6};
    struct evidence unknown = {.archive = "no.tar.zst", .sha256 = THIRD, .line = 7};
    struct withdrawal gone = {.line = 9};
    struct evidence *const of[] = {&known, &kept, &unknown};
    struct result results[3];
    for (size_t i = 0; i < 3; i++)
        results[i] = (struct result){
            .file = "r.json", .evidence = of[i], .n_evidence = 1, .withdrawn = &gone};
    struct reproduction again = {
        .file = "again.json", .archive = "again.tar.zst", .sha256 = THIRD, .line = 3};
    const struct project p = {
        .results = results, .n_results = 3, .reproductions = &again, .n_reproductions = 1};
    store_check_records(&x.report, &x.s, &p);
    assert_string_equal(
        found(&x),
        "state 9: withdrawn by its record, but none of its submissions is in the log; `fpreport "
        "archive withdraw` says it there\n"
        "record 7: names no.tar.zst, SHA-256 0011223344556677…, which is not in the archive\n"
        "record 3: names again.tar.zst, SHA-256 0011223344556677…, which is not in the archive\n");
    store_close(&x.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(entries_that_follow_from_none_before_are_found),
        IN_FOLDER(a_run_that_two_signed_is_found),
        IN_FOLDER(faults_that_are_too_many_are_counted),
        IN_FOLDER(what_is_no_log_is_told),
        IN_FOLDER(a_log_that_changes_meanwhile_is_left_alone),
        IN_FOLDER(a_checkpoint_is_held_against_the_log_and_its_signers),
        IN_FOLDER(a_checkpoint_of_more_than_there_is_is_found),
        IN_FOLDER(records_that_name_what_is_not_there_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
