/*
 * model_parameters: names, shapes and places of a model's tensors, and what a rank has of them.
 *
 * One const table (in the .c) has a row per kind of tensor; this turns it and a shape into the
 * table of all tensors of the model, and into the list of those parts that a rank has, in the order
 * in which they lie in its memory.
 */
#pragma once

#include "trainer/model/model.h"

/* Fills all of m that follows from its shape: the shape itself, rows, tensors, parameters, buckets
 * (but for their memory), blocks, chunks (but for their slots' memory) and every offset. */
void model_describe(struct model *m, const struct model_shape *shape);

/* Frees the arrays of a description. */
void model_forget(struct model *m);
