/*
 * letters: the token of each option's letter, which is the last one that the letter alone becomes,
 * mostly U+2581 and the letter.
 */
#pragma once

#include "trainer/tokens/tokenizer.h"

/* letters[n] of A, B, …; ERR_INPUT where two are the same. */
int letters_find(const struct tokenizer *t, int n, int32_t *letters, struct err *err);
