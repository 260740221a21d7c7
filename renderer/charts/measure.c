#include "renderer/charts/measure.h"

#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"

/* Hundredths of an em of the characters from ' ' to '~'. */
static const unsigned char ascii_widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

static const struct {
    uint32_t first, last;
    unsigned char width;
} wide[] = {
    {0x00A0, 0x00A0, 32},  {0x00B7, 0x00B7, 32},  {0x0300, 0x036F, 0},     {0x1100, 0x115F, 100},
    {0x200B, 0x200F, 0},   {0x2010, 0x2013, 50},  {0x2014, 0x2014, 100},   {0x2018, 0x2019, 32},
    {0x201C, 0x201D, 52},  {0x2026, 0x2026, 100}, {0x2212, 0x2212, 84},    {0x2E80, 0xA4CF, 100},
    {0xAC00, 0xD7A3, 100}, {0xF900, 0xFAFF, 100}, {0xFE00, 0xFE0F, 0},     {0xFE30, 0xFE6F, 100},
    {0xFF01, 0xFF60, 100}, {0xFFE0, 0xFFE6, 100}, {0x1F000, 0x1FFFF, 130}, {0x20000, 0x3FFFD, 100},
};

static double em_of(uint32_t code)
{
    if (code >= ' ' && code <= '~')
        return ascii_widths[code - ' '] / 100.0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (code >= wide[i].first && code <= wide[i].last)
            return wide[i].width / 100.0;
    return 0.8;
}

/* Bytes of the next character; an invalid byte is drawn as one replacement character. */
static size_t next_measured(const char *s, size_t left, double *em, uint32_t *code)
{
    *code = 0xFFFD;
    size_t n = utf8_next(s, left, code);
    *em = n ? em_of(*code) : 1.03;
    return n ? n : 1;
}

double text_width(const char *text, double size)
{
    double sum = 0, em;
    uint32_t code;
    for (size_t left = strlen(text); left;) {
        size_t n = next_measured(text, left, &em, &code);
        sum += em;
        text += n;
        left -= n;
    }
    return sum * size;
}

static bool is_wide_ideograph(uint32_t code)
{
    return code >= 0x2E80 && code <= 0xD7A3;
}

/* Bytes that fit into `width`; *breaks: bytes up to the last place where a line may end. */
static size_t bytes_within(const char *text, double size, double width, size_t *breaks)
{
    size_t length = strlen(text), at = 0;
    double sum = 0, em;
    uint32_t code, last = 0;
    *breaks = 0;
    while (at < length) {
        size_t n = next_measured(text + at, length - at, &em, &code);
        if (at &&
            (code == ' ' || is_wide_ideograph(last) || (is_wide_ideograph(code) && last != ' ')))
            *breaks = at;
        sum += em * size;
        if (sum > width)
            return at;
        at += n;
        last = code;
    }
    return at;
}

const char *text_fitted(struct arena *a, const char *text, double size, double width)
{
    size_t unused, all = strlen(text);
    if (bytes_within(text, size, width, &unused) == all)
        return text;
    size_t n = bytes_within(text, size, width - em_of(0x2026) * size, &unused);
    while (n && text[n - 1] == ' ')
        n--;
    return arena_printf(a, "%.*s" ELLIPSIS, (int)n, text);
}

size_t text_wrapped(struct arena *a, const char *text, double size, double width,
                    const char **lines, size_t max)
{
    size_t n = 0;
    while (*text && n + 1 < max) {
        size_t breaks, fits = bytes_within(text, size, width, &breaks), all = strlen(text);
        size_t cut = fits == all ? all : breaks ? breaks : fits ? fits : all;
        lines[n++] = arena_strndup(a, text, cut);
        text += cut;
        while (*text == ' ')
            text++;
    }
    if (*text)
        lines[n++] = text_fitted(a, text, size, width);
    return n;
}
