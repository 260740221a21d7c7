/*
 * model: a transformer of the Llama architecture, forward and backward, over any device.
 *
 *   x = embedding[token]
 *   layers times:  x += attention(rope(norm(x) Wqkv)) Wo;   x += swiglu(norm(x) Wgate_up) Wdown
 *   logits = norm(x) Whead;   loss = cross-entropy against the next token
 *
 * Parameters have Hugging Face Llama's names and shapes ([out, in], y = x W^T) and lie one after
 * the other in one array of weights; the gradients are an fp32 array of the same layout. In that
 * order q, k and v of a layer are neighbours, and so are gate and up: three products become one,
 * two become one, without a copy.
 *
 * Activations of one micro-batch live in one arena that is laid out when the model is made; every
 * micro-batch overwrites the last. The model owns weights, gradients and activations; the
 * optimizer's state belongs to optimizer.h, the order of steps to train.h.
 *
 * One micro-batch:  model_forward, model_loss, model_backward. Gradients and loss_sum are added
 * to, so that micro-batches accumulate; model_zero_gradients starts over. Device failures show at
 * the next download or synchronize (trainer/device/device.h).
 */
#ifndef TRAINER_MODEL_MODEL_H
#define TRAINER_MODEL_MODEL_H

#include "base/err.h"
#include "trainer/device/device.h"
#include "trainer/model/recompute.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_shape {
    int vocabulary, layers;
    int heads, kv_heads; /* heads is a multiple of kv_heads */
    int hidden;          /* a multiple of 2 * heads */
    int ffn;             /* width of gate and of up */
    int sequence_length; /* tokens per sequence */
    int micro_batch;     /* sequences per forward pass */
    bool tied;           /* the head is the embedding */
    enum recompute recompute;
    int ranks;        /* a bucket's size is a multiple of 64 * ranks; 0 stands for 1 */
    float rope_theta; /* 10000 for Llama 2 */
    float norm_eps;
};

/* One tensor of the model. */
struct parameter {
    char name[64];      /* "model.layers.0.self_attn.q_proj.weight" */
    size_t offset;      /* of its first element in weights and gradients */
    size_t rows, width; /* a vector has width elements in 1 row */
    bool is_vector;     /* one dimension in a checkpoint */
    bool decays;        /* weight decay applies: matrices, but neither norms nor the embedding */
};

/* Activations that the backward pass of one layer needs. Widths per token in the right column. */
struct layer_activations {
    void *input;              /* residual stream at the attention norm         hidden */
    void *attention_norm;     /* that, normed                                  hidden */
    void *qkv;                /* queries, keys (both turned) and values        qkv_width */
    void *attended;           /* what attention gathered                       hidden */
    void *middle;             /* residual stream at the feed-forward norm      hidden */
    void *ffn_norm;           /* that, normed                                  hidden */
    void *gate_up;            /*                                               2 * ffn */
    void *gated;              /* silu(gate) * up                               ffn */
    float *attention_inverse; /* 1 / rms                                       1 */
    float *ffn_inverse;       /*                                               1 */
    float *log_sum_exp;       /* of the attention scores                       heads */
};

/* Where the weights of one layer begin, as offsets in elements. */
struct layer_offsets {
    size_t attention_norm, qkv, attention_out, ffn_norm, gate_up, ffn_down;
};

/*
 * A part of the flat arrays whose gradients become complete together: the embedding, each layer,
 * what follows the layers. Behind its tensors a bucket is padded to a multiple of 64 * ranks
 * elements (zeros, which stay zeros), so that it divides evenly.
 */
struct bucket {
    size_t begin, n; /* elements, padding included */
    float *gradient; /* of its first element, device memory */
};

struct model {
    struct model_shape shape;
    struct device *device; /* borrowed */
    int rows;              /* micro_batch * sequence_length */
    int qkv_width;         /* (heads + 2 * kv_heads) * head width */

    struct parameter *parameters;
    size_t n_parameters;    /* tensors */
    size_t n_weights;       /* elements of all of them, and padding */
    struct bucket *buckets; /* embedding, layers, rest */
    int n_buckets;
    size_t embedding, final_norm, head; /* offsets; head == embedding when tied */
    struct layer_offsets *offsets;      /* [layers] */
    void *weights;                      /* [n_weights], device format */
    float *gradients;                   /* [n_gradients]; buckets lie in it */
    size_t n_gradients;                 /* n_weights, or less where buckets share their place */
    bool fresh;                         /* gradients are garbage: the next to come overwrite them */
    int bucket;                         /* whose gradients the backward pass is making */
    /* NULL, or told whenever the gradients of a bucket are complete, last bucket first */
    void (*bucket_ready)(void *context, int bucket);
    /* NULL, or told before a forward pass reads the first weight of a bucket, first bucket first */
    void (*bucket_wanted)(void *context, int bucket);
    void *context; /* of both */

    size_t arena_bytes;
    void *arena; /* all that follows */
    float *cosine, *sine;
    int32_t *inputs, *targets;             /* [rows] */
    struct layer_activations *activations; /* [layers] */
    void *output, *output_norm;            /* residual stream after the last layer; normed */
    float *output_inverse;
    void *branch;     /* what a branch is about to add to the stream            hidden */
    void *logits;     /* after model_loss: their gradient                   vocabulary */
    float *losses;    /* of each token, nats */
    double *loss_sum; /* [2]: of all tokens; the second is free for who adds it up over ranks */
    /* gradients of activations, shared by all layers; logits, d_qkv, and d_gate_up with d_gated
     * take turns in one place */
    void *d_stream, *d_branch, *d_qkv, *d_gate_up, *d_gated;
};

/* Checks the shape (ERR_USAGE names the field), takes all memory; weights are zero. */
int model_new(struct model **out, const struct model_shape *shape, struct device *device,
              struct err *err);

/* The same with gradients that do not stay: the embedding's bucket has a place of its own, the
 * others take turns in two. Whoever listens to bucket_ready takes them away in time. */
int model_new_passing(struct model **out, const struct model_shape *shape, struct device *device,
                      struct err *err);
void model_free(struct model *m); /* NULL is allowed */

/* Elements of all tensors. */
size_t model_elements(const struct model *m);

/* Elements of the largest one. */
size_t model_largest_tensor(const struct model *m);

/* The next backward pass begins new gradients (until then they are not to be read); loss_sum is
 * 0. Matrices are not zeroed but overwritten, which saves writing and reading them once. */
void model_zero_gradients(struct model *m);

/* Gradient of the weight at this offset, which lies in the bucket. */
static inline float *bucket_gradient(const struct bucket *b, size_t offset)
{
    return b->gradient + (offset - b->begin);
}

/* inputs[rows] on the host, each in [0, vocabulary): fills logits[rows, vocabulary]. */
void model_forward(struct model *m, const int32_t *inputs);

/* targets[rows] on the host: adds the losses of all tokens to loss_sum and turns logits into
 * gradients of the loss in which one token weighs token_weight (1 / tokens of the step). */
void model_loss(struct model *m, const int32_t *targets, float token_weight);

/* gradients += d loss / d weights */
void model_backward(struct model *m);

#endif
