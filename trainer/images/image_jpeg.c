/* libjpeg's door. */
#include "trainer/images/image.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

/* What libjpeg's structures lie in, so that its callbacks find it. */
struct jpeg_reading {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf refused;
    struct err *err;
};

/* ---- what libjpeg calls --------------------------------------------------------------------- */

static struct jpeg_reading *reading_of(j_common_ptr jpeg)
{
    return jpeg->client_data;
}

static _Noreturn void refuse_jpeg(j_common_ptr jpeg)
{
    struct jpeg_reading *r = reading_of(jpeg);
    char why[JMSG_LENGTH_MAX];
    if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY) /* says nothing about the file */
        memory_end("JPEG: ", 0);
    jpeg->err->format_message(jpeg, why);
    err_set(r->err, ERR_INPUT, "JPEG: %s", why);
    longjmp(r->refused, 1);
}

static void keep_silent(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void begin_source(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

static boolean refuse_end(j_decompress_ptr jpeg)
{
    struct jpeg_reading *r = jpeg->client_data;
    err_set(r->err, ERR_INPUT, "JPEG: the file ends within the image");
    longjmp(r->refused, 1);
}

static void skip_source(j_decompress_ptr jpeg, long n)
{
    if (n <= 0)
        return;
    if ((size_t)n > jpeg->src->bytes_in_buffer)
        refuse_end(jpeg);
    jpeg->src->next_input_byte += n;
    jpeg->src->bytes_in_buffer -= (size_t)n;
}

/* Each scan of a large image is a pass over all of it, and a file has room for thousands. */
static void count_scans(j_common_ptr jpeg)
{
    struct jpeg_reading *r = reading_of(jpeg);
    if (r->jpeg.input_scan_number <= IMAGE_SCANS_MAX)
        return;
    err_set(r->err, ERR_INPUT, "JPEG: found more than %d scans", IMAGE_SCANS_MAX);
    longjmp(r->refused, 1);
}

/* ---- colours -------------------------------------------------------------------------------- */

static int space_of(const struct jpeg_decompress_struct *jpeg)
{
    switch (jpeg->num_components) {
    case 1:
        return JCS_GRAYSCALE;
    case 3:
        return JCS_RGB;
    case 4:
        return JCS_CMYK;
    default:
        return JCS_UNKNOWN;
    }
}

/* Both from the end on, for a pixel of the row is no longer than what becomes of it. */
static void grey_to_rgb(unsigned char *row, int width)
{
    for (int x = width - 1; x >= 0; x--) {
        unsigned char grey = row[x];
        for (int c = 0; c < IMAGE_CHANNELS; c++)
            row[IMAGE_CHANNELS * x + c] = grey;
    }
}

/* Inks are stored inverted. Pillow's rounding of a * b / 255. */
static void cmyk_to_rgb(const unsigned char *inks, unsigned char *row, int width)
{
    for (int x = 0; x < width; x++)
        for (int c = 0; c < IMAGE_CHANNELS; c++) {
            int white = inks[4 * x + 3], ink = 255 - inks[4 * x + c];
            int product = ink * white + 128;
            int value = white - (((product >> 8) + product) >> 8);
            row[IMAGE_CHANNELS * x + c] = (unsigned char)(value < 0 ? 0 : value);
        }
}

/* ---- the image ------------------------------------------------------------------------------ */

static void read_scanlines(struct jpeg_decompress_struct *jpeg, struct image *out,
                           unsigned char *inks)
{
    while (jpeg->output_scanline < jpeg->output_height) {
        unsigned char *row =
            out->rgb + (size_t)jpeg->output_scanline * (size_t)out->width * IMAGE_CHANNELS;
        JSAMPROW to = inks ? inks : row;
        jpeg_read_scanlines(jpeg, &to, 1);
        if (inks)
            cmyk_to_rgb(inks, row, out->width);
        else if (jpeg->num_components == 1)
            grey_to_rgb(row, out->width);
    }
}

static void begin_reading(struct jpeg_reading *r, struct bytes in)
{
    r->source = (struct jpeg_source_mgr){
        .next_input_byte = (const JOCTET *)in.data,
        .bytes_in_buffer = in.len,
        .init_source = begin_source,
        .fill_input_buffer = refuse_end,
        .skip_input_data = skip_source,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = begin_source,
    };
    r->progress = (struct jpeg_progress_mgr){.progress_monitor = count_scans};
    r->jpeg.src = &r->source;
    r->jpeg.progress = &r->progress;
    jpeg_read_header(&r->jpeg, TRUE);
}

/* libjpeg leaves by refuse_jpeg: what changes after setjmp lies behind pointers. */
static int read_image(struct jpeg_reading *r, struct bytes in, struct image *out,
                      unsigned char **inks)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    if (setjmp(r->refused))
        return -1;
    jpeg_create_decompress(jpeg);
    begin_reading(r, in);
    jpeg->out_color_space = (J_COLOR_SPACE)space_of(jpeg);
    if (jpeg->out_color_space == JCS_UNKNOWN)
        return err_set(r->err, ERR_INPUT, "JPEG: found %d components, expected 1, 3 or 4",
                       jpeg->num_components);
    if (image_make(out, jpeg->image_width, jpeg->image_height, r->err) < 0)
        return -1;
    if (jpeg->out_color_space == JCS_CMYK)
        *inks = memory_alloc((size_t)out->width * 4);
    jpeg_start_decompress(jpeg);
    read_scanlines(jpeg, out, *inks);
    jpeg_finish_decompress(jpeg);
    return 0;
}

int image_decode_jpeg(struct bytes in, struct image *out, struct err *err)
{
    struct jpeg_reading r = {.err = err};
    unsigned char *inks = NULL;
    r.jpeg.client_data = &r;
    r.jpeg.err = jpeg_std_error(&r.errors);
    r.errors.error_exit = refuse_jpeg;
    r.errors.output_message = keep_silent;
    int rc = read_image(&r, in, out, &inks);
    jpeg_destroy_decompress(&r.jpeg);
    free(inks);
    return rc;
}
