/*
 * Few lines of a log have anything of a form. Each form has anchors: short texts of which one
 * stands in every line that has the form. One pass over the bytes finds all anchors at once, and a
 * form is looked for only in lines with an anchor of it.
 *
 * The pass is Shift-And: each place of each anchor has a bit, which is set while the places up to
 * it fit the characters just read.
 */
#include "collector/submission/secrets.h"

#include "collector/submission/secret_forms.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* In an anchor, `[ab]` is one of these, and some signs are classes of characters. */
#define ANY_DIGIT '#'
#define ANY_HEX '%'
#define ANY_SIGN '=' /* between a name and its value */
#define NO_WORD '|'  /* no letter and no digit, or an end of the line */

#define OF(form) (1U << SECRET_##form)

static const struct anchor {
    const char *text;
    unsigned forms;
    bool any_case; /* its lower-case letters stand for both */
} anchors[] = {
    {"KEY", OF(KEY), false},
    {"[hx][pob][_-]", OF(TOKEN), false},          /* ghp_, gho_, xoxb-, xoxp- */
    {"pat[_-]", OF(TOKEN), false},                /* github_pat_, dckr_pat_, glpat- */
    {"|[hs][fk][_-]", OF(TOKEN), false},          /* hf_, sk- */
    {"AKI", OF(TOKEN), false},                    /* AKIA */
    {"pi-", OF(TOKEN), false},                    /* nvapi- */
    {"a29", OF(TOKEN), false},                    /* ya29. */
    {"rer ", OF(TOKEN), false},                   /* Bearer */
    {"[_-i]key=", OF(ASSIGNED), true},            /* _key, -key, apikey */
    {"[oc][kr]e[nt]=", OF(ASSIGNED), true},       /* token, secret */
    {"[swi][soa][wrl][ds]=", OF(ASSIGNED), true}, /* passwd, password, credentials */
    {"://", OF(LOGIN), false},
    {"host[n=]", OF(MACHINE), true},          /* hostname, host */
    {"[cr][on][ra][pl]|", OF(MACHINE), true}, /* .corp, .internal */
    {"[am][na][ei][tn]|", OF(MACHINE), true}, /* .intranet, .localdomain */
    {".lan|", OF(MACHINE), true},
    {".#.", OF(ADDRESS), false},
    {".##.", OF(ADDRESS), false},
    {".###.", OF(ADDRESS), false},
    {"%%%%:[:%]", OF(ADDRESS) | OF(HARDWARE), false},
    {"%%[:-]%%[:-]%%[:-]%", OF(HARDWARE), false},
    {"guid", OF(HARDWARE), true},
};

#define N_ANCHORS (sizeof anchors / sizeof *anchors)
#define N_WORDS                                                                      \
    2 /* of 64 places: the forms of a row that finds no room are asked of every line \
       */

struct places {
    uint64_t word[N_WORDS];
};

struct search {
    uint64_t fit[N_WORDS][256];       /* the places of a character */
    struct places first, last, begun; /* begun: behind the end of a line */
    unsigned forms[N_WORDS][64];      /* of the anchor whose last place it is */
    unsigned always;                  /* those of rows without room */
};

static bool fits_sign(char sign, int c)
{
    switch (sign) {
    case ANY_DIGIT:
        return isdigit(c);
    case ANY_HEX:
        return isxdigit(c);
    case ANY_SIGN:
        return c && strchr(" :=\"'\t", c);
    case NO_WORD:
        return !isalnum(c);
    default:
        return c == sign;
    }
}

/* The place at `at` becomes this bit; what stands behind it. */
static const char *set_place(struct search *s, const struct anchor *row, const char *at,
                             size_t word, uint64_t bit)
{
    bool one_of = *at == '[';
    const char *end = one_of ? strchr(at, ']') : at + 1;
    for (at += one_of; at < end; at++)
        for (int c = 0; c < 256; c++)
            if (fits_sign(*at, c) || (row->any_case && fits_sign(*at, tolower(c))))
                s->fit[word][c] |= bit;
    return end + one_of;
}

static size_t count_places(const char *text)
{
    size_t n = 0;
    for (; *text; text++, n++)
        if (*text == '[')
            text = strchr(text, ']');
    return n;
}

static void begin_search(struct search *s)
{
    size_t word = 0, used = 0;
    *s = (struct search){.always = 0};
    for (const struct anchor *row = anchors; row < anchors + N_ANCHORS; row++) {
        size_t n = count_places(row->text);
        word += used + n > 64;
        used = used + n > 64 ? 0 : used;
        if (word >= N_WORDS) {
            s->always |= row->forms;
            continue;
        }
        s->first.word[word] |= UINT64_C(1) << used;
        for (const char *at = row->text; *at; used++)
            at = set_place(s, row, at, word, UINT64_C(1) << used);
        s->last.word[word] |= UINT64_C(1) << (used - 1);
        s->forms[word][used - 1] = row->forms;
        used++; /* so that no row's last place runs into the next one's first */
    }
    for (size_t w = 0; w < N_WORDS; w++)
        s->begun.word[w] = s->first.word[w] & s->fit[w]['\n'];
}

/* One character more: the places that it comes to. */
static inline void step(const struct search *s, char c, struct places *now, struct places *seen)
{
    for (size_t w = 0; w < N_WORDS; w++) {
        now->word[w] = (now->word[w] * 2 + s->first.word[w]) & s->fit[w][(unsigned char)c];
        seen->word[w] |= now->word[w];
    }
}

/* The forms that have an anchor in this line. */
static unsigned forms_anchored(const struct search *s, const char *line, const char *end)
{
    struct places now = s->begun, seen = {{0}};
    unsigned forms = s->always;
    for (const char *at = line; at < end; at++)
        step(s, *at, &now, &seen);
    step(s, '\n', &now, &seen);
    for (size_t w = 0; w < N_WORDS; w++)
        for (uint64_t left = seen.word[w] & s->last.word[w]; left; left &= left - 1)
            forms |= s->forms[w][__builtin_ctzll(left)];
    return forms;
}

static void say_forms(const char *name, size_t number, unsigned found, struct buf *out)
{
    const char *between = "";
    buf_printf(out, "%s:%zu: ", name, number);
    for (unsigned i = 0; i < SECRET_FORMS; i++) {
        if (!(found >> i & 1))
            continue;
        buf_printf(out, "%s%s", between, secret_form_words(i));
        between = "; ";
    }
    buf_char(out, '\n');
}

static size_t scan_file(const struct search *s, const struct tar_member *file, size_t most,
                        struct buf *out)
{
    size_t n = 0, number = 1;
    const char *stop = file->bytes.data + file->bytes.len;
    for (const char *line = file->bytes.data; line < stop; number++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        unsigned forms = forms_anchored(s, line, end);
        unsigned found = forms ? secret_forms_in(line, end, forms) : 0;
        if (found && n++ < most)
            say_forms(file->name, number, found, out);
        line = end + 1;
    }
    return n;
}

size_t secrets_scan(const struct tar_member *files, size_t n, size_t most, struct buf *out)
{
    struct search s;
    size_t found = 0;
    begin_search(&s);
    for (size_t i = 0; i < n; i++)
        found += scan_file(&s, &files[i], found < most ? most - found : 0, out);
    return found;
}
