#include "renderer/sharing/share_png.h"

#include <png.h>
#include <string.h>

static unsigned char *to_rgb(const struct share_pixels *pixels, struct arena *arena)
{
    unsigned char *rgb = arena_array(arena, (size_t)pixels->width * pixels->height, 3), *to = rgb;
    for (uint32_t y = 0; y < pixels->height; y++)
        for (uint32_t x = 0; x < pixels->width; x++, to += 3) {
            uint32_t pixel;
            memcpy(&pixel, pixels->rows + y * pixels->stride + x * sizeof pixel, sizeof pixel);
            to[0] = (unsigned char)(pixel >> 16);
            to[1] = (unsigned char)(pixel >> 8);
            to[2] = (unsigned char)pixel;
        }
    return rgb;
}

int share_png_write(const struct share_pixels *pixels, struct arena *arena, struct buf *out,
                    struct err *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = pixels->width,
                       .height = pixels->height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    png_alloc_size_t n = PNG_IMAGE_PNG_SIZE_MAX(image);
    char *bytes = arena_alloc(arena, n);
    if (!png_image_write_to_memory(&image, bytes, &n, 0, to_rgb(pixels, arena), 0, NULL))
        return err_set(err, ERR_IO, "libpng could not write a picture: %s", image.message);
    buf_add(out, bytes, n);
    return 0;
}
