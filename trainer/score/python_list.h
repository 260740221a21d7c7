/*
 * python_list: "['$6', \"it's\"]", a list of texts as Python's repr() writes it, which is how
 * MMMU's tables have their options.
 *
 * Escapes are those of repr(): \\ \' \" \n \r \t \xNN \uNNNN \UNNNNNNNN.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

/* In `arena`; false: the text is no such list. */
bool python_list_texts(const char *text, struct arena *arena, const char ***texts, size_t *n);
