/*
 * train: the native trainer: one case in, one step after the other out.
 *
 * train_native() makes data, model and optimizer from a flat description, trains on the device and
 * with the ranks that its caller opened, and reports through an observer. It prints nothing, writes
 * no file but the checkpoints and weights that it is asked for, and looks at no environment
 * variable; logs, run directories and progress are made from what the observer is told.
 *
 * One step is gradient_accumulation micro-batches of micro_batch sequences. The loss of a step is
 * the mean cross-entropy over all its tokens, in nats, before its update.
 *
 * Its time begins where the one before ended (the first one's: behind `started`) and ends when the
 * device has updated this rank's weights. So there is no time between steps: what the observer does
 * with a step, and weights that are still on their way to other ranks (trainer/optimizer/zero.h),
 * are in the next one's. Checkpoints alone are in none. The same case on the same machine gives the
 * same bits (`seconds` excepted); on another one the last digits may differ, because the BLAS
 * chooses its kernels by the processor.
 */
#pragma once

#include "base/err.h"

#include "trainer/model/architecture.h"
#include "trainer/model/lora.h"
#include "trainer/model/recompute.h"
#include "trainer/model/tower.h"
#include "trainer/optimizer/decays.h"
#include "trainer/ranks/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct comm;

/* All strings are borrowed until train_native returns. */
struct training {
    /* model, see trainer/model/model.h */
    int vocab, layers, heads, kv_heads, hidden, ffn;
    bool tied; /* the head is the embedding */
    double rope_theta, norm_eps;
    struct architecture architecture;
    struct lora lora;         /* r 0: none */
    struct tower_shape tower; /* of a model that sees; layers 0: it does not */
    bool projector_alone;     /* is trained, between its tower and its language model */
    double init_std;          /* standard deviation of the initial matrices */

    /* batch: tokens per step = sequence_length * micro_batch * gradient_accumulation */
    int sequence_length, micro_batch, gradient_accumulation;

    /* The targets of a sequence lie in it, as DeepSpeed's trainers feed them: its last token has
     * none. Otherwise the token behind it is the last target. */
    bool targets_inside;

    /* Each rank's micro-batch weighs alike, however many targets it has (micro_batches.h). */
    bool means_of_ranks;

    /* optimizer and schedule, see trainer/optimizer/optimizer.h */
    int steps, warmup_steps;
    bool warmup_from_zero; /* the first step has rate 0 */
    double lr, min_lr;
    double weight_decay, beta1, beta2, eps;
    double clip_norm; /* 0: no clipping */
    enum decays decays;

    uint64_t seed; /* of weights and sample order */

    /* data, see trainer/data/data.h */
    const char *data_kind;   /* "generated", "npy", "megatron", "conversations" */
    const char *data_path;   /* NULL for generated */
    const char *data_sha256; /* NULL or "": any */
    bool grouped;            /* conversations: samples of like lengths are trained at once */

    const char *precision; /* a row of trainer/device/precision.h; the device's */
    enum recompute recompute;
    int zero;         /* level, see trainer/optimizer/zero.h */
    struct plan plan; /* of the ranks; all zero: they divide the data */

    /* Files, each NULL where there is none. Rank 0 alone touches them. */
    const char *initial_weights;   /* trainer/tensors/tensor_files.h; NULL: drawn from the seed */
    const char *initial_projector; /* the same of a projector alone; NULL: initial_weights has it,
                                      or, where it is trained alone, it is drawn */
    const char *initial_tower;     /* of a tower; NULL: it is drawn */
    const char *initial_sha256;    /* of their values (model_files.h); NULL: any */
    const char *resume; /* a checkpoint, or a folder whose newest is taken; its weights are
                           the ones, whatever initial_weights says */
    bool
        each_looked; /* every rank looked for `resume` itself, and all must have found it or none */
    const char *checkpoint_dir; /* see train_files.h */
    int checkpoint_every;       /* steps; the last step that is taken has one in any case */
    int checkpoint_keep;        /* newest ones that stay; 0: all */
    const char *final_weights;  /* a new folder, model_folder_save's */
};

/* Known once everything is ready for the first step. Strings live as long as the call. */
struct train_start {
    const char *device; /* "cpu" */
    size_t parameters;  /* elements */
    /* device memory that the training holds until its end, and its parts */
    size_t device_bytes, weight_bytes, gradient_bytes, optimizer_bytes, activation_bytes;
    const char *data_sha256;     /* of the data as it was read */
    size_t data_tokens;          /* in the data */
    size_t data_samples;         /* sequences per epoch */
    double unigram_entropy_nats; /* loss of a model that knows only how often each token occurs */
    size_t tokens_per_step;      /* of all ranks, at most */
    size_t sequences_per_step;
    int resumed;                /* step behind which the training goes on; 0: it begins */
    const char *initial_sha256; /* of the weights that it began with; NULL: drawn from its seed */
    const char *resumed_sha256; /* of those that it goes on with; NULL: it begins */
};

struct train_step {
    int step;         /* from 1 */
    double loss;      /* nats per token */
    double grad_norm; /* before clipping */
    double lr;
    double seconds;         /* wall clock: see above */
    double ended;           /* when its time did, by clock_seconds() */
    double input_seconds;   /* of these, waiting for data (trainer/data/reader.h) */
    double loss_scale;      /* 1 but for fp16 */
    bool skipped;           /* the gradients overflowed fp16: no update was made */
    size_t tokens;          /* of this step, padding among them */
    size_t real_tokens;     /* without padding */
    size_t attention_pairs; /* over all sequences, the squares of their padded lengths */
    size_t targets;         /* whose losses are averaged */
    size_t sequences, pictures;
};

/* A checkpoint that is written, durable, and has its final name. */
struct train_saved {
    int step;
    const char *path;
    size_t bytes;   /* of its tensors' files */
    double seconds; /* that the training stood still */
};

struct train_end {
    int steps; /* taken, those before a resumption among them */
    const char
        *weights_sha256; /* of the final weights, in the order of trainer/model/model.h's table */
};

/*
 * Any function may be NULL. Nonzero from one of the first three stops the training early: not an
 * error, train_native still writes what it is asked for, reports the end and returns 0. `asked` is
 * called within a step. One rank alone leaves that step, as if it had not begun it; several stop
 * together behind it, or, when it was `stepped` that said so, behind the next one.
 *
 * `failed` is called before anything is closed, which may take as long as a device hangs. `saving`
 * is called on every rank before a checkpoint gets its name, so that more can be put into its
 * folder, which only rank 0 has; what goes wrong there, on any rank, ends the training of all.
 */
struct train_observer {
    void *context;
    int (*started)(void *context, const struct train_start *);
    int (*asked)(void *context);
    int (*stepped)(void *context, const struct train_step *);
    void (*failed)(void *context, const struct err *err);
    void (*ended)(void *context, const struct train_end *);
    void (*saved)(void *context, const struct train_saved *);
    int (*saving)(void *context, const char *folder, struct err *err);
    void (*reached)(void *context, const char *what); /* "groups of ranks", … are done */
};

/* 0, or ERR_USAGE with the setting's name, what was found and what was expected. */
int training_check(const struct training *t, struct err *err);

/* The same for its plan: does it make up this world, and divide the model and the step? */
int training_check_plan(const struct training *t, int world, struct err *err);

/*
 * -1: what training_check finds, ERR_INPUT for unreadable data, weights or checkpoints, ERR_USAGE
 * for a folder to be written that is there already, ERR_IO for the machine, and
 * ERR_CHECK with "step N: …" for a loss or gradient norm that is not finite (that step is not
 * reported and its update not made).
 */
int train_native(const struct training *t, struct comm *comm, const struct train_observer *observer,
                 struct err *err);
