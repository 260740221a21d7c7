/*
 * lookup: where in an array a text stands, found by a hash of it.
 *
 *     struct lookup l = lookup_of(files, n, sizeof *files, offsetof(struct file, path), arena);
 *     size_t i = lookup_find(&l, "a/b");                 // LOOKUP_NONE: nowhere
 *
 * The array is borrowed: n structs of `stride` bytes with a `const char *` at `at`; NULL stands
 * nowhere. Of equal texts the first is found. Reading is safe from several threads.
 */
#pragma once

#include "base/arena.h"

#include <stdint.h>

#define LOOKUP_NONE ((size_t)-1)

struct lookup {
    const char *items;
    size_t n, stride, at;
    uint32_t *slots; /* place + 1; 0: free */
    size_t n_slots;  /* a power of two; 0: nothing is in it */
};

struct lookup lookup_of(const void *items, size_t n, size_t stride, size_t at, struct arena *arena);

/* The array has become one of n items, and may lie elsewhere; those that were in it are as they
 * were. One that was {.stride, .at} alone had none. */
void lookup_grow(struct lookup *l, const void *items, size_t n, struct arena *arena);

size_t lookup_find(const struct lookup *l, const char *text);
