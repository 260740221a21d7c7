/* archive: zips and plain tars that somebody hands in, taken apart by archive_unzip and
 * archive_untar. */
#include "tests/unit/unit.h"

#include "base/sealed/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tars ---------------------------------------------------------------------------------- */

/* One entry: its kind, what its header says of its size, and what follows, padded to blocks. */
struct entry {
    char type;
    const char *name, *data;
    long long size; /* -1: strlen(data) */
    size_t len;     /* of data; 0: strlen(data) */
};

static void add_entry(struct buf *to, const struct entry *e)
{
    char h[512] = "";
    unsigned sum = 0;
    size_t len = e->len ? e->len : strlen(e->data);
    snprintf(h, 100, "%s", e->name);
    memcpy(h + 100, "0000644\0000000000\0000000000", 24);
    snprintf(h + 124, 12, "%011llo", e->size < 0 ? (long long)len : e->size);
    memcpy(h + 136, "00000000000", 12);
    memset(h + 148, ' ', 8);
    h[156] = e->type;
    if (e->type == '1' || e->type == '2')
        strcpy(h + 157, "a");
    memcpy(h + 257, "ustar\00000", 8);
    for (size_t i = 0; i < sizeof h; i++)
        sum += (unsigned char)h[i];
    snprintf(h + 148, 8, "%06o", sum);
    buf_add(to, h, sizeof h);
    buf_add(to, e->data, len);
    for (; len % 512; len++)
        buf_char(to, '\0');
}

static void add_zeros(struct buf *to, size_t n)
{
    while (n--)
        buf_char(to, '\0');
}

/* Names and contents, as "a=abc b=", or the message. */
static const char *told(struct arena *a, int rc, const struct archive_contents *got,
                        const struct err *err)
{
    const char *text = rc < 0 ? err->text : "";
    for (size_t i = 0; rc == 0 && i < got->n; i++)
        text = arena_printf(a, "%s%s%s=%s", text, i ? " " : "", got->members[i].name,
                            got->members[i].bytes.data);
    return text;
}

#define LONG_NAME                                                                               \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void tars_are_read_with_suspicion(void **state)
{
    (void)state;
    static const struct {
        struct entry entries[3];
        const char *told;
    } rows[] = {
        {{{'0', "a", "abc", -1, 0}}, "a=abc"},
        {{{'0', "b", "", -1, 0}, {'0', "./a", "abc", -1, 0}}, "a=abc b="},
        {{{'\0', "a", "abc", -1, 0}}, "a=abc"},
        {{{'5', "./", "", -1, 0}, {'5', "d/", "", -1, 0}, {'0', "d/a", "x", -1, 0}}, "d/a=x"},
        {{{'5', ".", "", -1, 0}, {'5', "d", "", -1, 0}}, ""},
        {{{'5', "../d/", "", -1, 0}},
         "x: entry '../d/' has a component that begins with '.' or '-'"},
        {{{'0', ".a", "", -1, 0}}, "x: entry '.a' has a component that begins with '.' or '-'"},
        {{{'0', "a b\x1b", "", -1, 0}},
         "x: entry 'a b\\x1b' has a byte other than letters, digits and . _ + : -"},
        {{{'1', "b", "", -1, 0}}, "x: entry 'b' is a hard link"},
        {{{'1', "d/", "", -1, 0}}, "x: entry 'd/' is a hard link"},
        {{{'2', "b", "", -1, 0}}, "x: entry 'b' is a symbolic link"},
        {{{'3', "b", "", -1, 0}}, "x: entry 'b' is a character device"},
        {{{'4', "b", "", -1, 0}}, "x: entry 'b' is a block device"},
        {{{'6', "b", "", -1, 0}}, "x: entry 'b' is a FIFO"},
        {{{'7', "b", "", -1, 0}}, "x: entry 'b' has an unknown file type"},
        {{{'Z', "b", "", -1, 0}}, "x: entry 'b' has an unknown file type"},
        {{{'L', "././@LongLink", LONG_NAME, -1, sizeof LONG_NAME}, {'0', "b", "x", -1, 0}},
         LONG_NAME "=x"},
        {{{'L', "././@LongLink", LONG_NAME, -1, sizeof LONG_NAME}, {'7', "b", "x", -1, 0}},
         "x: entry '" LONG_NAME "' has an unknown file type"},
        {{{'x', "p", "11 path=aa\n", -1, 0}, {'0', "b", "x", -1, 0}}, "aa=x"},
        {{{'g', "p", "11 path=aa\n", -1, 0}, {'0', "b", "x", -1, 0}},
         "x: entry 'b' has a global pax header that names all files after it"},
        {{{'g', "p", "13 comment=c\n", -1, 0}, {'0', "b", "x", -1, 0}}, "b=x"},
        {{{'L', "././@LongLink", "bb", -1, 0},
          {'x', "p", "11 path=aa\n", -1, 0},
          {'0', "b", "x", -1, 0}},
         "x: entry 'bb' has two long-name headers"},
        {{{'x', "p", "12 path=a\0a\n", -1, 12}, {'0', "b", "x", -1, 0}},
         "x: entry 'a' has a NUL byte in its pax header"},
        {{{'0', "a", "abc", 1LL << 29, 0}},
         "x: entry 'a' is larger than 256 MiB, the limit for one file"},
        {{{'0', "a", "0123456789", -1, 0}, {'0', "b", "0123456789x", -1, 0}},
         "x: the contents have more than 20 bytes, the limit for reading"},
        {{{'0', "a", "0123456789", -1, 0}, {'0', "b", "0123456789", -1, 0}},
         "a=0123456789 b=0123456789"},
        {{{'0', "a", "1", -1, 0}, {'0', "A", "2", -1, 0}},
         "x: two files have the name 'a' (case ignored)"},
        {{{'0', "a", "1", -1, 0}, {'0', "a/b", "2", -1, 0}},
         "x: 'a' is both a file and the folder of 'a/b'"},
        {{{0, NULL, NULL, 0, 0}}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = ARENA_INIT;
        struct err err = ERR_INIT;
        struct buf tar;
        struct archive_contents got;
        buf_init(&tar, BUF_DEFAULT_MAX);
        for (size_t k = 0; k < 3 && rows[i].entries[k].name; k++)
            add_entry(&tar, &rows[i].entries[k]);
        add_zeros(&tar, 1024);
        int rc = archive_untar((struct bytes){tar.data, tar.len}, "x", 20, &a, &got, &err);
        const char *found = told(&a, rc, &got, &err);
        if (strcmp(found, rows[i].told) != 0)
            fail_msg("row %zu: '%s'\n  expected '%s'", i, found, rows[i].told);
        buf_release(&tar);
        arena_release(&a);
    }
}

/* A tar is cut at any byte, and has something behind its end. */
static void tars_end_where_they_end(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct buf tar;
    struct archive_contents got;
    buf_init(&tar, BUF_DEFAULT_MAX);
    add_entry(&tar, &(struct entry){'0', "a", "abc", -1, 0});
    size_t end = tar.len + 1024;
    add_zeros(&tar, 20 * 512);
    for (size_t n = 1; n < tar.len; n++) {
        struct err err = ERR_INIT;
        char *copy = malloc(n);
        memcpy(copy, tar.data, n);
        int rc = archive_untar((struct bytes){copy, n}, "x", 20, &a, &got, &err);
        free(copy);
        bool whole = n == 1024 || n >= 1536; /* with or without the zeros, but not a part of them */
        assert_int_equal(rc, whole ? 0 : -1);
        assert_true(!whole || got.n == 1);
        assert_true(whole || err.kind == ERR_INPUT);
    }
    for (size_t at = end; at < tar.len; at += 1000) {
        struct err err = ERR_INIT;
        tar.data[at] = 'x';
        assert_int_equal(archive_untar((struct bytes){tar.data, tar.len}, "x", 20, &a, &got, &err),
                         -1);
        assert_string_equal(
            err.text, arena_printf(&a, "x: %zu bytes follow the end of the tar", tar.len - at));
        tar.data[at] = '\0';
    }
    buf_release(&tar);
    arena_release(&a);
}

/* ---- zips ---------------------------------------------------------------------------------- */

/* d/, d/a = "abc" and b = "", stored, as Python's zipfile writes them. */
static struct bytes make_zip(struct arena *a)
{
    static const char script[] =
        "import io, sys, zipfile; b = io.BytesIO(); z = zipfile.ZipFile(b, 'w'); "
        "z.writestr('d/', ''); z.writestr('d/a', 'abc'); z.writestr('b', ''); z.close(); "
        "sys.stdout.buffer.write(b.getvalue())";
    char *data = arena_alloc(a, 4096);
    FILE *made = popen(arena_printf(a, "python3 -c \"%s\"", script), "r");
    size_t n = fread(data, 1, 4096, made);
    assert_int_equal(pclose(made), 0);
    assert_true(n > 100 && n < 4096);
    return (struct bytes){data, n};
}

static void zips_are_what_their_headers_say(void **state)
{
    (void)state;
    static const char other[] = "x: entry '%s' differs from what libarchive reads";
    static const struct {
        struct archive_expected expected[4];
        size_t n;
        const char *told, *of;
    } rows[] = {
        {{{"d/", 0, true}, {"d/a", 3, false}, {"b", 0, false}}, 3, "d/a=abc b=", NULL},
        {{{"d/", 0, true}}, 1, "", NULL},
        {{{"d/", 0, true}, {"d/a", 4, false}}, 2, other, "d/a"},
        {{{"d/", 0, true}, {"d/a", 2, false}}, 2, other, "d/a"},
        {{{"d/", 0, true}, {"d/b", 3, false}}, 2, other, "d/b"},
        {{{"d/", 0, false}}, 1, "x: entry '%s' has an unknown file type", "d/"},
        {{{"d/", 0, true}, {"d/a", 3, false}, {"b", 0, false}, {"c", 0, false}}, 4, other, "c"},
    };
    struct arena a = ARENA_INIT;
    const struct bytes zip = make_zip(&a);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct archive_contents got;
        int rc = archive_unzip(zip, "x", rows[i].expected, rows[i].n, &a, &got, &err);
        const char *found = told(&a, rc, &got, &err);
        const char *expected =
            rows[i].of ? arena_printf(&a, rows[i].told, rows[i].of) : rows[i].told;
        if (strcmp(found, expected) != 0)
            fail_msg("row %zu: '%s'\n  expected '%s'", i, found, expected);
    }
    arena_release(&a);
}

/* Contents that their CRC does not fit, and every cut. */
static void zips_that_are_damaged(void **state)
{
    (void)state;
    static const struct archive_expected expected[] = {{"d/", 0, true}, {"d/a", 3, false}};
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct archive_contents got;
    const struct bytes zip = make_zip(&a);
    char *copy = arena_alloc(&a, zip.len);
    memcpy(copy, zip.data, zip.len);
    char *abc = memmem(copy, zip.len, "abc", 3);
    assert_non_null(abc);
    *abc = 'x';
    assert_int_equal(archive_unzip((struct bytes){copy, zip.len}, "x", expected, 2, &a, &got, &err),
                     -1);
    assert_string_equal(err.text, "x: entry 'd/a' ZIP bad CRC: 0x26d3d93d should be 0x352441c2");
    for (size_t n = 0; n < zip.len; n++) {
        struct err ignored = ERR_INIT;
        int rc = archive_unzip((struct bytes){zip.data, n}, "x", expected, 2, &a, &got, &ignored);
        if (rc == 0)
            assert_string_equal(told(&a, rc, &got, &ignored), "d/a=abc");
    }
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tars_are_read_with_suspicion),
        cmocka_unit_test(tars_end_where_they_end),
        cmocka_unit_test(zips_are_what_their_headers_say),
        cmocka_unit_test(zips_that_are_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
