#include "trainer/model/lora.h"

#include "trainer/model/model.h"

_Static_assert(LORA_OF_LINEAR <= THIN_MAX, "a layer's adapters go through the device at once");

const char *const lora_target_names[LORA_TARGETS] = {
    [LORA_Q] = "q_proj",       [LORA_K] = "k_proj",   [LORA_V] = "v_proj",
    [LORA_GATE] = "gate_proj", [LORA_UP] = "up_proj",
};

/* What of a step's counters is the same in a whole pass. */
static uint64_t pass_key(const struct model *m, const struct adapter *a)
{
    return device_mix(device_mix(m->dropout_seed ^ device_mix(m->dropout_step)) ^ a->key);
}

static float scale_of(const struct model *m)
{
    return (float)(m->shape.lora.alpha / m->shape.lora.r);
}

static const void *adapter_weight(const struct model *m, size_t offset)
{
    const struct bucket *b = &m->buckets[m->adapter_bucket];
    return device_at(m->device, b->weights, offset - b->begin);
}

/* Between what A multiplies and thin rows. */
static struct thin of_a(const struct model *m, const struct linear *l, int i,
                        const struct adapters_kept *kept, const void *x, void *thin)
{
    const struct adapter *a = &l->adapters[i];
    return (struct thin){
        .rows = m->rows,
        .width = l->in,
        .r = m->shape.lora.r,
        .scale = 1,
        .keep = (float)(1 - m->shape.lora.dropout),
        .key = pass_key(m, a),
        .first_row = m->dropout_row,
        .bits = kept->bits[i],
        .x = (void *)x,
        .w = adapter_weight(m, a->a),
        .thin = thin,
    };
}

/* Between thin rows and the columns of y that B makes. */
static struct thin of_b(const struct model *m, const struct linear *l, int i, const void *y,
                        void *thin)
{
    const struct adapter *a = &l->adapters[i];
    return (struct thin){
        .rows = m->rows,
        .width = a->out,
        .r = m->shape.lora.r,
        .ld = l->out,
        .across = true,
        .scale = scale_of(m),
        .x = (void *)device_at(m->device, y, (size_t)a->first),
        .w = adapter_weight(m, a->b),
        .thin = thin,
    };
}

/* Of adapter i of a linear layer. */
static void *d_thin_at(const struct model *m, int i)
{
    return device_at(m->device, m->d_thin, (size_t)i * m->rows * m->shape.lora.r);
}

void lora_forward(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                  void *y, const void *x)
{
    struct thin a[LORA_OF_LINEAR], b[LORA_OF_LINEAR];
    int n = l->n_adapters;
    for (int i = 0; i < n; i++) {
        a[i] = of_a(m, l, i, kept, x, kept->thin[i]);
        b[i] = of_b(m, l, i, y, kept->thin[i]);
    }
    if (n > 0) {
        m->device->operations->thin_down(m->device, a, n);
        m->device->operations->thin_up(m->device, b, n);
    }
}

/* d_thin = scale * dy B */
void lora_begin_backward(struct model *m, const struct linear *l, const void *dy)
{
    struct thin b[LORA_OF_LINEAR];
    for (int i = 0; i < l->n_adapters; i++)
        b[i] = of_b(m, l, i, dy, d_thin_at(m, i));
    if (l->n_adapters > 0)
        m->device->operations->thin_down(m->device, b, l->n_adapters);
}

/* dx += drop'(d_thin A), of which what was dropped has none. */
void lora_into_input(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                     void *dx, const void *dy)
{
    struct thin a[LORA_OF_LINEAR];
    lora_begin_backward(m, l, dy);
    for (int i = 0; i < l->n_adapters; i++)
        a[i] = of_a(m, l, i, kept, dx, d_thin_at(m, i));
    if (l->n_adapters > 0)
        m->device->operations->thin_up(m->device, a, l->n_adapters);
}

void lora_into_weights(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                       const void *dy, const void *x)
{
    struct bucket *bucket = &m->buckets[m->adapter_bucket];
    struct thin a[LORA_OF_LINEAR], b[LORA_OF_LINEAR];
    int n = l->n_adapters;
    for (int i = 0; i < n; i++) {
        a[i] = of_a(m, l, i, kept, x, d_thin_at(m, i));
        b[i] = of_b(m, l, i, dy, kept->thin[i]);
        a[i].gradient = bucket_gradient(bucket, l->adapters[i].a);
        b[i].gradient = bucket_gradient(bucket, l->adapters[i].b);
        a[i].fresh = b[i].fresh = bucket->fresh;
    }
    if (n > 0) {
        m->device->operations->thin_gradient(m->device, b, n);
        m->device->operations->thin_gradient(m->device, a, n);
    }
}
