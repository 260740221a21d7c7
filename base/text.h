/*
 * text: UTF-8 and the spellings that people use for the same thing.
 *
 * Strings are NUL-terminated UTF-8 unless a length is given. Nothing here depends on the
 * locale. Full-width punctuation of Chinese pages (（ ） ： ， ％ …) is folded by
 * text_fold(), which is how labels, headings and names are compared.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the valid sequence that begins at s (n bytes left): 1 to 4, or 0 if it is invalid
 * (overlong, surrogate, beyond U+10FFFF, cut). *code may be NULL. */
size_t utf8_next_long(const char *s, size_t n, uint32_t *code);
static inline size_t utf8_next(const char *s, size_t n, uint32_t *code)
{
    if (n == 0 || (unsigned char)*s >= 0x80) /* most characters are not */
        return utf8_next_long(s, n, code);
    if (code)
        *code = (unsigned char)*s;
    return 1;
}

/* How many bytes from here on are most of all text: printable ASCII but for what `special` has, and
 * whole characters from U+4000 to U+CFFF, none of which is hidden (base/foreign.h). */
size_t text_plain_run(const char *s, size_t n, const bool special[128]);

/* Offset of the first invalid byte, or n if all is valid. */
size_t utf8_valid_until(const char *s, size_t n);

/* Bytes of the longest prefix of at most `max` bytes that does not end inside a character: what
 * a message quotes with "%.*s". */
int text_cut(const char *s, int max);

/* How many characters it has: bytes that begin one. */
size_t text_length(const char *s);

/* Append one code point to a buffer of at least 4 bytes; returns the bytes written. */
size_t utf8_put(char *to, uint32_t code);

/* Is this ASCII white space, U+00A0 or U+3000 (ideographic space)? */
bool text_is_space(uint32_t code);

/* Copy without leading and trailing white space (text_is_space). */
char *text_trim(struct arena *a, const char *s);
char *text_trim_n(struct arena *a, const char *s, size_t n);

/*
 * The form in which names are compared: ASCII letters lower-cased, full-width forms
 * (U+FF01–U+FF5E) as their ASCII twins, all white space and the Markdown marks `*`, `\` and
 * backticks removed. "**吞吐量**" and "吞吐量 " fold to the same; so do "OS 版本" and "os版本".
 */
char *text_fold(struct arena *a, const char *s);

/* As text_fold, but white space and ASCII punctuation (other than '+') become one space
 * between words: "NVIDIA_A100-SXM4" is "nvidia a100 sxm4". */
char *text_fold_words(struct arena *a, const char *s);

/* Letters and digits of ASCII alone, in lower case. */
char *text_fold_letters(struct arena *a, const char *s);

/* Does `word` stand in `text` as a whole word? Both in the form of text_fold_words(): "a100" does
 * in "nvidia a100 sxm4", "r300" does not in "r300+". */
bool text_has_word(const char *text, const char *word);

/* Is there a Chinese character: a Han ideograph (U+3400–U+9FFF, U+F900–U+FAFF, U+20000–U+323AF),
 * CJK punctuation (U+3000–U+303F) or a full-width form (U+FF01–U+FF60)? */
bool text_has_han(const char *s);

/* The length of what `s` begins with: characters that are all Chinese, or that all are not. */
size_t text_han_run(const char *s, bool *han);

/* Are there three English words in a row in these bytes, the later ones without capitals? Fewer
 * are a name. */
bool text_is_prose(const char *s, size_t n);

/* Does a folded word in front of `at` end there? */
bool text_word_ends(const char *at);

/* text_fold(a) == text_fold(b), without keeping the copies. */
bool text_same(const char *a, const char *b);

/*
 * What a text that begins with this byte begins with when folded; 0: that depends on more. For
 * tables, of which most rows begin otherwise.
 */
extern const unsigned char text_first_folded[256];

/* For qsort() and bsearch() of `const char *`, and of structs that begin with one: strcmp(). */
int text_by_bytes(const void *a, const void *b);

/* False when text_same(a, b) is, by their first bytes alone; one of them must be valid UTF-8. */
static inline bool text_may_be_same(const char *a, const char *b)
{
    unsigned char x = text_first_folded[(unsigned char)*a];
    unsigned char y = text_first_folded[(unsigned char)*b];
    if (!x || !y || x != y)
        return !x || !y;
    if (x >= 0xE4) /* an ideograph has two more bytes */
        return a[1] == b[1] && (!a[1] || a[2] == b[2]);
    x = text_first_folded[(unsigned char)a[1]];
    y = text_first_folded[(unsigned char)b[1]];
    return !x || !y || x == y;
}

/* A decimal digit of ASCII, whatever the locale. */
static inline bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A blank within a line. */
static inline bool text_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The text, or "" where there is none. */
static inline const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* The first of n rows of `size` bytes whose first member, a const char *, is this text; NULL: none.
 * So the text stays the first member of their struct. */
void *text_find(const void *rows, size_t n, size_t size, const char *text);

/* The same bytes, or NULL both of them; and the same with NULL as "". */
bool text_equal(const char *a, const char *b);
bool text_equal_or_empty(const char *a, const char *b);

static inline bool text_starts(const char *s, const char *prefix)
{
    while (*prefix && *s == *prefix) {
        s++;
        prefix++;
    }
    return !*prefix;
}
bool text_ends(const char *s, const char *suffix);

/* "1 entry", "2 entries": a number and what it counts. */
const char *text_count(struct arena *a, size_t n, const char *one, const char *many);

/* A size in bytes for people: "512 bytes", "46.0 KiB", "1.4 GiB". */
const char *text_size(struct arena *a, unsigned long long bytes);

/* "1x8, 2x8": names, each once; NULL is none. */
const char *text_list(struct arena *a, const char *const *names, size_t n);

/* Split at '\n' (a '\r' before it is dropped); a final newline makes no empty last line. */
char **text_lines(struct arena *a, const char *s, size_t *n);
