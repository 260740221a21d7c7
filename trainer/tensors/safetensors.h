/*
 * safetensors: files of named tensors, read and written strictly.
 *
 * A file is: the length of the header (8 bytes, little endian), the header (JSON), the tensors'
 * bytes (little endian, row after row). The header is one object: for each tensor
 *
 *   "name": {"dtype": "F32", "shape": [rows, width], "data_offsets": [begin, end]}
 *
 * with offsets counted from the end of the header, and under "__metadata__" texts by name. The
 * format is Hugging Face's: https://github.com/huggingface/safetensors (README, "Format").
 *
 * Reading takes nothing on trust. Refused with ERR_INPUT, with the file, what was found and what
 * was expected: a header longer than SAFETENSORS_HEADER_MAX or than the file; what base/json/json.h
 * refuses (a name twice, for one); keys that are missing or unknown; a dtype other than the three
 * of the table; more than SAFETENSORS_DIMENSIONS_MAX dimensions; a size that is not the shape's;
 * tensors that overlap, leave a gap, or do not end with the file. Tensors are read in parts, so
 * that a file may be larger than memory; elements become fp32, exactly.
 *
 * Writing is canonical: tensors in the order of their names, header padded with blanks to a
 * multiple of 8. The same tensors and metadata give the same bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/json/json.h"

#include <stddef.h>

#define SAFETENSORS_HEADER_MAX JSON_BYTES_MAX
#define SAFETENSORS_TENSORS_MAX (JSON_KEYS_MAX - 1)
#define SAFETENSORS_DIMENSIONS_MAX 8

enum safetensors_type { SAFETENSORS_F32, SAFETENSORS_BF16, SAFETENSORS_F16 };

struct safetensors_tensor {
    const char *name;
    enum safetensors_type type;
    int dimensions; /* 0: one element */
    size_t shape[SAFETENSORS_DIMENSIONS_MAX];
    size_t begin, bytes; /* begin counts from the start of the file */
};

struct safetensors {
    const char *path; /* borrowed */
    int fd;
    struct arena arena; /* of all that follows */
    struct safetensors_tensor *tensors;
    size_t n;
};

/* The file must not change while it is open; one that is cut off meanwhile is an ERR_INPUT of
 * safetensors_read. On failure nothing is left open. */
int safetensors_open(struct safetensors *f, const char *path, struct err *err);
void safetensors_close(struct safetensors *f);

/* NULL: there is none of this name */
const struct safetensors_tensor *safetensors_find(const struct safetensors *f, const char *name);

/* out[n] = elements [first, first + n) of a tensor of this file */
int safetensors_read(const struct safetensors *f, const struct safetensors_tensor *t, size_t first,
                     size_t n, float *out, struct err *err);

struct safetensors_writer {
    const char *path; /* borrowed */
    int fd;
    size_t expected, written; /* bytes of tensors */
};

/* A pair of "__metadata__". */
struct safetensors_text {
    const char *key, *text;
};

/*
 * A new file, which must not exist yet, up to the end of its header. `tensors` are in the order of
 * their names (strcmp), each once; begin and bytes are filled in. Then their bytes are written in
 * this order, in parts of any size. finish() refuses missing bytes, and syncs; it closes in any
 * case, and so does abort(); both but a good finish() remove the file.
 */
int safetensors_create(struct safetensors_writer *w, const char *path,
                       struct safetensors_tensor *tensors, size_t n,
                       const struct safetensors_text *metadata, size_t n_metadata, struct err *err);
int safetensors_write(struct safetensors_writer *w, const void *data, size_t bytes,
                      struct err *err);
int safetensors_finish(struct safetensors_writer *w, struct err *err);
void safetensors_abort(struct safetensors_writer *w);

/* "F32" and its size */
const char *safetensors_type_name(enum safetensors_type type);
size_t safetensors_element_bytes(enum safetensors_type type);
