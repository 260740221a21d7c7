/*
 * model_shape: which shapes of a model, and parts of one, there can be.
 */
#pragma once

#include "trainer/model/model.h"

/* 0, or ERR_USAGE naming the field, what was found and what was expected. */
int model_shape_check(const struct model_shape *shape, struct err *err);

/* Sizes of a part, where 0 stands for 1. */
static inline int model_or_one(int n)
{
    return n > 0 ? n : 1;
}

static inline int model_tensor_ranks(const struct model_shape *s)
{
    return model_or_one(s->part.tensor);
}

/* Of all stages. */
static inline int model_all_chunks(const struct model_shape *s)
{
    return model_or_one(s->part.stages) * model_or_one(s->part.chunks);
}
