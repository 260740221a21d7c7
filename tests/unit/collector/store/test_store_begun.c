/* store: what is an archive, what is none yet, and what is neither; where bytes are looked for. */
#include "tests/unit/store_sample.h"

static int opened(void **state, const char *root, struct err *err)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    *err = (struct err)ERR_INIT;
    diags_init(&d, &f->arena);
    int rc = store_open(&s, root, &f->arena, &d, err);
    store_close(&s);
    return rc == 0 && d.errors ? 1 : rc;
}

static int begun(const char *root)
{
    struct err err = ERR_INIT;
    return store_is_begun(root, &err);
}

static void put(void **state, const char *name, const char *text)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    const char *path = path_join(&f->arena, in_folder(state, "archive"), name);
    assert_int_equal(file_mkdirs_for(path, &err), 0);
    write_file(path, text, strlen(text));
}

static void what_a_first_writer_leaves_is_no_archive(void **state)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    const char *root = in_folder(state, "archive");
    char hex[HASH_HEX_SIZE];
    hash_sha256("one", 3, hex);
    diags_init(&d, &f->arena);
    assert_int_equal(begun(root), 0);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    assert_int_equal(begun(root), 1);
    assert_int_equal(store_put(&s, (struct bytes){"one", 3}, hex, &err), 0);
    store_close(&s); /* as one that was killed */
    assert_int_equal(begun(root), 1);
    assert_true(store_is_noted(root, hex));
    assert_int_equal(opened(state, root, &err), 0);
    /* The next one clears it away, and is a first one, too. */
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    assert_false(file_exists(store_object_path(root, hex, &f->arena)));
    assert_int_equal(begun(root), 1);
    add(&s, "one", DIGITS);
    store_close(&s);
    assert_int_equal(begun(root), 0);
    assert_int_equal(store_note_of(root).begun, 0);
    assert_false(store_is_noted(root, hex));
}

static void what_is_left_of_an_archive_is_not_begun(void **state)
{
    static const char *const lost[] = {STORE_LOG_NAME, STORE_HEAD_NAME, NULL};
    struct folder *f = *state;
    struct err err;
    const char *root = make(state);
    for (size_t i = 0; lost[i]; i++) {
        assert_int_equal(unlink(path_join(&f->arena, root, lost[i])), 0);
        assert_int_equal(begun(root), 0);
        assert_int_equal(opened(state, root, &err), 1);
    }
    /* With the word of a first writer there are too many objects, or there is a checkpoint. */
    put(state, STORE_LOCK, STORE_NOTE_BEGUN DIGITS);
    assert_int_equal(begun(root), 0);
    struct err ignored = ERR_INIT;
    assert_int_equal(file_remove_tree(path_join(&f->arena, root, "objects"), &ignored), 0);
    assert_int_equal(begun(root), 1);
    put(state, CHECKPOINT_SIGNATURE, "");
    assert_int_equal(begun(root), 0);
}

/* Whatever a power failure left of the note. */
static void a_note_is_whole_or_none(void **state)
{
    static const struct {
        const char *lock;
        bool begun, noted;
    } cases[] = {
        {"", false, false},
        {"begun", false, false},
        {STORE_NOTE_BEGUN, true, false},
        {STORE_NOTE_BEGUN "0123", true, false},
        {STORE_NOTE_BEGUN DIGITS, true, true},
        {STORE_NOTE_BEGUN DIGITS "0", true, false},
        {DIGITS, false, true},
        {DIGITS "\n", false, false},
        {"0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", false, false},
    };
    const char *root = in_folder(state, "archive");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(state, STORE_LOCK, cases[i].lock);
        assert_int_equal(store_note_of(root).begun, cases[i].begun);
        assert_int_equal(store_is_noted(root, DIGITS), cases[i].noted);
    }
    struct store_note note;
    struct err err = ERR_INIT;
    assert_int_equal(store_note_read(-1, root, &note, &err), -1);
    assert_int_equal(store_note_write(-1, root, &note, &err), -1);
}

static void what_cannot_be_an_archive_is_refused(void **state)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    diags_init(&d, &f->arena);
    const char *root = in_folder(state, "archive");
    assert_int_equal(opened(state, root, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    write_file(root, "", 0);
    assert_int_equal(opened(state, root, &err), -1);
    assert_int_equal(err.kind, ERR_IO); /* a file */
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), -1);
    assert_int_equal(unlink(root), 0);
    assert_int_equal(symlink("nowhere", root), 0);
    assert_int_equal(opened(state, root, &err), -1);
    assert_int_equal(err.kind, ERR_IO); /* a link */
    assert_int_equal(unlink(root), 0);
    make(state);
    const char *lock = path_join(&f->arena, root, STORE_LOCK);
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(symlink("log.jsonl", lock), 0);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), -1);
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(symlink("nowhere", lock), 0);
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), -1);
    assert_int_equal(unlink(lock), 0);
    /* A copy without a lock: its log says that it is none that was begun. */
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), 0);
    store_close(&s);
    assert_false(store_note_of(root).begun);
    FINDS(root, "");
    /* Through a link nothing is written. */
    const char *objects = path_join(&f->arena, root, "objects");
    assert_int_equal(rename(objects, in_folder(state, "elsewhere")), 0);
    assert_int_equal(symlink("../elsewhere", objects), 0);
    err = (struct err)ERR_INIT;
    assert_int_equal(store_lock(&s, root, &f->arena, &d, &err), -1);
    assert_non_null(strstr(err.text, "found a symbolic link in the path"));
}

static void evidence_is_below_the_records_or_in_the_archive(void **state)
{
    struct folder *f = *state;
    struct store s;
    struct diags d;
    struct err err = ERR_INIT;
    struct arena *a = &f->arena;
    const char *root = make(state), *records = in_folder(state, "records");
    diags_init(&d, a);
    assert_int_equal(store_open(&s, root, a, &d, &err), 0);
    const char *one = s.log.entries[0].object;
    assert_string_equal(store_place_of(NULL, records, "x.tar.zst", one, a).folder, records);
    assert_string_equal(store_place_of(&s, records, "x.tar.zst", NULL, a).folder, records);
    assert_string_equal(store_place_of(&s, records, "x.tar.zst", OTHER, a).folder, records);
    assert_string_equal(store_place_of(&s, records, "x.tar.zst", one, a).folder, root);
    assert_string_equal(store_place_of(&s, records, "x.tar.zst", one, a).path,
                        store_object_path("", one, a));
    assert_int_equal(file_mkdirs(records, &err), 0);
    write_file(path_join(a, records, "x.tar.zst"), "x", 1);
    assert_string_equal(store_place_of(&s, records, "x.tar.zst", one, a).folder, records);
    store_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_a_first_writer_leaves_is_no_archive),
        IN_FOLDER(what_is_left_of_an_archive_is_not_begun),
        IN_FOLDER(a_note_is_whole_or_none),
        IN_FOLDER(what_cannot_be_an_archive_is_refused),
        IN_FOLDER(evidence_is_below_the_records_or_in_the_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
