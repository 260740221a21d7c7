#include "trainer/tensors/safetensors.h"

#include "base/arena.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are read and written in place");

#define METADATA "__metadata__"

/* ---- elements ------------------------------------------------------------------------------- */

static uint32_t widen_bf16(uint16_t bits)
{
    return (uint32_t)bits << 16;
}

/* Every fp16 number is an fp32 number: exponents are moved by 127 - 15, and what lies below 2^-14
 * is a multiple of 2^-24. */
static uint32_t widen_f16(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31;
    uint32_t fraction = bits & 0x3FF, below;
    float small = (float)fraction * 0x1p-24f;
    memcpy(&below, &small, sizeof below);
    if (exponent == 0)
        return sign | below;
    return sign | (exponent == 31 ? 0x7F800000 : (exponent + 112) << 23) | fraction << 13;
}

static const struct type {
    const char *name;
    size_t bytes;
    uint32_t (*widen)(uint16_t); /* to the bits of an fp32; NULL: they are that */
} types[] = {
    [SAFETENSORS_F32] = {"F32", 4, NULL},
    [SAFETENSORS_BF16] = {"BF16", 2, widen_bf16},
    [SAFETENSORS_F16] = {"F16", 2, widen_f16},
};
#define TYPES (sizeof types / sizeof *types)

const char *safetensors_type_name(enum safetensors_type type)
{
    return types[type].name;
}

size_t safetensors_element_bytes(enum safetensors_type type)
{
    return types[type].bytes;
}

/* ---- header --------------------------------------------------------------------------------- */

/* What a header is read with. */
struct reading {
    struct safetensors *file;
    size_t header_end, file_end; /* from the start of the file */
};

static int safetensors_fault(const struct safetensors *f, const char *name, const char *found,
                             const char *expected, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: tensor %.200s: found %.200s, expected %s", f->path, name,
                   found, expected);
}

/* A whole number in digits; SIZE_MAX stands for anything else. */
static size_t tensor_count(const struct json *value)
{
    const char *text = value->kind == JSON_NUMBER ? value->text : "-";
    size_t n = strlen(text);
    return n <= 15 && strspn(text, "0123456789") == n ? strtoull(text, NULL, 10) : SIZE_MAX;
}

static int read_type(struct safetensors *f, struct safetensors_tensor *t, const struct json *value,
                     struct err *err)
{
    const char *text = value->kind == JSON_STRING ? value->text : json_kind_name(value->kind);
    for (size_t i = 0; i < TYPES; i++)
        if (value->kind == JSON_STRING && strcmp(types[i].name, text) == 0) {
            t->type = (enum safetensors_type)i;
            return 0;
        }
    return err_set(err, ERR_INPUT,
                   "%s: tensor %.200s: dtype: found %.60s, expected F32, BF16 or F16", f->path,
                   t->name, text);
}

/* 2^50 elements are more than any disk holds, and no product here overflows. */
static int read_tensor_shape(struct safetensors *f, struct safetensors_tensor *t,
                             const struct json *value, struct err *err)
{
    size_t elements = 1;
    if (value->kind != JSON_ARRAY || value->n > SAFETENSORS_DIMENSIONS_MAX)
        return safetensors_fault(f, t->name, "another shape", "an array of at most 8 dimensions",
                                 err);
    for (const struct json *size = value->child; size; size = size->next) {
        size_t n = tensor_count(size);
        if (n == SIZE_MAX || (n > 0 && elements > ((size_t)1 << 50) / n))
            return safetensors_fault(f, t->name, "a dimension out of range",
                                     "whole numbers with a product up to 2^50", err);
        t->shape[t->dimensions++] = n;
        elements *= n;
    }
    t->bytes = elements; /* of one byte each, until the type is known */
    return 0;
}

static int read_offsets(struct safetensors *f, struct safetensors_tensor *t,
                        const struct json *value, struct err *err)
{
    const struct json *begin = value->kind == JSON_ARRAY ? value->child : NULL;
    if (!begin || value->n != 2 || tensor_count(begin) > tensor_count(begin->next) ||
        tensor_count(begin->next) == SIZE_MAX)
        return safetensors_fault(f, t->name, "other data_offsets", "[begin, end] with begin <= end",
                                 err);
    size_t bytes = t->bytes * types[t->type].bytes;
    t->begin = tensor_count(begin);
    if (tensor_count(begin->next) - t->begin != bytes)
        return err_set(err, ERR_INPUT,
                       "%s: tensor %.200s: data_offsets: found %zu bytes, expected %zu, which its "
                       "shape and dtype take",
                       f->path, t->name, tensor_count(begin->next) - t->begin, bytes);
    t->bytes = bytes;
    return 0;
}

/* In this order: each needs what the ones before it have found. */
static const struct field {
    const char *name;
    int (*read)(struct safetensors *, struct safetensors_tensor *, const struct json *,
                struct err *);
} fields[] = {{"dtype", read_type}, {"shape", read_tensor_shape}, {"data_offsets", read_offsets}};
#define FIELDS (sizeof fields / sizeof *fields)

static int read_tensor(struct safetensors *f, const struct json *entry, struct err *err)
{
    struct safetensors_tensor *t = &f->tensors[f->n++];
    t->name = entry->key;
    if (entry->kind != JSON_OBJECT || entry->n != FIELDS)
        return safetensors_fault(f, t->name, "something else",
                                 "an object of dtype, shape and data_offsets", err);
    for (size_t i = 0; i < FIELDS; i++) {
        const struct json *value = json_get(entry, fields[i].name);
        if (!value)
            return err_set(err, ERR_INPUT, "%s: tensor %.200s: %s: missing", f->path, t->name,
                           fields[i].name);
        if (fields[i].read(f, t, value, err) < 0)
            return -1;
    }
    return 0;
}

static int read_metadata(struct safetensors *f, const struct json *value, struct err *err)
{
    bool texts = value->kind == JSON_OBJECT;
    for (const struct json *m = value->child; m; m = m->next)
        texts = texts && m->kind == JSON_STRING;
    if (!texts)
        return err_set(err, ERR_INPUT, "%s: " METADATA ": expected an object of strings", f->path);
    return 0;
}

static int by_begin(const void *a, const void *b)
{
    const struct safetensors_tensor *x = a, *y = b;
    int begins = (x->begin > y->begin) - (x->begin < y->begin);
    return begins ? begins : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int read_entries(const struct reading *r, const struct json *root, struct err *err)
{
    struct safetensors *f = r->file;
    f->tensors = arena_array(&f->arena, root->n, sizeof *f->tensors);
    for (const struct json *m = root->child; m; m = m->next)
        if ((strcmp(m->key, METADATA) == 0 ? read_metadata : read_tensor)(f, m, err) < 0)
            return -1;
    /* Tensors fill the file from the end of the header to its own. Moves begins to the file's
     * start. */
    size_t expected = 0;
    if (f->n > 1)
        qsort(f->tensors, f->n, sizeof *f->tensors, by_begin);
    for (size_t i = 0; i < f->n; i++) {
        struct safetensors_tensor *t = &f->tensors[i];
        if (t->begin != expected)
            return err_set(err, ERR_INPUT,
                           "%s: tensor %.200s: data_offsets: found a begin at %zu, expected %zu, "
                           "where the one before it ends",
                           f->path, t->name, t->begin, expected);
        expected += t->bytes;
        t->begin += r->header_end;
    }
    if (r->header_end + expected != r->file_end)
        return err_set(err, ERR_INPUT, "%s: found %zu bytes, expected %zu from its header", f->path,
                       r->file_end, r->header_end + expected);
    if (f->n > 1)
        qsort(f->tensors, f->n, sizeof *f->tensors, text_by_bytes);
    return 0;
}

static int parse_header(const struct reading *r, struct bytes text, struct err *err)
{
    struct safetensors *f = r->file;
    struct diags diags = DIAGS_INIT(&f->arena);
    struct json *root;
    if (json_parse(f->path, text, &f->arena, &root, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s: header:%d:%d: %s", f->path, diags.items[0].line,
                       diags.items[0].col, diags.items[0].message);
    if (root->kind != JSON_OBJECT)
        return err_set(err, ERR_INPUT, "%s: header: found %s, expected an object", f->path,
                       json_kind_name(root->kind));
    return read_entries(r, root, err);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* All of it, or ERR_INPUT when the file ends before. */
static int read_at(const struct safetensors *f, void *to, size_t bytes, size_t at, struct err *err)
{
    char *next = to;
    while (bytes > 0) {
        ssize_t n = pread(f->fd, next, bytes, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, ERR_INPUT, "%s", f->path);
        if (n == 0)
            return err_set(err, ERR_INPUT, "%s: ends at byte %zu, expected %zu more", f->path, at,
                           bytes);
        next += n;
        at += (size_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

static int read_header(struct safetensors *f, struct err *err)
{
    struct reading r = {.file = f};
    struct stat st;
    uint64_t length;
    if (fstat(f->fd, &st) < 0)
        return err_errno(err, ERR_INPUT, "%s", f->path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", f->path);
    r.file_end = (size_t)st.st_size;
    if (read_at(f, &length, sizeof length, 0, err) < 0)
        return -1;
    if (length > SAFETENSORS_HEADER_MAX || length > r.file_end - sizeof length)
        return err_set(err, ERR_INPUT,
                       "%s: found a header of %llu bytes, expected at most %zu and at most the %zu "
                       "that follow",
                       f->path, (unsigned long long)length, SAFETENSORS_HEADER_MAX,
                       r.file_end - sizeof length);
    char *text = arena_alloc(&f->arena, length + 1);
    if (read_at(f, text, length, sizeof length, err) < 0)
        return -1;
    r.header_end = sizeof length + length;
    return parse_header(&r, (struct bytes){text, length}, err);
}

int safetensors_open(struct safetensors *f, const char *path, struct err *err)
{
    /* O_NONBLOCK: opening a FIFO must not wait for a writer */
    *f = (struct safetensors){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (f->fd < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    arena_init(&f->arena);
    if (read_header(f, err) == 0)
        return 0;
    safetensors_close(f);
    return -1;
}

void safetensors_close(struct safetensors *f)
{
    arena_release(&f->arena);
    close(f->fd);
}

const struct safetensors_tensor *safetensors_find(const struct safetensors *f, const char *name)
{
    const struct safetensors_tensor key = {.name = name};
    return f->n ? bsearch(&key, f->tensors, f->n, sizeof key, text_by_bytes) : NULL;
}

/* Narrow elements come to lie in the second half of the room, and are widened from the first on:
 * the place of an fp32 that is written holds none that is still to be read. */
int safetensors_read(const struct safetensors *f, const struct safetensors_tensor *t, size_t first,
                     size_t n, float *out, struct err *err)
{
    const struct type *type = &types[t->type];
    char *raw = (char *)out + n * (sizeof *out - type->bytes);
    if (read_at(f, raw, n * type->bytes, t->begin + first * type->bytes, err) < 0)
        return -1;
    for (size_t i = 0; type->widen && i < n; i++) {
        uint16_t narrow;
        memcpy(&narrow, raw + i * sizeof narrow, sizeof narrow);
        uint32_t wide = type->widen(narrow);
        memcpy(&out[i], &wide, sizeof wide);
    }
    return 0;
}
