#include "trainer/training/model_files.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "trainer/training/llava_files.h"
#include "trainer/training/model_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t part_of_room(const struct transfer *t, size_t left)
{
    return left < t->part ? left : t->part;
}

/* ---- writing -------------------------------------------------------------------------------- */

static int compare_named_tensors(const void *a, const void *b)
{
    const struct parameter *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order ? order : ((*x)->file_row > (*y)->file_row) - ((*x)->file_row < (*y)->file_row);
}

enum model_tensors model_trained(const struct transfer *t)
{
    return t->optimizer->zero->model->adapter_bucket >= 0 ? TENSORS_OF_ADAPTERS : TENSORS_OF_MODEL;
}

bool model_files_holds(const struct parameter *p, enum model_tensors which)
{
    if (which == TENSORS_OF_PROJECTOR || which == TENSORS_OF_LANGUAGE)
        return (p->role == ROLE_PROJECTOR) == (which == TENSORS_OF_PROJECTOR);
    return p->beside == (which == TENSORS_OF_ADAPTERS);
}

/* The order in which a file holds them. */
static const struct parameter **tensors_by_name(const struct model *m, enum model_tensors which,
                                                struct arena *arena, size_t *n)
{
    const struct parameter **list = arena_array(arena, m->n_tensors, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < m->n_tensors; i++)
        if (model_files_holds(&m->tensors[i], which))
            list[(*n)++] = &m->tensors[i];
    qsort(list, *n, sizeof *list, compare_named_tensors);
    return list;
}

static struct safetensors_tensor tensor_of(const struct parameter *p)
{
    struct safetensors_tensor t = {.name = p->name, .type = SAFETENSORS_F32};
    if (!p->is_vector)
        t.shape[t.dimensions++] = p->file_rows ? p->file_rows : p->rows;
    t.shape[t.dimensions++] = p->width;
    return t;
}

static int create(struct safetensors_writer *w, const char *path,
                  const struct parameter *const *list, size_t n, struct arena *arena,
                  struct err *err)
{
    /* transformers wants to be told that the tensors are laid out as PyTorch's */
    const struct safetensors_text format = {"format", "pt"};
    struct safetensors_tensor *tensors = arena_array(arena, n, sizeof *tensors);
    size_t distinct = 0; /* several may lie in one */
    for (size_t i = 0; i < n; i++)
        if (list[i]->file_row == 0)
            tensors[distinct++] = tensor_of(list[i]);
    return safetensors_create(w, path, tensors, distinct, &format, 1, err);
}

/* `failed` is rank 0's: once it says so, the file is given up, but not the ranks. */
static int save_tensor(struct transfer *t, enum transfer_array array, const struct parameter *p,
                       struct safetensors_writer *w, struct err *failed, struct err *err)
{
    size_t size = p->rows * p->width, n;
    for (size_t done = 0; done < size; done += n) {
        n = part_of_room(t, size - done);
        if (transfer_fetch(t, array, p, done, n, err) < 0)
            return -1;
        if (t->leads && failed->kind == ERR_NONE)
            safetensors_write(w, t->host, n * sizeof *t->host, failed);
    }
    return 0;
}

int model_file_save(struct transfer *t, enum transfer_array array, enum model_tensors which,
                    const char *path, struct err *err)
{
    const struct model *m = t->optimizer->zero->model;
    struct arena arena = ARENA_INIT;
    struct err failed = ERR_INIT;
    struct safetensors_writer w;
    size_t n;
    const struct parameter **list = tensors_by_name(m, which, &arena, &n);
    bool open = t->leads && create(&w, path, list, n, &arena, &failed) == 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = save_tensor(t, array, list[i], &w, &failed, err);
    if (open && rc == 0 && failed.kind == ERR_NONE)
        safetensors_finish(&w, &failed);
    else if (open)
        safetensors_abort(&w);
    arena_release(&arena);
    return rc < 0 ? rc : transfer_agree(t, &failed, err);
}

/* ---- what does not fit ---------------------------------------------------------------------- */

#define FINDINGS_SHOWN 6

struct findings {
    struct buf text;
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void found(struct findings *f, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (f->n++ < FINDINGS_SHOWN)
        buf_printf(&f->text, "%s%s", f->n > 1 ? "; " : "", text);
}

static const char *shape_text(const struct safetensors_tensor *t, char text[200])
{
    int at = snprintf(text, 200, "[");
    for (int d = 0; d < t->dimensions; d++)
        at += snprintf(text + at, 200 - (size_t)at, "%s%zu", d ? ", " : "", t->shape[d]);
    snprintf(text + at, 200 - (size_t)at, "]");
    return text;
}

const struct safetensors_tensor *model_files_find(const struct tensor_files *files,
                                                  const struct model *m, const char *name,
                                                  const struct safetensors **file)
{
    return m->shape.picture_width > 0 ? llava_find(files, name, file)
                                      : tensor_files_find(files, name, file);
}

static void check_parameter(const struct tensor_files *files, const struct model *m,
                            const struct parameter *p, struct findings *f)
{
    const struct safetensors *file;
    const struct safetensors_tensor wanted = tensor_of(p),
                                    *there = model_files_find(files, m, p->name, &file);
    char one[200], other[200];
    if (!there)
        found(f, "%s: missing", p->name);
    else if (there->dimensions != wanted.dimensions ||
             memcmp(there->shape, wanted.shape, sizeof wanted.shape) != 0)
        found(f, "%s: found %s, expected %s", p->name, shape_text(there, one),
              shape_text(&wanted, other));
}

static bool is_ignored(const char *name)
{
    const char end[] = ".rotary_emb.inv_freq";
    size_t n = strlen(name);
    return n >= sizeof end && strcmp(name + n + 1 - sizeof end, end) == 0;
}

static bool is_known_tensor(const struct model *m, enum model_tensors which, const char *name)
{
    bool sees = m->shape.picture_width > 0;
    for (size_t i = 0; i < m->n_tensors; i++)
        if (model_files_holds(&m->tensors[i], which) &&
            (sees ? llava_same(m->tensors[i].name, name) : strcmp(m->tensors[i].name, name) == 0))
            return true;
    return sees && llava_is_beside(name, m->shape.projector_alone || which == TENSORS_OF_LANGUAGE);
}

int model_files_check(const struct tensor_files *files, const struct model *m,
                      enum model_tensors which, const char *path, struct err *err)
{
    struct findings f = {.n = 0};
    buf_init(&f.text, ERR_TEXT_MAX);
    for (size_t i = 0; i < m->n_tensors; i++)
        if (m->tensors[i].file_row == 0 && model_files_holds(&m->tensors[i], which))
            check_parameter(files, m, &m->tensors[i], &f);
    for (size_t i = 0; i < files->n; i++)
        for (size_t k = 0; k < files->files[i].n; k++) {
            const char *name = files->files[i].tensors[k].name;
            if (!is_ignored(name) && !is_known_tensor(m, which, name))
                found(&f, "%.200s: found, but the model has none", name);
        }
    if (f.n > FINDINGS_SHOWN)
        buf_printf(&f.text, "; and %zu more", f.n - FINDINGS_SHOWN);
    int rc = f.n ? err_set(err, ERR_INPUT, "%s: %s", path, f.text.data) : 0;
    buf_release(&f.text);
    return rc;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* What rank 0 reads from, and what it has found. */
struct loading {
    enum model_tensors which;
    struct tensor_files files;
    struct hash *hash; /* NULL: nobody asks */
    struct err failed;
};

static int load_tensor(struct transfer *t, enum transfer_array array, const struct parameter *p,
                       struct loading *l, struct err *err)
{
    const struct safetensors *file = NULL;
    const struct safetensors_tensor *from =
        t->leads ? model_files_find(&l->files, t->optimizer->zero->model, p->name, &file) : NULL;
    size_t size = p->rows * p->width, first = p->file_row * p->width, n;
    for (size_t done = 0; done < size; done += n) {
        n = part_of_room(t, size - done);
        if (t->leads && l->failed.kind == ERR_NONE)
            safetensors_read(file, from, first + done, n, t->host, &l->failed);
        if (t->leads && l->hash)
            hash_add(l->hash, t->host, n * sizeof *t->host);
        if (transfer_spread(t, array, p, done, n, err) < 0)
            return -1;
    }
    return 0;
}

static int load_tensors(struct transfer *t, enum transfer_array array, struct loading *l,
                        struct err *err)
{
    const struct model *m = t->optimizer->zero->model;
    for (size_t i = 0; i < m->n_tensors; i++)
        if (model_files_holds(&m->tensors[i], l->which) &&
            load_tensor(t, array, &m->tensors[i], l, err) < 0)
            return -1;
    return transfer_agree(t, &l->failed, err);
}

static int load_hashed(struct transfer *t, enum transfer_array array, struct loading *l,
                       char sha256[HASH_HEX_SIZE], struct err *err)
{
    struct hash hash;
    hash_init(&hash);
    l->hash = &hash;
    int rc = load_tensors(t, array, l, err);
    hash_final(&hash, sha256);
    return rc < 0 ? rc : transfer_share(t, sha256, HASH_HEX_SIZE, err);
}

int model_files_load(struct transfer *t, enum transfer_array array, enum model_tensors which,
                     const char *path, char sha256[HASH_HEX_SIZE], struct err *err)
{
    struct loading l = {.which = which, .failed = ERR_INIT};
    bool open = t->leads && tensor_files_open(&l.files, path, &l.failed) == 0;
    if (open)
        model_files_check(&l.files, t->optimizer->zero->model, which, path, &l.failed);
    int rc = transfer_agree(t, &l.failed, err);
    if (rc == 0)
        rc = sha256 ? load_hashed(t, array, &l, sha256, err) : load_tensors(t, array, &l, err);
    if (open)
        tensor_files_close(&l.files);
    return rc;
}

/* ---- a folder for others ------------------------------------------------------------------- */

static int folder_fill(struct transfer *t, const struct training *training,
                       struct partial_folder *partial, struct err *err)
{
    struct err failed = ERR_INIT;
    if (model_file_save(t, TRANSFER_WEIGHTS, model_trained(t),
                        partial_folder_path(partial, model_file_name(training)), err) < 0)
        return -1;
    if (t->leads && model_config_save(t->optimizer->zero->model, training, partial, &failed) == 0)
        partial_folder_commit(partial, &failed);
    return transfer_agree(t, &failed, err);
}

int model_folder_save(struct transfer *t, const struct training *training, const char *folder,
                      struct err *err)
{
    struct partial_folder partial;
    struct err failed = ERR_INIT;
    partial_folder_init(&partial, folder);
    if (t->leads)
        partial_folder_begin(&partial, &failed);
    int rc = transfer_agree(t, &failed, err);
    if (rc == 0)
        rc = folder_fill(t, training, &partial, err);
    partial_folder_end(&partial, t->leads);
    return rc;
}
