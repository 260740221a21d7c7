#include "cli/train/native_settings.h"

#include "base/files/file.h"
#include "base/project/peaks.h"
#include "cli/train/native_plan.h"
#include "cli/train/train_native.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FACTOR 6 /* training, where the case does not say */

double native_mfu(struct cli *cli, const struct case_record *c, double nominal_parameters,
                  const char *device, double tokens_per_second_per_card)
{
    struct project project;
    struct diags ignored = DIAGS_INIT(&cli->arena); /* of records that others look at */
    struct peaks peaks;
    project_load_accelerators(cli_records(cli), &project, &cli->arena, &ignored);
    const struct accelerator *card = project_find_accelerator(&project, device, NULL);
    double factor = isnan(c->mfu_factor) ? FACTOR : c->mfu_factor;
    if (!card || !peaks_find(card, c->precision ? c->precision : "fp32", &cli->arena, &peaks))
        return NAN;
    return factor * nominal_parameters * tokens_per_second_per_card / peaks.peak;
}

static double or_default(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* What no int holds is out of every range that training_check knows. */
static int whole(long long value)
{
    return value > INT_MAX ? INT_MAX : (int)value;
}

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static enum tensor_names names_of(const char *name)
{
    return is(name, "baichuan")   ? NAMES_BAICHUAN
           : is(name, "llava")    ? NAMES_LLAVA
           : is(name, "llava_hf") ? NAMES_LLAVA_HF
                                  : NAMES_LLAMA;
}

static struct architecture architecture_of(const struct model_shape *s)
{
    return (struct architecture){
        .position = is(s->position, "alibi") ? POSITION_ALIBI : POSITION_ROPE,
        .normed_head = is(s->head, "normed"),
        .names = names_of(s->names),
    };
}

/* All but the last layer: what that one makes is not projected. */
static struct tower_shape tower_of(const struct model_vision *v)
{
    if (!v)
        return (struct tower_shape){.layers = 0};
    return (struct tower_shape){.layers = whole(v->used_layers ? v->used_layers : v->layers - 1),
                                .hidden = whole(v->hidden),
                                .heads = whole(v->heads),
                                .ffn = whole(v->ffn),
                                .side = whole(v->image_size),
                                .patch = whole(v->patch_size),
                                .eps = (float)or_default(v->norm_eps, 1e-5)};
}

/* A target of another name stands for one that there is not: training_check tells. */
static struct lora lora_of(const struct case_lora *l)
{
    struct lora lora = {.r = 0};
    if (!l)
        return lora;
    lora = (struct lora){whole(l->r), l->alpha, or_default(l->dropout, 0), 0};
    for (size_t i = 0; i < l->n_targets; i++) {
        int t = 0;
        while (t < LORA_TARGETS && !is(l->targets[i], lora_target_names[t]))
            t++;
        lora.targets |= 1u << t;
    }
    return lora;
}

static void set_optimizer(struct training *t, const struct case_optimizer *o)
{
    t->warmup_steps = whole(o->warmup_steps);
    t->warmup_from_zero = is(o->warmup_from, "zero");
    t->lr = or_default(o->learning_rate, t->lr);
    t->min_lr = case_least_rate(o, t->lr);
    t->weight_decay = or_default(o->weight_decay, t->weight_decay);
    t->decays = is(o->decays, "all")        ? DECAYS_ALL
                : is(o->decays, "matrices") ? DECAYS_MATRICES
                                            : DECAYS_LAYERS;
    t->beta1 = or_default(o->beta1, t->beta1);
    t->beta2 = or_default(o->beta2, t->beta2);
    t->eps = or_default(o->epsilon, t->eps);
    t->clip_norm = or_default(o->clip_norm, t->clip_norm);
    t->init_std = or_default(o->init_std, t->init_std);
}

const char *native_beside(struct arena *arena, const struct case_record *c, const char *path)
{
    return path_join(arena, strchr(c->file, '/') ? path_folder(arena, c->file) : "", path);
}

static void set_data(struct training *t, const struct case_record *c, struct arena *arena)
{
    t->data_kind = c->data->kind;
    t->data_sha256 = c->data->sha256;
    t->grouped = is(c->data->order, "grouped");
    if (c->data->path)
        t->data_path = native_beside(arena, c, c->data->path);
}

/* What a model that sees has beside its language model. */
static void set_run_beside(struct training *t, const struct case_record *c, struct arena *arena)
{
    const struct case_weights *w = c->initial_weights;
    if (w && w->projector)
        t->initial_projector = native_beside(arena, c, w->projector);
    if (w && w->tower)
        t->initial_tower = native_beside(arena, c, w->tower);
}

static enum recompute recompute_of(const struct case_record *c)
{
    static const enum recompute all[] = {RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL};
    for (size_t i = 0; c->recompute && i < sizeof all / sizeof *all; i++)
        if (strcmp(c->recompute, recompute_name(all[i])) == 0)
            return all[i];
    return RECOMPUTE_NONE;
}

struct training native_settings(const struct case_record *c, const struct model_shape *s,
                                struct arena *arena)
{
    struct training t = {.vocab = whole(s->vocabulary),
                         .layers = whole(s->layers),
                         .heads = whole(s->heads),
                         .kv_heads = whole(s->kv_heads ? s->kv_heads : s->heads),
                         .hidden = whole(s->hidden),
                         .ffn = whole(s->ffn),
                         .tied = s->tied_embeddings,
                         .rope_theta = or_default(s->rope_theta, 10000),
                         .norm_eps = or_default(s->norm_eps, 1e-5),
                         .architecture = architecture_of(s),
                         .lora = lora_of(c->lora),
                         .tower = tower_of(s->vision),
                         .projector_alone = is(c->stage, "pretrain"),
                         .means_of_ranks = is(c->mean, "ranks"),
                         .targets_inside = is(c->targets, "inside"),
                         .init_std = 0.02,
                         .sequence_length = whole(c->sequence_length),
                         .micro_batch = whole(c->micro_batch ? c->micro_batch : 1),
                         .gradient_accumulation =
                             whole(c->gradient_accumulation ? c->gradient_accumulation : 1),
                         .steps = whole(c->steps),
                         .lr = 3e-4,
                         .min_lr = 3e-5,
                         .weight_decay = 0.1,
                         .beta1 = 0.9,
                         .beta2 = 0.95,
                         .eps = 1e-8,
                         .clip_norm = 1,
                         .seed = (uint64_t)c->seed,
                         .precision = c->precision ? c->precision : "fp32",
                         .recompute = recompute_of(c),
                         .zero = c->parallel ? whole(c->parallel->zero) : 0};
    if (c->optimizer)
        set_optimizer(&t, c->optimizer);
    set_data(&t, c, arena);
    set_run_beside(&t, c, arena);
    struct err ignored = ERR_INIT; /* native_check tells */
    native_plan(c, arena, &t.plan, &ignored);
    return t;
}

static int check_data(const struct case_record *c, struct err *err)
{
    if (!c->data || !c->sequence_length || !c->steps)
        return err_set(err, ERR_INPUT,
                       "%s: found a native case without data, sequence_length or steps, expected "
                       "all three",
                       c->file);
    bool generated = strcmp(c->data->kind, "generated") == 0;
    if (strcmp(c->data->kind, "external") == 0 || (!generated && !c->data->path))
        return err_set(err, ERR_INPUT,
                       "%s:%d: found %s data%s, expected generated data, or npy, megatron or "
                       "conversations with its path",
                       c->file, c->data->line, c->data->kind, c->data->path ? "" : " without path");
    return 0;
}

static int check_plan(const struct case_record *c, struct arena *arena, struct err *err)
{
    struct plan plan;
    if (native_ranks(c) > RANKS_MAX)
        return err_set(err, ERR_INPUT, "%s:%d: found %d ranks, expected at most %d", c->file,
                       c->parallel->line, native_ranks(c), RANKS_MAX);
    return native_plan(c, arena, &plan, err);
}

int native_check(struct cli *cli, const struct case_record *c, const struct model *model,
                 struct err *err)
{
    if (check_data(c, err) < 0 || check_plan(c, &cli->arena, err) < 0)
        return -1;
    if (!model->shape)
        return err_set(err, ERR_INPUT,
                       "model %s: found no shape in its record, expected one to train natively",
                       model->id);
    if (!c->stage != !model->shape->vision)
        return err_set(err, ERR_INPUT,
                       "%s: found %s, expected a stage for a model that sees, and for no other",
                       c->file, c->stage ? "a stage" : "no stage");
    const struct training t = native_settings(c, model->shape, &cli->arena);
    if (training_check(&t, err) == 0 && training_check_plan(&t, native_ranks(c), err) == 0)
        return 0;
    err->kind = ERR_INPUT; /* the fault lies in the file, not on the command line */
    return err_prefix(err, "%s", c->file);
}
