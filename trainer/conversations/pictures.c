#include "trainer/conversations/pictures.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/pack.h"
#include "base/process/worker.h"

#include <stdlib.h>
#include <string.h>

#define PORTION_BYTES ((size_t)4 << 20)
#define PORTION_FILES_MAX 64

/* Files that one worker takes. */
struct picture_portion {
    struct bytes *files; /* in the worker */
    size_t n;
};

struct drawing {
    const struct picture_files *p;
    const struct picture_rows *to;
    size_t per_worker, row_bytes;
    struct picture_portion read; /* of the worker that this process is */
    unsigned char *digests;      /* [n][HASH_SHA256_BYTES] */
    size_t failed;               /* the first row that could not be made; p->n: none */
    size_t done;
    pictures_observer *observer;
    void *context;
    struct err *err;
};

static size_t first_row(const struct drawing *d, size_t worker)
{
    return worker * d->per_worker;
}

static size_t rows_of(const struct drawing *d, size_t worker)
{
    size_t left = d->p->n - first_row(d, worker);
    return left < d->per_worker ? left : d->per_worker;
}

/* ---- in the worker -------------------------------------------------------------------------- */

/* The head has the digests of the files that could be read, and why the next one could not. */
static void read_pictures(void *context, size_t i, struct worker *w)
{
    struct drawing *d = context;
    struct err err = ERR_INIT;
    size_t n = rows_of(d, i);
    w->cpu_seconds = (unsigned)n * WORKER_CPU_SECONDS; /* for each file what a file alone has */
    unsigned char digests[PORTION_FILES_MAX * HASH_SHA256_BYTES];
    d->read = (struct picture_portion){arena_array(&w->arena, n, sizeof *d->read.files), 0};
    for (; d->read.n < n && d->failed == d->p->n; d->read.n++) {
        const char *name = d->p->names[first_row(d, i) + d->read.n];
        struct bytes *file = &d->read.files[d->read.n];
        if (file_read(path_join(&w->arena, d->p->folder, name), IMAGE_BYTES_MAX, &w->arena, file,
                      &err) < 0)
            break;
        hash_sha256_raw(file->data, file->len, digests + d->read.n * HASH_SHA256_BYTES);
        w->packed += file->len;
    }
    pack_number(&w->head, d->read.n);
    pack_number(&w->head, (uint64_t)err.kind);
    pack_text(&w->head, err.kind ? err.text : NULL);
    pack_bytes(&w->head, digests, d->read.n * HASH_SHA256_BYTES);
}

static void decode_pictures(void *context, size_t i, struct worker *w)
{
    struct drawing *d = context;
    for (size_t k = 0; k < d->read.n; k++) {
        worker_at(w, first_row(d, i) + k);
        struct bytes file = d->read.files[k];
        struct err err = ERR_INIT;
        struct image image;
        if (image_decode(file, &image, &err) < 0) {
            pack_text(&w->answer, err.text);
            return;
        }
        unsigned char *square = memory_alloc(d->row_bytes);
        image_fit(&image, d->p->fit, d->p->side, square);
        pack_text(&w->answer, NULL);
        pack_bytes(&w->answer, square, d->row_bytes);
        free(square);
        image_release(&image);
    }
}

/* ---- in the parent -------------------------------------------------------------------------- */

/* Of rows that fail, the first one's message stays; one of the machine's is the last word. */
static void fail_row(struct drawing *d, size_t row, enum err_kind kind, const char *why)
{
    if (row >= d->failed)
        return;
    d->failed = row;
    struct arena arena = ARENA_INIT;
    *d->err = (struct err)ERR_INIT;
    err_set(d->err, kind, "%s/%s: %s", d->p->folder, d->p->names[row],
            foreign_line(&arena, why, 0));
    arena_release(&arena);
}

/* What the worker read before it looked at anything; false: it did not come so far. */
static bool take_digests(struct drawing *d, size_t i, struct bytes head)
{
    struct unpack u = {.at = head.data, .end = head.data + head.len};
    size_t n = unpack_number(&u);
    enum err_kind kind = (enum err_kind)unpack_number(&u);
    const char *why = unpack_text(&u);
    if (u.bad || n > rows_of(d, i))
        return false;
    const void *digests = unpack_bytes(&u, n * HASH_SHA256_BYTES);
    if (!unpack_end(&u))
        return false;
    memcpy(d->digests + first_row(d, i) * HASH_SHA256_BYTES, digests, n * HASH_SHA256_BYTES);
    if (why && first_row(d, i) + n < d->failed) { /* it names the file */
        d->failed = first_row(d, i) + n;
        *d->err = (struct err)ERR_INIT;
        err_set(d->err, kind, "%s", why);
    }
    return true;
}

static void take_squares(struct drawing *d, size_t i, struct bytes answer)
{
    struct unpack u = {.at = answer.data, .end = answer.data + answer.len};
    size_t row = first_row(d, i), end = row + rows_of(d, i);
    for (; row < end && row < d->failed; row++) {
        const char *why = unpack_text(&u);
        const void *square = why || u.bad ? NULL : unpack_bytes(&u, d->row_bytes);
        struct err err = ERR_INIT;
        if (!square)
            fail_row(d, row, ERR_INPUT, why ? why : "the process that reads it answered nothing");
        else if (d->to->put(d->to->context, row, square, &err) < 0)
            fail_row(d, row, err.kind, err.text);
        else
            d->done++;
    }
}

static bool take_pictures(void *context, size_t i, const struct worker_end *end)
{
    struct drawing *d = context;
    bool read = end->head.len && take_digests(d, i, end->head);
    size_t first = first_row(d, i), place = end->place;
    if (place < first || place >= first + rows_of(d, i))
        place = first;
    if (end->outcome == WORKER_MACHINE)
        fail_row(d, place, ERR_IO, end->why);
    else if (end->outcome == WORKER_BROKEN)
        fail_row(d, place, ERR_INPUT, end->why);
    else if (!read)
        fail_row(d, place, ERR_IO, "the process that reads it said nothing");
    else
        take_squares(d, i, end->answer);
    if (d->observer)
        d->observer(d->context, d->done);
    return false;
}

int pictures_write(const struct picture_files *p, const struct picture_rows *to,
                   char sha256[HASH_HEX_SIZE], pictures_observer *observer, void *context,
                   struct err *err)
{
    struct drawing d = {.p = p,
                        .to = to,
                        .row_bytes = (size_t)p->side * (size_t)p->side * IMAGE_CHANNELS,
                        .failed = p->n,
                        .observer = observer,
                        .context = context,
                        .err = err};
    const struct worker_crew crew = {
        .context = &d, .read = read_pictures, .work = decode_pictures, .take = take_pictures};
    d.per_worker = PORTION_BYTES / d.row_bytes;
    d.per_worker = d.per_worker < 1 ? 1 : d.per_worker;
    d.per_worker = d.per_worker > PORTION_FILES_MAX ? PORTION_FILES_MAX : d.per_worker;
    d.digests = memory_alloc(p->n * HASH_SHA256_BYTES + 1);
    worker_each(&crew, (p->n + d.per_worker - 1) / d.per_worker);
    hash_sha256(d.digests, p->n * HASH_SHA256_BYTES, sha256);
    free(d.digests);
    return d.failed == p->n ? 0 : p->places ? err_prefix(err, "%s", p->places[d.failed]) : -1;
}
