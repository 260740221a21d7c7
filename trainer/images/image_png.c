/* libpng's door. */
#include "trainer/images/image.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct png_reading {
    png_structp png;
    png_infop info;
    struct bytes in;
    size_t at;
    struct err *err;
};

/* ---- what libpng calls ---------------------------------------------------------------------- */

static _Noreturn void refuse_png(png_structp png, png_const_charp why)
{
    struct png_reading *r = png_get_error_ptr(png);
    err_set(r->err, ERR_INPUT, "PNG: %s", why);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp why)
{
    (void)png, (void)why;
}

static void take_png_bytes(png_structp png, png_bytep to, size_t n)
{
    struct png_reading *r = png_get_io_ptr(png);
    if (n > r->in.len - r->at)
        png_error(png, "the file ends within the image");
    memcpy(to, r->in.data + r->at, n);
    r->at += n;
}

/* libpng would take want of memory for a fault of the file. */
static png_voidp memory_for_png(png_structp png, png_alloc_size_t n)
{
    (void)png;
    return memory_alloc(n);
}

static void memory_back_from_png(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* ---- the image ------------------------------------------------------------------------------ */

/* How the rows that libpng gives become RGB in place: from the end on, for no pixel of theirs is
 * longer. */
typedef void row_to_rgb(const struct png_reading *r, unsigned char *row, int width);

static void put_grey(unsigned char *row, int x, unsigned char grey)
{
    for (int c = 0; c < IMAGE_CHANNELS; c++)
        row[IMAGE_CHANNELS * x + c] = grey;
}

static void wide_grey_to_rgb(const struct png_reading *r, unsigned char *row, int width)
{
    (void)r;
    for (int x = width - 1; x >= 0; x--)
        put_grey(row, x, row[2 * x] ? 255 : row[2 * x + 1]);
}

/* What the palette does not have is grey in Pillow. */
static void palette_to_rgb(const struct png_reading *r, unsigned char *row, int width)
{
    png_colorp colours = NULL;
    int n = 0;
    png_get_PLTE(r->png, r->info, &colours, &n);
    for (int x = width - 1; x >= 0; x--) {
        unsigned char i = row[x];
        put_grey(row, x, i);
        if (i < n)
            memcpy(row + IMAGE_CHANNELS * x,
                   (unsigned char[]){colours[i].red, colours[i].green, colours[i].blue},
                   IMAGE_CHANNELS);
    }
}

/* NULL: libpng makes RGB of it. */
static row_to_rgb *ask_for_rgb(struct png_reading *r)
{
    int type = png_get_color_type(r->png, r->info), bits = png_get_bit_depth(r->png, r->info);
    if (type == PNG_COLOR_TYPE_GRAY && bits == 16)
        return wide_grey_to_rgb;
    if (type == PNG_COLOR_TYPE_PALETTE) {
        png_set_packing(r->png);
        return palette_to_rgb;
    }
    if (type == PNG_COLOR_TYPE_GRAY && bits < 8)
        png_set_expand_gray_1_2_4_to_8(r->png);
    png_set_strip_16(r->png);
    png_set_strip_alpha(r->png);
    if (!(type & PNG_COLOR_MASK_COLOR))
        png_set_gray_to_rgb(r->png);
    return NULL;
}

/* libpng leaves by refuse_png: what changes after setjmp lies behind pointers. */
static int read_png(struct png_reading *r, struct image *out)
{
    if (setjmp(png_jmpbuf(r->png)))
        return -1;
    /* libpng refuses more than a million by itself; the limits are ours. */
    png_set_read_fn(r->png, r, take_png_bytes);
    png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    /* What has nothing to do with pixels, and may be packed: it is not looked at. */
    static const png_byte names[] = "iCCP\0iTXt\0tEXt\0zTXt\0eXIf\0sPLT\0hIST";
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
    png_read_info(r->png, r->info);
    if (image_make(out, png_get_image_width(r->png, r->info), png_get_image_height(r->png, r->info),
                   r->err) < 0)
        return -1;
    row_to_rgb *convert = ask_for_rgb(r);
    size_t row_bytes = (size_t)out->width * IMAGE_CHANNELS;
    int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    if (png_get_rowbytes(r->png, r->info) > row_bytes)
        png_error(r->png, "found rows of a format that is not known");
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < out->height; y++)
            png_read_row(r->png, out->rgb + (size_t)y * row_bytes, NULL);
    for (int y = 0; convert && y < out->height; y++)
        convert(r, out->rgb + (size_t)y * row_bytes, out->width);
    return 0;
}

int image_decode_png(struct bytes in, struct image *out, struct err *err)
{
    struct png_reading r = {.in = in, .err = err};
    r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r, refuse_png, ignore_warning, NULL,
                                     memory_for_png, memory_back_from_png);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    int rc = r.info ? read_png(&r, out) : err_set(err, ERR_IO, "libpng cannot begin");
    png_destroy_read_struct(&r.png, &r.info, NULL);
    return rc;
}
