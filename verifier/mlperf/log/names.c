#include "verifier/mlperf/log/names.h"

/* Eight bytes at a time, with the multiplier of FNV-1a. */
static uint32_t hash_name(struct span text)
{
    uint64_t h = 14695981039346656037U + text.n, word;
    while (text.n) {
        size_t n = text.n < sizeof word ? text.n : sizeof word;
        word = 0;
        memcpy(&word, text.p, n);
        h = (h ^ word) * 1099511628211U;
        h ^= h >> 32;
        text = (struct span){text.p + n, text.n - n};
    }
    return (uint32_t)(h ^ h >> 15);
}

static bool is_same_name(struct span a, struct span b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* Where it stands, or could stand. */
static size_t slot_of_name(const struct mllog_names *names, struct span text)
{
    size_t at = hash_name(text) & (names->n_slots - 1);
    while (names->slots[at] && !is_same_name(text, names->spans[names->slots[at] - 1]))
        at = (at + 1) & (names->n_slots - 1);
    return at;
}

uint32_t mllog_names_find(const struct mllog_names *names, struct span text)
{
    if (!names->n_slots)
        return MLLOG_NAME_NONE;
    uint32_t slot = names->slots[slot_of_name(names, text)];
    return slot ? slot - 1 : MLLOG_NAME_NONE;
}

uint32_t mllog_names_add(struct mllog_names *names, struct span text, struct arena *arena)
{
    uint32_t known = mllog_names_find(names, text);
    if (known != MLLOG_NAME_NONE || names->n == MLLOG_NAMES_MAX)
        return known;
    if (4 * (names->n + 1) > names->n_slots) {
        names->n_slots = names->n_slots ? 2 * names->n_slots : 256;
        names->slots = arena_array(arena, names->n_slots, sizeof *names->slots);
        for (size_t i = 0; i < names->n; i++)
            names->slots[slot_of_name(names, span_of(names->texts[i]))] = (uint32_t)i + 1;
    }
    const char *kept = arena_strndup(arena, text.p, text.n);
    *(const char **)ARENA_PUSH(arena, names->texts, names->n) = kept;
    *(struct span *)ARENA_PUSH(arena, names->spans, names->n_spans) = (struct span){kept, text.n};
    names->slots[slot_of_name(names, text)] = (uint32_t)names->n;
    return (uint32_t)names->n - 1;
}

bool mllog_names_has_prefix(const struct mllog_names *names, struct span text)
{
    for (size_t i = 0; i < names->n_prefixes; i++)
        if (span_starts(text, names->prefixes[i]))
            return true;
    return false;
}
