#include "base/files/held.h"

#include "base/text.h"

#include <string.h>

const struct bytes *held_find(const struct held_files *files, const char *path)
{
    const struct held_file *file = text_find(files->items, files->n, sizeof *file, path);
    return file ? &file->bytes : NULL;
}
