#include "verifier/checks/speed/exact_operations.h"

#include "verifier/checks/speed/seeing_operations.h"

/* A model whose experts are not all used has more parameters than it computes with. */
#define SPARSE 1.5

/* Why the exact MFU is not defined; NULL when it is. */
static const char *missing_of(const struct audit *a, const struct mfu_inputs *in,
                              const struct rate *rate)
{
    const struct model *m = a->model;
    if (isnan(m->exact_parameters) || !m->shape || !m->shape->layers || !m->shape->hidden)
        return "the model's record lacks the exact number of parameters or the shape";
    if (m->exact_parameters > SPARSE * m->nominal_parameters)
        return "a token does not use all parameters of the model";
    if (in->factor != 6)
        return "exact MFU is defined only for the training of all parameters";
    return isnan(rate->length) ? "the sequence length is unknown" : NULL;
}

struct exact_operations exact_operations(const struct audit *a, const struct proof *p,
                                         const struct mfu_inputs *in, const struct rate *rate,
                                         const char **missing)
{
    const struct model *m = a->model;
    if (seeing_has_operations(p)) {
        struct seeing_steps s;
        *missing = seeing_steps_of(a, p, &s);
        if (*missing)
            return (struct exact_operations){NAN, NAN};
        return (struct exact_operations){s.products / s.steps.tokens, s.attention / s.steps.tokens};
    }
    *missing = m ? missing_of(a, in, rate)
                 : "the model's record lacks the exact number of parameters or the shape";
    if (*missing)
        return (struct exact_operations){NAN, NAN};
    return (struct exact_operations){6 * m->exact_parameters, 12.0 * (double)m->shape->layers *
                                                                  (double)m->shape->hidden *
                                                                  rate->length};
}

/* clang-format off */
const struct words exact_messages[] = {
    {.en = "the model's record lacks the exact number of parameters or the shape",
     .zh = "模型记录缺少精确参数量，或缺少模型结构"},
    {.en = "a token does not use all parameters of the model",
     .zh = "模型处理一个 token 时不会用到全部参数"},
    {.en = "exact MFU is defined only for the training of all parameters",
     .zh = "只有训练全部参数时，才能计算精确 MFU"},
    {.en = "the sequence length is unknown",
     .zh = "序列长度未知"},
    {NULL, NULL},
};
/* clang-format on */
