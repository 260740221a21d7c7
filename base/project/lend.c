/* A project that lacks a card or a model would have the rules about them say nothing: the records
 * of another folder answer then. What the project has a name of is its own to say. */
#include "base/project/project.h"

#include <string.h>

static bool has_card(const struct project *p, const struct accelerator *a)
{
    bool has =
        project_find_accelerator(p, a->id, NULL) || project_find_accelerator(p, a->name, NULL);
    for (size_t i = 0; i < a->n_aliases && !has; i++)
        has = project_find_accelerator(p, a->aliases[i], NULL) != NULL;
    return has;
}

static bool has_model(const struct project *p, const struct model *m)
{
    bool has = project_find_model(p, m->id) || (m->name.zh && project_find_model(p, m->name.zh));
    for (size_t i = 0; i < m->n_aliases && !has; i++)
        has = project_find_model(p, m->aliases[i]) != NULL;
    return has;
}

static void lend_cards(struct project *p, const struct project *from)
{
    size_t own = p->n_accelerators, n = own;
    struct accelerator *all = arena_array(p->arena, own + from->n_accelerators, sizeof *all);
    if (own)
        memcpy(all, p->accelerators, own * sizeof *all);
    for (size_t i = 0; i < from->n_accelerators; i++)
        if (!has_card(p, &from->accelerators[i]))
            all[n++] = from->accelerators[i];
    p->accelerators = all;
    p->n_accelerators = n;
    p->n_lent_cards = n - own;
}

static void lend_models(struct project *p, const struct project *from)
{
    size_t own = p->n_models, n = own;
    struct model *all = arena_array(p->arena, own + from->n_models, sizeof *all);
    if (own)
        memcpy(all, p->models, own * sizeof *all);
    for (size_t i = 0; i < from->n_models; i++)
        if (!has_model(p, &from->models[i]))
            all[n++] = from->models[i];
    p->models = all;
    p->n_models = n;
    p->n_lent_models = n - own;
}

int project_lend(struct project *p, const char *root, struct diags *diags)
{
    struct project from;
    struct diags found;
    diags_init(&found, p->arena);
    project_load_cards_and_models(root, &from, p->arena, &found);
    if (found.machine) {
        diags_append(diags, &found);
        return -1;
    }
    lend_cards(p, &from);
    lend_models(p, &from);
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
