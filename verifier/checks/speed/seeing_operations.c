#include "verifier/checks/speed/seeing_operations.h"

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
        .pair = 12 * (double)s->layers * h,
    };
    return out->parameters > 0;
}

bool seeing_has_operations(const struct proof *p)
{
    return p->kase && p->kase->stage && proof_is_native(p);
}

/* Every sample of the first stage has one, which older logs do not count. */
static double pictures_of(const struct proof *p, const struct steps_time *t)
{
    bool all = strcmp(p->kase->stage, "pretrain") == 0;
    return isnan(t->pictures) && all ? t->steps * case_sequences(p->kase) : t->pictures;
}

const char *seeing_steps_of(const struct audit *a, const struct proof *p, struct seeing_steps *out)
{
    const struct case_record *of_record = a->kase ? a->kase : p->kase;
    const struct steps_time t = rate_count_steps(p, of_record->report);
    const struct seeing_operations *of = &out->of;
    *out = (struct seeing_steps){.steps = t, .pictures = pictures_of(p, &t)};
    if (!seeing_operations(a->model, p->kase->stage, &out->of))
        return "the model's record lacks its tower, its shape or its exact number of parameters";
    if (!(t.seconds > 0))
        return "the log gives no step times";
    out->products = of->per_parameter * of->parameters * t.tokens;
    if (!isnan(out->pictures))
        out->products += out->pictures * (2 * of->tower + of->rows * of->projector_row);
    out->attention = of->pair * t.attention_pairs;
    return NULL;
}

/* clang-format off */
const struct words seeing_operations_messages[] = {
    {.en = "the model's record lacks its tower, its shape or its exact number of parameters",
     .zh = "模型记录缺少视觉塔、模型结构或精确参数量"},
    {NULL, NULL},
};
/* clang-format on */
