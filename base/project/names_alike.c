/* No two vendors show one name (names.h): whose figures are whose is told by it alone. */
#include "base/foreign.h"
#include "base/project/names.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct shown {
    const char *looks, *name; /* as all that look like it, and as it is */
    const struct vendor *of;
    size_t capitals;
};

/* Letters that no reader can tell from Latin ones, in the order of their code points; their small
 * and their capital form may look like different letters, so that each stands for itself. */
static const struct lookalike {
    uint32_t code;
    char letter;
} lookalikes[] = {
    {0x131, 'i'},  {0x251, 'a'}, {0x261, 'g'}, {0x269, 'i'}, {0x391, 'a'},  {0x392, 'b'},
    {0x395, 'e'},  {0x396, 'z'}, {0x397, 'h'}, {0x399, 'i'}, {0x39A, 'k'},  {0x39C, 'm'},
    {0x39D, 'n'},  {0x39F, 'o'}, {0x3A1, 'p'}, {0x3A4, 't'}, {0x3A5, 'y'},  {0x3A7, 'x'},
    {0x3B1, 'a'},  {0x3B9, 'i'}, {0x3BD, 'v'}, {0x3BF, 'o'}, {0x3C1, 'p'},  {0x3F2, 'c'},
    {0x3F3, 'j'},  {0x405, 's'}, {0x406, 'i'}, {0x408, 'j'}, {0x410, 'a'},  {0x412, 'b'},
    {0x415, 'e'},  {0x41A, 'k'}, {0x41C, 'm'}, {0x41D, 'h'}, {0x41E, 'o'},  {0x420, 'p'},
    {0x421, 'c'},  {0x422, 't'}, {0x423, 'y'}, {0x425, 'x'}, {0x430, 'a'},  {0x435, 'e'},
    {0x43E, 'o'},  {0x440, 'p'}, {0x441, 'c'}, {0x443, 'y'}, {0x445, 'x'},  {0x455, 's'},
    {0x456, 'i'},  {0x458, 'j'}, {0x4BB, 'h'}, {0x4CF, 'l'}, {0x501, 'd'},  {0x51B, 'q'},
    {0x51D, 'w'},  {0x555, 'o'}, {0x57D, 'u'}, {0x585, 'o'}, {0x1D20, 'v'}, {0x1D21, 'w'},
    {0x212A, 'k'},
};

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
    const struct lookalike *of = bsearch(&code, lookalikes, sizeof lookalikes / sizeof *lookalikes,
                                         sizeof *lookalikes, by_code);
    return of ? (unsigned char)of->letter : code;
}

/* Digits that are taken for letters, and a capital I for a small l. */
static char letter_taken_for(char c)
{
    return c == '0' ? 'o' : c == '1' || c == 'i' || c == '|' ? 'l' : c;
}

/* Of all that a reader could take for each other the same. */
static const char *looks(struct arena *arena, const char *name)
{
    const char *folded = text_fold_words(arena, name);
    size_t left = strlen(folded), n = 0;
    char *out = arena_alloc(arena, left + 1);
    while (left) {
        uint32_t code;
        size_t len = utf8_next(folded, left, &code);
        char to[8];
        size_t made = utf8_put(to, plain_letter(code));
        for (size_t i = 0; i < made && code != ' ' && !foreign_is_hidden(code) && code != 0x200C &&
                           code != 0x200D;
             i++)
            out[n++] = letter_taken_for(to[i]);
        folded += len;
        left -= len;
    }
    out[n] = '\0';
    return out;
}

static int compare_vendor_names(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    int order = strcmp(x->looks, y->looks);
    if (order == 0 && x->capitals != y->capitals)
        return x->capitals < y->capitals ? -1 : 1;
    return order ? order : strcmp(x->of->id, y->of->id);
}

static const char *file_of_vendor(const struct project *p, const struct vendor *v)
{
    return arena_printf(p->arena, "%s/vendors/%s.json", p->root, v->id);
}

void project_vendors_check(const struct project *p, struct diags *diags)
{
    struct arena scratch = ARENA_INIT;
    struct shown *all = arena_array(&scratch, 3 * p->n_vendors, sizeof *all);
    size_t n = 0, first = 0;
    for (size_t i = 0; i < p->n_vendors; i++) {
        const struct vendor *v = &p->vendors[i];
        const char *const names[] = {v->id, v->name.zh, v->name.en};
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const char *like = names[k] ? looks(&scratch, names[k]) : "";
            if (*like)
                all[n++] = (struct shown){like, names[k], v, project_name_capitals(v->id)};
        }
    }
    if (n)
        qsort(all, n, sizeof *all, compare_vendor_names);
    for (size_t i = 1; i < n; i++) {
        const struct shown *s = &all[i], *f = &all[first];
        if (strcmp(s->looks, f->looks) != 0)
            first = i;
        else if (s->of != f->of && s->of != all[i - 1].of)
            diags_add(diags, SEVERITY_WARNING, file_of_vendor(p, s->of), s->of->line, 0,
                      "found the name \"%s\", which looks like \"%s\" (%s), expected one that a "
                      "reader can tell from those of other vendors",
                      foreign_line(p->arena, s->name, 100), foreign_line(p->arena, f->name, 100),
                      file_of_vendor(p, f->of));
    }
    arena_release(&scratch);
}
