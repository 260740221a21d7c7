#include "trainer/score/scored_model.h"

#include "base/files/file.h"
#include "trainer/data/conversations.h"
#include "trainer/model/model.h"
#include "trainer/training/llava_files.h"
#include "trainer/training/model_files.h"
#include "trainer/training/train_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int letters_find(const struct tokenizer *t, int n, int32_t *letters, struct err *err)
{
    struct token_list ids = {0};
    int rc = 0;
    for (int i = 0; rc == 0 && i < n; i++) {
        char letter = (char)('A' + i);
        rc = tokenizer_encode(t, &letter, 1, &ids, err);
        letters[i] = rc == 0 && ids.n ? ids.ids[ids.n - 1] : TOKEN_NONE;
        for (int k = 0; rc == 0 && k < i; k++)
            if (letters[k] == letters[i])
                rc = err_set(err, ERR_INPUT, "found token %d for %c and %c, expected two tokens",
                             (int)letters[i], 'A' + k, 'A' + i);
    }
    token_list_release(&ids);
    return rc;
}

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
    const struct safetensors_tensor *from = model_files_find(files, l->model, p->name, &file);
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
    const enum model_tensors which = files->projector ? TENSORS_OF_LANGUAGE : TENSORS_OF_MODEL;
    int rc = read_tensors(&l, files->weights, which, s->weights_sha256, err);
    if (rc == 0 && files->projector)
        rc = read_tensors(&l, files->projector, TENSORS_OF_PROJECTOR, s->projector_sha256, err);
    if (rc == 0 && s->tower)
        rc = llava_tower_read(s->tower, files->tower ? files->tower : files->weights,
                              s->tower_sha256, err);
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
    shape.projector_alone = false; /* which counts for training alone */
    shape.remembers = t->tower.layers > 0;
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
    s->rows = memory_alloc((size_t)length * sizeof *s->rows);
    s->places = memory_alloc(((size_t)shape.picture_rows + 1) * sizeof *s->places);
    if (rc == 0 && t->tower.layers > 0)
        rc = tower_new(&s->tower, &t->tower, 1, device, err);
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
    free(s->rows);
    free(s->places);
    tower_free(s->tower);
    model_free(s->model);
    *s = (struct scored_model){.model = NULL};
}

/* ---- what is asked -------------------------------------------------------------------------- */

/* A pass over s->rows, of which row `asked` of the pass is what counts. */
static int pass_rows(struct scored_model *s, int first, int n, int asked, const float **logits,
                     struct err *err)
{
    struct model *m = s->model;
    struct device *d = m->device;
    model_set_rows(m, first, n);
    model_forward(m, s->rows + first);
    model_row_logits(m, asked, s->row);
    *logits = s->logits;
    int rc = d->operations->download(d, s->logits, s->row,
                                     (size_t)s->vocabulary * sizeof *s->logits, err);
    return rc < 0 ? rc : model_status(m, err);
}

/* What is behind the last token counts for no token before it. */
int scored_model_ask(struct scored_model *s, const int32_t *tokens, size_t n, const float **logits,
                     struct err *err)
{
    int length = s->model->shape.sequence_length;
    memset(s->rows, 0, (size_t)length * sizeof *s->rows);
    memcpy(s->rows, tokens, n * sizeof *s->rows);
    return pass_rows(s, 0, length, (int)n - 1, logits, err);
}

int scored_model_rows(const struct training *t, const int32_t *tokens, size_t n)
{
    int rows = (int)n;
    for (size_t i = 0; i < n; i++)
        rows += tokens[i] == CONVERSATION_IMAGE ? tower_patches(&t->tower) - 1 : 0;
    return rows;
}

/* A multiple of MODEL_ROWS_STEP rows, so that few kernels have to be chosen for their numbers. */
static int padded_rows(struct scored_model *s)
{
    int step = MODEL_ROWS_STEP, length = s->model->shape.sequence_length;
    int n = (s->read + step - 1) / step * step;
    n = n < length ? n : length;
    for (int row = s->read; row < n; row++)
        s->rows[row] = 0;
    return n;
}

int scored_model_read(struct scored_model *s, const int32_t *tokens, size_t n,
                      const uint8_t *pixels, const float **logits, struct err *err)
{
    struct model *m = s->model;
    /* Tokens and pictures' rows, which say where they are. */
    s->read = 0;
    for (size_t i = 0; i < n; i++) {
        bool picture = tokens[i] == CONVERSATION_IMAGE;
        for (int k = 0; k < (picture ? s->model->shape.picture_rows : 1); k++, s->read++) {
            s->rows[s->read] = picture ? -1 : tokens[i];
            if (picture)
                s->places[k] = s->read;
        }
    }
    m->pictures = (struct pictures){.n = 0};
    if (pixels) {
        tower_see(s->tower, pixels, 1);
        m->pictures = (struct pictures){1, s->tower->rows, s->places};
    }
    int rc = pass_rows(s, 0, padded_rows(s), s->read - 1, logits, err);
    m->pictures = (struct pictures){.n = 0};
    return rc;
}

int scored_model_go_on(struct scored_model *s, int32_t token, const float **logits, struct err *err)
{
    s->rows[s->read++] = token;
    return pass_rows(s, s->read - 1, 1, 0, logits, err);
}

int generation_run(const struct generation *g, struct scored_model *model, const int32_t *tokens,
                   size_t n, const uint8_t *pixels, int32_t *out, size_t *n_out, struct err *err)
{
    const float *logits;
    *n_out = 0;
    if (scored_model_read(model, tokens, n, pixels, &logits, err) < 0)
        return -1;
    for (int i = 0; i < g->tokens_max; i++) {
        /* It is token 0 where that one's logit is no number. */
        int32_t next = 0;
        for (int32_t token = 1; token < model->vocabulary; token++)
            if (logits[token] > logits[next])
                next = token;
        if (!isfinite(logits[next]))
            return 1;
        if (next == g->end)
            break;
        out[(*n_out)++] = next;
        if (i + 1 < g->tokens_max && scored_model_go_on(model, next, &logits, err) < 0)
            return -1;
    }
    return 0;
}
