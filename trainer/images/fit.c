#include "trainer/images/fit.h"

#include "base/arena.h"
#include "trainer/images/image.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A window of an image that Pillow's resize would make with Image.BICUBIC, byte for byte.
 *
 * Pillow (Resample.c) goes along rows first, then along columns, rounding to 8 bits between them.
 * Output x of n, of m input pixels, is the sum of the inputs i in [x_min, x_max) times
 * w((i + 0.5 - c) / s) / (sum of all those w), with c = (x + 0.5) m / n, s = max(m / n, 1),
 * x_min = c - 2 s and x_max = c + 2 s, each rounded (+ 0.5, cut) and kept within the image, and
 *
 *   w(t) = (a + 2) |t|^3 - (a + 3) t^2 + 1        |t| < 1        a = -0.5
 *          a (|t|^3 - 5 t^2 + 8 |t| - 4)          |t| < 2
 *
 * Weights are rounded to RESAMPLE_WEIGHT_BITS bits behind the point, halves away from 0; sums of
 * integers get a half, are shifted and kept within 0 to 255.
 *
 * The image lies on a canvas of one colour, which need not be there as bytes: what is not in the
 * window, or not on the image, takes no memory, however long the canvas is. */

#define RESAMPLE_WEIGHT_BITS 22

struct canvas {
    const struct image *image;
    int width, height;
    int left, top; /* where the image lies, all of it on the canvas */
    unsigned char colour[IMAGE_CHANNELS];
};

/* `side` x `side` pixels of the canvas resized to width x height, from (left, top) on. */
struct resample_window {
    int width, height;
    int left, top, side;
};

#define SUPPORT 2.0
#define SHARPNESS (-0.5)
#define HALF (1 << (RESAMPLE_WEIGHT_BITS - 1))

/* ---- weights -------------------------------------------------------------------------------- */

/* Along one side: output i takes counts[i] inputs from firsts[i] on. */
struct taps {
    int n, most;
    int *firsts, *counts;
    int32_t *weights; /* [n][most] */
};

static double bicubic(double t)
{
    t = fabs(t);
    if (t < 1)
        return ((SHARPNESS + 2) * t - (SHARPNESS + 3)) * t * t + 1;
    return t < 2 ? (((t - 5) * t + 8) * t - 4) * SHARPNESS : 0;
}

static int32_t round_weight(double w)
{
    double scaled = w * (1 << RESAMPLE_WEIGHT_BITS);
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

/* Of output `to`, into place i; `raw` has room for `most`. */
static void weigh_output(struct taps *t, int i, int to, int inputs, double scale, double *raw)
{
    double wide = scale < 1 ? 1 : scale, center = (to + 0.5) * scale, sum = 0;
    int first = (int)(center - SUPPORT * wide + 0.5), end = (int)(center + SUPPORT * wide + 0.5);
    first = first < 0 ? 0 : first;
    end = end > inputs ? inputs : end;
    for (int k = 0; k < end - first; k++)
        sum += raw[k] = bicubic((k + first - center + 0.5) * (1.0 / wide));
    for (int k = 0; k < end - first; k++)
        t->weights[(size_t)i * (size_t)t->most + (size_t)k] =
            round_weight(sum != 0 ? raw[k] / sum : raw[k]);
    t->firsts[i] = first;
    t->counts[i] = end - first;
}

/* Outputs [from, from + n) of `outputs`. */
static void taps_make(struct taps *t, int inputs, int outputs, int from, int n)
{
    double scale = (double)inputs / outputs;
    int most = (int)ceil(SUPPORT * (scale < 1 ? 1 : scale)) * 2 + 1;
    double *raw = memory_alloc((size_t)most * sizeof *raw);
    *t = (struct taps){n, most, memory_alloc((size_t)n * sizeof(int)),
                       memory_alloc((size_t)n * sizeof(int)),
                       memory_alloc((size_t)n * (size_t)most * sizeof(int32_t))};
    for (int i = 0; i < n; i++)
        weigh_output(t, i, from + i, inputs, scale, raw);
    free(raw);
}

static void taps_release(struct taps *t)
{
    free(t->firsts);
    free(t->counts);
    free(t->weights);
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* One output of each channel: inputs lie `stride` bytes apart. */
static void weigh_pixel(const struct taps *t, int i, const unsigned char *in, size_t stride,
                        unsigned char *out)
{
    const int32_t *weights = t->weights + (size_t)i * (size_t)t->most;
    for (int c = 0; c < IMAGE_CHANNELS; c++) {
        int32_t sum = HALF;
        for (int k = 0; k < t->counts[i]; k++)
            sum += in[(size_t)k * stride + (size_t)c] * weights[k];
        sum >>= RESAMPLE_WEIGHT_BITS;
        out[c] = (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
}

/* Across a row of the canvas, where it is not its colour alone. */
struct crossing {
    const struct canvas *from;
    struct taps taps;
    unsigned char *row;    /* [width], of the canvas; beside the image its colour stays */
    unsigned char *colour; /* [taps.n]: what a row without image becomes */
    int first, end;        /* outputs that see the image */
};

static bool sees_image(const struct crossing *a, int x)
{
    const struct canvas *c = a->from;
    return a->taps.firsts[x] < c->left + c->image->width &&
           a->taps.firsts[x] + a->taps.counts[x] > c->left;
}

static void cross_row(const struct crossing *a, const unsigned char *row, int first, int end,
                      unsigned char *out)
{
    for (int x = first; x < end; x++)
        weigh_pixel(&a->taps, x, row + (size_t)a->taps.firsts[x] * IMAGE_CHANNELS, IMAGE_CHANNELS,
                    out + (size_t)x * IMAGE_CHANNELS);
}

static void crossing_make(struct crossing *a, const struct canvas *from,
                          const struct resample_window *w)
{
    *a = (struct crossing){.from = from,
                           .row = memory_alloc((size_t)from->width * IMAGE_CHANNELS),
                           .colour = memory_alloc((size_t)w->side * IMAGE_CHANNELS)};
    taps_make(&a->taps, from->width, w->width, w->left, w->side);
    for (int x = 0; x < from->width; x++)
        memcpy(a->row + (size_t)x * IMAGE_CHANNELS, from->colour, IMAGE_CHANNELS);
    cross_row(a, a->row, 0, w->side, a->colour);
    while (a->first < w->side && !sees_image(a, a->first))
        a->first++;
    a->end = a->first;
    while (a->end < w->side && sees_image(a, a->end))
        a->end++;
}

static void crossing_release(struct crossing *a)
{
    free(a->row);
    free(a->colour);
    taps_release(&a->taps);
}

/* Row y of the canvas. */
static void cross_canvas(struct crossing *a, int y, unsigned char *out)
{
    const struct canvas *c = a->from;
    size_t bytes = (size_t)c->image->width * IMAGE_CHANNELS;
    memcpy(out, a->colour, (size_t)a->taps.n * IMAGE_CHANNELS);
    if (y < c->top || y >= c->top + c->image->height)
        return;
    memcpy(a->row + (size_t)c->left * IMAGE_CHANNELS, c->image->rgb + (size_t)(y - c->top) * bytes,
           bytes);
    cross_row(a, a->row, a->first, a->end, out);
}

/* rgb[side][side][IMAGE_CHANNELS] */
static void resample_window(const struct canvas *from, const struct resample_window *w,
                            unsigned char *rgb)
{
    struct crossing across;
    struct taps down;
    crossing_make(&across, from, w);
    taps_make(&down, from->height, w->height, w->top, w->side);
    int first = down.firsts[0], last = w->side - 1, end = down.firsts[last] + down.counts[last];
    size_t row_bytes = (size_t)w->side * IMAGE_CHANNELS;
    unsigned char *rows = memory_alloc((size_t)(end - first) * row_bytes);
    for (int y = first; y < end; y++)
        cross_canvas(&across, y, rows + (size_t)(y - first) * row_bytes);
    for (int y = 0; y < w->side; y++)
        for (int x = 0; x < w->side; x++) {
            const size_t at = (size_t)x * IMAGE_CHANNELS;
            weigh_pixel(&down, y, rows + (size_t)(down.firsts[y] - first) * row_bytes + at,
                        row_bytes, rgb + (size_t)y * row_bytes + at);
        }
    free(rows);
    crossing_release(&across);
    taps_release(&down);
}

static const double means[IMAGE_CHANNELS] = {0.48145466, 0.4578275, 0.40821073};
static const double deviations[IMAGE_CHANNELS] = {0.26862954, 0.26130258, 0.27577711};

static int longer_of(const struct image *i)
{
    return i->width > i->height ? i->width : i->height;
}

static int shorter_of(const struct image *i)
{
    return i->width < i->height ? i->width : i->height;
}

void image_fit(const struct image *image, enum image_fit fit, int side, unsigned char *rgb)
{
    if (fit == IMAGE_PAD) {
        int longer = longer_of(image);
        struct canvas square = {
            .image = image,
            .width = longer,
            .height = longer,
            .left = (longer - image->width) / 2,
            .top = (longer - image->height) / 2,
        };
        const struct resample_window w = {side, side, 0, 0, side};
        for (int c = 0; c < IMAGE_CHANNELS; c++)
            square.colour[c] = (unsigned char)(means[c] * 255);
        resample_window(&square, &w, rgb);
    } else {
        const struct canvas whole = {
            .image = image, .width = image->width, .height = image->height};
        int longer = (int)((double)((int64_t)side * longer_of(image)) / shorter_of(image));
        struct resample_window w = {side, side, 0, 0, side};
        if (image->width > image->height)
            w.width = longer;
        else
            w.height = longer;
        w.left = (w.width - side) / 2;
        w.top = (w.height - side) / 2;
        resample_window(&whole, &w, rgb);
    }
}

void image_numbers(float numbers[IMAGE_CHANNELS][256])
{
    for (int c = 0; c < IMAGE_CHANNELS; c++)
        for (int value = 0; value < 256; value++)
            numbers[c][value] =
                ((float)(value * (1 / 255.0)) - (float)means[c]) / (float)deviations[c];
}

void image_normalise(const unsigned char *rgb, size_t pixels,
                     const float numbers[IMAGE_CHANNELS][256], float *planes)
{
    for (int c = 0; c < IMAGE_CHANNELS; c++)
        for (size_t i = 0; i < pixels; i++)
            planes[(size_t)c * pixels + i] = numbers[c][rgb[i * IMAGE_CHANNELS + (size_t)c]];
}
