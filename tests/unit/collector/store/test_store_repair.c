/* What a killed writer or a power failure leaves in an archive: which of it is put right, and when.
 */
#include "tests/unit/store_sample.h"

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
    const char *armour = strchr(SIGNED_CHECKPOINT, '\n') + 1;
    assert_int_equal(unlink(head), 0);
    write_file(path_join(&f->arena, root, CHECKPOINT_SIGNATURE), armour, strlen(armour));
    write_file(checkpoint, SIGNED_CHECKPOINT, (size_t)(armour - SIGNED_CHECKPOINT));
    assert_true(written_anew(root, &did, &f->arena, &why));
    assert_int_equal(did.vouched, 0);
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
    write_file(next, SIGNED_CHECKPOINT, strlen(SIGNED_CHECKPOINT));
    FINDS(root, "left");
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
    assert_true(did.checkpoint);
    assert_false(file_exists(next));
    const struct bytes text = read_file(name, &f->arena);
    assert_memory_equal(text.data, SIGNED_CHECKPOINT, text.len);
    assert_string_equal(read_file(path_join(&f->arena, root, CHECKPOINT_SIGNATURE), &f->arena).data,
                        &SIGNED_CHECKPOINT[text.len]);
    /* What is no pair replaces nothing. */
    write_file(next, "{}\n-----BEGIN", 13);
    assert_int_equal(store_repair(root, &did, &f->arena, &d, &err), 0);
    assert_false(did.checkpoint);
    assert_false(file_exists(next));
    assert_memory_equal(read_file(name, &f->arena).data, SIGNED_CHECKPOINT, text.len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_line_that_was_not_finished_is_another_thing),
        IN_FOLDER(a_line_with_a_hole_was_not_finished_either),
        IN_FOLDER(a_repair_is_named_as_a_shell_takes_it),
        IN_FOLDER(what_a_dead_writer_left_is_cleared_away),
        IN_FOLDER(an_altered_object_is_replaced),
        IN_FOLDER(a_head_that_is_one_behind_is_brought_up),
        IN_FOLDER(a_head_that_is_lost_is_written_anew),
        IN_FOLDER(a_checkpoint_that_was_on_its_way_is_put_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
