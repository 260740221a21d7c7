#include "trainer/conversations/prepare_conversations.h"

#include "base/files/file.h"
#include "base/json/json.h"

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
    return fsync(w->fd) < 0 ? err_errno(err, ERR_IO, "%s", w->path)
                            : hash_open_file(w->fd, w->path, SIZE_MAX, sha256, err);
}

void npy_drop(struct npy_writer *w)
{
    if (w->open)
        close(w->fd);
    w->open = false;
}

static const struct {
    const char *file, *descr;
    size_t bytes; /* of a number */
} outputs[PREPARED_OUTPUTS] = {
    [PREPARED_TOKENS] = {"tokens.npy", "<i4", 4},
    [PREPARED_LABELS] = {"labels.npy", "<i4", 4},
    [PREPARED_OFFSETS] = {"offsets.npy", "<i8", 8},
    [PREPARED_PICTURES] = {"pictures.npy", "<i4", 4},
    [PREPARED_LENGTHS] = {"lengths.npy", "<i4", 4},
    [PREPARED_PIXELS] = {"pixels.npy", "|u1", 1},
};

/* ---- files ---------------------------------------------------------------------------------- */

static int begin_output(struct prepare_conversations *p, enum prepared_output i,
                        const char *row_shape, size_t numbers, struct err *err)
{
    return npy_begin(&p->outputs[i], partial_folder_path(&p->partial, outputs[i].file),
                     outputs[i].descr, row_shape, numbers * outputs[i].bytes, err);
}

static int put_offset(struct prepare_conversations *p, struct err *err)
{
    const int64_t at = (int64_t)p->tokens;
    return npy_put(&p->outputs[PREPARED_OFFSETS], p->samples, &at, 1, err);
}

int prepare_conversations_begin(struct prepare_conversations *p,
                                const struct prepare_conversations_wish *wish, struct err *err)
{
    *p = (struct prepare_conversations){.wish = *wish, .arena = ARENA_INIT};
    p->rows = (struct lookup){.stride = sizeof *p->pictures};
    partial_folder_init(&p->partial, wish->folder);
    if (tokenizer_load(&p->tokenizer, wish->tokenizer, err) < 0)
        return -1;
    if (p->tokenizer.bos == TOKEN_NONE || p->tokenizer.eos == TOKEN_NONE)
        return err_set(err, ERR_INPUT, "%s: found no <s> or no </s>, expected both",
                       wish->tokenizer);
    if (partial_folder_begin(&p->partial, err) < 0)
        return -1;
    for (int i = 0; i < PREPARED_PIXELS; i++)
        if (begin_output(p, (enum prepared_output)i, "", 1, err) < 0)
            return -1;
    return put_offset(p, err);
}

/* ---- samples -------------------------------------------------------------------------------- */

static int row_of_picture(struct prepare_conversations *p, const char *name, int32_t *row,
                          struct err *err)
{
    size_t i = lookup_find(&p->rows, name);
    if (!p->wish.images)
        return err_set(err, ERR_INPUT, "found an image, \"%.100s\", expected --images, its folder",
                       name);
    if (i == LOOKUP_NONE) {
        i = p->n_pictures;
        const char *own = arena_strdup(&p->arena, name);
        *(const char **)ARENA_PUSH(&p->arena, p->pictures, p->n_pictures) = own;
        lookup_grow(&p->rows, p->pictures, p->n_pictures, &p->arena);
    }
    *row = (int32_t)i;
    return 0;
}

static int prepare_sample(void *context, const struct conversation *c, struct err *err)
{
    struct prepare_conversations *p = context;
    int32_t row = -1;
    if (p->samples == PREPARED_SAMPLES_MAX)
        return err_set(err, ERR_INPUT, "found more than %zu samples", PREPARED_SAMPLES_MAX);
    if (labelled_make(p->wish.format, c, &p->tokenizer, &p->sample, err) < 0 ||
        (c->image && row_of_picture(p, c->image, &row, err) < 0))
        return -1;
    const struct labelled *s = &p->sample;
    struct npy_writer *to = p->outputs;
    if (npy_put(&to[PREPARED_TOKENS], p->tokens, s->tokens.ids, s->tokens.n, err) < 0 ||
        npy_put(&to[PREPARED_LABELS], p->tokens, s->labels.ids, s->labels.n, err) < 0 ||
        npy_put(&to[PREPARED_PICTURES], p->samples, &row, 1, err) < 0 ||
        npy_put(&to[PREPARED_LENGTHS], p->samples, &s->length, 1, err) < 0)
        return -1;
    p->tokens += s->tokens.n;
    p->targets += s->targets;
    p->mismatches += s->mismatch;
    p->samples++;
    return put_offset(p, err);
}

int prepare_conversations_file(struct prepare_conversations *p, const char *path,
                               struct diags *diags, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct sample_file file = {.path = arena_strdup(&p->arena, path), .samples = p->samples};
    char sha256[HASH_HEX_SIZE];
    struct bytes in;
    int rc = file_read(path, CONVERSATION_FILE_MAX, &arena, &in, err);
    if (rc == 0) {
        hash_sha256(in.data, in.len, sha256);
        rc = conversations_parse(path, in, prepare_sample, p, diags, err);
    }
    if (rc == 0) {
        file.sha256 = arena_strdup(&p->arena, sha256);
        file.bytes = in.len;
        file.samples = p->samples - file.samples;
        *(struct sample_file *)ARENA_PUSH(&p->arena, p->files, p->n_files) = file;
    }
    arena_release(&arena);
    return rc;
}

/* ---- the end -------------------------------------------------------------------------------- */

static int put_pixels(void *context, size_t row, const void *rgb, struct err *err)
{
    return npy_put(context, row, rgb, 1, err);
}

static int write_pixels(struct prepare_conversations *p, pictures_observer *observer, void *context,
                        struct err *err)
{
    const struct picture_files pictures = {p->wish.images, p->pictures,         NULL,
                                           p->n_pictures,  p->wish.format->fit, p->wish.side};
    struct npy_writer *to = &p->outputs[PREPARED_PIXELS];
    const struct picture_rows rows = {put_pixels, to};
    int side = p->wish.side;
    const char *shape = arena_printf(&p->arena, " %d, %d, %d", side, side, IMAGE_CHANNELS);
    if (p->n_pictures == 0)
        return 0;
    if (begin_output(p, PREPARED_PIXELS, shape, (size_t)side * (size_t)side * IMAGE_CHANNELS, err) <
            0 ||
        pictures_write(&pictures, &rows, p->images_sha256, observer, context, err) < 0)
        return -1;
    return npy_end(to, p->n_pictures, p->sha256[PREPARED_PIXELS], err);
}

static int end_outputs(struct prepare_conversations *p, struct err *err)
{
    const size_t rows[PREPARED_PIXELS] = {p->tokens, p->tokens, p->samples + 1, p->samples,
                                          p->samples};
    for (int i = 0; i < PREPARED_PIXELS; i++)
        if (npy_end(&p->outputs[i], rows[i], p->sha256[i], err) < 0)
            return -1;
    return 0;
}

static void write_inputs(struct json_writer *w, const struct prepare_conversations *p)
{
    json_begin_object_flat(w, "tokenizer");
    json_string(w, "file", path_base(p->wish.tokenizer));
    json_string(w, "sha256", p->tokenizer.sha256);
    json_integer(w, "pieces", (long long)p->tokenizer.n);
    json_end_object(w);
    json_begin_array(w, "files");
    for (size_t i = 0; i < p->n_files; i++) {
        json_begin_object_flat(w, NULL);
        json_string(w, "file", path_base(p->files[i].path));
        json_string(w, "sha256", p->files[i].sha256);
        json_integer(w, "bytes", (long long)p->files[i].bytes);
        json_integer(w, "samples", (long long)p->files[i].samples);
        json_end_object(w);
    }
    json_end_array(w);
    if (p->n_pictures == 0)
        return;
    json_begin_object_flat(w, "images");
    json_integer(w, "images", (long long)p->n_pictures);
    json_string(w, "sha256", p->images_sha256);
    json_string(w, "fit", p->wish.format->fit == IMAGE_PAD ? "pad" : "crop");
    json_integer(w, "side", p->wish.side);
    json_end_object(w);
}

static int write_prepared(struct prepare_conversations *p, struct err *err)
{
    const char *path = partial_folder_path(&p->partial, PREPARED_RECORD);
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_string(&w, "format", p->wish.format->name);
    write_inputs(&w, p);
    json_integer(&w, "samples", (long long)p->samples);
    json_integer(&w, "tokens", (long long)p->tokens);
    json_integer(&w, "targets", (long long)p->targets);
    json_integer(&w, "mismatched_samples", (long long)p->mismatches);
    json_begin_object(&w, "outputs");
    for (int i = 0; i < PREPARED_OUTPUTS; i++)
        if (p->sha256[i][0])
            json_string(&w, outputs[i].file, p->sha256[i]);
    json_end_object(&w);
    json_end_object(&w);
    json_finish(&w);
    int rc = buf_check(&out, path, err);
    hash_sha256(out.data, out.len, p->record_sha256);
    if (rc == 0)
        rc = file_write(path, out.data, out.len, err);
    buf_release(&out);
    return rc;
}

int prepare_conversations_end(struct prepare_conversations *p, pictures_observer *observer,
                              void *context, struct err *err)
{
    if (p->samples == 0)
        return err_set(err, ERR_INPUT, "found no sample, expected at least one");
    if (write_pixels(p, observer, context, err) < 0 || end_outputs(p, err) < 0 ||
        write_prepared(p, err) < 0)
        return -1;
    return partial_folder_commit(&p->partial, err);
}

void prepare_conversations_release(struct prepare_conversations *p)
{
    for (int i = 0; i < PREPARED_OUTPUTS; i++)
        npy_drop(&p->outputs[i]);
    partial_folder_end(&p->partial, true);
    labelled_release(&p->sample);
    tokenizer_release(&p->tokenizer);
    arena_release(&p->arena);
}
