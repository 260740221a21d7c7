/* The form in which claims in words are read: small letters and digits of ASCII, and Chinese. */
#include "base/figures/figure.h"
#include "base/project/looks.h"
#include "base/text.h"
#include "verifier/claims/worded.h"

#include <ctype.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* "m.f.u.", "m f u": how many single letters stand here with one sign between them; 0 below three.
 */
static size_t spelled_letters(const char *s)
{
    size_t n = 1;
    if (!isalpha((unsigned char)s[0]) || !s[1] || !strchr(". -", s[1]))
        return 0;
    while (s[2 * n - 1] == s[1] && isalpha((unsigned char)s[2 * n]))
        n++;
    n -= is_word_byte(s[2 * n - 1]); /* the last one begins a word */
    return n < 3 ? 0 : n;
}

static const char *join_spelled(struct arena *arena, const char *s)
{
    char *joined = arena_strdup(arena, s), *to = joined;
    while (*s) {
        bool begins = to == joined || !is_word_byte(to[-1]);
        size_t n = begins ? spelled_letters(s) : 0;
        for (size_t i = 0; i < n; i++)
            *to++ = s[2 * i];
        if (n)
            s += 2 * n - (s[2 * n - 1] != '.'); /* with the last point */
        else
            *to++ = *s++;
    }
    *to = '\0';
    return joined;
}

/* The digits 0 to 9 of other scripts, and those in circles, stand in rows. */
static const struct {
    uint32_t zero; /* code of 0; of 1, less one */
    uint32_t first, last;
} digit_rows[] = {
    {0x0660, 0x0660, 0x0669}, {0x06F0, 0x06F0, 0x06F9}, {0x0966, 0x0966, 0x096F},
    {0x245F, 0x2460, 0x2468}, {0x2775, 0x2776, 0x277E}, {0x277F, 0x2780, 0x2788},
    {0x2789, 0x278A, 0x2792}, {0x24F4, 0x24F5, 0x24FD}, {0x2473, 0x2474, 0x247C},
    {0x24EA, 0x24EA, 0x24EA}, {0x24FF, 0x24FF, 0x24FF},
};

/* Digits of other forms as those of ASCII, and no marks of formulas. */
static const char *plain_digits(struct arena *arena, const char *text)
{
    char *plain = arena_strdup(arena, text), *to = plain;
    for (size_t left = strlen(text), n; left; left -= n, text += n) {
        uint32_t code = 0;
        size_t row = 0;
        n = utf8_next(text, left, &code);
        n = n ? n : 1;
        while (row < COUNT(digit_rows) &&
               !(code >= digit_rows[row].first && code <= digit_rows[row].last))
            row++;
        if (row < COUNT(digit_rows))
            *to++ = (char)('0' + (code - digit_rows[row].zero));
        else if (code != '$' && code != '{' && code != '}' && code != '\\') {
            memcpy(to, text, n);
            to += n;
        }
    }
    *to = '\0';
    return plain;
}

const char *worded_plain(struct arena *arena, const char *text)
{
    const char *digits = plain_digits(arena, figure_without_tags(arena, text));
    return join_spelled(arena, looks_plain(arena, digits));
}
