/*
 * llava_files: the names that a LLaVA's tensors have had, and its tower from files.
 *
 *   part        LLaVA                                   transformers, before 4.52   since
 *   language    model.layers…, lm_head                  language_model.model… model.language_model…
 *   projector   model.mm_projector.0, .2                multi_modal_projector… model.multi_modal…
 *   tower       model.vision_tower.vision_tower.…       vision_tower.vision_model…
 * model.vision_tower…
 *
 * Besides, a language model's and CLIP's own files have their own names (model.layers…,
 * vision_model.…). All of them are read; which are written is a row of the model's record.
 */
#pragma once

#include "base/signing/hash.h"
#include "trainer/model/tower.h"
#include "trainer/optimizer/transfer.h"
#include "trainer/tensors/tensor_files.h"

#include <stdbool.h>

/* Are these two names of the same tensor? */
bool llava_same(const char *a, const char *b);

/* Of a tensor that a language model's files may have beside it: of a tower; or, where it is trained
 * alone, of a projector. */
bool llava_is_beside(const char *name, bool projector_alone);

/* By any of its names; NULL: it is not there. */
const struct safetensors_tensor *llava_find(const struct tensor_files *files, const char *name,
                                            const struct safetensors **file);

/* All of a tower's tensors from a path of tensor_files.h, to every rank. ERR_INPUT names the first
 * that is missing or has another shape; there may be more of them than are used. */
int llava_tower_load(struct transfer *t, struct tower *tower, const char *path, struct err *err);

/* The same on one rank that is in no training; sha256 of their fp32 values, in the order of the
 * tower's table. */
int llava_tower_read(struct tower *tower, const char *path, char sha256[HASH_HEX_SIZE],
                     struct err *err);

/* A new file of them, in the device's format. On one rank. */
int llava_tower_save(const struct tower *tower, const char *path, struct err *err);
