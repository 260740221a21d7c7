#include "verifier/claims/alike.h"

#include "base/lookup.h"
#include "base/text.h"

size_t *alike_number(const char *const *texts, size_t n, struct arena *arena)
{
    size_t *numbers = arena_array(arena, n, sizeof *numbers);
    const char **folded = arena_array(arena, n, sizeof *folded);
    for (size_t i = 0; i < n; i++)
        folded[i] = texts[i] ? text_fold(arena, texts[i]) : NULL;
    struct lookup first = lookup_of(folded, n, sizeof *folded, 0, arena);
    for (size_t i = 0; i < n; i++)
        numbers[i] = folded[i] ? lookup_find(&first, folded[i]) : i;
    return numbers;
}
