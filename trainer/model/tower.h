/*
 * tower: the vision transformer of CLIP (Radford et al. 2021), frozen: pictures in, rows out.
 *
 *   x = norm([class; patches Wpatch^T] + places)
 *   each layer:  x += attend(norm(x)) Wo^T + bo;   x += quick_gelu(norm(x) W1^T + b1) W2^T + b2
 *   rows of a picture = x of its patches, without the class
 *
 * Norms are layer norms, all products have biases but the patches', attention sees all. There are
 * as many layers as are used: LLaVA takes what the last but one gives, so the last one and the norm
 * behind it are nothing but tensors of a file.
 *
 * Each rank has the whole tower, in its device's format, and neither gradients nor state. Its
 * tensors are not in the model's table (model.h), but they have names in files, those of
 * transformers; rows of memory begin at multiples of 64 elements, but for what one product reads as
 * one (q, k and v).
 */
#pragma once

#include "base/err.h"
#include "trainer/device/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tower_shape {
    int layers; /* that are used; 0: there is no tower */
    int hidden, heads, ffn;
    int side, patch; /* pixels */
    float eps;
};

static inline int tower_patches(const struct tower_shape *s)
{
    return s->side / s->patch * (s->side / s->patch);
}

/* A tensor of rows by width elements; a vector has one row. */
struct tower_tensor {
    char name[96]; /* "vision_tower.vision_model.encoder.layers.0.mlp.fc1.weight" */
    size_t rows, width, offset;
    bool is_vector;
    bool is_bias; /* begins with 0, where it is not given */
    bool is_norm; /* with 1 */
    int patch;    /* of the patches' weights, which have [rows, 3, patch, patch] in files; else 0 */
};

struct tower {
    struct tower_shape shape;
    struct device *device; /* borrowed */
    struct tower_tensor *tensors;
    size_t n_tensors, n_weights;
    void *weights; /* [n_weights], device format */
    int pictures_max;
    size_t arena_bytes;
    void *arena; /* all that follows */
    uint8_t *pixels;
    void *patches;         /* [pictures * patches, 3 * patch^2] */
    int32_t *behind_class; /* of x, the row of each patch */
    void *x, *normed;      /* [pictures * (1 + patches), hidden] */
    void *branch;          /* likewise */
    void *wide, *narrow;   /* likewise, the widest of qkv and ffn; what attention gives */
    void *rows;            /* [pictures * patches, hidden]: the result */
};

/* ERR_USAGE names a size that cannot be. Weights are zero. */
int tower_new(struct tower **out, const struct tower_shape *shape, int pictures_max,
              struct device *device, struct err *err);
void tower_free(struct tower *t); /* NULL is allowed */

/* Of all tensors. */
size_t tower_elements(const struct tower *t);

/* Of so many pictures at once. */
struct attention_shape tower_attention(const struct tower_shape *shape, int pictures);

/* Bytes of device memory, without taking them. */
size_t tower_bytes(const struct tower_shape *shape, int pictures_max, size_t element_bytes);

/* Weights as transformers draws none of them: matrices of this deviation, norms 1, biases 0. */
int tower_draw(struct tower *t, float std, uint64_t seed, struct err *err);

/* pixels[pictures, side, side, 3] of the host: t->rows, behind all that was queued before. */
void tower_see(struct tower *t, const uint8_t *pixels, int pictures);

/* From t->patches on, which whoever calls has filled. */
void tower_see_patches(struct tower *t, int pictures);
