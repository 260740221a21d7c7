/*
 * model_config: the files of a model's folder but its trained weights, and what those are called.
 *
 *   what is trained    weights                            beside them
 *   a language model   model.safetensors                  config.json
 *   adapters           adapter_model.safetensors          adapter_config.json, as peft has it
 *   a projector alone  mm_projector.safetensors           config.json
 *   all but a tower    model.safetensors                  config.json: LLaVA's files name the tower
 *                      model-00001-of-00002.safetensors   transformers' have it: -00002-of-00002
 * and model.safetensors.index.json, config.json
 *
 * A tower's layers that are not used, and the norm behind them, are not written.
 */
#pragma once

#include "trainer/model/model.h"
#include "trainer/tensors/partial_folder.h"
#include "trainer/training/train.h"

/* Of the file of trained weights. */
const char *model_file_name(const struct training *training);

/* All other files; on one rank. */
int model_config_save(const struct model *model, const struct training *training,
                      struct partial_folder *partial, struct err *err);
