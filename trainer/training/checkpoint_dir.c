#include "trainer/training/checkpoint_dir.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "trainer/tensors/partial_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "step-"
#define DIGITS 9 /* steps are at most 2^28 */

const char *checkpoint_name(uint64_t step, struct arena *arena)
{
    return arena_printf(arena, PREFIX "%0*" PRIu64, DIGITS, step);
}

/* "step-000000010" and, with a suffix, "step-000000010.partial" */
static bool is_checkpoint_name(const char *name, const char *suffix)
{
    size_t prefix = strlen(PREFIX);
    return strncmp(name, PREFIX, prefix) == 0 && strspn(name + prefix, "0123456789") == DIGITS &&
           strcmp(name + prefix + DIGITS, suffix) == 0;
}

uint64_t checkpoint_step(const char *name)
{
    return strtoull(name + strlen(PREFIX), NULL, 10);
}

int checkpoint_dir_list(const char *dir, const char *suffix, struct arena *arena,
                        const char ***names, size_t *n, struct err *err)
{
    struct dir_entry *entries;
    size_t n_entries;
    *names = NULL;
    *n = 0;
    if (dir_list(dir, arena, &entries, &n_entries, err) < 0)
        return -1;
    for (size_t i = 0; i < n_entries; i++)
        if (entries[i].is_dir && is_checkpoint_name(entries[i].name, suffix))
            *(const char **)ARENA_PUSH(arena, *names, *n) = entries[i].name;
    return 0;
}

int checkpoint_dir_clear(const char *dir, struct arena *arena, struct err *err)
{
    const char **names;
    size_t n;
    int rc = checkpoint_dir_list(dir, PARTIAL_FOLDER_SUFFIX, arena, &names, &n, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = file_remove_tree(path_join(arena, dir, names[i]), err);
    return rc;
}

int checkpoint_dir_prune(const char *dir, int keep, struct arena *arena, struct err *err)
{
    const char **names;
    size_t n;
    if (keep == 0)
        return 0;
    int rc = checkpoint_dir_list(dir, "", arena, &names, &n, err);
    for (size_t i = 0; rc == 0 && i + (size_t)keep < n; i++)
        rc = partial_folder_remove(path_join(arena, dir, names[i]), err);
    return rc;
}

int checkpoint_find(const char *path, struct arena *arena, const char **out, struct err *err)
{
    const char **names;
    size_t n;
    *out = path;
    if (file_exists(path_join(arena, path, CHECKPOINT_STATE_NAME)))
        return 0;
    if (checkpoint_dir_list(path, "", arena, &names, &n, err) < 0)
        return err_prefix(err, "resume");
    if (n == 0)
        return err_set(err, ERR_INPUT,
                       "resume: %s: found neither " CHECKPOINT_STATE_NAME " nor a folder " PREFIX
                       "NNNNNNNNN, expected a checkpoint or a folder of them",
                       path);
    *out = path_join(arena, path, names[n - 1]);
    return 0;
}
