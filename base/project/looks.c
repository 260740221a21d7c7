#include "base/project/looks.h"

#include "base/buf.h"
#include "base/foreign.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int by_code(const void *key, const void *item)
{
    uint32_t code = *(const uint32_t *)key, of = ((const struct lookalike *)item)->code;
    return code < of ? -1 : code > of;
}

/* Circled letters and those of mathematics are written as Latin ones by NFKC, too. */
static uint32_t plain_letter(uint32_t code)
{
    if (code >= 0x1D400 && code <= 0x1D6A3)
        return 'a' + (code - 0x1D400) % 26;
    if (code >= 0x1D7CE && code <= 0x1D7FF)
        return '0' + (code - 0x1D7CE) % 10;
    if (code >= 0x24B6 && code <= 0x24E9)
        return 'a' + (code - 0x24B6) % 26;
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

const char *looks_of(struct arena *arena, const char *name)
{
    const char *folded = text_fold_words(arena, name);
    size_t left = strlen(folded);
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    while (left) {
        uint32_t code;
        char to[8];
        size_t len = utf8_next(folded, left, &code);
        uint32_t plain = plain_letter(code);
        const struct lookalike *of =
            bsearch(&plain, lookalikes, n_lookalikes, sizeof *lookalikes, by_code);
        bool unseen = code == ' ' || foreign_is_hidden(code) || code == 0x200C || code == 0x200D;
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
