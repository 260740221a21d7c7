#include "trainer/images/fit.h"

#include "trainer/images/resample.h"

#include <stdint.h>

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
