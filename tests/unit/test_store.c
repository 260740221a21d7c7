/* The archive of submissions: store, log, checkpoints, and the check of all of it. */
#include "tests/unit/folder.h"

#include "base/store_check.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define DIGITS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

/* Made by ssh-keygen with a key that nobody has. */
static const char signed_checkpoint[] =
    "{\"schema\": \"fpreport.checkpoint/1\", \"n\": 0, \"head\": "
    "\"0000000000000000000000000000000000000000000000000000000000000000\", \"date\": "
    "\"2026-11-22T16:00:00Z\"}\n"
    "-----BEGIN SSH SIGNATURE-----\n"
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgO81ahhGzIAWyZvcSL8Z8Ueus/M\n"
    "BBBz4YlbY+o3ext5EAAAAWZnByZXBvcnQtY2hlY2twb2ludC12MQAAAAAAAAAGc2hhNTEy\n"
    "AAAAUwAAAAtzc2gtZWQyNTUxOQAAAEAGYT4UqnJ+TE7a4AwoBrdct78dYOqcuxsjKHL7z4\n"
    "EfuuDTvMMNtO/GZnjlaVN/0r3j+XFdBf9zqXSJbnTsiP8A\n"
    "-----END SSH SIGNATURE-----\n";

static void write_file(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static struct bytes read_file(const char *path, struct arena *arena)
{
    struct bytes b;
    struct err err = ERR_INIT;
    if (file_read(path, STORE_LOG_MAX, arena, &b, &err) < 0)
        fail_msg("%s", err.text);
    return b;
}

/* Findings about this archive; what kinds, as "log altered". */
static size_t check(const char *root, struct arena *arena, char *kinds, size_t size)
{
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    struct store_report r = {.arena = arena, .root = root, .now = (long long)time(NULL)};
    diags_init(&d, arena);
    kinds[0] = '\0';
    if (store_open(&s, root, arena, &d, &err) < 0) {
        snprintf(kinds, size, "none");
        return 1;
    }
    store_check_log(&r, &s.log, "log.jsonl", &d);
    store_check_files(&r, &s);
    store_close(&s);
    assert_null(r.machine);
    for (size_t i = 0; i < r.n; i++) {
        size_t at = strlen(kinds);
        if (!strstr(kinds, store_finding_name(r.findings[i].kind)))
            snprintf(kinds + at, size - at, "%s%s", at ? " " : "",
                     store_finding_name(r.findings[i].kind));
    }
    return r.n;
}

#define FINDS(root, expected)                        \
    do {                                             \
        struct arena found_ = ARENA_INIT;            \
        char kinds_[256];                            \
        check(root, &found_, kinds_, sizeof kinds_); \
        arena_release(&found_);                      \
        assert_string_equal(kinds_, expected);       \
    } while (0)

static void add(struct store *s, const char *text, const char *submission)
{
    struct err err = ERR_INIT;
    char *hex = arena_alloc(s->arena, HASH_HEX_SIZE);
    hash_sha256(text, strlen(text), hex);
    struct store_entry e = {.kind = STORE_ADDED,
                            .submission = submission,
                            .object = hex,
                            .rules = "2026.2",
                            .verdict = DIGITS};
    if (store_put(s, (struct bytes){text, strlen(text)}, hex, &err) < 0 ||
        store_append(s, &e, &err) < 0)
        fail_msg("%s", err.text);
}

/* Two submissions, one withdrawn, one published in part. */
static const char *make(void **state)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    const char *root = in_folder(state, "archive");
    char two[HASH_HEX_SIZE];
    hash_sha256("tw", 2, two);
    const char *withheld[] = {"case.json", "rank0.out.log"};
    struct store_entry gone = {.kind = STORE_WITHDRAWN,
                               .submission = DIGITS,
                               .by = "Acme",
                               .reason = {"驱动有误", "The driver was at fault."}};
    struct store_entry part = {.kind = STORE_REDACTION,
                               .submission = OTHER,
                               .by = "us",
                               .publish = STORE_REDACTED,
                               .object = two,
                               .withheld = withheld,
                               .n_withheld = 2,
                               .reason = {"host names", NULL}};
    diags_init(&d, &f->arena);
    if (store_lock(&s, root, &f->arena, &d, &err) < 0)
        fail_msg("%s", err.text);
    add(&s, "one", DIGITS);
    add(&s, "two", OTHER);
    if (store_put(&s, (struct bytes){"tw", 2}, two, &err) < 0 ||
        store_append(&s, &gone, &err) < 0 || store_append(&s, &part, &err) < 0)
        fail_msg("%s", err.text);
    store_close(&s);
    return root;
}

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
    store_close(&s);
    FINDS(root, "");
}

/* Each line by itself: taken away, doubled, exchanged with the next, and in each byte of it. */
static void every_edit_of_the_log_is_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const struct bytes whole = read_file(path, &f->arena);
    const char *lines[5] = {whole.data};
    char *text = arena_alloc(&f->arena, whole.len * 2);
    for (size_t i = 1; i < 5; i++)
        lines[i] = strchr(lines[i - 1], '\n') + 1;
    assert_ptr_equal(lines[4], whole.data + whole.len);
    for (size_t i = 0; i < 4; i++) {
        size_t before = (size_t)(lines[i] - whole.data), one = (size_t)(lines[i + 1] - lines[i]);
        memcpy(text, whole.data, before);
        memcpy(text + before, lines[i + 1], whole.len - before - one);
        write_file(path, text, whole.len - one);
        struct arena a = ARENA_INIT;
        char kinds[256];
        assert_true(check(root, &a, kinds, sizeof kinds) > 0); /* removed */
        memcpy(text, whole.data, before + one);
        memcpy(text + before + one, lines[i], whole.len - before);
        write_file(path, text, whole.len + one);
        assert_true(check(root, &a, kinds, sizeof kinds) > 0); /* doubled */
        if (i < 3) {
            size_t next = (size_t)(lines[i + 2] - lines[i + 1]);
            memcpy(text, whole.data, whole.len);
            memcpy(text + before, lines[i + 1], next);
            memcpy(text + before + next, lines[i], one);
            write_file(path, text, whole.len);
            assert_true(check(root, &a, kinds, sizeof kinds) > 0); /* exchanged */
        }
        arena_release(&a);
    }
    write_file(path, whole.data, whole.len);
    FINDS(root, "");
}

static void every_truncation_of_the_log_is_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const struct bytes whole = read_file(path, &f->arena);
    for (size_t n = 0; n < whole.len; n++) {
        struct arena a = ARENA_INIT;
        char kinds[256];
        write_file(path, whole.data, n);
        assert_true(check(root, &a, kinds, sizeof kinds) > 0);
        assert_non_null(strstr(kinds, "log")); /* never taken for a line that was not finished */
        arena_release(&a);
    }
}

static size_t flips_not_found(const char *root, const char *path, struct arena *arena)
{
    const struct bytes whole = read_file(path, arena);
    char *text = arena_alloc(arena, whole.len);
    size_t missed = 0;
    for (size_t bit = 0; bit < whole.len * 8; bit++) {
        struct arena a = ARENA_INIT;
        char kinds[256];
        memcpy(text, whole.data, whole.len);
        text[bit / 8] ^= (char)(1 << bit % 8);
        write_file(path, text, whole.len);
        missed += check(root, &a, kinds, sizeof kinds) == 0;
        arena_release(&a);
    }
    write_file(path, whole.data, whole.len);
    return missed;
}

static void every_bit_is_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    char one[HASH_HEX_SIZE];
    hash_sha256("one", 3, one);
    const char *const files[] = {path_join(&f->arena, root, STORE_LOG_NAME),
                                 path_join(&f->arena, root, STORE_HEAD_NAME),
                                 store_object_path(root, one, &f->arena)};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(flips_not_found(root, files[i], &f->arena), 0);
    FINDS(root, "");
}

/* What a power failure leaves behind the last line is none of these, and is cut off when asked. */
static void a_line_that_was_not_finished_is_another_thing(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const struct bytes whole = read_file(path, &f->arena);
    char *text = arena_alloc(&f->arena, whole.len + 100);
    static const char *const ends[] = {"{", "{\"schema\": \"fpreport.log/1\", \"n\": 5, \"pr", " "};
    for (size_t i = 0; i <= sizeof ends / sizeof *ends; i++) {
        struct store s;
        struct diags d;
        struct err err = ERR_INIT;
        bool zeros = i == sizeof ends / sizeof *ends;
        struct store_repaired did;
        size_t n = zeros ? 64 : strlen(ends[i]);
        memcpy(text, whole.data, whole.len);
        memset(text + whole.len, 0, 64);
        if (!zeros)
            memcpy(text + whole.len, ends[i], n);
        write_file(path, text, whole.len + n);
        FINDS(root, "torn");
        diags_init(&d, &f->arena);
        assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), -1);
        assert_non_null(strstr(err.text, "archive repair"));
        assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
        assert_int_equal(did.cut, n);
        FINDS(root, "");
        assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
        assert_int_equal(did.cut, 0);
    }
}

/* Blocks of a line come to the disk in any order: its end may be there, and zeros in front of it.
 */
static void a_line_with_a_hole_was_not_finished_either(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const struct bytes whole = read_file(path, &f->arena);
    static const char end[] = "\"}\n";
    char *text = arena_alloc(&f->arena, whole.len + 100);
    struct store_repaired did;
    struct diags d;
    struct err err = ERR_INIT;
    memcpy(text, whole.data, whole.len);
    memcpy(text + whole.len + 40, end, strlen(end));
    write_file(path, text, whole.len + 40 + strlen(end));
    FINDS(root, "torn");
    diags_init(&d, &f->arena);
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
    assert_int_equal(did.cut, 40 + strlen(end));
    FINDS(root, "");
    /* The same in a line that the head names is no accident of a disk. */
    memcpy(text, whole.data, whole.len);
    text[whole.len - 20] = '\0';
    write_file(path, text, whole.len);
    FINDS(root, "log unlogged");
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), -1);
}

/* Whoever reads the message can run what it says. */
static void a_repair_is_named_as_a_shell_takes_it(void **state)
{
    struct folder *f = *state;
    struct arena *a = &f->arena;
    assert_string_equal(store_repair_command(STORE_DEFAULT, a), "fpreport archive repair");
    assert_string_equal(store_repair_command("/srv/archive", a),
                        "fpreport archive repair --archive /srv/archive");
    assert_string_equal(store_repair_command("it's mine", a),
                        "fpreport archive repair --archive 'it'\\''s mine'");
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

static void files_that_are_not_the_archives_are_found(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    static const struct {
        const char *path, *kind;
    } files[] = {
        {"notes.txt", "foreign"},
        {"objects/x", "foreign"},
        {"objects/sha256/xy", "foreign"},
        {"objects/sha256/7b/readme", "foreign"},
        {"head.fpreport-tmp", "left"},
        {"incoming/" DIGITS, "left"},
        {"objects/sha256/01/" DIGITS, "altered unlogged"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err err = ERR_INIT;
        const char *path = path_join(&f->arena, root, files[i].path);
        assert_int_equal(file_mkdirs_for(path, &err), 0);
        write_file(path, "x", 1);
        FINDS(root, files[i].kind);
        if (strncmp(files[i].path, "incoming", 8) == 0)
            assert_int_equal(file_remove_tree(path_join(&f->arena, root, STORE_INCOMING), &err), 0);
        else
            assert_int_equal(unlink(path), 0);
    }
    char one[HASH_HEX_SIZE];
    hash_sha256("one", 3, one);
    assert_int_equal(unlink(store_object_path(root, one, &f->arena)), 0);
    FINDS(root, "missing");
    assert_int_equal(symlink("/dev/null", store_object_path(root, one, &f->arena)), 0);
    FINDS(root, "missing foreign");
}

/* An object whose entry never came is cleared away by the next writer; one that is known stays. */
static void what_a_dead_writer_left_is_cleared_away(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    char hex[HASH_HEX_SIZE], one[HASH_HEX_SIZE];
    diags_init(&d, &f->arena);
    hash_sha256("three", 5, hex);
    hash_sha256("one", 3, one);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    assert_int_equal(store_put(&s, (struct bytes){"three", 5}, hex, &err), 0);
    close(s.lock_fd);
    s.lock_fd = -1;
    store_close(&s);
    FINDS(root, "unlogged");
    assert_int_equal(file_write(path_join(&f->arena, root, "incoming/x"), "x", 1, &err), 0);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    store_close(&s);
    FINDS(root, "");
    write_file(path_join(&f->arena, root, STORE_LOCK), one, HASH_HEX_LEN);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    store_close(&s);
    FINDS(root, "");
}

/* Bytes that were altered are put right by adding them again. */
static void an_altered_object_is_replaced(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    char one[HASH_HEX_SIZE];
    diags_init(&d, &f->arena);
    hash_sha256("one", 3, one);
    write_file(store_object_path(root, one, &f->arena), "0ne", 3);
    FINDS(root, "altered");
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    assert_int_equal(store_put(&s, (struct bytes){"one", 3}, one, &err), 0);
    store_close(&s);
    FINDS(root, "");
}

/* A killed writer may have written the line and not the head. */
static void a_head_that_is_one_behind_is_brought_up(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *head = path_join(&f->arena, root, STORE_HEAD_NAME);
    const struct bytes log = read_file(path_join(&f->arena, root, STORE_LOG_NAME), &f->arena);
    const char *at = log.data;
    for (int i = 0; i < 4; i++) {
        char hex[HASH_HEX_SIZE], text[100];
        const char *end = strchr(at, '\n') + 1;
        hash_sha256(at, (size_t)(end - at), hex);
        snprintf(text, sizeof text, "%d %s\n", i + 1, hex);
        write_file(head, text, strlen(text));
        FINDS(root, i < 2 ? "log" : "");
        at = end;
    }
}

static bool written_anew(const char *root, struct store_repaired *did, struct arena *arena,
                         const char **why)
{
    struct diags d;
    struct err err = ERR_INIT;
    diags_init(&d, arena);
    int rc = store_repair(root, did, arena, &d, &err);
    *why = arena_strdup(arena, err.text);
    assert_int_equal(d.n > 0, rc < 0);
    return rc == 0;
}

/* Of a log whose lines are whole, when no checkpoint says that there were others. */
static void a_head_that_is_lost_is_written_anew(void **state)
{
    struct folder *f = *state;
    const char *root = make(state), *why;
    const char *head = path_join(&f->arena, root, STORE_HEAD_NAME);
    const char *path = path_join(&f->arena, root, STORE_LOG_NAME);
    const char *checkpoint = path_join(&f->arena, root, CHECKPOINT_NAME);
    const struct bytes was = read_file(head, &f->arena), log = read_file(path, &f->arena);
    char *text = arena_strndup(&f->arena, log.data, log.len), hex[HASH_HEX_SIZE];
    struct store_repaired did;
    assert_int_equal(unlink(head), 0);
    FINDS(root, "log");
    text[100] ^= 1;
    write_file(path, text, log.len);
    assert_false(written_anew(root, &did, &f->arena, &why));
    write_file(path, log.data, log.len - 1);
    assert_false(written_anew(root, &did, &f->arena, &why));
    assert_false(file_exists(head));
    write_file(path, log.data, log.len);
    assert_true(written_anew(root, &did, &f->arena, &why));
    assert_int_equal(did.head, 4);
    assert_int_equal(did.vouched, -1);
    assert_int_equal(did.cleared, 0);
    assert_string_equal(read_file(head, &f->arena).data, was.data);
    /* That of an earlier log, as a copy may have it; not one of other lines. */
    hash_sha256(log.data, (size_t)(strchr(log.data, '\n') + 1 - log.data), hex);
    const char *first = arena_printf(&f->arena, "1 %s\n", hex);
    write_file(head, first, strlen(first));
    assert_true(written_anew(root, &did, &f->arena, &why));
    assert_string_equal(read_file(head, &f->arena).data, was.data);
    write_file(head, "1 " DIGITS "\n", HASH_HEX_LEN + 3);
    assert_false(written_anew(root, &did, &f->arena, &why));
    /* A signed checkpoint of no lines holds for every log; one that nobody signed says nothing. */
    const char *armour = strchr(signed_checkpoint, '\n') + 1;
    assert_int_equal(unlink(head), 0);
    write_file(path_join(&f->arena, root, CHECKPOINT_SIGNATURE), armour, strlen(armour));
    write_file(checkpoint, signed_checkpoint, (size_t)(armour - signed_checkpoint));
    assert_true(written_anew(root, &did, &f->arena, &why));
    assert_int_equal(did.vouched, 0);
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
        {last + 401 * 86400, false, NULL, "401 days behind the last entry"},
        {last + 401 * 86400, true, "2027-12-28T16:00:00Z", NULL},
        {1, true, NULL, "says 1970-01-01T00:00:01Z, expected a time of 2020 or later"},
        {-1, true, NULL, "expected a time of 2020"},
        {253402300800LL, true, NULL, "expected a time of 2020"},
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

/* Stopped between the two files of a checkpoint: the next writer, or a repair, makes them a pair.
 */
static void a_checkpoint_that_was_on_its_way_is_put_in_place(void **state)
{
    struct folder *f = *state;
    const char *root = make(state);
    const char *next = path_join(&f->arena, root, CHECKPOINT_NEXT);
    const char *name = path_join(&f->arena, root, CHECKPOINT_NAME);
    struct store_repaired did;
    struct diags d;
    struct err err = ERR_INIT;
    diags_init(&d, &f->arena);
    write_file(name, "old\n", 4);
    write_file(path_join(&f->arena, root, CHECKPOINT_SIGNATURE), "new", 3);
    write_file(next, signed_checkpoint, strlen(signed_checkpoint));
    FINDS(root, "left");
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
    assert_true(did.checkpoint);
    assert_false(file_exists(next));
    const struct bytes text = read_file(name, &f->arena);
    assert_memory_equal(text.data, signed_checkpoint, text.len);
    assert_string_equal(read_file(path_join(&f->arena, root, CHECKPOINT_SIGNATURE), &f->arena).data,
                        signed_checkpoint + text.len);
    /* What is no pair replaces nothing. */
    write_file(next, "{}\n-----BEGIN", 13);
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
    assert_false(did.checkpoint);
    assert_false(file_exists(next));
    assert_memory_equal(read_file(name, &f->arena).data, signed_checkpoint, text.len);
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
        IN_FOLDER(every_edit_of_the_log_is_found),
        IN_FOLDER(every_truncation_of_the_log_is_found),
        IN_FOLDER(every_bit_is_found),
        IN_FOLDER(a_line_that_was_not_finished_is_another_thing),
        IN_FOLDER(a_line_with_a_hole_was_not_finished_either),
        IN_FOLDER(a_repair_is_named_as_a_shell_takes_it),
        IN_FOLDER(nothing_is_written_behind_a_fault),
        IN_FOLDER(files_that_are_not_the_archives_are_found),
        IN_FOLDER(what_a_dead_writer_left_is_cleared_away),
        IN_FOLDER(an_altered_object_is_replaced),
        IN_FOLDER(a_head_that_is_one_behind_is_brought_up),
        IN_FOLDER(a_head_that_is_lost_is_written_anew),
        IN_FOLDER(a_clock_that_cannot_be_right_is_not_believed),
        IN_FOLDER(a_checkpoint_that_was_on_its_way_is_put_in_place),
        IN_FOLDER(a_checkpoint_holds_for_what_came_after_it),
        IN_FOLDER(entries_have_what_their_kind_needs),
        cmocka_unit_test(times_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
