#include "trainer/training/llava_files.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 256

/* The first row that a name begins with says what it is called before transformers 4.52. */
static const struct name_row {
    const char *begins, *instead;
} name_rows[] = {
    {"model.vision_tower.vision_tower.", "vision_tower."},
    {"model.vision_tower.vision_model.", "vision_tower.vision_model."},
    {"model.vision_tower.", "vision_tower.vision_model."},
    {"vision_tower.vision_model.", "vision_tower.vision_model."},
    {"vision_tower.", "vision_tower.vision_model."},
    {"vision_model.", "vision_tower.vision_model."},
    {"model.mm_projector.0.", "multi_modal_projector.linear_1."},
    {"model.mm_projector.2.", "multi_modal_projector.linear_2."},
    {"model.multi_modal_projector.", "multi_modal_projector."},
    {"model.language_model.", "language_model.model."},
    {"language_model.model.", "language_model.model."},
    {"language_model.lm_head.", "language_model.lm_head."},
    {"language_model.", "language_model.model."},
    {"lm_head.", "language_model.lm_head."},
    {"model.", "language_model.model."},
};

static void common_name(const char *name, char common[NAME_MAX_BYTES])
{
    const char *instead = "", *rest = name;
    for (size_t i = 0; rest == name && i < sizeof name_rows / sizeof *name_rows; i++) {
        size_t n = strlen(name_rows[i].begins);
        if (strncmp(name, name_rows[i].begins, n) == 0) {
            instead = name_rows[i].instead;
            rest = name + n;
        }
    }
    snprintf(common, NAME_MAX_BYTES, "%s%.200s", instead, rest);
}

bool llava_same(const char *a, const char *b)
{
    char one[NAME_MAX_BYTES], other[NAME_MAX_BYTES];
    common_name(a, one);
    common_name(b, other);
    return strcmp(one, other) == 0;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool llava_is_beside(const char *name, bool projector_alone)
{
    char common[NAME_MAX_BYTES];
    common_name(name, common);
    return begins_with(common, "vision_tower.") ||
           (projector_alone && begins_with(common, "multi_modal_projector."));
}

const struct safetensors_tensor *llava_find(const struct tensor_files *files, const char *name,
                                            const struct safetensors **file)
{
    char wanted[NAME_MAX_BYTES], common[NAME_MAX_BYTES];
    common_name(name, wanted);
    for (size_t i = 0; i < files->n; i++)
        for (size_t k = 0; k < files->files[i].n; k++) {
            common_name(files->files[i].tensors[k].name, common);
            *file = &files->files[i];
            if (strcmp(wanted, common) == 0)
                return &files->files[i].tensors[k];
        }
    *file = NULL;
    return NULL;
}

/* ---- the tower ------------------------------------------------------------------------------ */

/* A file's shape, with the patches' weights in four dimensions. */
static bool has_shape(const struct safetensors_tensor *t, const struct tower_tensor *wanted)
{
    size_t patch = (size_t)wanted->patch;
    if (wanted->is_vector)
        return t->dimensions == 1 && t->shape[0] == wanted->width;
    if (patch > 0)
        return t->dimensions == 4 && t->shape[0] == wanted->rows && t->shape[1] == 3 &&
               t->shape[2] == patch && t->shape[3] == patch;
    return t->dimensions == 2 && t->shape[0] == wanted->rows && t->shape[1] == wanted->width;
}

static const struct safetensors_tensor *
find_of_tower(const struct tensor_files *files, const struct tower_tensor *wanted, const char *path,
              const struct safetensors **file, struct err *err)
{
    const struct safetensors_tensor *t = llava_find(files, wanted->name, file);
    if (t && has_shape(t, wanted))
        return t;
    err_set(err, ERR_INPUT, "%s: %s: found %s, expected [%zu, %zu] for the tower", path,
            wanted->name, t ? "another shape" : "none", wanted->rows, wanted->width);
    return NULL;
}

/* `files` of rank 0, which keeps what failed. */
static int load_of_tower(struct transfer *t, struct tower *tower, const struct tower_tensor *to,
                         const struct tensor_files *files, const char *path, struct err *failed,
                         struct err *err)
{
    struct device *d = tower->device;
    const struct safetensors *file = NULL;
    const struct safetensors_tensor *from = NULL;
    size_t size = to->rows * to->width, n;
    if (t->leads && failed->kind == ERR_NONE)
        from = find_of_tower(files, to, path, &file, failed);
    for (size_t done = 0; done < size; done += n) {
        n = size - done < t->part ? size - done : t->part;
        if (from && failed->kind == ERR_NONE)
            safetensors_read(file, from, done, n, t->host, failed);
        if (transfer_share(t, t->host, n * sizeof *t->host, err) < 0)
            return -1;
        d->operations->narrow(d, device_at(d, tower->weights, to->offset + done), t->room, n);
    }
    return 0;
}

int llava_tower_load(struct transfer *t, struct tower *tower, const char *path, struct err *err)
{
    struct tensor_files files;
    struct err failed = ERR_INIT;
    bool open = t->leads && tensor_files_open(&files, path, &failed) == 0;
    int rc = transfer_agree(t, &failed, err);
    for (size_t i = 0; rc == 0 && i < tower->n_tensors; i++)
        rc = load_of_tower(t, tower, &tower->tensors[i], &files, path, &failed, err);
    if (open)
        tensor_files_close(&files);
    return rc < 0 ? rc : transfer_agree(t, &failed, err);
}

/* host[PART], room[PART] of the device: where values pass through. */
struct tower_reading {
    const struct tensor_files *files;
    const char *path;
    float *host, *room;
    struct hash hash;
};

static int read_of_tower(struct tower_reading *r, struct tower *tower,
                         const struct tower_tensor *to, struct err *err)
{
    struct device *d = tower->device;
    const struct safetensors *file;
    const struct safetensors_tensor *from = find_of_tower(r->files, to, r->path, &file, err);
    size_t size = to->rows * to->width, n;
    if (!from)
        return -1;
    for (size_t done = 0; done < size; done += n) {
        n = size - done < TRANSFER_PART_MAX ? size - done : TRANSFER_PART_MAX;
        if (safetensors_read(file, from, done, n, r->host, err) < 0)
            return -1;
        hash_add(&r->hash, r->host, n * sizeof *r->host);
        d->operations->upload(d, r->room, r->host, n * sizeof *r->host);
        d->operations->narrow(d, device_at(d, tower->weights, to->offset + done), r->room, n);
    }
    return 0;
}

int llava_tower_read(struct tower *tower, const char *path, char sha256[HASH_HEX_SIZE],
                     struct err *err)
{
    struct device *d = tower->device;
    struct tensor_files files;
    struct tower_reading r = {.files = &files, .path = path};
    size_t bytes = TRANSFER_PART_MAX * sizeof *r.room;
    if (tensor_files_open(&files, path, err) < 0)
        return -1;
    int rc = d->operations->alloc(d, (void **)&r.room, bytes, err);
    r.host = memory_alloc(bytes);
    hash_init(&r.hash);
    for (size_t i = 0; rc == 0 && i < tower->n_tensors; i++)
        rc = read_of_tower(&r, tower, &tower->tensors[i], err);
    hash_final(&r.hash, sha256);
    if (rc == 0)
        rc = d->operations->synchronize(d, err);
    d->operations->release(d, r.room);
    free(r.host);
    tensor_files_close(&files);
    return rc;
}

/* ---- a file of it --------------------------------------------------------------------------- */

static int compare_tower_tensors(const void *a, const void *b)
{
    const struct tower_tensor *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static struct safetensors_tensor shape_in_file(const struct tower_tensor *from, enum number number)
{
    static const enum safetensors_type types[] = {[NUMBER_FP32] = SAFETENSORS_F32,
                                                  [NUMBER_BF16] = SAFETENSORS_BF16,
                                                  [NUMBER_FP16] = SAFETENSORS_F16};
    struct safetensors_tensor t = {.name = from->name, .type = types[number]};
    size_t patch = (size_t)from->patch;
    if (!from->is_vector)
        t.shape[t.dimensions++] = from->rows;
    if (patch > 0) {
        t.shape[t.dimensions++] = 3;
        t.shape[t.dimensions++] = patch;
    }
    t.shape[t.dimensions++] = patch > 0 ? patch : from->width;
    return t;
}

static int save_of_tower(const struct tower *t, const struct tower_tensor *from,
                         struct safetensors_writer *w, struct err *err)
{
    struct device *d = t->device;
    size_t n = from->rows * from->width;
    void *values = memory_alloc(n * d->element_bytes);
    int rc = d->operations->download(d, values, device_at(d, t->weights, from->offset),
                                     n * d->element_bytes, err);
    if (rc == 0)
        rc = safetensors_write(w, values, n * d->element_bytes, err);
    free(values);
    return rc;
}

int llava_tower_save(const struct tower *t, const char *path, struct err *err)
{
    const struct safetensors_text format = {"format", "pt"};
    struct arena arena = ARENA_INIT;
    struct safetensors_writer w;
    size_t n = t->n_tensors;
    const struct tower_tensor **list = arena_array(&arena, n, sizeof *list);
    struct safetensors_tensor *tensors = arena_array(&arena, n, sizeof *tensors);
    for (size_t i = 0; i < n; i++)
        list[i] = &t->tensors[i];
    qsort(list, n, sizeof *list, compare_tower_tensors);
    for (size_t i = 0; i < n; i++)
        tensors[i] = shape_in_file(list[i], t->device->number);
    int rc = safetensors_create(&w, path, tensors, n, &format, 1, err);
    bool open = rc == 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = save_of_tower(t, list[i], &w, err);
    if (open && rc == 0)
        rc = safetensors_finish(&w, err);
    else if (open)
        safetensors_abort(&w);
    arena_release(&arena);
    return rc;
}
