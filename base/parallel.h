/*
 * parallel: the same work on many items, on all cores.
 *
 * Items are taken in batches by whoever is free, this thread among them; what comes out of an item
 * must not depend on another, so that nothing depends on the number of cores. Each thread
 * allocates from an arena of its own; in the end all of that belongs to the caller's.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>

#define PARALLEL_THREADS_MAX 64

/* Work on item `i`. What it leaves behind is allocated from `arena`. */
typedef void parallel_work(void *context, size_t i, struct arena *arena);

/* Fewer threads than there are cores, or none beside this one, is no fault. */
void parallel_each(size_t n, parallel_work *work, void *context, struct arena *arena);

/* The same for items each of which is worth a thread: they are taken one by one. */
void parallel_each_long(size_t n, parallel_work *work, void *context, struct arena *arena);
