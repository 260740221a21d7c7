#include "trainer/score/number_text.h"

#include "base/arena.h"
#include "base/text.h"
#include "trainer/conversations/python_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- characters ----------------------------------------------------------------------------- */

static bool is_digit(struct bytes t, size_t at)
{
    return at < t.len && t.data[at] >= '0' && t.data[at] <= '9';
}

static bool is_char(struct bytes t, size_t at, char c)
{
    return at < t.len && t.data[at] == c;
}

static bool is_e(struct bytes t, size_t at)
{
    return is_char(t, at, 'e') || is_char(t, at, 'E');
}

static size_t behind_digits(struct bytes t, size_t at)
{
    while (is_digit(t, at))
        at++;
    return at;
}

static size_t behind_number_sign(struct bytes t, size_t at)
{
    return at + (is_char(t, at, '+') || is_char(t, at, '-'));
}

/* First and last of what words are made of beside ASCII. */
static const uint32_t letters[][2] = {
    {0xaa, 0xaa},     {0xb2, 0xb3},     {0xb5, 0xb5},     {0xb9, 0xba},     {0xc0, 0xd6},
    {0xd8, 0xf6},     {0xf8, 0x24f},    {0x370, 0x373},   {0x386, 0x386},   {0x388, 0x481},
    {0x48a, 0x52f},   {0x3041, 0x3096}, {0x30a1, 0x30fa}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff},
    {0xac00, 0xd7a3}, {0xff10, 0xff19}, {0xff21, 0xff3a}, {0xff41, 0xff5a},
};

static bool is_word_character(uint32_t c)
{
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '_';
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (c >= letters[i][0] && c <= letters[i][1])
            return true;
    return false;
}

static bool is_word_at(struct bytes t, size_t at)
{
    uint32_t code;
    return at < t.len && utf8_next(t.data + at, t.len - at, &code) && is_word_character(code);
}

static bool is_word_before(struct bytes t, size_t at)
{
    size_t from = at;
    while (from > 0 && ((unsigned char)t.data[--from] & 0xc0) == 0x80)
        continue;
    return at > 0 && is_word_at(t, from);
}

/* ---- patterns: where one that begins at `at` ends; `at` itself: there is none ---------------- */

static size_t number_with_commas(struct bytes t, size_t at)
{
    size_t digits = at + is_char(t, at, '-'), end = behind_digits(t, digits), behind = at;
    if (end == digits || end > digits + 3 || is_word_before(t, digits))
        return at;
    while (is_char(t, end, ',') && behind_digits(t, end + 1) >= end + 4) {
        end += 4;
        behind = is_word_at(t, end) ? behind : end;
    }
    return behind;
}

/* [eE][+-]?\d+ */
static size_t behind_exponent(struct bytes t, size_t at)
{
    size_t digits = behind_number_sign(t, at + 1), end = behind_digits(t, digits);
    return is_e(t, at) && end > digits ? end : at;
}

static size_t with_exponent(struct bytes t, size_t at)
{
    size_t digits = at + is_char(t, at, '-'), end = behind_digits(t, digits);
    if (end == digits)
        return at;
    if (is_char(t, end, '.') && is_digit(t, end + 1))
        end = behind_digits(t, end + 1);
    size_t behind = behind_exponent(t, end);
    return behind > end ? behind : at;
}

static bool may_end(struct bytes t, size_t at)
{
    return behind_exponent(t, at) == at && !is_char(t, at, ',') && !is_digit(t, at);
}

static size_t plain(struct bytes t, size_t at)
{
    size_t digits = at + is_char(t, at, '-'), end = behind_digits(t, digits);
    size_t decimals = is_char(t, end, '.') ? behind_digits(t, end + 1) : end;
    if (decimals > end + 1 && may_end(t, decimals)) /* with digits in front of the point or not */
        return decimals;
    return end > digits && !is_word_at(t, end) && may_end(t, end) ? end : at;
}

bool number_text_find(enum number_text kind, struct bytes text, size_t *at, struct bytes *found)
{
    static size_t (*const patterns[])(struct bytes, size_t) = {
        [NUMBER_TEXT_COMMAS] = number_with_commas,
        [NUMBER_TEXT_EXPONENT] = with_exponent,
        [NUMBER_TEXT_PLAIN] = plain,
    };
    for (size_t from = *at; from < text.len; from++) {
        size_t end = patterns[kind](text, from);
        if (end == from)
            continue;
        *found = (struct bytes){text.data + from, end - from};
        *at = end;
        return true;
    }
    return false;
}

/* ---- float() -------------------------------------------------------------------------------- */

/* Copies digits, between any two of which one "_" may stand; false: there is none. */
static bool take_float_digits(struct bytes t, size_t *at, char **to)
{
    size_t from = *at;
    while (is_digit(t, *at) ||
           (*at > from && is_char(t, *at, '_') && is_digit(t, *at + 1) && is_digit(t, *at - 1))) {
        if (t.data[*at] != '_')
            *(*to)++ = t.data[*at];
        ++*at;
    }
    return *at > from;
}

static void copy_sign(struct bytes t, size_t *at, char **to)
{
    size_t behind = behind_number_sign(t, *at);
    if (behind > *at)
        *(*to)++ = t.data[*at];
    *at = behind;
}

/* [sign] digits [. [digits]] | . digits, then [e [sign] digits], as strtod reads it in any locale
 * of ours. */
static bool copy_float(struct bytes t, char *to)
{
    size_t at = 0;
    copy_sign(t, &at, &to);
    bool whole = take_float_digits(t, &at, &to), decimals = false;
    if (is_char(t, at, '.')) {
        *to++ = '.';
        at++;
        decimals = take_float_digits(t, &at, &to);
    }
    if (!whole && !decimals)
        return false;
    if (is_e(t, at)) {
        *to++ = 'e';
        at++;
        copy_sign(t, &at, &to);
        if (!take_float_digits(t, &at, &to))
            return false;
    }
    *to = '\0';
    return at == t.len;
}

static bool is_float_word(struct bytes t, double *value)
{
    static const struct {
        const char *word, *value;
    } words[] = {{"inf", "inf"}, {"infinity", "inf"}, {"nan", "nan"}};
    size_t from = behind_number_sign(t, 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (t.len - from == strlen(words[i].word) &&
            strncasecmp(t.data + from, words[i].word, t.len - from) == 0) {
            *value = strtod(words[i].value, NULL) * (is_char(t, 0, '-') ? -1 : 1);
            return true;
        }
    return false;
}

bool number_text_value(struct bytes text, double *value)
{
    char *plain_text = memory_alloc(text.len + 1), *number = memory_alloc(text.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] != ',')
            plain_text[n++] = text.data[i];
    struct bytes in = python_strip(plain_text, n);
    bool is_number = copy_float(in, number);
    if (is_number)
        *value = strtod(number, NULL);
    else
        is_number = is_float_word(in, value);
    free(plain_text);
    free(number);
    return is_number;
}
