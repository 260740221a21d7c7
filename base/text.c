#include "base/text.h"

#include "base/lookup.h"

#include <ctype.h>
#include <string.h>

#define LETTER(c) [(c)] = (c), [(c) + 'A' - 'a'] = (c)
#define SELF(c) [(c)] = (c), [(c) + 1] = (c) + 1

const unsigned char text_first_folded[256] = {
    LETTER('a'), LETTER('b'), LETTER('c'), LETTER('d'), LETTER('e'), LETTER('f'), LETTER('g'),
    LETTER('h'), LETTER('i'), LETTER('j'), LETTER('k'), LETTER('l'), LETTER('m'), LETTER('n'),
    LETTER('o'), LETTER('p'), LETTER('q'), LETTER('r'), LETTER('s'), LETTER('t'), LETTER('u'),
    LETTER('v'), LETTER('w'), LETTER('x'), LETTER('y'), LETTER('z'), SELF('0'),   SELF('2'),
    SELF('4'),   SELF('6'),   SELF('8'),   SELF(0xE4),  SELF(0xE6),  SELF(0xE8), /* ideographs */
};

/* Most characters beyond ASCII: U+1000 to U+CFFF. */
static inline bool is_of_three(const unsigned char *b, size_t n)
{
    return n >= 3 && b[0] >= 0xE1 && b[0] <= 0xEC && (b[1] & 0xC0) == 0x80 && (b[2] & 0xC0) == 0x80;
}

size_t utf8_next_long(const char *s, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)s;
    if (is_of_three(b, n)) {
        if (code)
            *code = (b[0] & 0x0Fu) << 12 | (b[1] & 0x3Fu) << 6 | (b[2] & 0x3Fu);
        return 3;
    }
    if (n == 0)
        return 0;
    size_t len = b[0] < 0x80 ? 1 : b[0] < 0xC2 ? 0 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
    if (len == 0 || b[0] > 0xF4 || len > n)
        return 0;
    uint32_t c = len == 1 ? b[0] : b[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3F);
    }
    if (c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    if (code)
        *code = c;
    return len;
}

size_t text_plain_run(const char *s, size_t n, const bool special[128])
{
    const unsigned char *b = (const unsigned char *)s;
    size_t at = 0;
    while (at < n) {
        bool ascii = b[at] >= ' ' && b[at] <= '~' && !special[b[at]];
        bool han = !ascii && b[at] >= 0xE4 && b[at] <= 0xEC && n - at >= 3 &&
                   (b[at + 1] & 0xC0) == 0x80 && (b[at + 2] & 0xC0) == 0x80;
        if (!ascii && !han)
            break;
        at += ascii ? 1 : 3;
    }
    return at;
}

/* Eight at a time; what is left is looked at one by one. */
static size_t skip_ascii(const char *s, size_t at, size_t n)
{
    uint64_t piece;
    for (; at + sizeof piece <= n; at += sizeof piece) {
        memcpy(&piece, s + at, sizeof piece);
        if (piece & 0x8080808080808080u)
            break;
    }
    while (at < n && (unsigned char)s[at] < 0x80)
        at++;
    return at;
}

size_t utf8_valid_until(const char *s, size_t n)
{
    for (size_t at = skip_ascii(s, 0, n); at < n; at = skip_ascii(s, at, n)) {
        bool three = is_of_three((const unsigned char *)s + at, n - at);
        size_t len = three ? 3 : utf8_next(s + at, n - at, NULL);
        if (len == 0)
            return at;
        at += len;
    }
    return n;
}

int text_cut(const char *s, int max)
{
    int n = (int)strnlen(s, (size_t)max);
    while (n > 0 && n == max && ((unsigned char)s[n] & 0xC0) == 0x80)
        n = --max;
    return n;
}

size_t text_length(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

size_t utf8_put(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to = (char)c;
        return 1;
    }
    size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(lead[len] | c);
    return len;
}

bool text_is_space(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x3000;
}

/* One step forward that treats an invalid byte as a character of its own. */
static size_t text_step(const char *s, size_t n, uint32_t *code)
{
    size_t len = utf8_next(s, n, code);
    if (len)
        return len;
    *code = 0xFFFD;
    return 1;
}

char *text_trim_n(struct arena *a, const char *s, size_t n)
{
    size_t begin = n, end = 0;
    for (size_t at = 0, len; at < n; at += len) {
        uint32_t c;
        len = text_step(s + at, n - at, &c);
        if (text_is_space(c))
            continue;
        if (begin == n)
            begin = at;
        end = at + len;
    }
    return begin < end ? arena_strndup(a, s + begin, end - begin) : arena_strdup(a, "");
}

char *text_trim(struct arena *a, const char *s)
{
    return text_trim_n(a, s, strlen(s));
}

static bool is_han(uint32_t c)
{
    return (c >= 0x3000 && c <= 0x303F) || (c >= 0x3400 && c <= 0x9FFF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF01 && c <= 0xFF60) ||
           (c >= 0x20000 && c <= 0x323AF);
}

size_t text_han_run(const char *s, bool *han)
{
    uint32_t c;
    size_t n = strlen(s), at = n ? text_step(s, n, &c) : 0;
    *han = n && is_han(c);
    for (size_t len; at < n; at += len) {
        len = text_step(s + at, n - at, &c);
        if (is_han(c) != *han)
            break;
    }
    return at;
}

bool text_has_han(const char *s)
{
    bool han;
    return s[text_han_run(s, &han)] || han;
}

/* The letters that `s` begins with; *lower: none is a capital. */
static size_t letters(const char *s, size_t n, bool *lower)
{
    size_t len = 0;
    *lower = true;
    for (; len < n && isalpha((unsigned char)s[len]); len++)
        *lower = *lower && s[len] >= 'a';
    return len;
}

bool text_is_prose(const char *s, size_t n)
{
    size_t words = 0;
    for (size_t at = 0; at < n && words < 3;) {
        bool lower;
        size_t len = letters(s + at, n - at, &lower);
        words = len < 2 ? 0 : lower ? words + 1 : 1;
        at += len;
        if (len == 0 || at >= n || s[at] != ' ')
            words = words < 3 ? 0 : words;
        at += at < n;
    }
    return words == 3;
}

/* The folded form of one character; 0 when it does not count. */
static inline uint32_t fold_one(uint32_t c)
{
    if (c >= 0xFF01 && c <= 0xFF5E)
        c -= 0xFEE0;
    if (text_is_space(c) || c == '*' || c == '\\' || c == '`')
        return 0;
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

char *text_fold(struct arena *a, const char *s)
{
    size_t n = strlen(s), used = 0;
    char *out = arena_room(a, n * 3 + 1); /* an invalid byte becomes U+FFFD, 3 bytes */
    for (size_t at = 0; at < n;) {
        uint32_t c = (unsigned char)s[at];
        at += c < 0x80 ? 1 : text_step(s + at, n - at, &c);
        c = fold_one(c);
        if (c && c < 0x80)
            out[used++] = (char)c;
        else if (c)
            used += utf8_put(out + used, c);
    }
    out[used] = '\0';
    return out;
}

static bool separates_words(uint32_t folded)
{
    return folded < 0x80 && folded != '+' && !(folded >= '0' && folded <= '9') &&
           !(folded >= 'a' && folded <= 'z');
}

char *text_fold_words(struct arena *a, const char *s)
{
    size_t n = strlen(s), used = 0;
    char *out = arena_room(a, n * 4 + 1);
    bool gap = false;
    for (size_t at = 0; at < n;) {
        uint32_t c = (unsigned char)s[at];
        at += c < 0x80 ? 1 : text_step(s + at, n - at, &c);
        c = fold_one(c); /* 0 for white space, which separates too */
        if (separates_words(c)) {
            gap = used > 0;
            continue;
        }
        if (gap)
            out[used++] = ' ';
        gap = false;
        if (c < 0x80)
            out[used++] = (char)c;
        else
            used += utf8_put(out + used, c);
    }
    out[used] = '\0';
    return out;
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+';
}

bool text_word_ends(const char *at)
{
    return !is_word_char(*at);
}

bool text_has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = strstr(text, word); n && at; at = strstr(at + 1, word))
        if ((at == text || !is_word_char(at[-1])) && !is_word_char(at[n]))
            return true;
    return false;
}

/* The next folded character that counts, 0 at the end. */
static inline uint32_t next_folded(const char **s)
{
    while (**s) {
        uint32_t c = (unsigned char)**s;
        *s += c < 0x80 ? 1 : text_step(*s, strnlen(*s, 4), &c);
        if ((c = fold_one(c)))
            return c;
    }
    return 0;
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

int text_by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool text_same(const char *a, const char *b)
{
    /* What is equal byte by byte is equal folded, up to the last character that begins there. */
    const char *begin = a;
    while (*a == *b && *a) {
        a++;
        b++;
    }
    if (*a == *b)
        return true;
    while (a > begin && (continues(*a) || continues(*b))) {
        a--;
        b--;
    }
    if (!text_may_be_same(a, b))
        return false;
    for (;;) {
        uint32_t ca = next_folded(&a), cb = next_folded(&b);
        if (ca != cb)
            return false;
        if (ca == 0)
            return true;
    }
}

const char *text_count(struct arena *a, size_t n, const char *one, const char *many)
{
    return arena_printf(a, "%zu %s", n, n == 1 ? one : many);
}

const char *text_size(struct arena *a, unsigned long long bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;
    if (bytes < 1024)
        return text_count(a, (size_t)bytes, "byte", "bytes");
    /* What would be printed as 1024.0 is one of the next unit. */
    for (; value >= 1023.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    return arena_printf(a, "%.1f %s", value, units[unit]);
}

char *text_fold_letters(struct arena *a, const char *s)
{
    char *copy = arena_strdup(a, s), *to = copy;
    for (; *s; s++)
        if (isalnum((unsigned char)*s))
            *to++ = (char)tolower((unsigned char)*s);
    *to = '\0';
    return copy;
}

bool text_equal(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool text_equal_or_empty(const char *a, const char *b)
{
    return strcmp(text_or_empty(a), text_or_empty(b)) == 0;
}

void *text_find(const void *rows, size_t n, size_t size, const char *text)
{
    for (const char *row = rows; n > 0; row += size, n--)
        if (strcmp(*(const char *const *)(const void *)row, text) == 0)
            return (void *)row;
    return NULL;
}

bool text_ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

const char *text_list(struct arena *a, const char *const *names, size_t n)
{
    static const char between[] = ", ";
    const struct lookup first = lookup_of(names, n, sizeof *names, 0, a);
    size_t len = 1;
    for (size_t i = 0; i < n; i++)
        len += lookup_find(&first, names[i]) == i ? strlen(names[i]) + sizeof between : 0;
    char *list = arena_alloc(a, len), *end = list;
    for (size_t i = 0; i < n; i++)
        if (lookup_find(&first, names[i]) == i)
            end = stpcpy(stpcpy(end, end == list ? "" : between), names[i]);
    return list;
}

char **text_lines(struct arena *a, const char *s, size_t *n)
{
    char **lines = NULL;
    *n = 0;
    while (*s) {
        size_t len = strcspn(s, "\n");
        size_t kept = len > 0 && s[len - 1] == '\r' ? len - 1 : len;
        *(char **)ARENA_PUSH(a, lines, *n) = arena_strndup(a, s, kept);
        s += len + (s[len] == '\n');
    }
    return lines;
}
