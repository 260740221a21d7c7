/*
 * fit: an image becomes the square that CLIP's tower takes, as LLaVA makes it.
 *
 *   IMAGE_CROP   the shorter side becomes `side`, the longer one side * long / short, rounded down;
 *                the middle of it is kept (CLIPImageProcessor; LLaVA's pretraining)
 *   IMAGE_PAD    the image is laid on the middle of a square of its longer side in CLIP's mean
 *                colour, (122, 116, 104), which becomes side x side (LLaVA's fine-tuning)
 *
 * Numbers: value / 255, less the channel's mean, by its deviation: CLIP's
 * (0.48145466, 0.4578275, 0.40821073) and (0.26862954, 0.26130258, 0.27577711). As in transformers
 * the first is rounded to fp32 once, and the rest is done in fp32.
 */
#pragma once

#include "trainer/images/image.h"

enum image_fit { IMAGE_CROP, IMAGE_PAD };

#define IMAGE_FIT_SIDE_MAX 4096

/* rgb[side][side][IMAGE_CHANNELS] */
void image_fit(const struct image *image, enum image_fit fit, int side, unsigned char *rgb);

/* The number of each value of each channel. */
void image_numbers(float numbers[IMAGE_CHANNELS][256]);

/* planes[IMAGE_CHANNELS][pixels] of rgb[pixels][IMAGE_CHANNELS]; `numbers` are those above. */
void image_normalise(const unsigned char *rgb, size_t pixels,
                     const float numbers[IMAGE_CHANNELS][256], float *planes);
