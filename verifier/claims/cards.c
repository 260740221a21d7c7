#include "verifier/claims/cards.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Does one name contain the other, folded? "MXC500" and "曦云®C500 64G" share C500 only so. */
static bool contains(const char *text, const char *name, struct arena *arena)
{
    const char *a = text_fold(arena, text), *b = text_fold(arena, name);
    return *b && (strstr(a, b) || strstr(b, a));
}

/* Does the text name this card, by any spelling? */
static bool names_card(const char *text, const struct accelerator *card, struct arena *arena)
{
    const char *words = text_fold_words(arena, text);
    bool named = text_has_word(words, text_fold_words(arena, card->name));
    for (size_t i = 0; i < card->n_aliases && !named; i++)
        named = text_has_word(words, text_fold_words(arena, card->aliases[i]));
    return named;
}

enum identity cards_compare(const struct project *p, const char *text, const char *other,
                            struct arena *arena)
{
    const struct accelerator *a = project_find_accelerator(p, text, NULL);
    const struct accelerator *b = project_find_accelerator(p, other, NULL);
    if (!a || !b)
        return IDENTITY_UNKNOWN;
    bool same = a == b || names_card(text, b, arena) || names_card(other, a, arena);
    return same ? IDENTITY_SAME : IDENTITY_DIFFERENT;
}

/* A word that tells a card from others: letters, then digits, and no size of memory. "S4000" has
 * 1 letter and the number 4000. */
struct designator {
    char letters[12];
    size_t n_letters;
    const char *digits;
    size_t n_digits;
};

static bool read_designator(const char *word, size_t n, struct designator *out)
{
    *out = (struct designator){.n_letters = 0};
    while (out->n_letters < n && isalpha((unsigned char)word[out->n_letters]))
        out->n_letters++;
    if (out->n_letters == 0 || out->n_letters >= sizeof out->letters)
        return false;
    memcpy(out->letters, word, out->n_letters);
    out->digits = word + out->n_letters;
    while (out->n_letters + out->n_digits < n && isdigit((unsigned char)out->digits[out->n_digits]))
        out->n_digits++;
    return out->n_digits >= 3 && out->n_letters + out->n_digits == n;
}

/* The next designator in folded words; *s moves behind it. */
static bool next_designator(const char **s, struct designator *out)
{
    while (**s) {
        size_t n = 0;
        while (isalnum((unsigned char)(*s)[n]))
            n++;
        const char *word = *s;
        *s += n ? n : 1;
        if (read_designator(word, n, out))
            return true;
    }
    return false;
}

/* "S4000" and "MTT S3000 32GB", "MXC5000" and "C500": one series, two cards. A name of another
 * series tells nothing. */
static bool differ_in_number(const char *text, const char *name, struct arena *arena)
{
    bool differ = false;
    struct designator x, y;
    for (const char *s = text_fold_words(arena, text); next_designator(&s, &x);)
        for (const char *t = text_fold_words(arena, name); next_designator(&t, &y);) {
            bool series = text_ends(x.letters, y.letters) || text_ends(y.letters, x.letters);
            bool number = x.n_digits == y.n_digits && memcmp(x.digits, y.digits, x.n_digits) == 0;
            if (series && number)
                return false;
            differ |= series;
        }
    return differ;
}

enum identity cards_in_environment(const struct audit *a, const char *name)
{
    const struct accelerator *card = audit_card(a, name);
    bool known_vendor = project_vendor(a->project, a->result->vendor) != NULL;
    bool foreign = card && known_vendor && strcmp(card->vendor, a->result->vendor) != 0;
    enum identity identity = IDENTITY_DIFFERENT;
    for (size_t i = 0; i < a->n_accelerators; i++) {
        const char *text = a->accelerators[i];
        enum identity one = cards_compare(a->project, name, text, a->arena);
        if (one == IDENTITY_UNKNOWN &&
            (contains(text, name, a->arena) || cells_share_designator(text, name, true, a->arena)))
            one = IDENTITY_SAME;
        if (one == IDENTITY_SAME)
            return one;
        if (one == IDENTITY_UNKNOWN && differ_in_number(text, name, a->arena))
            one = IDENTITY_DIFFERENT;
        if (one == IDENTITY_UNKNOWN && !foreign)
            identity = one;
    }
    return a->n_accelerators ? identity : IDENTITY_UNKNOWN;
}

/* Insertions, deletions and replacements between two short texts; 9 when it is more than 1. */
static int typing_errors(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), head = 0, tail = 0;
    size_t shorter = n < m ? n : m;
    while (head < shorter && a[head] == b[head])
        head++;
    while (tail < shorter - head && a[n - 1 - tail] == b[m - 1 - tail])
        tail++;
    size_t left = n - head - tail, right = m - head - tail;
    return left <= 1 && right <= 1 ? (int)(left || right) : 9;
}

/* One letter too many or too few, or in long names another one: V100 is no misspelt A100. */
static bool is_misspelt(const char *name, const char *card)
{
    const char *x = strpbrk(name, "0123456789"), *y = strpbrk(card, "0123456789");
    bool digits = x && y && strcmp(x, y) == 0;
    bool distinct = strlen(card) >= 5 || (strlen(card) == 4 && strlen(name) != 4);
    return digits && distinct && typing_errors(name, card) == 1;
}

const char *cards_misspelt(const struct audit *a, const char *name)
{
    const char *folded = text_fold(a->arena, name);
    for (size_t i = 0; i < a->n_accelerators; i++) {
        const struct accelerator *card = audit_card(a, a->accelerators[i]);
        for (size_t k = 0; card && k < card->n_aliases + 1; k++) {
            const char *alias = k < card->n_aliases ? card->aliases[k] : card->name;
            if (is_misspelt(folded, text_fold(a->arena, alias)))
                return alias;
        }
    }
    return NULL;
}

/* "901a" and "910a". */
static bool is_exchanged(const char *a, const char *b)
{
    size_t at = 0, n = strlen(a);
    while (a[at] && a[at] == b[at])
        at++;
    return n >= 4 && strlen(b) == n && at + 1 < n && a[at] == b[at + 1] && a[at + 1] == b[at] &&
           strcmp(a + at + 2, b + at + 2) == 0;
}

/* Is a word of these (of text_fold_words) almost a word of those? Words of a card have digits. */
static bool has_near_word(const char *words, const char *others, struct arena *arena)
{
    for (const char *s = words, *o; *s; s += strspn(s, " ")) {
        const char *word = arena_strndup(arena, s, strcspn(s, " "));
        s += strlen(word);
        for (o = others; strpbrk(word, "0123456789") && *o; o += strspn(o, " ")) {
            const char *other = arena_strndup(arena, o, strcspn(o, " "));
            o += strlen(other);
            if (is_exchanged(word, other) || is_misspelt(word, other))
                return true;
        }
    }
    return false;
}

static bool same_class(char x, char y)
{
    return (isalpha((unsigned char)x) && isalpha((unsigned char)y)) ||
           (isdigit((unsigned char)x) && isdigit((unsigned char)y));
}

/* Are they the same but for blanks, and is one of these within a word of the others? */
static bool has_stray_blank(const char *words, const char *others)
{
    bool stray = false;
    const char *s = words, *o = others;
    while (*s && *o) {
        stray |= *s == ' ' && *o != ' ' && s > words && same_class(s[-1], s[1]);
        s += *s == ' ';
        o += *o == ' ';
        if (*s++ != *o++)
            return false;
    }
    return stray && !*s && !*o;
}

const char *cards_near(const struct audit *a, const char *text)
{
    const char *words = text_fold_words(a->arena, text);
    if (audit_card(a, text))
        return NULL;
    for (size_t i = 0; i < a->project->n_accelerators; i++) {
        const struct accelerator *card = &a->project->accelerators[i];
        if (strcmp(card->vendor, a->result->vendor) != 0)
            continue;
        for (size_t k = 0; k < card->n_aliases + 1; k++) {
            const char *alias = k < card->n_aliases ? card->aliases[k] : card->name;
            const char *others = text_fold_words(a->arena, alias);
            if (has_stray_blank(words, others) || has_near_word(words, others, a->arena))
                return alias;
        }
    }
    return NULL;
}

const char *cards_foreign(const struct audit *a, const char *text)
{
    if (!project_find_accelerator(a->project, text, a->result->vendor))
        return NULL; /* of another vendor altogether, or of none that is known */
    for (size_t i = 0; i < a->project->n_accelerators; i++) {
        const struct accelerator *card = &a->project->accelerators[i];
        if (strcmp(card->vendor, a->result->vendor) != 0 && names_card(text, card, a->arena))
            return card->name;
    }
    return NULL;
}

enum identity cards_on_page(const struct audit *a, const char *name)
{
    for (size_t i = 0; i < a->n_claims; i++)
        if (*a->claims[i].config.accelerator &&
            contains(a->claims[i].config.accelerator, name, a->arena))
            return IDENTITY_SAME;
    return cards_in_environment(a, name);
}

double cards_next_memory(const char *text, size_t *at)
{
    for (const char *s = text + *at; *s; s++) {
        char *end;
        if (!isdigit((unsigned char)*s))
            continue;
        double value = strtod(s, &end);
        bool unit = (*end == 'G' || *end == 'g') &&
                    !isalpha((unsigned char)end[1 + (end[1] == 'B' || end[1] == 'b')]);
        bool alone = s == text || !isalnum((unsigned char)s[-1]);
        *at = (size_t)(end - text);
        if (unit && alone && value >= 4)
            return value;
        s = end - 1;
    }
    return NAN;
}

double cards_named_memory(const char *text)
{
    size_t at = 0;
    double memory = cards_next_memory(text, &at), other;
    while (!isnan(other = cards_next_memory(text, &at)))
        if (other != memory)
            return NAN;
    return memory;
}
