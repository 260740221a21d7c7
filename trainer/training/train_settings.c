#include "trainer/training/train_settings.h"

#include "trainer/data/picture_corpus.h"
#include "trainer/device/precision.h"
#include "trainer/model/model_shape.h"
#include "trainer/model/pipeline.h"

#include <string.h>

static const struct integer_limit {
    const char *name;
    size_t offset;
    int min, max;
} integers[] = {
    {"gradient_accumulation", offsetof(struct training, gradient_accumulation), 1, 1 << 16},
    {"steps", offsetof(struct training, steps), 1, 1 << 28},
    {"warmup_steps", offsetof(struct training, warmup_steps), 0, 1 << 28},
    {"checkpoint_every", offsetof(struct training, checkpoint_every), 0, 1 << 28},
    {"checkpoint_keep", offsetof(struct training, checkpoint_keep), 0, 1 << 28},
    {"zero", offsetof(struct training, zero), 0, 3},
    {"decays", offsetof(struct training, decays), DECAYS_LAYERS, DECAYS_ALL},
};

/* min <= value <= max; NaN is neither. */
static const struct real_limit {
    const char *name;
    size_t offset;
    double min, max;
} reals[] = {
    {"rope_theta", offsetof(struct training, rope_theta), 1, 1e9},
    {"norm_eps", offsetof(struct training, norm_eps), 1e-12, 1},
    {"init_std", offsetof(struct training, init_std), 0, 100},
    {"lr", offsetof(struct training, lr), 0, 1000},
    {"min_lr", offsetof(struct training, min_lr), 0, 1000},
    {"weight_decay", offsetof(struct training, weight_decay), 0, 1000},
    {"beta1", offsetof(struct training, beta1), 0, 0.999999},
    {"beta2", offsetof(struct training, beta2), 0, 0.999999},
    {"eps", offsetof(struct training, eps), 1e-30, 1},
    {"clip_norm", offsetof(struct training, clip_norm), 0, 1e9},
};

static bool is_kind(const struct training *t, const char *kind)
{
    return strcmp(t->data_kind, kind) == 0;
}

static int check_integers(const struct training *t, struct err *err)
{
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        const struct integer_limit *l = &integers[i];
        int value = *(const int *)((const char *)t + l->offset);
        if (value < l->min || value > l->max)
            return err_set(err, ERR_USAGE, "%s: found %d, expected %d to %d", l->name, value,
                           l->min, l->max);
    }
    return 0;
}

static int check_reals(const struct training *t, struct err *err)
{
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        const struct real_limit *l = &reals[i];
        double value = *(const double *)((const char *)t + l->offset);
        if (!(value >= l->min && value <= l->max))
            return err_set(err, ERR_USAGE, "%s: found %g, expected %g to %g", l->name, value,
                           l->min, l->max);
    }
    return 0;
}

/* A model that sees reads conversations, and no other does. */
static int check_seeing(const struct training *t, struct err *err)
{
    bool sees = t->tower.layers > 0, generated = t->data_kind && is_kind(t, "generated");
    if (t->projector_alone && t->zero > 2)
        return err_set(err, ERR_USAGE, "zero: found %d for a projector alone, expected 0 to 2",
                       t->zero);
    if (t->projector_alone && !sees)
        return err_set(err, ERR_USAGE, "stage: found pretrain, expected a model that sees");
    if (t->data_kind && !generated && sees != is_kind(t, "conversations"))
        return err_set(err, ERR_USAGE, "data kind: found %s, expected %s for this model",
                       t->data_kind, sees ? "generated or conversations" : "no conversations");
    if (sees && generated && t->vocab < PICTURE_CORPUS_VOCABULARY)
        return err_set(err, ERR_USAGE, "vocab: found %d, expected at least %d for generated data",
                       t->vocab, PICTURE_CORPUS_VOCABULARY);
    return 0;
}

int training_check(const struct training *t, struct err *err)
{
    struct model_shape shape = training_model_shape(t);
    if (model_shape_check(&shape, err) < 0 || check_integers(t, err) < 0 || check_reals(t, err) < 0)
        return -1;
    if (t->warmup_steps > t->steps)
        return err_set(err, ERR_USAGE, "warmup_steps: found %d, expected at most steps = %d",
                       t->warmup_steps, t->steps);
    if (t->targets_inside && t->sequence_length < 2)
        return err_set(err, ERR_USAGE,
                       "sequence_length: found 1, expected 2 or more for targets "
                       "inside of a sequence");
    if (t->lora.r > 0 && t->zero > 1)
        return err_set(err, ERR_USAGE, "zero: found %d for adapters, expected 0 or 1", t->zero);
    if (check_seeing(t, err) < 0)
        return -1;
    if (t->min_lr > t->lr)
        return err_set(err, ERR_USAGE, "min_lr: found %g, expected at most lr = %g", t->min_lr,
                       t->lr);
    if (!precision_find(t->precision))
        return err_set(err, ERR_USAGE, "precision: found %s, expected " PRECISION_NAMES,
                       t->precision ? t->precision : "none");
    if (t->checkpoint_every > 0 && !t->checkpoint_dir)
        return err_set(err, ERR_USAGE,
                       "checkpoint_every: found %d, expected 0 without a "
                       "checkpoint_dir",
                       t->checkpoint_every);
    if (!t->data_kind)
        return err_set(err, ERR_USAGE, "data_kind: missing, expected generated, npy or megatron");
    return 0;
}

struct model_shape training_model_shape(const struct training *t)
{
    return (struct model_shape){
        .vocabulary = t->vocab,
        .layers = t->layers,
        .heads = t->heads,
        .kv_heads = t->kv_heads,
        .hidden = t->hidden,
        .ffn = t->ffn,
        .sequence_length = t->sequence_length,
        .micro_batch = t->micro_batch,
        .tied = t->tied,
        .recompute = t->recompute,
        .rope_theta = (float)t->rope_theta,
        .norm_eps = (float)t->norm_eps,
        .architecture = t->architecture,
        .lora = t->lora,
        .picture_width = t->tower.hidden,
        .picture_rows = t->tower.layers > 0 ? tower_patches(&t->tower) : 0,
        .projector_alone = t->projector_alone,
    };
}

/* A chunk holds as many micro-batches as its schedule has under way. */
int training_model_part(const struct training *t, int rank, int world, struct model_shape *shape,
                        struct err *err)
{
    struct plan plan = t->plan;
    if (plan_complete(&plan, world, err) < 0)
        return -1;
    const struct plan_place place = plan_place_of(&plan, rank);
    const struct pipeline pipeline = {plan.pipeline, plan.chunks, t->gradient_accumulation};
    if (pipeline_check(&pipeline, err) < 0)
        return -1;
    *shape = training_model_shape(t);
    shape->ranks = plan.data;
    shape->part = (struct model_part){.tensor = plan.tensor,
                                      .tensor_rank = place.tensor,
                                      .stages = plan.pipeline,
                                      .stage = place.pipeline,
                                      .chunks = plan.chunks,
                                      .chunk_layers = plan.chunk_layers};
    pipeline_under_way(&pipeline, place.pipeline, shape->part.micro_batches);
    return model_shape_check(shape, err);
}

/* Every stage divides alike: the first has what any of them has. */
int training_check_plan(const struct training *t, int world, struct err *err)
{
    struct model_shape part;
    return training_model_part(t, 0, world, &part, err);
}

int training_copies(const struct training *t)
{
    int tensor = t->plan.tensor > 0 ? t->plan.tensor : 1;
    return t->kv_heads < tensor ? tensor / t->kv_heads : 1;
}

struct data_source training_data_source(const struct training *t)
{
    return (struct data_source){
        .kind = t->data_kind,
        .path = t->data_path,
        .sha256 = t->data_sha256,
        .vocabulary = t->vocab,
        .length = t->sequence_length,
        .seed = t->seed,
    };
}

struct adamw training_adamw(const struct training *t)
{
    return (struct adamw){
        .beta1 = t->beta1,
        .beta2 = t->beta2,
        .eps = t->eps,
        .weight_decay = t->weight_decay,
        .clip_norm = t->clip_norm,
        .decays = t->decays,
    };
}

struct schedule training_schedule(const struct training *t)
{
    return (struct schedule){
        .steps = t->steps,
        .warmup_steps = t->warmup_steps,
        .from_zero = t->warmup_from_zero,
        .lr = t->lr,
        .min_lr = t->min_lr,
    };
}
