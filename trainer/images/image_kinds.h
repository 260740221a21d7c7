/*
 * image_kinds: the decoders, one file each, for the table in image.c.
 *
 * Each fills *out, which is all zero, and leaves what it has filled of it when it fails.
 */
#pragma once

#include "trainer/images/image.h"

#include <stdint.h>

int image_decode_jpeg(struct bytes in, struct image *out, struct err *err);
int image_decode_png(struct bytes in, struct image *out, struct err *err);

/* Room for so many pixels; ERR_INPUT where the limits do not allow it. */
int image_make(struct image *out, uint64_t width, uint64_t height, struct err *err);
