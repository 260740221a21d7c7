/* No two accelerators claim one spelling (names.h): rules that hold a figure to a card's
 * peak would be those of another card. */
#include "base/json/json.h"
#include "base/project/names.h"
#include "base/text.h"

#include <string.h>

#define CLAIMS_SHOWN 100 /* one by one */

static const char *const members[] = {
    [SPELLING_NAME] = "name", [SPELLING_ID] = "id", [SPELLING_ALIAS] = "alias"};

static const char *file_of_accelerator(const struct project *p, const struct accelerator *a)
{
    return arena_printf(p->arena, "%s/accelerators/%s.json", p->root, a->id);
}

/* Where the record says it; records do not keep the places of aliases. */
static const struct json *place_of_spelling(const struct json *record, const struct spelling *s,
                                            struct arena *arena)
{
    if (s->kind != SPELLING_ALIAS)
        return json_get(record, members[s->kind]);
    const struct json *aliases = json_get(record, "aliases");
    for (const struct json *x = aliases ? aliases->child : NULL; x; x = x->next)
        if (x->kind == JSON_STRING && strcmp(text_fold_words(arena, x->text), s->text) == 0)
            return x;
    return NULL;
}

static void report_spelling(const struct project *p, const struct spelling *s,
                            const struct spelling *first, struct diags *diags)
{
    struct arena scratch = ARENA_INIT;
    struct diags unread = DIAGS_INIT(&scratch);
    struct json *record = NULL;
    const char *file = file_of_accelerator(p, s->of);
    if (json_load(file, &scratch, &record, &unread) < 0)
        record = NULL;
    const struct json *at = place_of_spelling(record, s, &scratch);
    diags_add(diags, SEVERITY_ERROR, file, at ? at->line : s->of->line, at ? at->col : 0,
              "found the %s \"%s\", which is the %s of another card (%s), expected one that no "
              "other card has",
              members[s->kind], at && at->text ? at->text : s->text, members[first->kind],
              file_of_accelerator(p, first->of));
    arena_release(&scratch);
}

void project_cards_check(const struct project *p, struct diags *diags)
{
    size_t first = 0, n = 0;
    for (size_t i = 1; i < p->n_spellings; i++) {
        const struct spelling *s = &p->spellings[i], *f = &p->spellings[first];
        if (strcmp(s->text, f->text) != 0)
            first = i;
        else if (s->of != f->of && ++n <= CLAIMS_SHOWN)
            report_spelling(p, s, f, diags);
    }
    if (n > CLAIMS_SHOWN)
        diags_add(diags, SEVERITY_ERROR, p->root, 0, 0,
                  "found %zu more names that another card also has, expected none",
                  n - CLAIMS_SHOWN);
}
