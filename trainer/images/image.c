#include "trainer/images/image.h"

#include <stdlib.h>
#include <string.h>

static const struct image_kind {
    const char *magic;
    size_t magic_len;
    int (*decode)(struct bytes in, struct image *out, struct err *err);
} kinds[] = {{"\xff\xd8\xff", 3, image_decode_jpeg}, {"\x89PNG\r\n\x1a\n", 8, image_decode_png}};

int image_make(struct image *out, uint64_t width, uint64_t height, struct err *err)
{
    if (width == 0 || height == 0)
        return err_set(err, ERR_INPUT, "found an image without pixels");
    if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX || width * height > IMAGE_PIXELS_MAX)
        return err_set(err, ERR_INPUT,
                       "found %llu x %llu pixels, expected at most %d a side and %zu in all",
                       (unsigned long long)width, (unsigned long long)height, IMAGE_SIDE_MAX,
                       IMAGE_PIXELS_MAX);
    *out = (struct image){(int)width, (int)height,
                          memory_alloc((size_t)(width * height * IMAGE_CHANNELS))};
    return 0;
}

static const struct image_kind *kind_of(struct bytes in)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (in.len >= kinds[i].magic_len &&
            memcmp(in.data, kinds[i].magic, kinds[i].magic_len) == 0)
            return &kinds[i];
    return NULL;
}

int image_decode(struct bytes in, struct image *out, struct err *err)
{
    const struct image_kind *kind = kind_of(in);
    *out = (struct image){0};
    if (in.len > IMAGE_BYTES_MAX)
        return err_set(err, ERR_INPUT, "found an image of %zu bytes, expected at most %zu", in.len,
                       IMAGE_BYTES_MAX);
    if (!kind)
        return err_set(err, ERR_INPUT, "found neither a JPEG nor a PNG image");
    if (kind->decode(in, out, err) == 0)
        return 0;
    image_release(out);
    return -1;
}

void image_release(struct image *i)
{
    free(i->rgb);
    *i = (struct image){0};
}
