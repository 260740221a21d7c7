#include "verifier/runs/read_ahead.h"

#include "base/files/beneath.h"
#include "base/files/file.h"

#include <errno.h>
#include <string.h>

static const struct read_ahead_file *find_read_ahead(const struct read_ahead *k, const char *path)
{
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->files[i].path, path) == 0)
            return &k->files[i];
    return NULL;
}

void read_ahead_refuse(struct read_ahead *k, const char *path, enum err_kind kind, const char *why,
                       struct arena *arena)
{
    if (find_read_ahead(k, path))
        return;
    struct read_ahead_file *f = ARENA_PUSH(arena, k->files, k->n);
    *f = (struct read_ahead_file){.path = path, .fault = kind, .why = why};
}

static int read_store_place(struct store_place p, size_t max, struct arena *arena,
                            struct bytes *out, struct err *err)
{
    const struct bytes *held = p.held ? held_find(p.held, p.path) : NULL;
    if (held && held->len <= max) {
        *out = *held;
        return 0;
    }
    if (p.held) {
        errno = held ? EFBIG : ENOENT;
        return err_errno(err, ERR_INPUT, "%s", path_join(arena, p.folder, p.path));
    }
    return p.folder ? beneath_read(p.folder, p.path, max, arena, out, err)
                    : file_read(p.path, max, arena, out, err);
}

static const char *whole_path(struct store_place p, struct arena *arena)
{
    return p.folder ? path_join(arena, p.folder, p.path) : p.path;
}

static bool is_missing_there(struct store_place p, struct arena *arena)
{
    struct err ignored = ERR_INIT;
    if (p.held)
        return !held_find(p.held, p.path);
    return file_is_there(whole_path(p, arena), &ignored) == 0;
}

void read_ahead_add(struct read_ahead *k, const char *path, struct store_place there,
                    struct arena *arena)
{
    struct err err = ERR_INIT;
    size_t room = READ_AHEAD_TOTAL_MAX - k->total;
    if (find_read_ahead(k, path))
        return;
    struct read_ahead_file *f = ARENA_PUSH(arena, k->files, k->n);
    *f = (struct read_ahead_file){.path = path};
    if (read_store_place(there, room < ARCHIVE_PACKED_MAX ? room : ARCHIVE_PACKED_MAX, arena,
                         &f->bytes, &err) < 0) {
        f->fault = err.kind;
        f->missing = is_missing_there(there, arena);
        f->why = err_keep(&err, whole_path(there, arena), arena);
        return;
    }
    k->total += f->bytes.len;
    hash_sha256(f->bytes.data, f->bytes.len, f->sha256);
}

const struct read_ahead_file *read_ahead_find(const struct read_ahead *k, const char *path,
                                              struct arena *arena)
{
    const struct read_ahead_file *f = find_read_ahead(k, path);
    if (f) {
        worker_at(k->worker, (size_t)(f - k->files));
        return f;
    }
    struct read_ahead_file *none = arena_alloc(arena, sizeof *none);
    *none = (struct read_ahead_file){
        .path = path, .fault = ERR_IO, .why = "this file was not read before the checks began"};
    return none;
}

int read_ahead_fault(const struct read_ahead_file *f, struct err *err)
{
    return err_set(err, f->fault, "%s: %s", f->path, f->why);
}
