/* hash: against the examples of FIPS 180-4 and against sha256sum. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "base/signing/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void digests_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[HASH_HEX_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hash_sha256(rows[i].text, strlen(rows[i].text), hex);
        assert_string_equal(hex, rows[i].hex);
    }
}

static void pieces_equal_the_whole(void **state)
{
    (void)state;
    char text[1000], whole[HASH_HEX_SIZE], pieces[HASH_HEX_SIZE];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 7);
    hash_sha256(text, sizeof text, whole);
    for (size_t step = 1; step < 200; step += 13) {
        struct hash h;
        hash_init(&h);
        for (size_t at = 0; at < sizeof text; at += step)
            hash_add(&h, text + at, at + step > sizeof text ? sizeof text - at : step);
        hash_final(&h, pieces);
        assert_string_equal(pieces, whole);
    }
}

static void files_agree_with_sha256sum(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    char path[] = "/tmp/fpreport-hash-XXXXXX", command[128], hex[HASH_HEX_SIZE], other[80] = "";
    int fd = mkstemp(path);
    static char data[200001];
    memset(data, 'x', sizeof data);
    assert_int_equal(file_write_all(fd, data, sizeof data, path, &err), 0);
    close(fd);
    assert_int_equal(hash_file(path, sizeof data, hex, &err), 0);
    snprintf(command, sizeof command, "sha256sum %s", path);
    FILE *p = popen(command, "r");
    assert_int_equal(fread(other, 1, HASH_HEX_LEN, p), HASH_HEX_LEN);
    pclose(p);
    assert_string_equal(hex, other);
    assert_int_equal(hash_file(path, sizeof data - 1, hex, &err), -1);
    assert_non_null(strstr(err.text, "more than the 200000 bytes"));
    unlink(path);
    assert_int_equal(hash_file(path, 1, hex, &err), -1);
    assert_int_equal(hash_file("/dev/zero", 1, hex, &err), -1);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(hash_file("/tmp", 1, hex, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    /* Opens, and cannot be read: the machine's fault. */
    assert_int_equal(hash_file("/proc/self/mem", 1, hex, &err), -1);
    assert_string_equal(err.text, "/proc/self/mem: Input/output error");
    assert_int_equal(err.kind, ERR_IO);
}

static void only_one_form_is_a_digest(void **state)
{
    (void)state;
    char hex[HASH_HEX_SIZE + 1];
    hash_sha256("", 0, hex);
    assert_true(hash_is_hex(hex));
    hex[3] = 'B';
    assert_false(hash_is_hex(hex));
    hex[3] = 'g';
    assert_false(hash_is_hex(hex));
    hash_sha256("", 0, hex);
    strcat(hex, "0");
    assert_false(hash_is_hex(hex));
    hex[63] = '\0';
    assert_false(hash_is_hex(hex));
    assert_false(hash_is_hex(""));
    assert_false(hash_is_hex(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_of_the_standard),
        cmocka_unit_test(pieces_equal_the_whole),
        cmocka_unit_test(files_agree_with_sha256sum),
        cmocka_unit_test(only_one_form_is_a_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
