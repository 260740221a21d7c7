#include "trainer/machine/memory_plan.h"

#include "trainer/model/model_memory.h"
#include "trainer/model/tower.h"
#include "trainer/optimizer/optimizer.h"
#include "trainer/optimizer/weights.h"
#include "trainer/training/train_files.h"
#include "trainer/training/train_settings.h"

#include <stdio.h>

/* Part of the padded model that one rank keeps state of: buckets divide evenly. */
static size_t share(size_t n_weights, int level, int world)
{
    return level > 0 ? n_weights / (size_t)world : n_weights;
}

struct attention_shape training_attention_shape(const struct training *t)
{
    static const float some = 0; /* whether there are slopes is asked, not which */
    int tensor = t->plan.tensor > 0 ? t->plan.tensor : 1;
    return (struct attention_shape){
        .batch = t->micro_batch,
        .length = t->sequence_length,
        .heads = t->heads / tensor,
        .kv_heads = t->kv_heads < tensor ? 1 : t->kv_heads / tensor,
        .head_width = t->hidden / t->heads,
        .slopes = t->architecture.position == POSITION_ALIBI ? &some : NULL,
    };
}

/* What passes through for files, or for the digest of weights that no rank has whole. */
static void plan_files(struct memory_plan *plan, const struct training *t, int world, bool whole,
                       size_t largest, const struct device *device)
{
    size_t part = transfer_part(largest);
    bool wanted = train_files_wanted(t, whole);
    plan->files = wanted ? transfer_bytes(part, world > 1 || t->lora.r > 0) : 0;
    plan->files += whole ? 0 : weights_hash_room(part, device);
    plan->host = wanted ? part * sizeof(float) : 0;
}

/* Of what the tower sees with, beside the language model's attention. */
static size_t tower_workspace(const struct training *t, const struct attention_shape *causal,
                              struct device *device)
{
    if (t->tower.layers == 0)
        return 0;
    const struct attention_shape all = tower_attention(&t->tower, t->micro_batch);
    return device->operations->attend_all_bytes(device, &all, causal);
}

int memory_plan_make(struct memory_plan *plan, const struct training *t, int rank, int world,
                     struct device *device, struct err *err)
{
    struct model_shape shape;
    struct model_memory m;
    if (training_model_part(t, rank, world, &shape, err) < 0)
        return -1;
    int data = shape.ranks, level = data > 1 ? t->zero : 0;
    const struct model_passing passing = {.gradients = level >= 2, .weights = level >= 3};
    if (model_measure(&m, &shape, device, &passing, err) < 0)
        return -1;
    const struct attention_shape attention = training_attention_shape(t);
    if (device->operations->workspace_bytes(device, &attention, m.largest_product, &plan->workspace,
                                            err) < 0)
        return -1;
    plan->workspace += tower_workspace(t, &attention, device);
    size_t state = share(m.n_trained, level, data);
    plan->parameters = m.elements;
    plan->weights = (level >= 3 ? state + m.n_passing : m.n_weights) * device->element_bytes;
    plan->gradients = (m.n_gradients + (level >= 2 ? state : 0)) * sizeof(float);
    plan->optimizer = optimizer_bytes(state, device->number);
    plan->activations = m.arena_bytes;
    if (t->tower.layers > 0)
        plan->activations += tower_bytes(&t->tower, t->micro_batch, device->element_bytes);
    plan->workspace += train_files_draws(t) ? weights_room(m.n_weights) : 0;
    plan_files(plan, t, world, data == world && level < 3, m.largest, device);
    plan->total = plan->weights + plan->gradients + plan->optimizer + plan->activations +
                  plan->workspace + plan->files;
    return 0;
}

/* Into text[size], as a number and a binary unit. */
static const char *in_unit(size_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;
    for (; value >= 1000 && unit < sizeof units / sizeof *units - 1; unit++)
        value /= 1024;
    snprintf(text, size, "%.1f %s", value, units[unit]);
    return text;
}

void memory_plan_text(const struct memory_plan *plan, char *text, size_t size)
{
    char part[7][24], files[40] = "";
    if (plan->files)
        snprintf(files, sizeof files, ", files %s", in_unit(plan->files, part[6], sizeof part[6]));
    snprintf(text, size,
             "weights %s, gradients %s, optimizer %s, activations %s, workspace %s%s; %s in all",
             in_unit(plan->weights, part[0], sizeof part[0]),
             in_unit(plan->gradients, part[1], sizeof part[1]),
             in_unit(plan->optimizer, part[2], sizeof part[2]),
             in_unit(plan->activations, part[3], sizeof part[3]),
             in_unit(plan->workspace, part[4], sizeof part[4]), files,
             in_unit(plan->total, part[5], sizeof part[5]));
}

int memory_plan_check(const struct memory_plan *plan, struct device *device, size_t *left,
                      struct err *err)
{
    char text[256], room[24];
    if (device->operations->free_bytes(device, left, err) < 0)
        return -1;
    if (plan->total <= *left)
        return 0;
    memory_plan_text(plan, text, sizeof text);
    return err_set(err, ERR_USAGE,
                   "found %s free on %s, expected room for %s; to need less memory, set recompute, "
                   "a smaller micro_batch, or a higher level of zero on more ranks",
                   in_unit(*left, room, sizeof room), device->name, text);
}
