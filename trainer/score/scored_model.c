#include "trainer/score/scored_model.h"

#include "base/files/file.h"
#include "trainer/model/model.h"
#include "trainer/training/model_files.h"
#include "trainer/training/train_settings.h"

#include <stdlib.h>
#include <string.h>

#define PART ((size_t)1 << 22) /* elements that are read at a time: 16 MiB */
#define ADAPTER_FILE "adapter_model.safetensors"

/* ---- weights -------------------------------------------------------------------------------- */

/* Where tensors pass through. */
struct scored_loading {
    struct model *model;
    float *host, *room; /* [PART]; room of the device */
    struct hash hash;
};

static void put_weights(const struct scored_loading *l, size_t offset, size_t n)
{
    struct device *d = l->model->device;
    void *to = device_at(d, l->model->weights, offset);
    if (d->number == NUMBER_FP32) {
        d->operations->upload(d, to, l->host, n * sizeof *l->host);
        return;
    }
    d->operations->upload(d, l->room, l->host, n * sizeof *l->host);
    d->operations->narrow(d, to, l->room, n);
}

static int read_scored_tensor(struct scored_loading *l, const struct tensor_files *files,
                              const struct parameter *p, struct err *err)
{
    const struct safetensors *file;
    const struct safetensors_tensor *from = tensor_files_find(files, p->name, &file);
    size_t size = p->rows * p->width, first = p->file_row * p->width, n;
    for (size_t done = 0; done < size; done += n) {
        n = size - done < PART ? size - done : PART;
        if (safetensors_read(file, from, first + done, n, l->host, err) < 0)
            return -1;
        hash_add(&l->hash, l->host, n * sizeof *l->host);
        put_weights(l, p->offset + done, n);
    }
    return 0;
}

static int read_tensors(struct scored_loading *l, const char *path, enum model_tensors which,
                        char sha256[HASH_HEX_SIZE], struct err *err)
{
    const struct model *m = l->model;
    struct tensor_files files;
    if (tensor_files_open(&files, path, err) < 0)
        return -1;
    int rc = model_files_check(&files, m, which, path, err);
    hash_init(&l->hash);
    for (size_t i = 0; rc == 0 && i < m->n_tensors; i++)
        if (model_files_holds(&m->tensors[i], which))
            rc = read_scored_tensor(l, &files, model_own(m, &m->tensors[i]), err);
    hash_final(&l->hash, sha256);
    tensor_files_close(&files);
    return rc;
}

static int read_all(struct scored_model *s, const struct scored_model_files *files, struct err *err)
{
    struct device *d = s->model->device;
    struct scored_loading l = {.model = s->model};
    struct arena arena = ARENA_INIT;
    if (d->operations->alloc(d, (void **)&l.room, PART * sizeof *l.room, err) < 0)
        return err_prefix(err, "weights");
    l.host = memory_alloc(PART * sizeof *l.host);
    int rc = read_tensors(&l, files->weights, TENSORS_OF_MODEL, s->weights_sha256, err);
    if (rc == 0 && files->adapters)
        rc = read_tensors(&l, path_join(&arena, files->adapters, ADAPTER_FILE), TENSORS_OF_ADAPTERS,
                          s->adapters_sha256, err);
    if (rc == 0)
        rc = d->operations->synchronize(d, err);
    d->operations->release(d, l.room);
    free(l.host);
    arena_release(&arena);
    return rc;
}

/* ---- the model ------------------------------------------------------------------------------ */

static struct model_shape asked_shape(const struct training *t, bool adapters, int length)
{
    struct model_shape shape = training_model_shape(t);
    shape.sequence_length = length;
    shape.micro_batch = 1;
    shape.recompute = RECOMPUTE_FULL; /* the least that is kept */
    shape.lora.dropout = 0;
    if (!adapters)
        shape.lora = (struct lora){.r = 0};
    return shape;
}

int scored_model_open(struct scored_model *s, const struct training *t,
                      const struct scored_model_files *files, int length, struct device *device,
                      struct err *err)
{
    const struct model_shape shape = asked_shape(t, files->adapters != NULL, length);
    const struct model_passing passing = {.gradients = true};
    size_t bytes = (size_t)shape.vocabulary * sizeof *s->row;
    *s = (struct scored_model){.vocabulary = shape.vocabulary};
    if (files->adapters && t->lora.r == 0)
        return err_set(err, ERR_USAGE, "%s: found adapters for a case without lora, expected none",
                       files->adapters);
    if (model_new_passing(&s->model, &shape, &passing, device, err) < 0)
        return -1;
    int rc = device->operations->alloc(device, (void **)&s->row, bytes, err);
    s->logits = memory_alloc(bytes);
    if (rc == 0)
        rc = read_all(s, files, err);
    if (rc < 0)
        scored_model_close(s);
    return rc;
}

void scored_model_close(struct scored_model *s)
{
    if (s->model && s->row)
        s->model->device->operations->release(s->model->device, s->row);
    free(s->logits);
    model_free(s->model);
    *s = (struct scored_model){.model = NULL};
}

/* What is behind the last token counts for no token before it. */
int scored_model_ask(struct scored_model *s, const int32_t *tokens, size_t n, const float **logits,
                     struct err *err)
{
    struct model *m = s->model;
    struct device *d = m->device;
    int32_t *inputs = memory_alloc((size_t)m->rows * sizeof *inputs);
    memset(inputs, 0, (size_t)m->rows * sizeof *inputs);
    memcpy(inputs, tokens, n * sizeof *inputs);
    model_forward(m, inputs);
    model_row_logits(m, (int)n - 1, s->row);
    *logits = s->logits;
    int rc = d->operations->download(d, s->logits, s->row,
                                     (size_t)s->vocabulary * sizeof *s->logits, err);
    free(inputs);
    return rc < 0 ? rc : model_status(m, err);
}
