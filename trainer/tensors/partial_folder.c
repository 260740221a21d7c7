#include "trainer/tensors/partial_folder.h"

#include "base/files/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void partial_folder_init(struct partial_folder *a, const char *path)
{
    *a = (struct partial_folder){.arena = ARENA_INIT};
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') /* or the suffix would be a name inside of it */
        n--;
    a->path = arena_strndup(&a->arena, path, n);
    a->partial = arena_printf(&a->arena, "%s" PARTIAL_FOLDER_SUFFIX, a->path);
}

int partial_folder_begin(struct partial_folder *a, struct err *err)
{
    if (file_exists(a->path))
        return err_set(err, ERR_USAGE, "%s: there already, expected a new folder", a->path);
    a->found = file_exists(a->partial);
    if (file_remove_tree(a->partial, err) < 0 || file_mkdirs_for(a->partial, err) < 0)
        return -1;
    if (mkdir(a->partial, 0777) < 0)
        return err_errno(err, ERR_IO, "%s: cannot make folder", a->partial);
    a->begun = true;
    return 0;
}

const char *partial_folder_path(struct partial_folder *a, const char *name)
{
    return path_join(&a->arena, a->partial, name);
}

int partial_folder_commit(struct partial_folder *a, struct err *err)
{
    if (file_sync_folder_of(partial_folder_path(a, "."), err) < 0)
        return -1;
    if (rename(a->partial, a->path) < 0)
        return err_errno(err, ERR_IO, "%s: cannot rename into place", a->path);
    a->begun = false;
    return file_sync_folder_of(a->path, err);
}

void partial_folder_end(struct partial_folder *a, bool clear)
{
    struct err ignored = ERR_INIT; /* whoever begins again removes it */
    if (a->begun && clear)
        file_remove_tree(a->partial, &ignored);
    arena_release(&a->arena);
}

int partial_folder_remove(const char *path, struct err *err)
{
    struct partial_folder a;
    partial_folder_init(&a, path);
    int rc = file_remove_tree(a.partial, err);
    if (rc == 0 && rename(a.path, a.partial) < 0)
        rc = err_errno(err, ERR_IO, "%s: cannot rename", path);
    if (rc == 0)
        rc = file_remove_tree(a.partial, err);
    partial_folder_end(&a, false);
    return rc;
}
