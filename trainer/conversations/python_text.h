/*
 * python_text: what Python's str methods do with white space, which LLaVA's samples go through.
 *
 * White space is what str.isspace() says: U+0009 to U+000D, U+001C to U+0020, U+0085, U+00A0,
 * U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000.
 */
#pragma once

#include "base/arena.h"

/* text.strip(), borrowed. */
struct bytes python_strip(const char *text, size_t len);

/* len(text.split()) */
size_t python_words(const char *text);
