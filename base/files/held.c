#include "base/files/held.h"

#include <string.h>

const struct bytes *held_find(const struct held_files *files, const char *path)
{
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->items[i].path, path) == 0)
            return &files->items[i].bytes;
    return NULL;
}
