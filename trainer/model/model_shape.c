#include "trainer/model/model_shape.h"

/* Generous caps: the largest published models stay below them, and no product of sizes overflows.
 */
static const struct limit {
    const char *name;
    size_t offset;
    int min, max;
} limits[] = {
    {"vocab", offsetof(struct model_shape, vocabulary), 2, 1 << 20},
    {"layers", offsetof(struct model_shape, layers), 1, 1024},
    {"heads", offsetof(struct model_shape, heads), 1, 1024},
    {"kv_heads", offsetof(struct model_shape, kv_heads), 1, 1024},
    {"hidden", offsetof(struct model_shape, hidden), 2, 1 << 16},
    {"ffn", offsetof(struct model_shape, ffn), 1, 1 << 18},
    {"sequence_length", offsetof(struct model_shape, sequence_length), 1, 1 << 17},
    {"micro_batch", offsetof(struct model_shape, micro_batch), 1, 1 << 12},
    {"tensor", offsetof(struct model_shape, part.tensor), 0, 1024},
    {"pipeline", offsetof(struct model_shape, part.stages), 0, 1024},
    {"chunks", offsetof(struct model_shape, part.chunks), 0, MODEL_CHUNKS_MAX},
};

/* What tensor ranks divide must divide by them. */
static int check_cut(const struct model_shape *s, struct err *err)
{
    int t = model_tensor_ranks(s), rows = s->micro_batch * s->sequence_length;
    const struct {
        const char *name;
        int size;
        bool divides;
    } cuts[] = {
        {"heads", s->heads, s->heads % t == 0},
        {"kv_heads", s->kv_heads, s->kv_heads % t == 0 || t % s->kv_heads == 0},
        {"ffn", s->ffn, s->ffn % t == 0},
        {"vocab", s->vocabulary, s->vocabulary >= t},
        {"micro_batch * sequence_length", rows, rows % t == 0},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        if (!cuts[i].divides)
            return err_set(err, ERR_USAGE, "tensor: found %d ranks for %s = %d, expected a divisor",
                           t, cuts[i].name, cuts[i].size);
    return 0;
}

/* Every chunk has a layer at least. */
static int check_chunks(const struct model_shape *s, struct err *err)
{
    int n = model_all_chunks(s), sum = 0;
    const int *layers = s->part.chunk_layers;
    if (!layers && s->layers % n != 0)
        return err_set(
            err, ERR_USAGE,
            "pipeline: found %d stages of %d chunks for layers = %d, expected a divisor, "
            "or a list of layers",
            model_or_one(s->part.stages), model_or_one(s->part.chunks), s->layers);
    for (int i = 0; layers && i < n; i++) {
        if (layers[i] < 1 || layers[i] > s->layers)
            return err_set(err, ERR_USAGE, "stage_layers: found %d, expected 1 to %d", layers[i],
                           s->layers);
        sum += layers[i];
    }
    return !layers || sum == s->layers
               ? 0
               : err_set(err, ERR_USAGE, "stage_layers: found %d layers in all, expected %d", sum,
                         s->layers);
}

static int check_lora(const struct model_shape *s, struct err *err)
{
    const struct lora *l = &s->lora;
    if (l->r < 0 || l->r > s->hidden)
        return err_set(err, ERR_USAGE, "lora r: found %d, expected 1 to hidden = %d", l->r,
                       s->hidden);
    if (l->r > 0 && (l->targets == 0 || l->targets >> LORA_TARGETS))
        return err_set(
            err, ERR_USAGE,
            "lora targets: found none or another, expected some of q_proj, k_proj, v_proj, "
            "gate_proj, up_proj");
    if (l->r > 0 && !(l->dropout >= 0 && l->dropout < 1))
        return err_set(err, ERR_USAGE, "lora dropout: found %g, expected 0 to below 1", l->dropout);
    return 0;
}

/* Rows of pictures go into a stream that one rank has. */
static int check_pictures(const struct model_shape *s, struct err *err)
{
    if (s->picture_width == 0 && !s->projector_alone)
        return 0;
    if (s->picture_width < 1 || s->picture_width > 1 << 16 || s->picture_rows < 1 ||
        s->picture_rows > 1 << 16)
        return err_set(err, ERR_USAGE,
                       "pictures: found %d rows of %d, expected 1 to 65536 of both for a projector",
                       s->picture_rows, s->picture_width);
    if (s->lora.r > 0 || s->tied || model_tensor_ranks(s) > 1 || model_all_chunks(s) > 1)
        return err_set(err, ERR_USAGE,
                       "pictures: found adapters, a tied head, or ranks or chunks that share the "
                       "model; expected none of them");
    return 0;
}

int model_shape_check(const struct model_shape *s, struct err *err)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const struct limit *l = &limits[i];
        int value = *(const int *)((const char *)s + l->offset);
        if (value < l->min || value > l->max)
            return err_set(err, ERR_USAGE, "%s: found %d, expected %d to %d", l->name, value,
                           l->min, l->max);
    }
    if (s->hidden % (2 * s->heads) != 0)
        return err_set(err, ERR_USAGE, "hidden: found %d, expected a multiple of 2 * heads = %d",
                       s->hidden, 2 * s->heads);
    if (s->heads % s->kv_heads != 0)
        return err_set(err, ERR_USAGE, "kv_heads: found %d, expected a divisor of heads = %d",
                       s->kv_heads, s->heads);
    if (s->architecture.normed_head && s->tied)
        return err_set(err, ERR_USAGE,
                       "head: found one that is tied and normed, expected one of "
                       "them");
    if (check_lora(s, err) < 0 || check_pictures(s, err) < 0)
        return -1;
    if ((int64_t)s->micro_batch * s->sequence_length > INT32_MAX / 16)
        return err_set(err, ERR_USAGE, "micro_batch * sequence_length: found %lld, at most %d",
                       (long long)s->micro_batch * s->sequence_length, INT32_MAX / 16);
    return check_cut(s, err) < 0 ? -1 : check_chunks(s, err);
}
