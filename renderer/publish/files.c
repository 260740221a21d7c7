#include "renderer/publish/files.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "base/lookup.h"
#include "renderer/publish/branch.h"

#include <stdlib.h>
#include <string.h>

struct object {
    const char *id; /* hex digits */
    const char *path, *text;
    size_t len;
};

struct repo_files {
    git_odb_backend backend; /* first: libgit2 hands out its address */
    const char *root;
    struct arena arena;
    struct object *objects;
    size_t n;
    struct lookup known; /* objects by their ids */
};

static const struct object *find_object(const git_odb_backend *backend, const git_oid *id)
{
    const struct repo_files *files = (const struct repo_files *)backend;
    char hex[REPO_ID_SIZE];
    size_t i = lookup_find(&files->known, git_oid_tostr(hex, sizeof hex, id));
    return i == LOOKUP_NONE ? NULL : &files->objects[i];
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
    arena_release(&files->arena);
    free(files);
}

/* ---- ours ------------------------------------------------------------------------------ */

struct repo_files *repo_files_new(const char *root)
{
    struct repo_files *files = memory_alloc(sizeof *files);
    *files = (struct repo_files){
        .backend = {.version = GIT_ODB_BACKEND_VERSION,
                    .read = read_object,
                    .read_header = odb_read_header,
                    .exists = odb_exists,
                    .free = odb_release},
        .root = root,
        .known = {.stride = sizeof(struct object), .at = offsetof(struct object, id)}};
    return files;
}

git_odb_backend *repo_files_backend(struct repo_files *files)
{
    return &files->backend;
}

void repo_files_add(struct repo_files *files, const git_oid *id, const char *path, const char *text,
                    size_t len)
{
    char hex[REPO_ID_SIZE];
    if (find_object(&files->backend, id))
        return;
    git_oid_tostr(hex, sizeof hex, id);
    *(struct object *)ARENA_PUSH(&files->arena, files->objects, files->n) =
        (struct object){arena_strdup(&files->arena, hex), path, text, len};
    lookup_grow(&files->known, files->objects, files->n, &files->arena);
}
