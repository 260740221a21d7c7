/*
 * train_settings: the flat description of a training, checked and dealt out to the parts that
 * use it. Limits are rows of a const table; the model's shape is checked by model_new.
 */
#ifndef TRAINER_TRAIN_SETTINGS_H
#define TRAINER_TRAIN_SETTINGS_H

#include "trainer/data.h"
#include "trainer/model.h"
#include "trainer/optimizer.h"
#include "trainer/schedule.h"
#include "trainer/train.h"

struct model_shape training_model_shape(const struct training *t);
struct data_source training_data_source(const struct training *t);
struct adamw training_adamw(const struct training *t);
struct schedule training_schedule(const struct training *t);

#endif
