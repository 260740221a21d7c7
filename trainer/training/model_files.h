/*
 * model_files: a model's arrays to and from safetensors files, tensor by tensor under the names of
 * Hugging Face's Llama.
 *
 * What is written are the fp32 values, exactly; PyTorch and transformers read such a file as it
 * is. What is read may be fp32, bf16 or fp16, all of which are fp32 values. The rotary embedding
 * turns halves of a head as Hugging Face's does (trainer/device/device.h), so no row of q_proj or
 * k_proj moves.
 *
 * All ranks call these together (trainer/optimizer/transfer.h), and all return what happened on
 * rank 0.
 */
#pragma once

#include "base/signing/hash.h"
#include "trainer/optimizer/transfer.h"
#include "trainer/tensors/partial_folder.h"
#include "trainer/tensors/tensor_files.h"
#include "trainer/training/train.h"

/* Those of the model itself; what is trained beside it: adapters, under peft's names, or a
 * projector alone; and of a model that sees, all but its projector, and that one. */
enum model_tensors {
    TENSORS_OF_MODEL,
    TENSORS_OF_ADAPTERS,
    TENSORS_OF_LANGUAGE,
    TENSORS_OF_PROJECTOR
};

/* What is trained: the adapters, where there are any. */
enum model_tensors model_trained(const struct transfer *t);

/* A new file of these tensors; ERR_IO when it is there already. */
int model_file_save(struct transfer *t, enum transfer_array array, enum model_tensors which,
                    const char *path, struct err *err);

/*
 * From a path of tensor_files.h. The tensors must be these, each with the model's shape:
 * ERR_INPUT names what is missing, what there is too much, and what has another shape. Buffers
 * that hold the frequencies of the rotary embedding (`….rotary_emb.inv_freq`) are ignored.
 *
 * `sha256` (NULL: nobody asks) is that of the values, all ranks get it: of fp32 values, tensor
 * after tensor in the order of trainer/model/model.h's table, whatever the files' formats and
 * shards.
 */
int model_files_load(struct transfer *t, enum transfer_array array, enum model_tensors which,
                     const char *path, char sha256[HASH_HEX_SIZE], struct err *err);

/* Does a set of files hold these tensors, each with the model's shape? ERR_INPUT as above; `path`
 * is the name in messages. */
int model_files_check(const struct tensor_files *files, const struct model *m,
                      enum model_tensors which, const char *path, struct err *err);

/* A tensor by its name, or, of a model that sees, by any that it has had; NULL: it is not there. */
const struct safetensors_tensor *model_files_find(const struct tensor_files *files,
                                                  const struct model *m, const char *name,
                                                  const struct safetensors **file);
bool model_files_holds(const struct parameter *p, enum model_tensors which);

/*
 * The trained weights as a model of Hugging Face's: a new folder with what model_config.h says;
 * written aside (`FOLDER.partial`) and renamed.
 */
int model_folder_save(struct transfer *t, const struct training *training, const char *folder,
                      struct err *err);
