#include "verifier/checks/speed/seeing_operations.h"

#include <math.h>
#include <string.h>

static double patches_of(const struct model_vision *v)
{
    double across = floor((double)v->image_size / (double)v->patch_size);
    return across * across;
}

static double used_layers(const struct model_vision *v)
{
    return (double)(v->used_layers ? v->used_layers : v->layers - 1);
}

/* CLIP's, with all its layers and the norm behind them. */
static double tower_parameters(const struct model_vision *v)
{
    double h = (double)v->hidden, f = (double)v->ffn, p = (double)v->patch_size;
    double of_layer = 4 * h * h + 2 * h * f + 9 * h + f;
    return h + 3 * p * p * h + (1 + patches_of(v)) * h + 4 * h + (double)v->layers * of_layer;
}

static double tower_multiply_adds(const struct model_vision *v)
{
    double h = (double)v->hidden, f = (double)v->ffn, p = (double)v->patch_size;
    double patches = patches_of(v), rows = 1 + patches;
    return patches * h * 3 * p * p + used_layers(v) * rows * (4 * h * h + 2 * h * f + 2 * rows * h);
}

bool seeing_operations(const struct model *m, const char *stage, struct seeing_operations *out)
{
    const struct model_shape *s = m ? m->shape : NULL;
    const struct model_vision *v = s ? s->vision : NULL;
    if (!v || isnan(m->exact_parameters) || !s->layers || !s->hidden || v->patch_size < 1)
        return false;
    double h = (double)s->hidden, w = (double)v->hidden;
    double projector = (w + 1) * h + (h + 1) * h;
    *out = (struct seeing_operations){
        .per_parameter = strcmp(stage, "pretrain") == 0 ? 4 : 6,
        .parameters = m->exact_parameters - tower_parameters(v) - projector,
        .tower = tower_multiply_adds(v),
        .rows = patches_of(v),
        .projector_row = 4 * w * h + 6 * h * h,
    };
    return out->parameters > 0;
}
