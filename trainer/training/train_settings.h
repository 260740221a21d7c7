/*
 * train_settings: the flat description of a training, checked and dealt out to the parts that
 * use it. Limits are rows of a const table; the model's shape is checked by model_new.
 */
#pragma once

#include "trainer/data/data.h"
#include "trainer/model/model.h"
#include "trainer/optimizer/optimizer.h"
#include "trainer/training/train.h"

/* Of the whole model; and of what a rank of a world has of it under the training's plan: ERR_USAGE
 * when the plan does not divide the model or the step. */
struct model_shape training_model_shape(const struct training *t);
int training_model_part(const struct training *t, int rank, int world, struct model_shape *shape,
                        struct err *err);

/* How many tensor ranks have the same key heads. */
int training_copies(const struct training *t);
struct data_source training_data_source(const struct training *t);
struct adamw training_adamw(const struct training *t);
struct schedule training_schedule(const struct training *t);
