/*
 * Random numbers, corpus, token files and sample order. Expected numbers come from independent
 * implementations in Python; every reader meets truncated, hostile, empty and huge input.
 */
#include "tests/unit/folder.h"

#include "base/signing/hash.h"
#include "trainer/data/data.h"
#include "trainer/device/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- random numbers ------------------------------------------------------------------------ */

static void rng_gives_the_published_sequence(void **state)
{
    (void)state;
    struct rng r = {{1, 2, 3, 4}}; /* the reference implementation's usual first values */
    assert_true(rng_next(&r) == 11520);
    assert_true(rng_next(&r) == 0);
    assert_true(rng_next(&r) == 1509978240);
    assert_true(rng_next(&r) == 1215971899390074240u);
    rng_init(&r, 1234, RNG_ORDER, 5);
    assert_true(rng_next(&r) == 0x381ec6c611f7e5a4u);
    assert_true(rng_next(&r) == 0xdcac222563b6ac94u);
}

static void rng_bell_is_exact_and_centred(void **state)
{
    (void)state;
    struct rng r;
    double sum = 0, squares = 0;
    rng_init(&r, 7, RNG_WEIGHTS, 0);
    assert_true(rng_bell(&r) == (float)2.4911565333604813);
    assert_true(rng_bell(&r) == (float)-0.5768723022192717);
    for (int i = 0; i < 100000; i++) {
        double x = rng_bell(&r);
        sum += x;
        squares += x * x;
    }
    assert_float_equal(sum / 100000, 0, 0.01); /* 3 standard errors */
    assert_float_equal(squares / 100000, 1, 0.015);
}

static void rng_below_is_even(void **state)
{
    (void)state;
    struct rng r;
    int counts[7] = {0};
    rng_init(&r, 1, RNG_ORDER, 0);
    for (int i = 0; i < 70000; i++)
        counts[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 9700, 10300); /* 3 standard deviations are 278 */
    assert_int_equal(rng_below(&r, 1), 0);
}

/* ---- corpus -------------------------------------------------------------------------------- */

static void corpus_is_text_of_pinned_bytes(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    unsigned char *text = memory_alloc(CORPUS_BYTES);
    char sha256[HASH_HEX_SIZE];
    assert_int_equal(corpus_generate(text, &err), 0);
    hash_sha256(text, CORPUS_BYTES, sha256);
    assert_string_equal(sha256, CORPUS_SHA256);
    for (int i = 0; i < CORPUS_BYTES; i++)
        assert_true((text[i] >= 'a' && text[i] <= 'z') || strchr(" ,.\n", text[i]));
    free(text);
}

/* The long-range rule that the header promises: a line ends in the word it begins with. */
static void corpus_sentences_end_as_they_begin(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    char *text = memory_alloc(CORPUS_BYTES + 1);
    assert_int_equal(corpus_generate((unsigned char *)text, &err), 0);
    *strrchr(text, '\n') = 0; /* the last line may be cut */
    int lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        size_t first = strcspn(line, " ,"), n = strlen(line);
        assert_int_equal(line[n - 1], '.');
        assert_true(n > first + 2 && line[n - first - 2] == ' ');
        assert_memory_equal(line, line + n - first - 1, first);
    }
    assert_in_range(lines, 5000, 20000);
    free(text);
}

/* ---- files to read ------------------------------------------------------------------------- */

static const char *put(struct folder *f, const char *name, const void *bytes, size_t n)
{
    struct err err = ERR_INIT;
    const char *path = path_join(&f->arena, f->path, name);
    assert_int_equal(file_write(path, bytes, n, &err), 0);
    return path;
}

static struct data_source source_of(const char *kind, const char *path)
{
    return (struct data_source){
        .kind = kind, .path = path, .vocabulary = 100, .length = 2, .seed = 1};
}

/* Opening must fail with exactly "<path>: <message>". */
static void refuses(const char *kind, const char *path, const char *message)
{
    struct err err = ERR_INIT;
    struct data *d;
    struct data_source s = source_of(kind, path);
    if (data_open(&d, &s, &err) == 0)
        fail_msg("%s was opened, expected \"%s\"", path, message);
    if (!strstr(err.text, message))
        fail_msg("found \"%s\", expected \"%s\"", err.text, message);
    assert_int_equal(err.kind, ERR_INPUT);
}

/* ---- .npy ---------------------------------------------------------------------------------- */

/* A .npy file with this header text and body; version 1 to 3. */
static const char *put_npy(struct folder *f, int version, const char *header, const void *body,
                           size_t n)
{
    unsigned char file[1024] = "\x93NUMPY";
    size_t len = strlen(header), at = version == 1 ? 10 : 12;
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)len;
    file[9] = (unsigned char)(len >> 8);
    memcpy(file + at, header, len);
    memcpy(file + at + len, body, n);
    return put(f, "t.npy", file, at + len + n);
}

static void check_tokens(const char *kind, const char *path)
{
    struct err err = ERR_INIT;
    struct data *d;
    struct data_source s = source_of(kind, path);
    s.length = 4;
    if (data_open(&d, &s, &err) < 0)
        fail_msg("%s", err.text);
    int32_t tokens[5];
    const int32_t want[5] = {3, 1, 4, 1, 5};
    data_sample(d, 0, tokens);
    assert_memory_equal(tokens, want, sizeof want);
    assert_int_equal(d->samples, 1);
    /* counts 2 1 1 1 of 5 */
    assert_float_equal(d->unigram_entropy_nats, -(0.4 * log(0.4) + 0.6 * log(0.2)), 1e-12);
    data_close(d);
}

static const int8_t as_int8[5] = {3, 1, 4, 1, 5};
static const uint16_t as_uint16[5] = {3, 1, 4, 1, 5};
static const int32_t as_int32[5] = {3, 1, 4, 1, 5};
static const int64_t as_int64[5] = {3, 1, 4, 1, 5};

static void npy_of_every_version_and_type(void **state)
{
    static const struct {
        int version;
        const char *header;
        const void *body;
        size_t n;
    } files[] = {
        {1, "{'descr': '<u2', 'fortran_order': False, 'shape': (5,), }     \n", as_uint16, 10},
        {2, "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }\n", as_int32, 20},
        {3, "{'shape': (5,), 'fortran_order': True, 'descr': '<i8'}\n", as_int64, 40},
        {1, "{'descr':'|u1','fortran_order':False,'shape':(5,)}", as_int8, 5},
        {1, "{'descr': '|i1', 'fortran_order': False, 'shape': (5 , ) , } ", as_int8, 5},
        {1, "{'descr': '<i2', 'fortran_order': False, 'shape': (5,), }", as_uint16, 10},
        {1, "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }", as_int32, 20},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_tokens("npy",
                     put_npy(*state, files[i].version, files[i].header, files[i].body, files[i].n));
}

static void npy_headers_that_lie_are_refused(void **state)
{
    static const struct {
        const char *header, *message;
    } bad[] = {
        {"", "the header is not a dictionary"},
        {"{", "expected the keys 'descr', 'fortran_order' and 'shape'"},
        {"{}", "expected the keys 'descr', 'fortran_order' and 'shape'"},
        {"{'descr': '<u2', 'fortran_order': False}", "expected the keys"},
        {"{'descr': '<u2', 'descr': '<u2', 'fortran_order': False, 'shape': (5,)}", "twice"},
        {"{'descr': '<u2' 'fortran_order': False, 'shape': (5,)}", "expected ',' or '}'"},
        {"{'descr' '<u2', 'fortran_order': False, 'shape': (5,)}", "expected ':'"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (5,)", "expected ',' or '}'"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (5,)} x", "text after"},
        {"{'descr': '<u2', 'fortran_order': Falsch, 'shape': (5,)}", "neither True nor False"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': ()}", "one dimension"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (5)}", "one dimension"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (-5,)}", "one dimension"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (1, 5)}", "one dimension"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': 5}", "not a tuple"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (6,)}",
         "promises 6 uint16 elements, but 10 bytes follow"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (4,)}", "promises 4 uint16"},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}", "promises 1 int64"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (9223372036854775813,)}",
         "promises 9223372036854775813"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (99999999999999999999,)}",
         "larger than any file"},
        {"{'descr': '>u2', 'fortran_order': False, 'shape': (5,)}", "elements are '>u2'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", "elements are '<f4'"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (5,)}", "elements are '|O'"},
        {"{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (5,)}", "not a string"},
        {"{'descr': '<u2", "descr does not end"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses("npy", put_npy(*state, 1, bad[i].header, as_uint16, 10), bad[i].message);
}

static void npy_cut_anywhere_is_refused(void **state)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    struct bytes whole;
    const char *path =
        put_npy(f, 2, "{'descr': '<u2', 'fortran_order': False, 'shape': (5,), }\n", as_uint16, 10);
    assert_int_equal(file_read(path, 4096, &f->arena, &whole, &err), 0);
    for (size_t n = 0; n < whole.len; n++)
        refuses("npy", put(f, "cut.npy", whole.data, n), "cut.npy: ");
    refuses("npy", put(f, "v.npy", "\x93NUMPY\x04\x00\x00\x00", 10), "version 4.0");
    refuses("npy", put(f, "h.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12),
            "header of 4294967295 bytes");
}

static void what_is_not_a_file_is_refused(void **state)
{
    struct folder *f = *state;
    const char *fifo = path_join(&f->arena, f->path, "fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    refuses("npy", f->path, "not a regular file");
    refuses("npy", fifo, "not a regular file");
    refuses("npy", "/dev/zero", "not a regular file");
    refuses("npy", path_join(&f->arena, f->path, "none"), "No such file");
    refuses("npy", put(f, "empty", "", 0), "the file is empty");
    refuses("megatron", path_join(&f->arena, f->path, "none"), "none.bin: No such file");
}

/* ---- Megatron ------------------------------------------------------------------------------ */

/* An index as it would be written, with every field free to lie. */
struct index_fields {
    uint64_t version;
    int code;
    uint64_t sequences, documents;
    int32_t lengths[2];
    uint64_t places[2], firsts[2];
};

static const struct index_fields honest = {1, 8, 2, 2, {2, 3}, {0, 4}, {0, 2}};

static size_t index_bytes(unsigned char *to, const struct index_fields *x)
{
    unsigned char code = (unsigned char)x->code, *at = to;
    memcpy(at, "MMIDIDX\0", 9), at += 9;
    memcpy(at, &x->version, 8), at += 8;
    memcpy(at, &code, 1), at += 1;
    memcpy(at, &x->sequences, 8), at += 8;
    memcpy(at, &x->documents, 8), at += 8;
    memcpy(at, x->lengths, 8), at += 8;
    memcpy(at, x->places, 16), at += 16;
    memcpy(at, x->firsts, 16), at += 16;
    return (size_t)(at - to);
}

static const char *put_megatron(struct folder *f, const struct index_fields *x, const void *bin,
                                size_t n)
{
    unsigned char idx[128];
    put(f, "m.idx", idx, index_bytes(idx, x));
    return put(f, "m.bin", bin, n);
}

static void megatron_of_every_type_and_spelling(void **state)
{
    struct folder *f = *state;
    static const struct {
        int code;
        const void *body;
        size_t size;
    } types[] = {{1, as_int8, 1},  {2, as_int8, 1},  {3, as_uint16, 2},
                 {4, as_int32, 4}, {5, as_int64, 8}, {8, as_uint16, 2}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct index_fields x = honest;
        x.code = types[i].code;
        x.places[1] = 2 * types[i].size;
        check_tokens("megatron", put_megatron(f, &x, types[i].body, 5 * types[i].size));
    }
    check_tokens("megatron", path_join(&f->arena, f->path, "m.idx"));
    check_tokens("megatron", path_join(&f->arena, f->path, "m"));
}

static void megatron_indices_that_lie_are_refused(void **state)
{
    static const struct {
        struct index_fields fields;
        const char *message;
    } bad[] = {
        {{2, 8, 2, 2, {2, 3}, {0, 4}, {0, 2}}, "index version 2, expected 1"},
        {{1, 0, 2, 2, {2, 3}, {0, 4}, {0, 2}}, "dtype code 0"},
        {{1, 6, 2, 2, {2, 3}, {0, 4}, {0, 2}}, "dtype code 6"},
        {{1, 7, 2, 2, {2, 3}, {0, 4}, {0, 2}}, "dtype code 7"},
        {{1, 255, 2, 2, {2, 3}, {0, 4}, {0, 2}}, "dtype code 255"},
        {{1, 8, 3, 2, {2, 3}, {0, 4}, {0, 2}}, "do not fill the 40 bytes"},
        {{1, 8, 1, 2, {2, 3}, {0, 4}, {0, 2}}, "do not fill the 40 bytes"},
        {{1, 8, UINT64_MAX, 2, {2, 3}, {0, 4}, {0, 2}}, "18446744073709551615 sequences"},
        {{1, 8, 2, UINT64_MAX / 8, {2, 3}, {0, 4}, {0, 2}}, "do not fill"},
        {{1, 8, 2, 2, {-2, 3}, {0, 4}, {0, 2}}, "sequence 0 has length -2"},
        {{1, 8, 2, 2, {2, 2}, {0, 4}, {0, 2}}, "end at byte 8, but"},
        {{1, 8, 2, 2, {2, INT32_MAX}, {0, 4}, {0, 2}}, "sequence 1 ends at byte 4294967298"},
        {{1, 8, 2, 2, {2, 3}, {0, 2}, {0, 2}}, "sequence 1 begins at byte 2, expected 4"},
        {{1, 8, 2, 2, {2, 3}, {UINT64_MAX, 4}, {0, 2}}, "sequence 0 begins at byte 1844"},
        {{1, 8, 2, 2, {2, 3}, {0, 4}, {0, 3}}, "document bound 1 is 3, expected 0 to 2"},
        {{1, 8, 2, 2, {2, 3}, {0, 4}, {2, 1}}, "document bound 1 is 1, expected 2 to 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses("megatron", put_megatron(*state, &bad[i].fields, as_uint16, 10), bad[i].message);
}

static void megatron_cut_anywhere_is_refused(void **state)
{
    struct folder *f = *state;
    unsigned char idx[128];
    size_t len = index_bytes(idx, &honest);
    for (size_t n = 0; n < 10; n++)
        refuses("megatron", put_megatron(f, &honest, as_uint16, n), "m.");
    const char *bin = put(f, "m.bin", as_uint16, 10);
    for (size_t n = 0; n < len; n++) {
        put(f, "m.idx", idx, n);
        refuses("megatron", bin, "m.idx: ");
    }
    unlink(path_join(&f->arena, f->path, "m.idx"));
    refuses("megatron", bin, "m.idx: No such file");
}

/* 64 GiB of zeros that take no room on disk: refused by the header, not by reading them. */
static void huge_files_are_refused_at_once(void **state)
{
    struct folder *f = *state;
    const char *npy = put(f, "huge.npy", "\x93NUMPY\x01\x00\x02\x00{}", 12);
    const char *bin = put_megatron(f, &honest, as_uint16, 10);
    assert_int_equal(truncate(npy, (off_t)64 << 30), 0);
    assert_int_equal(truncate(bin, (off_t)64 << 30), 0);
    refuses("npy", npy, "expected the keys");
    refuses("megatron", bin, "end at byte 10, but");
    assert_int_equal(truncate(path_join(&f->arena, f->path, "m.idx"), (off_t)64 << 30), 0);
    refuses("megatron", bin, "do not fill the 68719476702 bytes");
}

/* ---- what holds for every kind ------------------------------------------------------------- */

static void tokens_outside_the_vocabulary_are_named(void **state)
{
    struct folder *f = *state;
    const uint16_t high[5] = {1, 2, 3, 100, 5};
    const int64_t low[5] = {1, -1, 3, 4, 5}, huge[5] = {1, 2, 3, 4, INT64_MAX};
    refuses("npy",
            put_npy(f, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (5,)}", high, 10),
            "token 3 is 100, expected 0 to 99");
    refuses("npy",
            put_npy(f, 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (5,)}", low, 40),
            "token 1 is -1, expected 0 to 99");
    refuses("npy",
            put_npy(f, 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (5,)}", huge, 40),
            "token 4 is 9223372036854775807");
    refuses("npy",
            put_npy(f, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (2,)}", high, 4),
            "2 tokens, expected at least 3 for one sample");
    refuses("npy",
            put_npy(f, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (0,)}", high, 0),
            "0 tokens, expected at least 3");
}

static void a_pinned_sha256_must_match(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct data *d;
    struct data_source s = source_of("generated", NULL);
    s.vocabulary = 128;
    s.sha256 = CORPUS_SHA256;
    assert_int_equal(data_open(&d, &s, &err), 0);
    assert_string_equal(d->sha256, CORPUS_SHA256);
    data_close(d);
    s.sha256 = "00";
    assert_int_equal(data_open(&d, &s, &err), -1);
    assert_string_equal(err.text, "generated corpus: SHA-256 is " CORPUS_SHA256 ", expected 00");
}

static void unknown_kinds_and_missing_paths_are_usage_errors(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct data *d;
    struct data_source s = source_of("csv", "x");
    assert_int_equal(data_open(&d, &s, &err), -1);
    assert_string_equal(err.text, "data kind: found \"csv\", expected generated, npy or megatron");
    s = source_of("npy", NULL);
    assert_int_equal(data_open(&d, &s, &err), -1);
    assert_string_equal(err.text, "data path: missing, expected one for kind npy");
    assert_int_equal(err.kind, ERR_USAGE);
}

/* ---- order --------------------------------------------------------------------------------- */

/* Sixteen-bit tokens 0 … 16, in samples of 2: sample i begins with token 2 i. */
static void order_is_the_documented_shuffle(void **state)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    struct data *d;
    uint16_t body[17];
    /* seed, epoch and the permutation that ten lines of Python give */
    static const struct {
        uint64_t seed, epoch;
        int order[8];
    } want[] = {
        {42, 0, {4, 7, 6, 3, 2, 0, 1, 5}},
        {42, 1, {2, 6, 4, 1, 5, 7, 0, 3}},
        {43, 0, {5, 1, 7, 6, 4, 0, 2, 3}},
    };
    for (int i = 0; i < 17; i++)
        body[i] = (uint16_t)i;
    const char *path =
        put_npy(f, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (17,)}", body, 34);
    for (size_t w = 0; w < sizeof want / sizeof *want; w++) {
        struct data_source s = source_of("npy", path);
        s.seed = want[w].seed;
        assert_int_equal(data_open(&d, &s, &err), 0);
        assert_int_equal(d->samples, 8);
        for (int i = 7; i >= 0; i--) { /* any position may be asked for at any time */
            int32_t tokens[3];
            data_sample(d, want[w].epoch * 8 + (uint64_t)i, tokens);
            for (int j = 0; j < 3; j++)
                assert_int_equal(tokens[j], 2 * want[w].order[i] + j);
            data_sample(d, 0, tokens); /* back to the first epoch */
        }
        data_close(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rng_gives_the_published_sequence),
        cmocka_unit_test(rng_bell_is_exact_and_centred),
        cmocka_unit_test(rng_below_is_even),
        cmocka_unit_test(corpus_is_text_of_pinned_bytes),
        cmocka_unit_test(corpus_sentences_end_as_they_begin),
        IN_FOLDER(npy_of_every_version_and_type),
        IN_FOLDER(npy_headers_that_lie_are_refused),
        IN_FOLDER(npy_cut_anywhere_is_refused),
        IN_FOLDER(what_is_not_a_file_is_refused),
        IN_FOLDER(megatron_of_every_type_and_spelling),
        IN_FOLDER(megatron_indices_that_lie_are_refused),
        IN_FOLDER(megatron_cut_anywhere_is_refused),
        IN_FOLDER(huge_files_are_refused_at_once),
        IN_FOLDER(tokens_outside_the_vocabulary_are_named),
        IN_FOLDER(a_pinned_sha256_must_match),
        IN_FOLDER(unknown_kinds_and_missing_paths_are_usage_errors),
        IN_FOLDER(order_is_the_documented_shuffle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
