/* salt: hashes by hand, a secret that is kept, and everything that is none. */
#include "base/files/dir.h"
#include "tests/unit/unit.h"

#include "tests/unit/machine.h"

#include "base/signing/hash.h"
#include "trainer/cards/salt.h"

#include <sys/stat.h>
#include <sys/wait.h>

#define HEX "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static const char *write_salt(struct machine *m, const char *text, mode_t mode)
{
    machine_file(m, "salt", text);
    assert_int_equal(chmod(machine_path(m, "salt"), mode), 0);
    return machine_path(m, "salt");
}

/* printf '%s:host:node001' HEX | sha256sum | cut -c1-32, and the same of the id */
static void hashes_are_sha256sums(void **state)
{
    struct machine *m = *state;
    struct salt s;
    salt_open(&s, write_salt(m, HEX "\n", 0600), &m->arena);
    assert_null(s.reason);
    assert_string_equal(s.id, "8a6ad4dae7c78e94");
    assert_string_equal(salt_hash(&s, "host", "node001", &m->arena),
                        "663e7f23f5e8915108a72ec530754cf0");
    assert_string_not_equal(salt_hash(&s, "host", "node002", &m->arena),
                            salt_hash(&s, "host", "node001", &m->arena));
    assert_string_not_equal(salt_hash(&s, "machine_id", "node001", &m->arena),
                            salt_hash(&s, "host", "node001", &m->arena));
}

static void it_is_made_once(void **state)
{
    struct machine *m = *state;
    const char *path = machine_path(m, "new/folder/salt");
    struct salt first, second, other;
    struct stat st;
    salt_open(&first, path, &m->arena);
    salt_open(&second, path, &m->arena);
    salt_open(&other, machine_path(m, "other"), &m->arena);
    assert_null(first.reason);
    assert_string_equal(first.hex, second.hex);
    assert_string_not_equal(first.hex, other.hex);
    assert_true(hash_is_hex(first.hex));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    struct dir_entry *entries;
    size_t n;
    assert_int_equal(dir_list(machine_path(m, "new/folder"), &m->arena, &entries, &n, &m->err), 0);
    assert_int_equal(n, 1); /* nothing is left beside it */
}

/* Ranks that begin at the same time agree. */
static void many_make_one(void **state)
{
    enum { MANY = 8 };
    struct machine *m = *state;
    const char *path = machine_path(m, "many/salt");
    int pipes[MANY][2];
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(pipe(pipes[i]), 0);
        if (fork() == 0) {
            struct salt s;
            salt_open(&s, path, &m->arena);
            _exit(s.hex && write(pipes[i][1], s.hex, HASH_HEX_LEN) == HASH_HEX_LEN ? 0 : 1);
        }
    }
    char all[MANY][HASH_HEX_SIZE] = {{0}};
    for (int i = 0, status; i < MANY; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(read(pipes[i][0], all[i], HASH_HEX_LEN), HASH_HEX_LEN);
        assert_string_equal(all[i], all[0]);
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
}

static void what_is_no_salt(void **state)
{
    static const struct {
        const char *text;
        mode_t mode;
        const char *reason;
    } rows[] = {
        {HEX "\n", 0640, "has mode 0640"},
        {HEX "\n", 0604, "has mode 0604"},
        {"", 0600, "does not hold 64 hex digits"},
        {"00112233\n", 0600, "does not hold 64 hex digits"},
        {HEX "\n\n", 0600, "does not hold 64 hex digits"},
        {HEX HEX, 0600, "does not hold 64 hex digits"},
        {"G" HEX, 0600, "does not hold 64 hex digits"},
        {"00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff", 0600,
         "does not hold 64 hex digits"},
    };
    struct machine *m = *state;
    struct salt s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        salt_open(&s, write_salt(m, rows[i].text, rows[i].mode), &m->arena);
        assert_null(s.hex);
        assert_null(s.id);
        if (!strstr(s.reason, rows[i].reason))
            fail_msg("row %zu: %s", i, s.reason);
        assert_int_equal(remove(machine_path(m, "salt")), 0);
    }
    assert_int_equal(mkdir(machine_path(m, "folder"), 0700), 0);
    salt_open(&s, machine_path(m, "folder"), &m->arena);
    assert_non_null(s.reason);
    salt_open(&s, "/proc/none/salt", &m->arena);
    assert_non_null(strstr(s.reason, "/proc/none"));
    assert_int_equal(mkfifo(machine_path(m, "fifo"), 0600), 0);
    salt_open(&s, machine_path(m, "fifo"), &m->arena); /* and does not wait */
    assert_non_null(s.reason);
}

static void where_it_is(void **state)
{
    struct machine *m = *state;
    setenv("XDG_CONFIG_HOME", "/x", 1);
    setenv("HOME", "/h", 1);
    assert_string_equal(salt_path(&m->arena), "/x/fpreport/salt");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    assert_string_equal(salt_path(&m->arena), "/h/.config/fpreport/salt");
    unsetenv("XDG_CONFIG_HOME");
    assert_string_equal(salt_path(&m->arena), "/h/.config/fpreport/salt");
    unsetenv("HOME");
    assert_null(salt_path(&m->arena));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_MACHINE(hashes_are_sha256sums), ON_MACHINE(it_is_made_once), ON_MACHINE(many_make_one),
        ON_MACHINE(what_is_no_salt),       ON_MACHINE(where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
