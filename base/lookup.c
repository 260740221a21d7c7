#include "base/lookup.h"

#include <string.h>

#define SLOTS_LEAST ((size_t)16)

static const char *text_at(const struct lookup *l, size_t i)
{
    return *(const char *const *)(l->items + i * l->stride + l->at);
}

/* Eight bytes at a time: paths are long and begin alike. */
static size_t hash_lookup_text(const char *text)
{
    uint64_t hash = 0x9E3779B97F4A7C15u, piece;
    size_t len = strlen(text), at = 0;
    for (; at + sizeof piece <= len; at += sizeof piece) {
        memcpy(&piece, text + at, sizeof piece);
        hash = (hash ^ piece) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    piece = len;
    memcpy(&piece, text + at, len - at);
    hash = (hash ^ piece ^ (uint64_t)len << 56) * 0x94D049BB133111EBu;
    return (size_t)(hash ^ hash >> 32);
}

/* The slot of this text, or the free one where it would go. */
static uint32_t *lookup_slot(const struct lookup *l, const char *text)
{
    size_t i = hash_lookup_text(text) & (l->n_slots - 1);
    while (l->slots[i] && strcmp(text_at(l, l->slots[i] - 1), text) != 0)
        i = (i + 1) & (l->n_slots - 1);
    return &l->slots[i];
}

struct lookup lookup_of(const void *items, size_t n, size_t stride, size_t at, struct arena *arena)
{
    struct lookup l = {.items = items, .n = n, .stride = stride, .at = at};
    if (n == 0 || n >= UINT32_MAX / 4)
        return l;
    for (l.n_slots = SLOTS_LEAST; l.n_slots < 2 * n;)
        l.n_slots *= 2;
    l.slots = arena_array(arena, l.n_slots, sizeof *l.slots);
    for (size_t i = 0; i < n; i++) {
        const char *text = text_at(&l, i);
        uint32_t *slot = text ? lookup_slot(&l, text) : NULL;
        if (slot && !*slot)
            *slot = (uint32_t)(i + 1);
    }
    return l;
}

size_t lookup_find(const struct lookup *l, const char *text)
{
    return l->n_slots && text ? (size_t)*lookup_slot(l, text) - 1 : LOOKUP_NONE;
}

void lookup_grow(struct lookup *l, const void *items, size_t n, struct arena *arena)
{
    size_t from = l->n;
    if (2 * n > l->n_slots || !l->n_slots) {
        *l = lookup_of(items, n < UINT32_MAX / 8 ? n : 0, l->stride, l->at, arena);
        return;
    }
    l->items = items;
    l->n = n;
    for (size_t i = from; i < n; i++) {
        const char *text = text_at(l, i);
        uint32_t *slot = text ? lookup_slot(l, text) : NULL;
        if (slot && !*slot)
            *slot = (uint32_t)(i + 1);
    }
}
