/*
 * picture_corpus: pictures and what is said of them, that need no download; what data.h is for
 * text. A token is an ASCII byte, so the vocabulary is 128, and 1 and 2 begin and end a text.
 *
 * A picture has four fields of one colour each, red, green, blue or yellow, with some noise. With
 * captions, a sample is the picture and the colours' names in reading order, all of which are
 * targets. With questions, it is a question about the picture or, each fourth time, one without a
 * picture that names the colours itself, and the answer alone is a target. Names differ in length,
 * so samples do.
 *
 * Integer arithmetic only: the same bytes on every machine.
 */
#pragma once

#include "base/err.h"
#include "base/signing/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_CORPUS_SAMPLES 1024
#define PICTURE_CORPUS_VOCABULARY 128

/* Arrays as conversations.h has them, each the caller's to free. */
struct picture_corpus {
    int32_t *tokens, *labels, *pictures, *lengths;
    int64_t *offsets;
    uint8_t *pixels;
    size_t samples, n_tokens, n_pictures, pixel_bytes;
};

/* `side` is at least 2; sha256 is that of all arrays. */
void picture_corpus_make(struct picture_corpus *c, int side, bool questions,
                         char sha256[HASH_HEX_SIZE]);
