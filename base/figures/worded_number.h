/*
 * worded_number: a number as people write it in a sentence.
 *
 *   999,999   1.2e6   800万   99.9k   8 million   eight million   八百万   九十七点五 百分之九十七
 *
 * Digits are read by figure_scan_number(); behind them may stand what they are multiplied by. Texts
 * are small letters of ASCII and Chinese, without full-width forms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct worded_number {
    double value;
    int decimals; /* figure_last_place() of them is the last place that was written */
    bool percent; /* "97%", "97 percent", "百分之九十七" */
};

/* A number at the start of s. Returns the bytes read, 0 when there is none. */
size_t worded_number_scan(const char *s, struct worded_number *out);
