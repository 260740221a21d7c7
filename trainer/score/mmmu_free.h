/*
 * mmmu_free: is an answer that was given freely right, by the rules of MMMU's eval_utils.py
 * (parse_open_response and eval_open)?
 *
 *   1. White space, then full stops, are taken off the text's ends, and letters made small. Of each
 *      line what stands behind the last "could be ", "so ", "is ", "thus ", "therefore ", "final ",
 *      "answer " or "result " counts, the shortest of these, in the last line "=" too; where no
 *      line has any, the whole text.
 *   2. To these texts all numbers in them are added: with commas, with exponents, plain.
 *   3. A text that is a number becomes it, rounded to two decimals; of any other text letters are
 *      made small, and one of a single character must have a blank in front or behind.
 *   4. The same is made of the answers that are expected. A number is right where it is one of
 *      them, a text where one of them stands in it.
 *
 * Letters are made small in ASCII; digits are ASCII's.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

bool mmmu_free_is_right(const char *const *answers, size_t n, const char *generated);
