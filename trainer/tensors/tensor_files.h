/*
 * tensor_files: the safetensors files that together hold one model, as one set of names.
 *
 * A path may be a .safetensors file, a folder that holds model.safetensors, or a folder in
 * Hugging Face's sharded layout, whose model.safetensors.index.json says under "weight_map" which
 * file of the folder holds which tensor. The index and the files must say the same: a tensor that
 * is not where the map says, or that the map does not know, is an ERR_INPUT that names it.
 */
#pragma once

#include "trainer/tensors/safetensors.h"

#define TENSOR_FILES_MAX 512
#define TENSOR_FILES_NAME "model.safetensors"
#define TENSOR_FILES_INDEX "model.safetensors.index.json"

struct tensor_files {
    struct arena arena;
    struct safetensors *files;
    size_t n;
};

/* On failure nothing is left open. */
int tensor_files_open(struct tensor_files *s, const char *path, struct err *err);
void tensor_files_close(struct tensor_files *s);

/* NULL: there is none of this name; else *file is where it lies. */
const struct safetensors_tensor *tensor_files_find(const struct tensor_files *s, const char *name,
                                                   const struct safetensors **file);
