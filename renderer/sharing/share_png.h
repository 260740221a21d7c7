/*
 * share_png: the door to libpng for pictures that are written. Flat colours and letters need none
 * of its filters: without them a picture takes a quarter of the processor that cairo's own PNG
 * takes, and as many bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* Pixels as cairo has them in CAIRO_RGB24: 0x00RRGGBB, in rows `stride` bytes apart. */
struct share_pixels {
    const unsigned char *rows;
    size_t stride;
    uint32_t width, height;
};

/* Appends a PNG; the arena holds it meanwhile. */
int share_png_write(const struct share_pixels *pixels, struct arena *arena, struct buf *out,
                    struct err *err);
