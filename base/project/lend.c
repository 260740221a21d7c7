/* A project that lacks a card or a model would have the rules about them say nothing: the records
 * of another folder answer then. What the project has a name of is its own to say. */
#include "base/project/project.h"

#include <string.h>

static bool has_card(const struct project *p, const void *lent)
{
    const struct accelerator *a = lent;
    bool has =
        project_find_accelerator(p, a->id, NULL) || project_find_accelerator(p, a->name, NULL);
    for (size_t i = 0; i < a->n_aliases && !has; i++)
        has = project_find_accelerator(p, a->aliases[i], NULL) != NULL;
    return has;
}

static bool has_model(const struct project *p, const void *lent)
{
    const struct model *m = lent;
    bool has = project_find_model(p, m->id) || (m->name.zh && project_find_model(p, m->name.zh));
    for (size_t i = 0; i < m->n_aliases && !has; i++)
        has = project_find_model(p, m->aliases[i]) != NULL;
    return has;
}

/* Own records and behind them those of another project that this one has not; their number. */
static size_t lend_records(const struct project *p, void **own, size_t *n, const void *from,
                           size_t n_from, size_t size,
                           bool (*has)(const struct project *p, const void *lent))
{
    size_t n_own = *n, n_all = n_own;
    char *all = arena_array(p->arena, n_own + n_from, size);
    if (n_own)
        memcpy(all, *own, n_own * size);
    for (size_t i = 0; i < n_from; i++) {
        const char *lent = (const char *)from + i * size;
        if (!has(p, lent))
            memcpy(all + n_all++ * size, lent, size);
    }
    *own = all;
    *n = n_all; /* not before: `has` looks at what is there */
    return n_all - n_own;
}

int project_lend(struct project *p, const char *root, struct diags *diags)
{
    struct project from;
    struct diags found = DIAGS_INIT(p->arena);
    project_load_cards_and_models(root, &from, p->arena, &found);
    if (found.machine) {
        diags_append(diags, &found);
        return -1;
    }
    void *cards = p->accelerators, *models = p->models;
    p->n_lent_cards = lend_records(p, &cards, &p->n_accelerators, from.accelerators,
                                   from.n_accelerators, sizeof *from.accelerators, has_card);
    p->accelerators = cards;
    p->n_lent_models = lend_records(p, &models, &p->n_models, from.models, from.n_models,
                                    sizeof *from.models, has_model);
    p->models = models;
    project_index(p);
    return 0;
}

bool project_is_lent_card(const struct project *p, const struct accelerator *a)
{
    size_t own = p->n_accelerators - p->n_lent_cards;
    return a && a >= p->accelerators + own && a < p->accelerators + p->n_accelerators;
}

bool project_is_lent_model(const struct project *p, const struct model *m)
{
    size_t own = p->n_models - p->n_lent_models;
    return m && m >= p->models + own && m < p->models + p->n_models;
}
