/* What records name must be there (names.h): one that is misspelt is told by itself, a
 * folder that was never filled in one line. */
#include "base/project/names.h"

#include <string.h>

enum kind { VENDOR, MODEL, CASE, RESULT, KINDS };
static const char *const words[KINDS] = {"vendor", "model", "case", "result"};

/* One record that names what is not there. */
struct mention {
    const char *file, *id;
    int line;
};

struct mentions {
    struct mention *items;
    size_t n;
};

/* So many are told one by one, and so many in any case. */
#define MENTIONS_SHOWN 3
#define MENTIONS_MAX 100
#define NAMES_SHOWN 5

static void mention(struct project *p, struct mentions *kind, const char *file, int line,
                    const char *id, bool found)
{
    if (!found)
        *(struct mention *)ARENA_PUSH(p->arena, kind->items, kind->n) =
            (struct mention){file, id, line};
}

static void collect_mentions(struct project *p, struct mentions kinds[KINDS])
{
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        mention(p, &kinds[VENDOR],
                arena_printf(p->arena, "%s/accelerators/%s.json", p->root, a->id), a->line,
                a->vendor, project_vendor(p, a->vendor));
    }
    for (size_t i = 0; i < p->n_cases; i++) {
        const struct case_record *c = &p->cases[i];
        mention(p, &kinds[MODEL], c->file, c->line, c->model, project_model(p, c->model));
    }
    for (size_t i = 0; i < p->n_results; i++) {
        const struct result *r = &p->results[i];
        mention(p, &kinds[VENDOR], r->file, r->line, r->vendor, project_vendor(p, r->vendor));
        mention(p, &kinds[CASE], r->file, r->line, r->case_id, project_case(p, r->case_id));
    }
    for (size_t i = 0; i < p->n_reproductions; i++) {
        const struct reproduction *r = &p->reproductions[i];
        mention(p, &kinds[RESULT], r->file, r->line,
                arena_printf(p->arena, "%s/%s", r->vendor, r->case_id),
                project_result(p, r->vendor, r->case_id));
    }
}

/* "ascend, dcu, metax, …"; *n: how many different ones. */
static const char *list_mentioning(struct project *p, const struct mentions *m, size_t *n)
{
    struct lookup all =
        lookup_of(m->items, m->n, sizeof *m->items, offsetof(struct mention, id), p->arena);
    const char *text = "";
    *n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (lookup_find(&all, m->items[i].id) != i)
            continue;
        if (++*n <= NAMES_SHOWN)
            text = arena_printf(p->arena, "%s%s%s", text, *text ? ", " : "", m->items[i].id);
    }
    return *n > NAMES_SHOWN ? arena_printf(p->arena, "%s, …", text) : text;
}

static void report_mentions(struct project *p, const struct mentions *m, const char *kind,
                            struct diags *diags)
{
    bool many = m->n > MENTIONS_SHOWN && kind != words[RESULT];
    size_t n;
    const char *few = many ? list_mentioning(p, m, &n) : NULL;
    if (many)
        diags_add(diags, SEVERITY_WARNING, p->root, 0, 0,
                  "%zu records name %zu %ss that have no record (%s); 'fpreport new records' makes "
                  "the missing records, -v lists each of them",
                  m->n, n, kind, few);
    for (size_t i = 0; i < m->n && i < MENTIONS_MAX; i++)
        diags_add(diags, many ? SEVERITY_NOTICE : SEVERITY_WARNING, m->items[i].file,
                  m->items[i].line, 0, "names %s \"%s\", found no %s/%ss/%s.json", kind,
                  m->items[i].id, p->root, kind, m->items[i].id);
}

void project_check_named(struct project *p, struct diags *diags)
{
    struct mentions kinds[KINDS] = {{NULL, 0}};
    collect_mentions(p, kinds);
    for (size_t k = 0; k < KINDS; k++)
        report_mentions(p, &kinds[k], words[k], diags);
}
