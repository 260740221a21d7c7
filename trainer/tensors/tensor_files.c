#include "trainer/tensors/tensor_files.h"

#include "base/files/file.h"
#include "base/text.h"

#include <string.h>

static int open_one(struct tensor_files *s, const char *path, struct err *err)
{
    struct safetensors f;
    if (s->n == TENSOR_FILES_MAX)
        return err_set(err, ERR_INPUT, "%s: expected at most %d files", path, TENSOR_FILES_MAX);
    if (safetensors_open(&f, path, err) < 0)
        return -1;
    *(struct safetensors *)ARENA_PUSH(&s->arena, s->files, s->n) = f;
    return 0;
}

/* ---- the index ------------------------------------------------------------------------------ */

struct index {
    const char *path, *folder;
    const struct json *map;
};

static struct safetensors *tensor_file_of(const struct tensor_files *s, const char *path)
{
    return text_find(s->files, s->n, sizeof *s->files, path);
}

/* Opens the file of one entry unless it is open, and looks for its tensor there. */
static int follow_entry(struct tensor_files *s, const struct index *x, const struct json *entry,
                        struct err *err)
{
    const char *name = entry->kind == JSON_STRING ? entry->text : "";
    if (!*name || strchr(name, '/') || *name == '.')
        return err_set(err, ERR_INPUT,
                       "%s:%d: weight_map: found %s \"%.100s\", expected the name of a file in "
                       "this folder",
                       x->path, entry->line, json_kind_name(entry->kind), name);
    const char *path = path_join(&s->arena, x->folder, name);
    if (!tensor_file_of(s, path) && open_one(s, path, err) < 0)
        return -1;
    if (!safetensors_find(tensor_file_of(s, path), entry->key))
        return err_set(err, ERR_INPUT, "%s: tensor %.200s: missing, expected by %s:%d", path,
                       entry->key, x->path, entry->line);
    return 0;
}

static int open_sharded(struct tensor_files *s, struct index *x, struct err *err)
{
    struct diags diags = DIAGS_INIT(&s->arena);
    struct json *root;
    if (json_load(x->path, &s->arena, &root, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s:%d:%d: %s", x->path, diags.items[0].line,
                       diags.items[0].col, diags.items[0].message);
    x->map = json_get(root, "weight_map");
    if (!x->map || x->map->kind != JSON_OBJECT || x->map->n == 0)
        return err_set(err, ERR_INPUT,
                       "%s: weight_map: found %s, expected an object of file names by tensor",
                       x->path, x->map ? json_kind_name(x->map->kind) : "none");
    for (const struct json *entry = x->map->child; entry; entry = entry->next)
        if (follow_entry(s, x, entry, err) < 0)
            return -1;
    /* Every tensor of every file is in the map, under that file's name. */
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->files[i].n; k++) {
            const char *name = s->files[i].tensors[k].name;
            const char *file = json_get_text(x->map, name, "no file");
            if (strcmp(file, path_base(s->files[i].path)) != 0)
                return err_set(err, ERR_INPUT, "%s: tensor %.200s: found here, and %.100s in %s",
                               s->files[i].path, name, file, x->path);
        }
    return 0;
}

/* ---- the set -------------------------------------------------------------------------------- */

int tensor_files_open(struct tensor_files *s, const char *path, struct err *err)
{
    *s = (struct tensor_files){.arena = ARENA_INIT};
    const char *copy = arena_strdup(&s->arena, path);
    struct index x = {.path = path_join(&s->arena, copy, TENSOR_FILES_INDEX), .folder = copy};
    bool folder = file_is_dir(path), sharded = folder && file_exists(x.path);
    if (folder && !sharded)
        copy = path_join(&s->arena, copy, TENSOR_FILES_NAME);
    int rc = sharded ? open_sharded(s, &x, err) : open_one(s, copy, err);
    if (rc < 0)
        tensor_files_close(s);
    return rc;
}

void tensor_files_close(struct tensor_files *s)
{
    for (size_t i = 0; i < s->n; i++)
        safetensors_close(&s->files[i]);
    arena_release(&s->arena);
}

const struct safetensors_tensor *tensor_files_find(const struct tensor_files *s, const char *name,
                                                   const struct safetensors **file)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct safetensors_tensor *t = safetensors_find(&s->files[i], name);
        if (t) {
            *file = &s->files[i];
            return t;
        }
    }
    return NULL;
}
