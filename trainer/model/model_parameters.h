/*
 * model_parameters: names, shapes and places of a Llama's tensors.
 *
 * One const table (in the .c) has a row per kind of tensor; this turns it and a shape into the
 * list of all tensors in the order in which they lie in memory.
 */
#ifndef TRAINER_MODEL_MODEL_PARAMETERS_H
#define TRAINER_MODEL_MODEL_PARAMETERS_H

#include "trainer/model/model.h"

/* 0, or ERR_USAGE naming the field, what was found and what was expected. */
int model_shape_check(const struct model_shape *shape, struct err *err);

/* Fills all of m that follows from its shape: the shape itself, rows, qkv_width, parameters,
 * n_parameters, n_weights, buckets (but for their gradients) and every offset. */
void model_describe(struct model *m, const struct model_shape *shape);

/* Frees the arrays of a description. */
void model_forget(struct model *m);

#endif
