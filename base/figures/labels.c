#include "base/figures/labels.h"

#include "base/figures/labels_table.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define ROWS(array)                               \
    {                                             \
        (array), sizeof(array) / sizeof(*(array)) \
    }

static const struct {
    const struct label *rows;
    size_t n;
} sets[] = {
    [LABEL_SECTION] = ROWS(sections),
    [LABEL_GROUP] = ROWS(groups),
    [LABEL_ITEM] = ROWS(items),
    [LABEL_GENERAL] = ROWS(general_rows),
    [LABEL_COLUMN] = ROWS(general_columns),
    [LABEL_SYMBOL] = ROWS(symbols),
    [LABEL_PHRASE] = ROWS(phrases),
};

const struct label *labels_of(enum label_set set, size_t *n)
{
    *n = sets[set].n;
    return sets[set].rows;
}

const struct label *label_by_key(enum label_set set, const char *key)
{
    for (size_t i = 0; i < sets[set].n; i++)
        if (strcmp(sets[set].rows[i].key, key) == 0)
            return &sets[set].rows[i];
    return NULL;
}

/* Spelling number i: the labels in both languages, then the others; NULL behind the last. */
static const char *spelling(const struct label *l, size_t i)
{
    return i == 0 ? l->text.zh : i == 1 ? l->text.en : l->spellings[i - 2];
}

bool label_is(const struct label *label, const char *text)
{
    for (size_t k = 0; spelling(label, k); k++)
        if (text_may_be_same(spelling(label, k), text) && text_same(spelling(label, k), text))
            return true;
    return false;
}

const struct label *label_find(enum label_set set, const char *text)
{
    for (size_t i = 0; i < sets[set].n; i++)
        if (label_is(&sets[set].rows[i], text))
            return &sets[set].rows[i];
    return NULL;
}

/* What remains of `text` in front of `ending`, both compared folded; NULL: it does not end so.
 * Only whole characters are cut off, so the prefix keeps its published spelling. */
static char *before_ending(const char *text, const char *ending, struct arena *arena)
{
    if (!text_ends(text_fold(arena, text), text_fold(arena, ending)))
        return NULL;
    for (size_t at = 0; text[at]; at++) {
        bool inside_character = ((unsigned char)text[at] & 0xC0) == 0x80;
        if (!inside_character && text_same(text + at, ending))
            return text_trim_n(arena, text, at);
    }
    return NULL;
}

const struct label *label_find_suffix(enum label_set set, const char *text, struct arena *arena,
                                      char **prefix)
{
    const struct label *best = NULL;
    size_t best_len = 0;
    for (size_t i = 0; i < sets[set].n; i++) {
        const struct label *l = &sets[set].rows[i];
        for (size_t k = 0; spelling(l, k); k++) {
            size_t len = strlen(spelling(l, k));
            char *rest = len > best_len ? before_ending(text, spelling(l, k), arena) : NULL;
            if (!rest)
                continue;
            best = l;
            best_len = len;
            if (prefix)
                *prefix = rest;
        }
    }
    return best;
}

bool label_within(const struct label *label, const char *text, struct arena *arena)
{
    const char *folded = text_fold(arena, text);
    for (size_t k = 0; spelling(label, k); k++)
        if (strstr(folded, text_fold(arena, spelling(label, k))))
            return true;
    return false;
}

const char *label_english(enum label_set set, const char *text, struct arena *arena)
{
    const struct label *l = label_find(set, text);
    if (l)
        return l->text.en;
    if (set != LABEL_SECTION && set != LABEL_GROUP)
        return text;
    char *prefix = NULL;
    l = label_find_suffix(set, text, arena, &prefix);
    if (!l)
        return text;
    char *label = arena_strdup(arena, l->text.en);
    if (prefix[0] && islower((unsigned char)label[1]))
        label[0] = (char)tolower((unsigned char)label[0]);
    return prefix[0] ? arena_printf(arena, "%s %s", prefix, label) : label;
}
