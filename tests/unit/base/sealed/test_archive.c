/*
 * tar, zframe, archive: our bytes against GNU tar and zstd, hostile archives made by Python,
 * every truncation and many bit flips of a good one.
 */
#include "tests/unit/archive_file.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/sealed/zframe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOTAL_MAX 50000000

static char *temp_folder(void)
{
    static char path[64];
    strcpy(path, "/tmp/fpreport-archive-XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

static void shell(struct arena *a, const char *fmt, const char *folder)
{
    char *command = arena_printf(a, fmt, folder);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

#define LONG_NAME                                                                            \
    "run20260101000000/tiny_llama:fpreport:CPU:1:1:1/round1/a-host-with-a-rather-long-name_" \
    "noderank0/rank0.out.log"

static const struct tar_member sample[] = {
    {"b/two.txt", {"hello\n", 6}},
    {"SHA256SUMS", {"", 0}},
    {LONG_NAME, {"0123456789", 10}},
    {"a.txt", {"x", 1}},
};
#define SAMPLES (sizeof sample / sizeof *sample)

static void pack_sample(struct buf *out)
{
    struct err err = ERR_INIT;
    struct tar_member members[SAMPLES];
    memcpy(members, sample, sizeof members);
    buf_init(out, BUF_DEFAULT_MAX);
    assert_int_equal(archive_pack(members, SAMPLES, out, &err), 0);
}

static void what_is_packed_is_unpacked(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct buf one, two;
    struct archive_contents got;
    pack_sample(&one);
    pack_sample(&two);
    assert_int_equal(one.len, two.len);
    assert_memory_equal(one.data, two.data, one.len);
    struct bytes packed = {one.data, one.len};
    if (archive_unpack(packed, "x", TOTAL_MAX, &a, &got, &err) < 0)
        fail_msg("%s", err.text);
    static const size_t order[] = {1, 3, 0, 2}; /* sorted by bytes: upper case first */
    assert_int_equal(got.n, SAMPLES);
    assert_true(got.canonical && got.sealed);
    for (size_t i = 0; i < SAMPLES; i++) {
        assert_string_equal(got.members[i].name, sample[order[i]].name);
        assert_int_equal(got.members[i].bytes.len, sample[order[i]].bytes.len);
        assert_string_equal(got.members[i].bytes.data, sample[order[i]].bytes.data);
    }
    char hex[HASH_HEX_SIZE];
    hash_sha256(one.data, one.len, hex);
    assert_string_equal(got.sha256, hex);
    buf_release(&one);
    buf_release(&two);
    arena_release(&a);
}

/* What cannot be compressed may be larger than the least that every archive may hold. */
static void what_hardly_shrinks_is_unpacked(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct buf packed;
    struct archive_contents got;
    unsigned char noise[100000];
    uint64_t bits = 88172645463325252u;
    for (size_t i = 0; i < sizeof noise; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        noise[i] = (unsigned char)bits;
    }
    struct tar_member member = {"noise", {(const char *)noise, sizeof noise}};
    buf_init(&packed, BUF_DEFAULT_MAX);
    assert_int_equal(archive_pack(&member, 1, &packed, &err), 0);
    assert_true(packed.len * ARCHIVE_RATIO_MAX > ARCHIVE_RATIO_FLOOR);
    assert_int_equal(
        archive_unpack((struct bytes){packed.data, packed.len}, "x", TOTAL_MAX, &a, &got, &err), 0);
    assert_true(got.canonical && got.n == 1 && got.members[0].bytes.len == sizeof noise);
    assert_memory_equal(got.members[0].bytes.data, noise, sizeof noise);
    assert_int_equal(archive_unpack((struct bytes){packed.data, packed.len}, "x", sizeof noise - 1,
                                    &a, &got, &err),
                     -1);
    assert_string_equal(err.text,
                        "x: the contents have more than 99999 bytes, the limit for reading");
    assert_true(strspn(archive_zstd_library_version(), "0123456789.") > 2);
    buf_release(&packed);
    arena_release(&a);
}

/* The command in tar.h, run on the same files, gives the same tar bytes. */
static void bytes_are_those_of_gnu_tar(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    const char *folder = temp_folder();
    struct tar_member members[SAMPLES + 1];
    memcpy(members, sample, sizeof sample);
    char *big = arena_alloc(&a, 3000001);
    memset(big, 'q', 3000000);
    members[SAMPLES] = (struct tar_member){"big.log", {big, 3000000}};
    for (size_t i = 0; i <= SAMPLES; i++)
        assert_int_equal(file_write(arena_printf(&a, "%s/in/%s", folder, members[i].name),
                                    members[i].bytes.data, members[i].bytes.len, &err),
                         0);
    const char *ours = arena_printf(&a, "%s/ours.tar.zst", folder);
    write_archive(ours, members, SAMPLES + 1);
    shell(&a,
          "cd %s && zstd -q -d ours.tar.zst && cd in && export LC_ALL=C && find . -type f | "
          "sed 's#^\\./##' | sort | tar --format=ustar --no-recursion -T - --mtime=@0 --owner=0 "
          "--group=0 --numeric-owner --mode=0644 -b1 -cf ../gnu.tar && cmp ../gnu.tar ../ours.tar",
          folder);
    shell(&a, "cd %s && test \"$(zstd -lv ours.tar.zst | sed -n 's/# Zstandard Frames: //p')\" = 1",
          folder);
    file_remove_tree(folder, &err);
    arena_release(&a);
}

static void expect(const char *folder, char *line)
{
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct archive_contents got = {0};
    line[strcspn(line, "\n")] = '\0';
    char *want = strchr(line, '\t');
    *want++ = '\0';
    const char *path = arena_printf(&a, "%s/%s", folder, line);
    struct bytes packed;
    int rc = file_read(path, ARCHIVE_PACKED_MAX, &a, &packed, &err);
    if (rc == 0)
        rc = archive_unpack(packed, path, TOTAL_MAX, &a, &got, &err);
    char *seen = rc < 0
                     ? err.text
                     : arena_printf(&a, "ok %zu %s", got.n, got.canonical ? "canonical" : "other");
    bool wants_ok = strncmp(want, "ok ", 3) == 0;
    if ((rc == 0) != wants_ok || !strstr(seen, want))
        fail_msg("%s: expected '%s', got '%s'", line, want, seen);
    if (rc < 0) {
        assert_int_equal(err.kind, ERR_INPUT);
        assert_memory_equal(err.text, path, strlen(path));
        for (const char *c = err.text; *c; c++)
            assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    }
    arena_release(&a);
}

static void hostile_archives_are_refused(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    const char *folder = temp_folder();
    FILE *made = popen(arena_printf(&a, "python3 tests/unit/make_archives.py %s", folder), "r");
    char line[1024];
    int n = 0;
    for (; fgets(line, sizeof line, made); n++)
        expect(folder, line);
    assert_int_equal(pclose(made), 0);
    assert_int_equal(n, 45);
    file_remove_tree(folder, &err);
    arena_release(&a);
}

static void truncated_archives_are_refused(void **state)
{
    (void)state;
    struct buf packed;
    pack_sample(&packed);
    for (size_t len = 0; len < packed.len; len++) {
        struct arena a = ARENA_INIT;
        struct err err = ERR_INIT;
        struct archive_contents got;
        char *copy = arena_strndup(&a, packed.data, len);
        int rc = archive_unpack((struct bytes){copy, len}, "x", TOTAL_MAX, &a, &got, &err);
        /* The frame alone is an archive, which has lost its seal. */
        assert_int_equal(rc, len == packed.len - ZFRAME_SEAL_BYTES ? 0 : -1);
        assert_false(got.sealed);
        arena_release(&a);
    }
    buf_release(&packed);
}

static bool same_as_sample(const struct archive_contents *got)
{
    struct tar_member want[SAMPLES];
    memcpy(want, sample, sizeof want);
    tar_sort(want, SAMPLES);
    bool same = got->n == SAMPLES;
    for (size_t i = 0; same && i < SAMPLES; i++)
        same = strcmp(got->members[i].name, want[i].name) == 0 &&
               got->members[i].bytes.len == want[i].bytes.len &&
               memcmp(got->members[i].bytes.data, want[i].bytes.data, want[i].bytes.len) == 0;
    return same;
}

/* The seal refuses every one. Without it a flipped bit is refused, changes what is read (which the
 * manifest will find), or is one of the few in the frame header and the literals' descriptors that
 * change nothing. */
static void flip_bits(const struct buf *packed, size_t len, size_t *refused, size_t *unseen)
{
    *refused = *unseen = 0;
    for (size_t bit = 0; bit < len * 8; bit++) {
        struct arena a = ARENA_INIT;
        struct err err = ERR_INIT;
        struct archive_contents got;
        packed->data[bit / 8] ^= (char)(1 << bit % 8);
        struct bytes bytes = {packed->data, len};
        int rc = archive_unpack(bytes, "x", TOTAL_MAX, &a, &got, &err);
        *refused += rc < 0;
        if (rc == 0 && got.canonical)
            *unseen += same_as_sample(&got);
        packed->data[bit / 8] ^= (char)(1 << bit % 8);
        arena_release(&a);
    }
}

static void flipped_bits_never_crash(void **state)
{
    (void)state;
    struct buf packed;
    size_t refused, unseen, frame;
    pack_sample(&packed);
    flip_bits(&packed, packed.len, &refused, &unseen);
    assert_int_equal(refused, packed.len * 8);
    frame = packed.len - ZFRAME_SEAL_BYTES;
    flip_bits(&packed, frame, &refused, &unseen);
    assert_true(refused > frame * 4);
    assert_true(unseen > 0 && unseen < 40);
    buf_release(&packed);
}

static void the_windows_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        unsigned char bytes[16];
        size_t len;
        const char *problem; /* NULL: fine */
    } rows[] = {
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00}, 9, NULL},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68, 0x01, 0x00, 0x00}, 9, NULL}, /* 2^23 */
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x69, 0x01, 0x00, 0x00}, 9, "of 9437184 bytes"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0x00, 0x00}, 9, "of 4123168604160 bytes"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x21, 0x00, 0x00}, 7, "dictionary"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x28, 0x00, 0x01, 0x00, 0x00}, 9, "reserved bit"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x07, 0x00, 0x00}, 9, "broken block header"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x00, 0x00, 0x00}, 9, "cut short"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x00, 0x01, 0x00, 0x00}, 9, "cut short"},
        {{0x28, 0xb5, 0x2f, 0xfd}, 4, "cut short"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00}, 5, "cut short"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20}, 5, "cut short"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x00, 0x00, 0x01, 0x00, 0x00}, 10, NULL}, /* 256 bytes */
        {{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x00, 0x00, 0x80, 0x00, 0x01, 0x00, 0x00}, 12, NULL},
        {{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x01, 0x00, 0x80, 0x00, 0x01, 0x00, 0x00},
         12,
         "of 8388609 bytes"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00, 0x00},
         16,
         "of 9223372036854775808 bytes"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x00, 0x01, 0x00, 0x00, 1, 2, 3, 4}, 13, NULL},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00, 9}, 10, "x: 1 bytes follow"},
        {{0x1f, 0x8b, 8}, 3, "not a zstd file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct zframe z;
        int rc = zframe_check(rows[i].bytes, rows[i].len, ARCHIVE_WINDOW_MAX, "x", &z, &err);
        assert_int_equal(rc, rows[i].problem ? -1 : 0);
        if (rows[i].problem && !strstr(err.text, rows[i].problem))
            fail_msg("row %zu: %s", i, err.text);
    }
}

/* Behind the frame stands its digest, and the figure is that of all bytes that do. */
static void only_the_seal_follows_the_frame(void **state)
{
    (void)state;
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0};
    unsigned char bytes[sizeof frame + ZFRAME_SEAL_BYTES + 1] = {0};
    memcpy(bytes, frame, sizeof frame);
    zframe_seal_head(bytes + sizeof frame);
    for (size_t behind = 0; behind <= ZFRAME_SEAL_BYTES + 1; behind++)
        for (size_t flipped = 0; flipped <= ZFRAME_SEAL_HEAD; flipped++) {
            struct err err = ERR_INIT;
            struct zframe z;
            char said[64] = "";
            bytes[sizeof frame + flipped] ^= 1;
            int rc = zframe_check(bytes, sizeof frame + behind, ARCHIVE_WINDOW_MAX, "x", &z, &err);
            bytes[sizeof frame + flipped] ^= 1;
            bool sealed = behind == ZFRAME_SEAL_BYTES && flipped == ZFRAME_SEAL_HEAD;
            if (behind && !sealed)
                snprintf(said, sizeof said, "x: %zu bytes follow the zstd frame", behind);
            assert_int_equal(rc, *said ? -1 : 0);
            assert_string_equal(err.text, said);
            assert_ptr_equal(z.sha256, sealed ? bytes + sizeof frame + ZFRAME_SEAL_HEAD : NULL);
        }
}

#define NAME120                                                                                    \
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmn" \
    "opqrstuvwxyzabcdefghijklmnop"

static void names_have_rules(void **state)
{
    (void)state;
    static const char byte[] = "has a byte other than letters, digits and . _ + : -";
    static const struct {
        const char *name, *problem; /* NULL: none */
    } rows[] = {
        {"azAZ09._+:-", NULL},
        {"", "is empty"},
        {NAME120 NAME120, NULL},
        {NAME120 NAME120 "x", "is longer than 240 bytes"},
        {"/a", "begins with '/'"},
        {"a//b", "has an empty component"},
        {"a/", "ends with '/'"},
        {"a/.b", "has a component that begins with '.' or '-'"},
        {"-b", "has a component that begins with '.' or '-'"},
        {"a/b/c/d/e/f/g/h/i/j/k/l", NULL},
        {"a/b/c/d/e/f/g/h/i/j/k/l/m", "is nested more than 12 levels deep"},
        {"`", byte},
        {"{", byte},
        {"@", byte},
        {"[", byte},
        {"a;", byte},
        {"a,", byte},
        {"a b", byte},
        {"a\\b", byte},
        {"a\xc3\xa9", byte},
        {"a\x7f", byte},
        {"a\n", byte},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *problem = foreign_name_problem(rows[i].name);
        assert_string_equal(problem ? problem : "none", rows[i].problem ? rows[i].problem : "none");
    }
}

static int to_count(void *to, const void *data, size_t len, struct err *err)
{
    (void)data, (void)err;
    *(size_t *)to += len;
    return 0;
}

/* What a ustar header has no room for; nothing of such a member is written. */
static void members_that_no_header_holds(void **state)
{
    (void)state;
    static const struct {
        struct tar_member member;
        const char *message; /* "": it fits */
    } rows[] = {
        {{"x", {"", (size_t)8 << 30}}, "x: too large for a ustar header"},
        {{NAME120, {"", 0}}, NAME120 ": the name does not fit into a ustar header"},
        {{"d/" NAME120, {"", 0}}, "d/" NAME120 ": the name does not fit into a ustar header"},
        {{NAME120 "/d", {"", 0}}, ""},
        {{NAME120 NAME120 "/d", {"", 0}},
         NAME120 NAME120 "/d: the name does not fit into a ustar header"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        size_t written = 0;
        int rc = tar_serialise(&rows[i].member, 1, to_count, &written, &err);
        assert_string_equal(err.text, rows[i].message);
        assert_int_equal(rc, *err.text ? -1 : 0);
        assert_int_equal(written, *err.text ? 0 : 3 * 512);
    }
}

static void names_that_cannot_be_packed(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    char name[FOREIGN_NAME_MAX + 1];
    memset(name, 'a', 120);
    name[120] = '\0';
    struct tar_member member = {name, {"", 0}};
    assert_int_equal(archive_pack(&member, 1, &out, &err), -1);
    assert_non_null(strstr(err.text, "does not fit into a ustar header"));
    struct tar_member twice[] = {{"x", {"", 0}}, {"X", {"", 0}}};
    assert_int_equal(archive_pack(twice, 2, &out, &err), -1);
    struct tar_member space = {"a b", {"", 0}};
    assert_int_equal(archive_pack(&space, 1, &out, &err), -1);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_is_unpacked),
        cmocka_unit_test(what_hardly_shrinks_is_unpacked),
        cmocka_unit_test(bytes_are_those_of_gnu_tar),
        cmocka_unit_test(hostile_archives_are_refused),
        cmocka_unit_test(truncated_archives_are_refused),
        cmocka_unit_test(flipped_bits_never_crash),
        cmocka_unit_test(the_windows_of_the_standard),
        cmocka_unit_test(only_the_seal_follows_the_frame),
        cmocka_unit_test(names_have_rules),
        cmocka_unit_test(members_that_no_header_holds),
        cmocka_unit_test(names_that_cannot_be_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
