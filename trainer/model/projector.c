#include "trainer/model/projector.h"

#include "trainer/model/model.h"

#include <stdio.h>

void projector_parameter(struct parameter *p, const struct model_shape *shape,
                         enum projector_tensor which)
{
    static const char *const names[2][PROJECTOR_TENSORS] = {
        {"model.mm_projector.0.weight", "model.mm_projector.0.bias", "model.mm_projector.2.weight",
         "model.mm_projector.2.bias"},
        {"multi_modal_projector.linear_1.weight", "multi_modal_projector.linear_1.bias",
         "multi_modal_projector.linear_2.weight", "multi_modal_projector.linear_2.bias"},
    };
    bool hf = shape->architecture.names == NAMES_LLAVA_HF;
    bool bias = which == PROJECTOR_FIRST_BIAS || which == PROJECTOR_SECOND_BIAS;
    size_t out = (size_t)shape->hidden;
    size_t in = which <= PROJECTOR_FIRST_BIAS ? (size_t)shape->picture_width : out;
    *p = (struct parameter){.role = ROLE_PROJECTOR,
                            .rows = bias ? 1 : out,
                            .width = bias ? out : in,
                            .whole_rows = bias ? 1 : out,
                            .whole_width = bias ? out : in,
                            .inputs = in,
                            .is_vector = bias,
                            .decays = !bias,
                            .beside = shape->projector_alone,
                            .copies = 1,
                            .leads = true};
    snprintf(p->name, sizeof p->name, "%s", names[hf][which]);
}

static int picture_rows_here(const struct model *m)
{
    return m->pictures.n * m->shape.picture_rows;
}

/* ---- the passes ----------------------------------------------------------------------------- */

static void project(struct model *m, enum projector_tensor weight, void *y, const void *x, int in)
{
    const struct matrix_product product = {
        .transpose_b = true,
        .m = picture_rows_here(m),
        .n = m->shape.hidden,
        .k = in,
        .alpha = 1,
        .a = x,
        .b = weight_at(m, m->projector.tensor[weight]),
        .c = y,
    };
    model_operations(m)->multiply(m->device, &product);
}

static void add_bias(struct model *m, enum projector_tensor bias, enum activation activation,
                     void *x, void *y)
{
    const struct bias_forward b = {
        .rows = picture_rows_here(m),
        .width = m->shape.hidden,
        .activation = activation,
        .bias = weight_at(m, m->projector.tensor[bias]),
        .x = x,
        .y = y,
    };
    model_operations(m)->bias_forward(m->device, &b);
}

void projector_forward(struct model *m, void *stream)
{
    const struct projector *p = &m->projector;
    int rows = picture_rows_here(m);
    if (rows == 0)
        return;
    model_operations(m)->upload(m->device, p->places, m->pictures.places,
                                (size_t)rows * sizeof *p->places);
    project(m, PROJECTOR_FIRST, p->inner, m->pictures.rows, m->shape.picture_width);
    add_bias(m, PROJECTOR_FIRST_BIAS, ACTIVATION_GELU, p->inner, p->active);
    project(m, PROJECTOR_SECOND, p->outer, p->active, m->shape.hidden);
    add_bias(m, PROJECTOR_SECOND_BIAS, ACTIVATION_NONE, p->outer, p->outer);
    model_operations(m)->put_rows(m->device, stream, p->outer, p->places, rows, m->shape.hidden);
}

/* In place: dy becomes the gradient of what the bias was added to. */
static void bias_into_gradient(struct model *m, enum projector_tensor bias,
                               enum activation activation, const void *x, void *dy)
{
    const struct bias_backward b = {
        .rows = picture_rows_here(m),
        .width = m->shape.hidden,
        .activation = activation,
        .x = x,
        .dy = dy,
        .dx = dy,
        .d_bias = gradient_at(m, m->projector.tensor[bias]),
    };
    model_operations(m)->bias_backward(m->device, &b);
}

static void project_into_weight(struct model *m, enum projector_tensor weight, const void *dy,
                                const void *x, int in)
{
    const struct matrix_product product = {
        .transpose_a = true,
        .m = m->shape.hidden,
        .n = in,
        .k = picture_rows_here(m),
        .alpha = 1,
        .beta = m->buckets[m->gradient_bucket].fresh ? 0 : 1,
        .a = dy,
        .b = x,
        .c = gradient_at(m, m->projector.tensor[weight]),
        .c_fp32 = true,
    };
    model_operations(m)->multiply(m->device, &product);
}

static void project_into_input(struct model *m, void *dx, const void *dy)
{
    const struct matrix_product product = {
        .m = picture_rows_here(m),
        .n = m->shape.hidden,
        .k = m->shape.hidden,
        .alpha = 1,
        .a = dy,
        .b = weight_at(m, m->projector.tensor[PROJECTOR_SECOND]),
        .c = dx,
    };
    model_operations(m)->multiply(m->device, &product);
}

void projector_backward(struct model *m, const void *d_stream)
{
    const struct projector *p = &m->projector;
    int rows = picture_rows_here(m), hidden = m->shape.hidden;
    if (rows == 0) {
        /* Without pictures, matrices are not overwritten: what they hold is nobody's gradient. */
        const struct bucket *b = &m->buckets[m->gradient_bucket];
        if (b->fresh)
            model_operations(m)->zero(m->device, b->gradient, b->n * sizeof(float));
        return;
    }
    model_operations(m)->embed_forward(m->device, p->outer, p->places, d_stream, rows, hidden);
    bias_into_gradient(m, PROJECTOR_SECOND_BIAS, ACTIVATION_NONE, NULL, p->outer);
    project_into_input(m, p->d_inner, p->outer);
    project_into_weight(m, PROJECTOR_SECOND, p->outer, p->active, hidden);
    bias_into_gradient(m, PROJECTOR_FIRST_BIAS, ACTIVATION_GELU, p->inner, p->d_inner);
    project_into_weight(m, PROJECTOR_FIRST, p->d_inner, m->pictures.rows, m->shape.picture_width);
}
