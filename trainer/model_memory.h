/*
 * model_memory: the device memory of a model: weights, gradients, and the arena of activations.
 */
#ifndef TRAINER_MODEL_MEMORY_H
#define TRAINER_MODEL_MEMORY_H

#include "trainer/model.h"

/* For a model whose parameters are placed. On failure nothing but what model_return_memory()
 * undoes is held. `passing`: see
 * model_new_passing. Also fills the tables of rotations. */
int model_take_memory(struct model *m, bool passing, struct err *err);
void model_return_memory(struct model *m);

#endif
