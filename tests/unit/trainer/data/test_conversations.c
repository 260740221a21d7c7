/*
 * conversations: prepared samples, read padded and cut as they stand in the header, and every
 * folder that is none refused: files that are cut, empty, of other types, lengths, values and
 * digests.
 */
#include "tests/unit/folder.h"

#include "base/arena.h"

#include "trainer/conversations/prepare_conversations.h"
#include "trainer/data/conversations.h"
#include "trainer/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 2, ROWS = 3, VOCABULARY = 50, LENGTH = 8, PICTURE = SIDE * SIDE * 3 };

/* Three samples: a picture and a caption; text alone; a picture whose rows are cut off. */
struct sample_arrays {
    int32_t tokens[24], labels[24];
    int64_t offsets[4];
    int32_t pictures[3], lengths[3];
    uint8_t pixels[2 * PICTURE];
    size_t n_tokens, n_labels, n_offsets, n_pictures;
    const char *token_type;
    int side;
    bool lies; /* about a digest */
};

#define I CONVERSATION_IMAGE
#define X CONVERSATION_IGNORED

static struct sample_arrays good_arrays(void)
{
    struct sample_arrays a = {
        .tokens = {1, I, 11, 12, /**/ 1, 21, 22, 23, 24, /**/ 1, 31, 32, 33, 34, 35, I, 36},
        .labels = {X, X, 11, 12, /**/ X, X, 22, 23, 24, /**/ X, 31, X, X, X, X, X, 36},
        .offsets = {0, 4, 9, 17},
        .pictures = {0, -1, 1},
        .lengths = {3, -4, 5},
        .n_tokens = 17,
        .n_labels = 17,
        .n_offsets = 4,
        .n_pictures = 3,
        .token_type = "<i4",
        .side = SIDE,
    };
    for (int i = 0; i < 2 * PICTURE; i++)
        a.pixels[i] = (uint8_t)i;
    return a;
}

static void put_npy(struct folder *f, struct buf *record, const char *name, const char *descr,
                    const char *shape, const void *rows, size_t n, size_t row_bytes)
{
    struct npy_writer w;
    struct err err = ERR_INIT;
    char sha256[HASH_HEX_SIZE];
    const char *path = path_join(&f->arena, f->path, name);
    unlink(path);
    if (npy_begin(&w, path, descr, shape, row_bytes, &err) < 0 ||
        (n && npy_put(&w, 0, rows, n, &err) < 0) || npy_end(&w, n, sha256, &err) < 0)
        fail_msg("%s", err.text);
    buf_printf(record, "%s\"%s\": \"%s\"", record->len > 13 ? ", " : "", name, sha256);
}

static void write_folder(struct folder *f, const struct sample_arrays *a)
{
    struct buf record;
    struct err err = ERR_INIT;
    const char *shape = arena_printf(&f->arena, " %d, %d, 3", a->side, a->side);
    buf_init(&record, 4096);
    buf_str(&record, "{\"outputs\": {");
    put_npy(f, &record, "tokens.npy", a->token_type, "", a->tokens, a->n_tokens, 4);
    put_npy(f, &record, "labels.npy", "<i4", "", a->labels, a->n_labels, 4);
    put_npy(f, &record, "offsets.npy", "<i8", "", a->offsets, a->n_offsets, 8);
    put_npy(f, &record, "pictures.npy", "<i4", "", a->pictures, a->n_pictures, 4);
    put_npy(f, &record, "lengths.npy", "<i4", "", a->lengths, 3, 4);
    put_npy(f, &record, "pixels.npy", "|u1", shape, a->pixels, 2,
            (size_t)a->side * (size_t)a->side * 3);
    buf_str(&record, "}}");
    if (a->lies)
        record.data[record.len - 4] ^= 1;
    assert_int_equal(
        file_write(path_join(&f->arena, f->path, "prepared.json"), record.data, record.len, &err),
        0);
    buf_release(&record);
}

static int open_them(struct folder *f, int round, struct conversations **out, struct err *err)
{
    const struct conversations_wish wish = {.path = f->path,
                                            .vocabulary = VOCABULARY,
                                            .side = SIDE,
                                            .picture_rows = ROWS,
                                            .length = LENGTH,
                                            .round = round,
                                            .ranks = 1,
                                            .micro_batch = 3,
                                            .seed = 1};
    *err = (struct err)ERR_INIT;
    return conversations_open(out, &wish, err);
}

/* ---- what is read --------------------------------------------------------------------------- */

struct expected_sample {
    int length;
    int32_t inputs[LENGTH], targets[LENGTH], places[ROWS];
    int picture; /* -1: none */
};

#define N TARGET_NONE

static const struct expected_sample expected_samples[] = {
    {6, {1, -1, -1, -1, 11, 12, 0, 0}, {N, N, N, 11, 12, N, N, N}, {1, 2, 3}, 0},
    {5, {1, 21, 22, 23, 24, 0, 0, 0}, {N, 22, 23, 24, N, N, N, N}, {0}, -1},
    {8, {1, 31, 32, 33, 34, 35, -1, -1}, {31, N, N, N, N, N, N, N}, {6, 7, -1}, 1},
};

/* All in the order of the epoch; `length` is that of the batch. */
static void check_batch(struct conversations *c, int n, int length)
{
    int32_t inputs[3 * LENGTH], targets[3 * LENGTH], places[3 * ROWS];
    uint8_t pixels[3 * PICTURE];
    struct conversation_batch b = {
        .inputs = inputs, .targets = targets, .places = places, .pixels = pixels};
    int seen = 0;
    conversations_read(c, 0, n, &b);
    assert_int_equal(b.length, length);
    for (int i = 0; i < n; i++) {
        const struct expected_sample *e = &expected_samples[conversations_sample(c, (uint64_t)i)];
        for (int row = 0; row < length; row++) {
            assert_int_equal(inputs[i * length + row], row < e->length ? e->inputs[row] : 0);
            assert_int_equal(targets[i * length + row], row < e->length ? e->targets[row] : N);
        }
        if (e->picture < 0)
            continue;
        for (int k = 0; k < ROWS; k++) {
            int place = e->places[k];
            assert_int_equal(places[seen * ROWS + k], place < 0 ? -1 : i * length + place);
        }
        for (int k = 0; k < PICTURE; k++)
            assert_int_equal(pixels[seen * PICTURE + k], e->picture * PICTURE + k);
        seen++;
    }
    assert_int_equal(b.pictures, seen);
}

static void samples_are_padded_and_cut(void **state)
{
    struct folder *f = *state;
    const struct sample_arrays a = good_arrays();
    struct conversations *c;
    struct err err;
    write_folder(f, &a);
    if (open_them(f, 1, &c, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(c->samples, 3);
    assert_int_equal(c->rows, 6 + 5 + 8);
    check_batch(c, 3, 8);
    int first = expected_samples[conversations_sample(c, 0)].length;
    check_batch(c, 1, first);
    struct conversation_counts counts = {0};
    conversations_count(c, 0, 3, &counts);
    assert_int_equal(counts.real, 19);
    assert_int_equal(counts.padded, 3 * 8);
    assert_int_equal(counts.targets, 2 + 3 + 1);
    assert_int_equal(counts.pictures, 2);
    conversations_close(c);
}

/* Few lengths: padding is longer, never beyond the longest that there may be; counts are not. */
static void lengths_are_rounded(void **state)
{
    struct folder *f = *state;
    const struct sample_arrays a = good_arrays();
    struct conversations *c;
    struct err err;
    write_folder(f, &a);
    assert_int_equal(open_them(f, 7, &c, &err), 0);
    int first = expected_samples[conversations_sample(c, 0)].length;
    check_batch(c, 1, first <= 7 ? 7 : 8);
    struct conversation_counts counts = {0};
    conversations_count(c, 0, 1, &counts);
    assert_int_equal(counts.padded, first);
    conversations_close(c);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void refuse(struct folder *f, const char *expected)
{
    struct conversations *c;
    struct err err;
    if (open_them(f, 1, &c, &err) == 0)
        fail_msg("read, expected \"%s\"", expected);
    assert_int_equal(err.kind, ERR_INPUT);
    if (!strstr(err.text, expected))
        fail_msg("found \"%s\", expected \"%s\"", err.text, expected);
}

static void refuse_arrays(struct folder *f, const struct sample_arrays *a, const char *expected)
{
    write_folder(f, a);
    refuse(f, expected);
}

static void arrays_that_do_not_meet_are_refused(void **state)
{
    struct folder *f = *state;
    const struct sample_arrays good = good_arrays();
    struct sample_arrays a = good;
    a.n_labels = 16;
    refuse_arrays(f, &a, "expected a label for each token");
    a = good, a.n_pictures = 2;
    refuse_arrays(f, &a, "expected a label for each token");
    a = good, a.n_offsets = 1;
    refuse_arrays(f, &a, "found 17 tokens, 17 labels, 1 offsets");
    a = good, a.offsets[3] = 18;
    refuse_arrays(f, &a, "expected 0 and 17");
    a = good, a.offsets[3] = INT64_MAX;
    refuse_arrays(f, &a, "expected 0 and 17");
    a = good, a.offsets[0] = -1;
    refuse_arrays(f, &a, "expected 0 and 17");
    a = good, a.offsets[1] = 9;
    refuse_arrays(f, &a, "sample 1: found no tokens, expected offsets that rise");
    a = good, a.offsets[1] = INT64_MAX;
    refuse_arrays(f, &a, "sample 1: found no tokens, expected offsets that rise");
    a = good, a.side = 1;
    refuse_arrays(f, &a, "found pictures of [1, 1, 3], expected [2, 2, 3]");
    a = good, a.token_type = "<u4";
    refuse_arrays(f, &a, "tokens.npy: found uint32, expected int32");
    a = good, a.lies = true;
    refuse_arrays(f, &a, "prepared.json says");
}

static void values_that_cannot_be_are_refused(void **state)
{
    struct folder *f = *state;
    const struct sample_arrays good = good_arrays();
    struct sample_arrays a = good;
    a.tokens[5] = VOCABULARY;
    refuse_arrays(f, &a, "token 5 is 50, expected 0 to 49, or -200");
    a = good, a.tokens[5] = -1;
    refuse_arrays(f, &a, "token 5 is -1");
    a = good, a.labels[6] = 21;
    refuse_arrays(f, &a, "sample 1: a label is neither its token nor -100");
    a = good, a.labels[1] = I;
    refuse_arrays(f, &a, "sample 0: a label is neither its token nor -100");
    a = good, a.pictures[2] = 2;
    refuse_arrays(f, &a, "sample 2: its picture is not there");
    a = good, a.pictures[2] = -2;
    refuse_arrays(f, &a, "sample 2: its picture is not there");
    a = good, a.pictures[1] = 0;
    refuse_arrays(f, &a, "sample 1: found another number of places than of pictures");
    a = good, a.tokens[2] = I, a.labels[2] = X;
    refuse_arrays(f, &a, "sample 0: found another number of places than of pictures");
    a = good;
    for (int i = 0; i < 17; i++)
        a.labels[i] = X;
    refuse_arrays(f, &a, "found no targets, expected at least one");
}

static const char *const files[] = {"tokens.npy",  "labels.npy", "offsets.npy",  "pictures.npy",
                                    "lengths.npy", "pixels.npy", "prepared.json"};

/* Cut anywhere, and of no bytes at all. */
static void files_that_are_cut_are_refused(void **state)
{
    struct folder *f = *state;
    const struct sample_arrays good = good_arrays();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct arena arena = ARENA_INIT;
        struct bytes whole;
        struct err err = ERR_INIT;
        write_folder(f, &good);
        const char *path = path_join(&arena, f->path, files[i]);
        assert_int_equal(file_read(path, 1 << 20, &arena, &whole, &err), 0);
        for (size_t n = 0; n < whole.len; n += n < 140 ? 3 : 1) {
            struct conversations *c;
            assert_int_equal(truncate(path, (off_t)n), 0);
            if (open_them(f, 1, &c, &err) == 0)
                fail_msg("%s: %zu of %zu bytes were read", files[i], n, whole.len);
            assert_true(err.kind == ERR_INPUT && *err.text);
            assert_int_equal(file_write(path, whole.data, whole.len, &err), 0);
        }
        arena_release(&arena);
    }
}

static void files_that_are_not_there_are_refused(void **state)
{
    struct folder *f = *state;
    const struct sample_arrays good = good_arrays();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct conversations *c;
        struct err err;
        write_folder(f, &good);
        unlink(path_join(&f->arena, f->path, files[i]));
        if (open_them(f, 1, &c, &err) == 0)
            fail_msg("read without %s", files[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(samples_are_padded_and_cut),
        IN_FOLDER(lengths_are_rounded),
        IN_FOLDER(arrays_that_do_not_meet_are_refused),
        IN_FOLDER(values_that_cannot_be_are_refused),
        IN_FOLDER(files_that_are_cut_are_refused),
        IN_FOLDER(files_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
