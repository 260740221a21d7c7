#include "renderer/site/data/data_parts.h"

#include "base/files/file.h"

size_t data_parts_of(size_t total, size_t most)
{
    return total > most ? (total + most - 1) / most : 1;
}

struct data_part data_part_of(const char *table, const char *suffix, size_t number, size_t total,
                              size_t most, struct arena *arena)
{
    size_t from = (number - 1) * most;
    struct data_part p = {.from = from, .n = total - from < most ? total - from : most};
    p.path = number == 1 ? arena_printf(arena, "data/%s.%s", table, suffix)
                         : arena_printf(arena, "data/%s/%zu.%s", table, number, suffix);
    if (number < data_parts_of(total, most))
        p.next = number == 1 ? arena_printf(arena, "%s/2.%s", path_base(table), suffix)
                             : arena_printf(arena, "%zu.%s", number + 1, suffix);
    return p;
}
