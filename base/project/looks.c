#include "base/project/looks.h"

#include "base/arena.h"
#include "base/figures/figure.h"
#include "base/foreign.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int by_code(const void *key, const void *item)
{
    uint32_t code = *(const uint32_t *)key, of = ((const struct lookalike *)item)->code;
    return code < of ? -1 : code > of;
}

/* Circled letters, those of mathematics and raised digits are written as Latin ones by NFKC, too.
 */
static uint32_t plain_letter(uint32_t code)
{
    if (code >= 0x1D400 && code <= 0x1D6A3)
        return 'a' + (code - 0x1D400) % 26;
    if (code >= 0x1D7CE && code <= 0x1D7FF)
        return '0' + (code - 0x1D7CE) % 10;
    if (code >= 0x24B6 && code <= 0x24E9)
        return 'a' + (code - 0x24B6) % 26;
    if ((code >= 0x2070 && code <= 0x2079) || (code >= 0x2080 && code <= 0x2089))
        return '0' + code % 0x10; /* raised and lowered digits */
    if (code == 0xB2 || code == 0xB3 || code == 0xB9)
        return code == 0xB9 ? '1' : '0' + code % 0x10;
    return code;
}

/* Digits that are taken for letters, a capital I for a small l, and two letters for one. */
static const char *letters_taken_for(char c)
{
    static const struct {
        char c;
        const char *as;
    } rows[] = {{'0', "o"}, {'1', "l"}, {'i', "l"}, {'|', "l"}, {'m', "rn"}, {'w', "vv"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].c == c)
            return rows[i].as;
    return NULL;
}

static void put_looks(struct buf *out, const char *letters, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *as = letters_taken_for(letters[i]);
        if (as)
            buf_str(out, as);
        else
            buf_char(out, letters[i]);
    }
}

static bool is_unseen(uint32_t code)
{
    return foreign_is_hidden(code) || code == 0x200C || code == 0x200D;
}

static const struct lookalike *lookalike_of(uint32_t code)
{
    return bsearch(&code, lookalikes, n_lookalikes, sizeof *lookalikes, by_code);
}

const char *looks_plain(struct arena *arena, const char *text)
{
    const char *s = figure_plain(arena, text);
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t left = strlen(s), len; left; s += len, left -= len) {
        uint32_t code;
        char to[8];
        len = utf8_next(s, left, &code);
        bool chinese = code >= 0x2E80 && code <= 0x9FFF;
        const struct lookalike *of =
            code < 0x80 || chinese ? NULL : lookalike_of(plain_letter(code));
        if (!len)
            break;
        if (of)
            buf_str(&out, of->letters);
        else if (code >= 'A' && code <= 'Z')
            buf_char(&out, (char)(code - 'A' + 'a'));
        else if (!is_unseen(code))
            buf_add(&out, to, utf8_put(to, plain_letter(code)));
    }
    const char *made = arena_strndup(arena, text_or_empty(out.data), out.len);
    buf_release(&out);
    return made;
}

const char *looks_of(struct arena *arena, const char *name)
{
    const char *folded = text_fold_words(arena, name);
    size_t left = strlen(folded);
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    while (left) {
        uint32_t code;
        char to[8];
        size_t len = utf8_next(folded, left, &code);
        uint32_t plain = plain_letter(code);
        const struct lookalike *of = lookalike_of(plain);
        bool unseen = code == ' ' || is_unseen(code);
        if (!unseen && of)
            put_looks(&out, of->letters, strlen(of->letters));
        else if (!unseen)
            put_looks(&out, to, utf8_put(to, plain));
        folded += len;
        left -= len;
    }
    const char *made = arena_strndup(arena, out.data, out.len);
    buf_release(&out);
    return made;
}

bool looks_hidden(const char *name)
{
    for (size_t left = strlen(name); left;) {
        uint32_t code;
        size_t len = utf8_next(name, left, &code);
        if (code < 0x20 || foreign_is_hidden(code))
            return true;
        name += len;
        left -= len;
    }
    return false;
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

const char *looks_digits(struct arena *arena, const char *text)
{
    char *plain = arena_strdup(arena, text), *to = plain;
    for (size_t left = strlen(text), n; left; left -= n, text += n) {
        uint32_t code = 0;
        size_t row = 0;
        n = utf8_next(text, left, &code);
        n = n ? n : 1;
        while (row < sizeof digit_rows / sizeof *digit_rows &&
               !(code >= digit_rows[row].first && code <= digit_rows[row].last))
            row++;
        if (row < sizeof digit_rows / sizeof *digit_rows)
            *to++ = (char)('0' + (code - digit_rows[row].zero));
        else if (code != '$' && code != '{' && code != '}' && code != '\\') {
            memcpy(to, text, n);
            to += n;
        }
    }
    *to = '\0';
    return plain;
}
