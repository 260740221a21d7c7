/*
 * resample: a window of an image that Pillow's resize would make with Image.BICUBIC, byte for byte.
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
 * window, or not on the image, takes no memory, however long the canvas is.
 */
#pragma once

#include "trainer/images/image.h"

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

/* rgb[side][side][IMAGE_CHANNELS] */
void resample_window(const struct canvas *from, const struct resample_window *w,
                     unsigned char *rgb);
