/*
 * image: a JPEG or PNG file becomes RGB pixels, those of Pillow's Image.open(f).convert('RGB').
 *
 *   JPEG   baseline and progressive, 8 bits; grey, YCbCr, RGB; CMYK and YCCK by Adobe's convention
 *          (stored inverted): R = (255 - C) (255 - K) / 255, rounded
 *   PNG    all colour types and depths, interlaced too. Palettes are looked up (a colour that they
 *          lack is grey), alpha is dropped, grey of 1, 2, 4 bits is scaled to 255. Of 16 bits the
 *          upper 8 count, but of grey without alpha the value, at most 255: so does Pillow 9.4
 *
 * Orientation (EXIF), profiles and gamma are ignored, as Pillow ignores them there. A format is a
 * row of the table in image.c and a file of its own, which is the one door to its
 * library.
 *
 * Nothing in the bytes is trusted. Refused with ERR_INPUT, before room for pixels is taken: more
 * than the limits below, other formats, no pixels. Refused while they are read: a file that ends
 * early, PNG chunks with a wrong sum, JPEG with more than IMAGE_SCANS_MAX scans. Damage inside of a
 * JPEG's scans is not refused: libjpeg goes on behind it, and so does Pillow. Who reads untrusted
 * files calls this in a worker (base/process/worker.h); the limits hold without one.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

#define IMAGE_BYTES_MAX ((size_t)64 << 20)  /* of a file */
#define IMAGE_SIDE_MAX 65500                /* pixels */
#define IMAGE_PIXELS_MAX ((size_t)64 << 20) /* 192 MiB of memory */
#define IMAGE_SCANS_MAX 100                 /* of a progressive JPEG */
#define IMAGE_CHANNELS 3

struct image {
    int width, height;
    unsigned char *rgb; /* [height][width][IMAGE_CHANNELS]; owned */
};

/* On failure *out holds nothing. Messages do not name the file: err_prefix() does. */
int image_decode(struct bytes in, struct image *out, struct err *err);
void image_release(struct image *i); /* one that is all zero is allowed */

/* The decoders, one file each, for the table in image.c.
 *
 * Each fills *out, which is all zero, and leaves what it has filled of it when it fails. */

int image_decode_jpeg(struct bytes in, struct image *out, struct err *err);
int image_decode_png(struct bytes in, struct image *out, struct err *err);

/* Room for so many pixels; ERR_INPUT where the limits do not allow it. */
int image_make(struct image *out, uint64_t width, uint64_t height, struct err *err);
