#include "renderer/publish/files.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "renderer/publish/branch.h"

#include <stdlib.h>
#include <string.h>

struct object {
    git_oid id;
    const char *path, *text; /* path NULL: a free place */
    size_t len;
};

struct repo_files {
    git_odb_backend backend; /* first: libgit2 hands out its address */
    const char *root;
    struct object *objects; /* by the first bytes of their ids, which are as good as random */
    size_t n, size;         /* size: a power of two, at least twice n */
};

#define FIRST_SIZE 1024

/* Place of this object, or the free one where it would go. */
static struct object *place_of_object(const struct repo_files *files, const git_oid *id)
{
    size_t i;
    memcpy(&i, id->id, sizeof i);
    for (i &= files->size - 1; files->objects[i].path; i = (i + 1) & (files->size - 1))
        if (git_oid_equal(&files->objects[i].id, id))
            break;
    return &files->objects[i];
}

static const struct object *find_object(git_odb_backend *backend, const git_oid *id)
{
    const struct object *o = place_of_object((const struct repo_files *)backend, id);
    return o->path ? o : NULL;
}

static void grow_files(struct repo_files *files)
{
    struct object *old = files->objects;
    size_t n = files->size;
    files->size = n ? 2 * n : FIRST_SIZE;
    files->objects = memory_alloc(files->size * sizeof *files->objects);
    for (size_t i = 0; i < n; i++)
        if (old[i].path)
            *place_of_object(files, &old[i].id) = old[i];
    free(old);
}

/* ---- what libgit2 calls ---------------------------------------------------------------- */

static int odb_exists(git_odb_backend *backend, const git_oid *id)
{
    return find_object(backend, id) != NULL;
}

static int odb_read_header(size_t *len, git_object_t *type, git_odb_backend *backend,
                           const git_oid *id)
{
    const struct object *o = find_object(backend, id);
    if (!o)
        return GIT_ENOTFOUND;
    *len = o->len;
    *type = GIT_OBJECT_BLOB;
    return 0;
}

static int load_repo_object(const struct repo_files *files, const struct object *o, char *to)
{
    struct arena scratch = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes bytes = {o->text, o->len};
    int rc = o->text ? 0
                     : file_read(path_join(&scratch, files->root, o->path), REPO_BLOB_MAX, &scratch,
                                 &bytes, &err);
    if (rc == 0 && bytes.len != o->len)
        rc = err_set(&err, ERR_INPUT, "%s: changed while it was published", o->path);
    if (rc == 0)
        memcpy(to, bytes.data, bytes.len);
    else
        git_error_set_str(GIT_ERROR_ODB, err.text);
    arena_release(&scratch);
    return rc;
}

static int read_object(void **data, size_t *len, git_object_t *type, git_odb_backend *backend,
                       const git_oid *id)
{
    const struct object *o = find_object(backend, id);
    if (!o)
        return GIT_ENOTFOUND;
    char *bytes = git_odb_backend_data_alloc(backend, o->len + 1);
    if (!bytes)
        return -1;
    if (load_repo_object((const struct repo_files *)backend, o, bytes) < 0) {
        git_odb_backend_data_free(backend, bytes);
        return -1;
    }
    bytes[o->len] = '\0';
    *data = bytes;
    *len = o->len;
    *type = GIT_OBJECT_BLOB;
    return 0;
}

static void odb_release(git_odb_backend *backend)
{
    struct repo_files *files = (struct repo_files *)backend;
    free(files->objects);
    free(files);
}

/* ---- ours ------------------------------------------------------------------------------ */

struct repo_files *repo_files_new(const char *root)
{
    struct repo_files *files = memory_alloc(sizeof *files);
    files->root = root;
    files->backend.version = GIT_ODB_BACKEND_VERSION;
    files->backend.read = read_object;
    files->backend.read_header = odb_read_header;
    files->backend.exists = odb_exists;
    files->backend.free = odb_release;
    grow_files(files);
    return files;
}

git_odb_backend *repo_files_backend(struct repo_files *files)
{
    return &files->backend;
}

void repo_files_add(struct repo_files *files, const git_oid *id, const char *path, const char *text,
                    size_t len)
{
    if (2 * (files->n + 1) > files->size)
        grow_files(files);
    struct object *o = place_of_object(files, id);
    files->n += o->path == NULL;
    *o = (struct object){*id, path, text, len};
}
