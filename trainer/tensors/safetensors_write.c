#include "trainer/tensors/safetensors.h"

#include "base/files/file.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The places of all tensors; refuses what would not be canonical or could not be read again. */
static int place_written_tensors(const char *path, struct safetensors_tensor *tensors, size_t n,
                                 size_t *end, struct err *err)
{
    *end = 0;
    if (n > SAFETENSORS_TENSORS_MAX)
        return err_set(err, ERR_USAGE, "%s: found %zu tensors, expected at most %d", path, n,
                       SAFETENSORS_TENSORS_MAX);
    for (size_t i = 0; i < n; i++) {
        struct safetensors_tensor *t = &tensors[i];
        if (i > 0 && strcmp(tensors[i - 1].name, t->name) >= 0)
            return err_set(err, ERR_USAGE,
                           "%s: found tensor %.200s behind %.200s, expected the "
                           "order of their names",
                           path, t->name, tensors[i - 1].name);
        t->begin = *end;
        t->bytes = safetensors_element_bytes(t->type);
        for (int d = 0; d < t->dimensions; d++)
            t->bytes *= t->shape[d];
        *end += t->bytes;
    }
    return 0;
}

static void put_header(struct buf *out, const struct safetensors_tensor *tensors, size_t n,
                       const struct safetensors_text *metadata, size_t n_metadata)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object_flat(&w, NULL);
    if (n_metadata > 0)
        json_begin_object_flat(&w, "__metadata__");
    for (size_t i = 0; i < n_metadata; i++)
        json_string(&w, metadata[i].key, metadata[i].text);
    if (n_metadata > 0)
        json_end_object(&w);
    for (size_t i = 0; i < n; i++) {
        const struct safetensors_tensor *t = &tensors[i];
        json_begin_object_flat(&w, t->name);
        json_string(&w, "dtype", safetensors_type_name(t->type));
        json_begin_array_flat(&w, "shape");
        for (int d = 0; d < t->dimensions; d++)
            json_integer(&w, NULL, (long long)t->shape[d]);
        json_end_array(&w);
        json_begin_array_flat(&w, "data_offsets");
        json_integer(&w, NULL, (long long)t->begin);
        json_integer(&w, NULL, (long long)(t->begin + t->bytes));
        json_end_array(&w);
        json_end_object(&w);
    }
    json_end_object(&w);
    while (out->len % 8 != 0)
        buf_char(out, ' ');
}

static int write_header(struct safetensors_writer *w, const struct buf *header,
                        struct safetensors_tensor *tensors, size_t n, struct err *err)
{
    uint64_t length = header->len;
    for (size_t i = 0; i < n; i++)
        tensors[i].begin += sizeof length + length;
    if (buf_check(header, w->path, err) < 0 ||
        file_write_all(w->fd, &length, sizeof length, w->path, err) < 0)
        return -1;
    return file_write_all(w->fd, header->data, header->len, w->path, err);
}

int safetensors_create(struct safetensors_writer *w, const char *path,
                       struct safetensors_tensor *tensors, size_t n,
                       const struct safetensors_text *metadata, size_t n_metadata, struct err *err)
{
    struct buf header = BUF_INIT(SAFETENSORS_HEADER_MAX);
    *w = (struct safetensors_writer){.path = path};
    if (place_written_tensors(path, tensors, n, &w->expected, err) < 0)
        return -1;
    w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (w->fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", path);
    put_header(&header, tensors, n, metadata, n_metadata);
    int rc = write_header(w, &header, tensors, n, err);
    buf_release(&header);
    if (rc < 0)
        safetensors_abort(w);
    return rc;
}

int safetensors_write(struct safetensors_writer *w, const void *data, size_t bytes, struct err *err)
{
    w->written += bytes;
    return file_write_all(w->fd, data, bytes, w->path, err);
}

int safetensors_finish(struct safetensors_writer *w, struct err *err)
{
    int rc = 0;
    if (w->written != w->expected)
        rc = err_set(err, ERR_IO, "%s: %zu bytes of tensors were written, expected %zu", w->path,
                     w->written, w->expected);
    if (rc == 0 && fsync(w->fd) < 0)
        rc = err_errno(err, ERR_IO, "%s: cannot sync", w->path);
    if (close(w->fd) < 0 && rc == 0)
        rc = err_errno(err, ERR_IO, "%s: cannot close", w->path);
    if (rc < 0)
        unlink(w->path);
    return rc;
}

void safetensors_abort(struct safetensors_writer *w)
{
    close(w->fd);
    unlink(w->path);
}
