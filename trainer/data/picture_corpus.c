#include "trainer/data/picture_corpus.h"

#include "base/arena.h"
#include "trainer/data/conversations.h"
#include "trainer/device/rng.h"

#include <string.h>

#define CORPUS_SEED 2023
#define FIELDS 4
#define TOKENS_MAX 128 /* of a sample */
#define NOISE 32       /* of a byte of a pixel */

static const struct colour {
    const char *name;
    uint8_t rgb[3];
} colours[] = {{"red", {200, 20, 20}},
               {"green", {20, 180, 20}},
               {"blue", {20, 20, 210}},
               {"yellow", {220, 210, 20}}};
#define COLOURS (sizeof colours / sizeof *colours)

static void add_token(struct picture_corpus *c, int32_t token, bool target)
{
    c->tokens[c->n_tokens] = token;
    c->labels[c->n_tokens++] = target ? token : CONVERSATION_IGNORED;
}

static void add_text(struct picture_corpus *c, const char *text, bool target)
{
    for (; *text; text++)
        add_token(c, *text, target);
}

static void add_picture_names(struct picture_corpus *c, const size_t fields[FIELDS], bool target)
{
    for (int i = 0; i < FIELDS; i++) {
        add_text(c, i > 0 ? " " : "", target);
        add_text(c, colours[fields[i]].name, target);
    }
}

static void draw_picture(struct picture_corpus *c, const size_t fields[FIELDS], int side,
                         struct rng *rng)
{
    uint8_t *pixel = c->pixels + c->n_pictures * (size_t)side * (size_t)side * 3;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            for (int channel = 0; channel < 3; channel++) {
                int field = 2 * (y >= side / 2) + (x >= side / 2);
                int noise = (int)rng_below(rng, NOISE);
                *pixel++ = (uint8_t)(colours[fields[field]].rgb[channel] + noise);
            }
    c->pictures[c->samples] = (int32_t)c->n_pictures++;
}

static void add_sample(struct picture_corpus *c, int side, bool questions, struct rng *rng)
{
    size_t fields[FIELDS], begin = c->n_tokens;
    bool picture = !(questions && c->samples % 4 == 3);
    for (int i = 0; i < FIELDS; i++)
        fields[i] = rng_below(rng, COLOURS);
    c->pictures[c->samples] = -1;
    if (picture)
        draw_picture(c, fields, side, rng);
    add_token(c, 1, false);
    if (questions) {
        add_text(c, "USER: ", false);
        if (picture) {
            add_token(c, CONVERSATION_IMAGE, false);
            add_text(c, "\nColours?", false);
        } else {
            add_text(c, "Say ", false);
            add_picture_names(c, fields, false);
        }
        add_text(c, " ASSISTANT: ", false);
        add_picture_names(c, fields, true);
        add_token(c, 2, true);
    } else {
        add_token(c, CONVERSATION_IMAGE, false);
        add_picture_names(c, fields, true);
        add_text(c, "\n", true);
    }
    int32_t length = (int32_t)(c->n_tokens - begin);
    c->lengths[c->samples] = picture ? length : -length;
    c->offsets[++c->samples] = (int64_t)c->n_tokens;
}

void picture_corpus_make(struct picture_corpus *c, int side, bool questions,
                         char sha256[HASH_HEX_SIZE])
{
    const size_t n = PICTURE_CORPUS_SAMPLES, most = n * TOKENS_MAX;
    struct rng rng;
    struct hash hash;
    rng_init(&rng, CORPUS_SEED, RNG_ORDER, questions);
    *c = (struct picture_corpus){.tokens = memory_alloc(most * sizeof *c->tokens),
                                 .labels = memory_alloc(most * sizeof *c->labels),
                                 .pictures = memory_alloc(n * sizeof *c->pictures),
                                 .lengths = memory_alloc(n * sizeof *c->lengths),
                                 .offsets = memory_alloc((n + 1) * sizeof *c->offsets),
                                 .pixels = memory_alloc(n * (size_t)side * (size_t)side * 3)};
    while (c->samples < n)
        add_sample(c, side, questions, &rng);
    c->pixel_bytes = c->n_pictures * (size_t)side * (size_t)side * 3;
    hash_init(&hash);
    hash_add(&hash, c->tokens, c->n_tokens * sizeof *c->tokens);
    hash_add(&hash, c->labels, c->n_tokens * sizeof *c->labels);
    hash_add(&hash, c->offsets, (n + 1) * sizeof *c->offsets);
    hash_add(&hash, c->pictures, n * sizeof *c->pictures);
    hash_add(&hash, c->lengths, n * sizeof *c->lengths);
    hash_add(&hash, c->pixels, c->pixel_bytes);
    hash_final(&hash, sha256);
}
