/* An image: one that is admitted has a size within the limits, and becomes a square of both fits.
 */
#include "tests/fuzz/fuzz.h"

#include "base/arena.h"
#include "trainer/images/fit.h"

#include <stdlib.h>

enum { SIDE = 14, FIT_PIXELS_MAX = 1 << 20 };

static void fit_both(const struct image *image)
{
    unsigned char square[SIDE * SIDE * IMAGE_CHANNELS];
    float numbers[IMAGE_CHANNELS][256], planes[SIDE * SIDE * IMAGE_CHANNELS];
    image_fit(image, IMAGE_CROP, SIDE, square);
    image_fit(image, IMAGE_PAD, SIDE, square);
    image_numbers(numbers);
    image_normalise(square, SIDE * SIDE, numbers, planes);
    for (int i = 0; i < SIDE * SIDE * IMAGE_CHANNELS; i++)
        if (!(planes[i] > -3 && planes[i] < 3))
            __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct err err = ERR_INIT;
    if (image_decode((struct bytes){(const char *)data, size}, &image, &err) < 0) {
        if (image.rgb || !*err.text)
            __builtin_trap();
        return 0;
    }
    size_t pixels = (size_t)image.width * (size_t)image.height;
    if (image.width < 1 || image.height < 1 || image.width > IMAGE_SIDE_MAX ||
        image.height > IMAGE_SIDE_MAX || pixels > IMAGE_PIXELS_MAX)
        __builtin_trap();
    if (pixels <= FIT_PIXELS_MAX)
        fit_both(&image);
    image_release(&image);
    return 0;
}
