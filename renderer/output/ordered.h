/*
 * ordered: files made on all cores, handed on in the order of their items.
 *
 * `make` is called once for each item, by whoever is free, and hands over any number of files; the
 * caller's sink gets them on the thread of the caller, those of item 0 first, as if nothing were
 * done in parallel. So does the first error: what comes after it is dropped. At most
 * ORDERED_WINDOW items lie ready or in the making, which bounds the memory.
 *
 * What `make` reads is shared by all threads and must not change meanwhile; what it needs to write
 * (a cache of templates) is one a worker, by the worker's number.
 */
#pragma once

#include "base/files/file.h"

#define ORDERED_WINDOW 256
#define ORDERED_WORKERS_MAX 64

/* Make item `i` and hand its files to `emit`, with `self`. */
typedef int ordered_make(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                         struct err *err);

/* How many workers there may be: numbers given to `make` are smaller than that. */
size_t ordered_workers(void);

int ordered_emit(size_t n, ordered_make *make, void *context, file_sink *emit, void *self,
                 struct err *err);
