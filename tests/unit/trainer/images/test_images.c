/* images: Pillow's pixels, crops and paddings of tests/data/images, and files that are none. */
#include "tests/unit/under_asan.h"
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "base/signing/hash.h"
#include "trainer/images/fit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 336
#define FOLDER "tests/data/images/"

static struct bytes read_sample(struct arena *arena, const char *name)
{
    struct err err = ERR_INIT;
    struct bytes in;
    if (file_read(arena_printf(arena, FOLDER "%s", name), IMAGE_BYTES_MAX, arena, &in, &err) < 0)
        fail_msg("%s", err.text);
    return in;
}

/* ---- Pillow --------------------------------------------------------------------------------- */

/* A line of digests.tsv. */
struct digested {
    char file[64], pixels[HASH_HEX_SIZE], crop[HASH_HEX_SIZE], pad[HASH_HEX_SIZE];
    int width, height;
};

static void check_fit(const struct digested *d, const struct image *image, enum image_fit fit,
                      const char *expected)
{
    char hex[HASH_HEX_SIZE];
    unsigned char *rgb = malloc(SIDE * SIDE * IMAGE_CHANNELS);
    image_fit(image, fit, SIDE, rgb);
    hash_sha256(rgb, SIDE * SIDE * IMAGE_CHANNELS, hex);
    free(rgb);
    if (strcmp(hex, expected) != 0)
        fail_msg("%s: %s %s, expected Pillow's %s", d->file,
                 fit == IMAGE_PAD ? "padded" : "cropped", hex, expected);
}

static void check_digested(const struct digested *d)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct image image;
    char hex[HASH_HEX_SIZE];
    if (image_decode(read_sample(&arena, d->file), &image, &err) < 0)
        fail_msg("%s: %s", d->file, err.text);
    assert_int_equal(image.width, d->width);
    assert_int_equal(image.height, d->height);
    hash_sha256(image.rgb, (size_t)image.width * (size_t)image.height * IMAGE_CHANNELS, hex);
    if (strcmp(hex, d->pixels) != 0)
        fail_msg("%s: pixels %s, expected Pillow's %s", d->file, hex, d->pixels);
    check_fit(d, &image, IMAGE_CROP, d->crop);
    check_fit(d, &image, IMAGE_PAD, d->pad);
    image_release(&image);
    arena_release(&arena);
}

static int each_digested(void (*each)(const struct digested *d))
{
    FILE *list = fopen(FOLDER "digests.tsv", "r");
    struct digested d;
    int n = 0;
    assert_non_null(list);
    while (fscanf(list, "%63s %d %d %64s %64s %64s", d.file, &d.width, &d.height, d.pixels, d.crop,
                  d.pad) == 6) {
        each(&d);
        n++;
    }
    fclose(list);
    return n;
}

static void pixels_are_those_of_pillow(void **state)
{
    (void)state;
    assert_true(each_digested(check_digested) > 40);
}

/* Of numpy's fp32 arithmetic, as transformers' image processor does it. */
static void numbers_are_those_of_transformers(void **state)
{
    (void)state;
    float numbers[IMAGE_CHANNELS][256];
    char hex[HASH_HEX_SIZE];
    image_numbers(numbers);
    hash_sha256(numbers, sizeof numbers, hex);
    assert_string_equal(hex, "5d23c0b115c373c73875b37dce36aa6a54af484dd4332d5f9d07d6ebecb20900");
}

static void planes_lie_one_behind_the_other(void **state)
{
    (void)state;
    static const unsigned char rgb[] = {0, 1, 2, 253, 254, 255};
    float numbers[IMAGE_CHANNELS][256], planes[6];
    image_numbers(numbers);
    image_normalise(rgb, 2, numbers, planes);
    for (int c = 0; c < IMAGE_CHANNELS; c++) {
        assert_true(planes[2 * c] == numbers[c][c]);
        assert_true(planes[2 * c + 1] == numbers[c][253 + c]);
    }
}

/* ---- what is none --------------------------------------------------------------------------- */

/* Copied, so that a sanitizer sees who reads beyond the end. A message, or pixels in the limits. */
static bool decodes(const unsigned char *bytes, size_t len, struct err *err)
{
    char *copy = malloc(len ? len : 1);
    struct image image;
    memcpy(copy, bytes, len);
    *err = (struct err)ERR_INIT;
    int rc = image_decode((struct bytes){copy, len}, &image, err);
    if (rc == 0) {
        assert_in_range(image.width, 1, IMAGE_SIDE_MAX);
        assert_in_range(image.height, 1, IMAGE_SIDE_MAX);
        image_release(&image);
    } else {
        assert_int_equal(err->kind, ERR_INPUT);
        assert_true(err->text[0]);
        assert_null(image.rgb);
    }
    free(copy);
    return rc == 0;
}

static void assert_refused(const void *bytes, size_t len, const char *expected)
{
    struct err err;
    if (decodes(bytes, len, &err))
        fail_msg("found pixels, expected \"%s\"", expected);
    if (!strstr(err.text, expected))
        fail_msg("found \"%s\", expected \"%s\"", err.text, expected);
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",       "\xff", "\xff\xd8", "\x89PNG\r\n\x1a", "GIF89a", "BM", "RIFF\1\1\1\1WEBPVP8 ",
        "<svg/>", "II*"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_refused(others[i], strlen(others[i]), "neither a JPEG nor a PNG");
}

/* Every cut of each sample (some with sanitizers): a JPEG has its end, a PNG all of its pixels. */
static void check_cuts(const struct digested *d)
{
    struct arena arena = ARENA_INIT;
    struct err err;
    struct bytes in = read_sample(&arena, d->file);
    bool is_jpeg = strstr(d->file, ".jpg");
    size_t step = in.len > 4000 ? in.len / (UNDER_ASAN ? 200 : 400) : UNDER_ASAN ? 3 : 1;
    for (size_t len = 0; len < in.len; len += step) {
        bool whole = decodes((const unsigned char *)in.data, len, &err);
        if (whole && (is_jpeg || len + 30 < in.len))
            fail_msg("%s: found pixels in %zu of %zu bytes", d->file, len, in.len);
    }
    arena_release(&arena);
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    assert_true(each_digested(check_cuts) > 40);
}

/* Bytes that are changed give pixels or a message. */
static void check_damage(const struct digested *d)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xff};
    struct arena arena = ARENA_INIT;
    struct err err;
    struct bytes in = read_sample(&arena, d->file);
    unsigned char *copy = arena_alloc(&arena, in.len);
    size_t step = in.len > 1000 ? in.len / (UNDER_ASAN ? 150 : 300) : UNDER_ASAN ? 2 : 1;
    memcpy(copy, in.data, in.len);
    for (size_t i = 0; i < in.len; i += step)
        for (size_t k = 0; k < sizeof flips; k++) {
            copy[i] ^= flips[k];
            decodes(copy, in.len, &err);
            copy[i] ^= flips[k];
        }
    arena_release(&arena);
}

static void damaged_files_end_with_a_message(void **state)
{
    (void)state;
    assert_true(each_digested(check_damage) > 40);
}

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* CRC-32 of PNG, bit by bit. */
static uint32_t crc_of(const unsigned char *bytes, size_t len)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < len; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* A sample of 8 bits a channel that says that it is larger. */
static void check_png_of_size(uint32_t width, uint32_t height, const char *expected)
{
    struct arena arena = ARENA_INIT;
    struct bytes in = read_sample(&arena, "png-2-8.png");
    unsigned char *copy = arena_alloc(&arena, in.len);
    memcpy(copy, in.data, in.len);
    put_u32(copy + 16, width);
    put_u32(copy + 20, height);
    put_u32(copy + 29, crc_of(copy + 12, 17));
    assert_refused(copy, in.len, expected);
    arena_release(&arena);
}

static void png_bombs_are_refused(void **state)
{
    (void)state;
    check_png_of_size(65501, 1, "found 65501 x 1 pixels, expected at most 65500 a side");
    check_png_of_size(1, 0x7fffffff, "found 1 x 2147483647 pixels");
    check_png_of_size(60000, 60000, "found 60000 x 60000 pixels");
    check_png_of_size(8193, 8192, "found 8193 x 8192 pixels");
    check_png_of_size(8192, 8192, "PNG: "); /* the pixels are not there */
    check_png_of_size(0, 5, "PNG: ");
    check_png_of_size(0xffffffff, 5, "PNG: ");
}

static unsigned char *frame_of(unsigned char *jpeg, size_t len)
{
    for (size_t i = 0; i + 9 < len; i++)
        if (jpeg[i] == 0xff && (jpeg[i + 1] == 0xc0 || jpeg[i + 1] == 0xc2))
            return jpeg + i;
    fail_msg("no frame");
    return NULL;
}

static void check_jpeg_of_size(const char *file, unsigned width, unsigned height,
                               const char *expected)
{
    struct arena arena = ARENA_INIT;
    struct bytes in = read_sample(&arena, file);
    unsigned char *copy = arena_alloc(&arena, in.len);
    memcpy(copy, in.data, in.len);
    unsigned char *frame = frame_of(copy, in.len);
    frame[5] = (unsigned char)(height >> 8);
    frame[6] = (unsigned char)height;
    frame[7] = (unsigned char)(width >> 8);
    frame[8] = (unsigned char)width;
    assert_refused(copy, in.len, expected);
    arena_release(&arena);
}

static void jpeg_bombs_are_refused(void **state)
{
    (void)state;
    check_jpeg_of_size("jpeg-progressive.jpg", 60000, 60000, "found 60000 x 60000 pixels");
    check_jpeg_of_size("jpeg-inks.jpg", 65500, 1025, "found 65500 x 1025 pixels");
    check_jpeg_of_size("jpeg-grey.jpg", 0, 40, "JPEG: ");
    check_jpeg_of_size("jpeg-grey.jpg", 65535, 40, "JPEG: ");
}

/* The last scan of a progressive image, again and again. */
static void endless_scans_are_refused(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct bytes in = read_sample(&arena, "jpeg-progressive.jpg");
    size_t scan = 0;
    for (size_t i = 0; i + 1 < in.len; i++)
        if ((unsigned char)in.data[i] == 0xff && (unsigned char)in.data[i + 1] == 0xda)
            scan = i;
    size_t scan_len = in.len - 2 - scan, len = scan + (IMAGE_SCANS_MAX + 1) * scan_len + 2;
    char *many = arena_alloc(&arena, len);
    memcpy(many, in.data, scan);
    for (size_t i = 0; i <= IMAGE_SCANS_MAX; i++)
        memcpy(many + scan + i * scan_len, in.data + scan, scan_len);
    memcpy(many + len - 2, "\xff\xd9", 2);
    assert_refused(many, len, "found more than 100 scans");
    arena_release(&arena);
}

/* One pixel by as many as a side may have: what is not needed takes no memory. */
static void thin_images_fit(void **state)
{
    (void)state;
    struct image thin = {1, IMAGE_SIDE_MAX, calloc(IMAGE_SIDE_MAX, IMAGE_CHANNELS)};
    unsigned char *rgb = malloc(SIDE * SIDE * IMAGE_CHANNELS);
    memset(thin.rgb, 77, IMAGE_SIDE_MAX * IMAGE_CHANNELS);
    image_fit(&thin, IMAGE_CROP, SIDE, rgb);
    assert_int_equal(rgb[0], 77);
    image_fit(&thin, IMAGE_PAD, SIDE, rgb);
    assert_int_equal(rgb[0], 122);
    assert_int_equal(rgb[SIDE * SIDE * IMAGE_CHANNELS - 1], 104);
    free(rgb);
    image_release(&thin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_of_pillow),
        cmocka_unit_test(numbers_are_those_of_transformers),
        cmocka_unit_test(planes_lie_one_behind_the_other),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(damaged_files_end_with_a_message),
        cmocka_unit_test(png_bombs_are_refused),
        cmocka_unit_test(jpeg_bombs_are_refused),
        cmocka_unit_test(endless_scans_are_refused),
        cmocka_unit_test(thin_images_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
