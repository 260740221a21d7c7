/*
 * piece_table: the pieces of a tokenizer by their texts, an open hash table of FNV-1a's sums.
 */
#pragma once

#include "trainer/tokens/tokenizer.h"

/* Fill slots from pieces. ERR_INPUT: a piece is there twice, or so many have sums alike that every
 * look-up would be slow. */
int piece_table_make(struct tokenizer *t, struct err *err);

/* The length of the longest user-defined piece that the text begins with; 0: it begins with none.
 */
size_t piece_table_user_defined(const struct tokenizer *t, const char *text, size_t len);
