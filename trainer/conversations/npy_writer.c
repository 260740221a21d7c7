#include "trainer/conversations/npy_writer.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NPY_HEADER 128 /* bytes: a multiple of 64, as the format wants */

int npy_begin(struct npy_writer *w, const char *path, const char *descr, const char *row_shape,
              size_t row_bytes, struct err *err)
{
    *w = (struct npy_writer){path, descr, row_shape, row_bytes, -1, false};
    w->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (w->fd < 0)
        return err_errno(err, ERR_IO, "%s", path);
    w->open = true;
    return 0;
}

static int write_at(struct npy_writer *w, const void *data, size_t len, size_t at, struct err *err)
{
    for (const char *from = data; len > 0;) {
        ssize_t n = pwrite(w->fd, from, len, (off_t)at);
        if (n < 0)
            return err_errno(err, ERR_IO, "%s", w->path);
        from += n;
        at += (size_t)n;
        len -= (size_t)n;
    }
    return 0;
}

int npy_put(struct npy_writer *w, size_t row, const void *rows, size_t n, struct err *err)
{
    return write_at(w, rows, n * w->row_bytes, NPY_HEADER + row * w->row_bytes, err);
}

int npy_end(struct npy_writer *w, size_t rows, char sha256[HASH_HEX_SIZE], struct err *err)
{
    char header[NPY_HEADER];
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\0\x76\0", 10);
    int n = snprintf(header + 10, sizeof header - 10,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,%s), }", w->descr, rows,
                     w->row_shape);
    header[10 + n] = ' ';
    header[NPY_HEADER - 1] = '\n';
    if (write_at(w, header, sizeof header, 0, err) < 0)
        return -1;
    if (fsync(w->fd) < 0)
        return err_errno(err, ERR_IO, "%s", w->path);
    return hash_open_file(w->fd, w->path, SIZE_MAX, sha256, err);
}

void npy_drop(struct npy_writer *w)
{
    if (w->open)
        close(w->fd);
    w->open = false;
}
