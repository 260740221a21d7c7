#include "renderer/site/sheet/kind.h"

const struct site_parts *site_kind_parts(const struct site_kind *kind,
                                         const struct site_index *index)
{
    return (const struct site_parts *)((const char *)index + kind->parts);
}

size_t site_kind_count(const struct site_kind *kind, const struct site_index *index)
{
    if (kind->counted)
        return *(const size_t *)((const char *)index + kind->counted);
    return kind->parts ? site_kind_parts(kind, index)->n : kind->count ? kind->count(index) : 1;
}

/* The path with its {name}, if it has one, filled in. */
const char *site_kind_path(const struct site_kind *kind, const struct site_index *index, size_t i,
                           struct arena *arena)
{
    if (!kind->parts && !kind->name_of)
        return kind->path;
    const struct string_value name = {
        "name", kind->parts ? site_part_path(&site_kind_parts(kind, index)->items[i], arena)
                            : kind->name_of(index, i, arena)};
    return strings_fill(kind->path, &name, 1, arena);
}
