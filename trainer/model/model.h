/*
 * model: a transformer as a list of blocks, forward and backward, over any device.
 *
 *   x = embedding[token]
 *   blocks in turn:  x += block(norm(x))          (block.h: attention, feed-forward)
 *   logits = norm(x) Whead;   loss = cross-entropy against the next token
 *
 * Parameters have Hugging Face Llama's names and shapes ([out, in], y = x W^T) and lie one after
 * the other in one array of weights; the gradients are an fp32 array of the same layout. In that
 * order q, k and v of a layer are neighbours, and so are gate and up: three products become one,
 * two become one, without a copy.
 *
 * A rank may have a part of the model (struct model_part): slices of its matrices, some of its
 * layers, or both. Its layers come in chunks, each of which passes rows on to the next one, here or
 * on another rank. Between chunks and between blocks a rank has rows / tensor rows of the stream
 * (sequence parallelism, Korthikanti et al. 2022); linear.h gathers and scatters them.
 *
 * What a chunk keeps of one micro-batch between its passes is a slot (struct activations); a chunk
 * has as many slots as micro-batches are under way in it. All lie in one arena that is laid out
 * when the model is made. The model owns weights, gradients and activations; the optimizer's state
 * belongs to optimizer.h, the order of passes to pipeline.h, that of steps to train.h.
 *
 * One micro-batch of a whole model:  model_forward, model_loss, model_backward. Gradients and
 * loss_sum are added to, so that micro-batches accumulate; model_zero_gradients starts over. Device
 * failures show at the next download or synchronize (trainer/device/device.h), those of collectives
 * in model_status.
 */
#pragma once

#include "base/err.h"
#include "trainer/device/device.h"
#include "trainer/model/architecture.h"
#include "trainer/model/block.h"
#include "trainer/model/projector.h"
#include "trainer/model/recompute.h"
#include "trainer/model/tail.h"
#include "trainer/ranks/comm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_CHUNKS_MAX 16

struct tower;

/* What a rank has of a model. All zero: the whole. */
struct model_part {
    int tensor, tensor_rank; /* ranks that share a layer, 0 stands for 1; which of them */
    int stages, stage;       /* ranks that share the layers, 0 stands for 1; which of them */
    int chunks;              /* of each stage, 0 stands for 1: chunk c of stage r is number
                                c * stages + r of the whole model's */
    const int *chunk_layers; /* [stages * chunks]; NULL: alike. Borrowed */
    int micro_batches[MODEL_CHUNKS_MAX]; /* under way in each chunk; 0 stands for 1 */
};

/* What a tensor is for. */
enum parameter_role { ROLE_MODEL, ROLE_ADAPTER_A, ROLE_ADAPTER_B, ROLE_PROJECTOR };

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
    struct architecture architecture;
    struct lora lora;
    int picture_width;    /* of the rows that the projector takes; 0: there are no pictures */
    int picture_rows;     /* of each; a micro-batch has as many pictures as sequences at most */
    bool projector_alone; /* is trained; all else is frozen */
    bool remembers;       /* each layer keeps its queries, keys and values for passes of rows that
                             follow (model_set_rows); of one sequence, whole, and forward only */
    struct model_part part;
};

/* One tensor of the model, or what a rank has of one. */
struct parameter {
    char name[96];      /* "model.layers.0.self_attn.q_proj.weight" */
    size_t index;       /* of the tensor in the whole model's table */
    size_t offset;      /* of its first element in weights and gradients */
    size_t rows, width; /* a vector has width elements in 1 row */
    enum parameter_role role;
    bool is_vector; /* one dimension in a checkpoint */
    bool decays;    /* weight decay applies: matrices, but neither norms nor the embedding */
    size_t whole_rows, whole_width; /* of the tensor */
    size_t first_row, first_column; /* of this part of it */
    size_t inputs;                  /* role projector: of its linear layer, biases too */
    bool beside;                    /* trained beside frozen weights, and in files of its own */
    size_t file_row, file_rows; /* in files it is rows of a tensor that has so many; 0, 0: all */
    int copies;                 /* tensor ranks that have this same part; 1: this one alone */
    bool leads;                 /* this is the first of all copies in a pipeline */
};

/* A run of a tensor's elements that lie one after the other both in it and in a rank's arrays. */
struct parameter_run {
    size_t in_tensor, offset, n;
};

/*
 * A part of the flat arrays whose gradients become complete together: the embedding, each layer,
 * what follows the layers. Behind its tensors a bucket is padded to a multiple of 64 * ranks
 * elements (zeros, which stay zeros), so that it divides evenly.
 */
struct bucket {
    size_t begin, n; /* elements, padding included */
    void *weights;   /* of its first element, device memory; zero.h may keep them elsewhere */
    float *gradient;
    bool fresh; /* its gradients are garbage: the next to come overwrite them */
};

/* Some neighbouring layers. */
struct model_chunk {
    int first_block, n_blocks;
    bool embeds, heads; /* the first chunk of the model; the last one */
    int slots;
    struct activations *activations; /* [slots] */
};

struct model {
    struct model_shape shape;
    struct device *device; /* borrowed */
    int length;            /* of the passes that come: model_set_length, model_set_rows */
    int first;             /* row of the sequence that they begin with */
    int rows;              /* micro_batch * length */
    int own_rows;          /* rows / tensor: of the stream */
    int heads, kv_heads;   /* of this rank */
    int vocabulary;        /* rows of the embedding and of the head that are here, */
    int first_token;       /* from this one on */
    struct comm *tensor;   /* ranks that share its layers; NULL: nobody does. Borrowed */

    struct parameter *tensors; /* of the whole model: shapes and places only, no offsets */
    size_t n_tensors;
    struct parameter *parameters; /* of this rank, as they lie in memory */
    size_t n_parameters;
    size_t n_weights;       /* elements of all of them, and padding */
    struct bucket *buckets; /* embedding, layers, rest, as far as they are here */
    int n_buckets;
    size_t embedding, final_norm;      /* offsets */
    struct linear head;                /* its weight is the embedding's when tied */
    int embedding_bucket, head_bucket; /* -1: not here */
    int adapter_bucket;                /* of all adapters, or of a projector that is trained alone:
                                          the only one that is trained; -1: none */
    struct block *blocks;              /* of all chunks */
    int n_blocks, n_chunks;
    struct model_chunk chunks[MODEL_CHUNKS_MAX];

    void *weights;       /* [n_weights], device format; NULL where they do not stay (zero.h) */
    float *gradients;    /* [n_gradients]; buckets lie in it */
    size_t n_gradients;  /* n_weights, or less where buckets share their place */
    bool passing;        /* they do */
    int turn;            /* of their places, the one that was used last */
    int weights_bucket;  /* whose weights the pass that runs reads */
    int gradient_bucket; /* whose gradients the backward pass is making */
    /* NULL, or told whenever the gradients of a bucket are complete, last bucket first */
    void (*bucket_ready)(void *context, int bucket);
    /* NULL, or told before a pass reads the first weight of a bucket, and which bucket's it will
     * read next (-1: none) */
    void (*bucket_wanted)(void *context, int bucket, int next);
    void *context;       /* of both */
    struct tower *tower; /* what its pictures are seen by (tower.h); NULL. Borrowed */
    struct projector projector;
    struct pictures pictures;                         /* of the passes that come */
    struct tail tail;                                 /* their rows with a target (tail.h) */
    uint64_t dropout_seed, dropout_step, dropout_row; /* of the passes that come: lora.h */
    bool last; /* the backward pass that comes is that of a step's last micro-batch */
    bool failed;
    struct err failure; /* the first of a collective */

    size_t arena_bytes;
    void *arena;                /* all that follows */
    float *cosine, *sine;       /* of rotations; NULL */
    float *slopes;              /* of this rank's heads; NULL */
    void *unit_head;            /* the head's rows by their lengths; NULL: it is not normed */
    float *unit_inverse;        /* [vocabulary] */
    int32_t *targets;           /* [rows], counted from first_token on; -1: not here */
    void *output, *output_norm; /* residual stream after the last layer; normed */
    float *output_inverse;
    void *branch; /* what a branch is about to add to the stream, or a chunk begins with */
    void *passed; /* what a chunk passes on: one of its places; NULL where none does */
    /* Two places where a stage has several chunks, else twice the same: what is on its way from
     * there may wait until the stage behind has begun to take it (pipeline.h). */
    void *passed_places[2], *d_stream_places[2];
    void *whole, *whole_input; /* rows of all tensor ranks                       hidden */
    void *d_thin;              /* of each of a linear layer's adapters; NULL: there are none */
    void *logits;              /* after model_loss: their gradient               vocabulary */
    float *tops, *sums; /* of the rows' logits, where the vocabulary is divided: [rows], [2 rows] */
    float *losses;      /* of each token, nats */
    double *loss_sum;   /* [2]: of all tokens; the second is free for who adds it up over ranks */
    /* gradients of activations, shared by all layers; logits and those of branches take turns in
     * one place */
    void *d_stream, *d_branch; /* d_stream: one of its places */
    struct block_gradients d_blocks[BLOCK_KINDS];
};

/* Checks the shape (ERR_USAGE names the field), takes all memory; weights are zero. A part of
 * several tensor ranks needs model->tensor before its first pass. */
int model_new(struct model **out, const struct model_shape *shape, struct device *device,
              struct err *err);

/* What does not stay in the model's memory; see zero.h. */
struct model_passing {
    bool gradients; /* the embedding's bucket has a place of its own, the others take turns in two:
                       whoever listens to bucket_ready takes them away in time */
    bool weights;   /* none are here: whoever listens to bucket_wanted brings them */
};
int model_new_passing(struct model **out, const struct model_shape *shape,
                      const struct model_passing *passing, struct device *device, struct err *err);
void model_free(struct model *m); /* NULL is allowed */

/* Elements of all tensors of the whole model. */
size_t model_elements(const struct model *m);

/* Elements of the largest one. */
size_t model_largest_tensor(const struct model *m);

/* What a tensor of the whole model's table is on this rank; NULL: it is on others. */
const struct parameter *model_own(const struct model *m, const struct parameter *tensor);

/* The next run of [begin, end) of the tensor that p has a part of, if any; *begin moves behind it.
 * Offsets are those of the rank's arrays. */
bool parameter_next_run(const struct parameter *p, size_t *begin, size_t end,
                        struct parameter_run *run);

/* The passes that come are of micro-batches whose sequences have so many tokens, at most
 * sequence_length; on one rank's whole model. */
void model_set_length(struct model *m, int length);

/*
 * The passes that come are of rows [first, first + n) of one sequence, at most sequence_length, of
 * a model that remembers: attention sees the rows before as the passes before left them. So a token
 * is added to a sequence for the work of one row; attention alone is done once more for up to
 * MODEL_ROWS_STEP rows in front, whose lengths few kernels have to be chosen for.
 */
#define MODEL_ROWS_STEP 64
void model_set_rows(struct model *m, int first, int n);

/* The next backward pass begins new gradients (until then they are not to be read); loss_sum is
 * 0. Matrices are not zeroed but overwritten, which saves writing and reading them once. */
void model_zero_gradients(struct model *m);

static inline const struct device_operations *model_operations(const struct model *m)
{
    return m->device->operations;
}

/* Where a collective failed: the first failure is the model's. */
void model_note_failure(struct model *m, int rc, const struct err *err);

/* Gradient of the weight at this offset, which lies in the bucket. */
static inline float *bucket_gradient(const struct bucket *b, size_t offset)
{
    return b->gradient + (offset - b->begin);
}

/*
 * The passes of one chunk and one micro-batch, which keeps its activations in `slot` from the
 * forward pass until the backward one. The chunk that embeds takes inputs[rows], each in [0,
 * vocabulary), or -1 for a row that a picture's takes the place of, from the host, any other one
 * begins with what was put into m->branch. The one that has the head fills logits, any other one
 * passes on m->passed. Backward, the one that has the head begins with logits as model_loss left
 * them, and its loss must stand between its passes with nothing else; any other one with what was
 * put into m->d_stream; and what goes to the chunk before is m->d_stream then. Rows that are
 * passed: [own_rows, hidden].
 */
void chunk_forward(struct model *m, int chunk, int slot, const int32_t *inputs);
void chunk_backward(struct model *m, int chunk, int slot);

/* Behind the forward pass of the chunk that has the head: to[vocabulary], in fp32 of the device,
 * the logits of one row, which m->logits has rounded. Of a model that one rank has. */
void model_row_logits(struct model *m, int row, float *to);

/* targets[rows] on the host: adds the losses of all tokens to loss_sum and turns logits into
 * gradients of the loss in which one token weighs token_weight (1 / tokens of the step). */
void model_loss(struct model *m, const int32_t *targets, float token_weight);

/* 0, or the first failure of a collective. */
int model_status(const struct model *m, struct err *err);

/* A model of one chunk. */
static inline void model_forward(struct model *m, const int32_t *inputs)
{
    chunk_forward(m, 0, 0, inputs);
}

static inline void model_backward(struct model *m)
{
    chunk_backward(m, 0, 0);
}
