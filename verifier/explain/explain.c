#include "verifier/explain/explain.h"

#include "verifier/explain/explain_rules.h"

#include <string.h>

const struct explanation *explain_find(const char *id)
{
    const struct explanation *const tables[] = {
        explain_page,     explain_figures,      explain_recompute, explain_identity,
        explain_evidence, explain_reproduction, explain_challenge};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const struct explanation *e = tables[i]; e->id; e++)
            if (strcmp(e->id, id) == 0)
                return e;
    return NULL;
}

const char *explain_fix(const struct explanation *e, const char *message)
{
    for (const struct explain_case *c = e->cases; c && c->words; c++)
        if (strstr(message, c->words))
            return c->fix;
    return e->fix;
}
