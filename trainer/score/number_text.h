/*
 * number_text: numbers in a text as MMMU's eval_utils.py finds them, and as Python's float() reads
 * them.
 *
 *   commas       -?\b\d{1,3}(?:,\d{3})+\b
 *   exponent     -?\d+(?:\.\d+)?[eE][+-]?\d+
 *   plain        -?(?:\d+\.\d+|\.\d+|\d+\b)(?![eE][+-]?\d+)(?![,\d])
 *
 * Digits are ASCII's. What a word is made of (\b) are letters and digits of ASCII, "_", and
 * letters of Latin, Greek and Cyrillic, kana, Han and Hangul.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

enum number_text { NUMBER_TEXT_COMMAS, NUMBER_TEXT_EXPONENT, NUMBER_TEXT_PLAIN, NUMBER_TEXT_KINDS };

/* The next one from *at on, behind which *at moves; false: there is none. */
bool number_text_find(enum number_text kind, struct bytes text, size_t *at, struct bytes *found);

/* float(text.replace(",", "")); false where Python raises ValueError. */
bool number_text_value(struct bytes text, double *value);
