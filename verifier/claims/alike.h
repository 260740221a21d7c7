/*
 * alike: which texts are the same, of many, without comparing each with every other.
 *
 *     size_t *first = alike_number(texts, n, arena);
 *     first[i] == first[k]                            // text_same(texts[i], texts[k])
 *
 * The number of a text is the place of the first that is the same; of NULL, its own.
 */
#pragma once

#include "base/arena.h"

size_t *alike_number(const char *const *texts, size_t n, struct arena *arena);
