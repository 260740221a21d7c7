/* No two vendors, cards or models show one name (names.h): whose figures are whose, and of what, is
 * told by it alone. */
#include "base/foreign.h"
#include "base/project/looks.h"
#include "base/project/names.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct shown {
    const char *looks, *name; /* as all that look like it, and as it is */
    const char *id, *folder;  /* of the record: "vendors" */
    int line;
    size_t capitals;
};

/* Of one kind of records. */
struct showing {
    const struct project *project;
    struct diags *diags;
    const char *folder, *others; /* "vendors", "other vendors" */
    struct arena scratch;
    struct shown *all;
    size_t n;
};

static const char *file_of_shown(const struct showing *w, const struct shown *s)
{
    return arena_printf(w->project->arena, "%s/%s/%s.json", w->project->root, s->folder, s->id);
}

static void show_name(struct showing *w, const char *id, int line, const char *name)
{
    struct shown s = {.name = name, .id = id, .folder = w->folder, .line = line};
    if (!name)
        return;
    s.looks = looks_of(&w->scratch, name);
    s.capitals = project_name_capitals(id);
    if (looks_hidden(name))
        diags_add(
            w->diags, SEVERITY_WARNING, file_of_shown(w, &s), line, 0,
            "found the name \"%s\" with invisible characters, expected letters, digits and signs",
            foreign_line(w->project->arena, name, 100));
    if (*s.looks)
        *(struct shown *)ARENA_PUSH(&w->scratch, w->all, w->n) = s;
}

static int compare_shown(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    int order = strcmp(x->looks, y->looks);
    if (order == 0 && x->capitals != y->capitals)
        return x->capitals < y->capitals ? -1 : 1;
    return order ? order : strcmp(x->id, y->id);
}

/* Cards and models that have one name in common, letter by letter, are told of elsewhere, or are
 * meant so. */
static bool is_one_name(struct showing *w, const struct shown *x, const struct shown *y)
{
    return strcmp(w->folder, "vendors") != 0 && strcmp(text_fold_words(&w->scratch, x->name),
                                                       text_fold_words(&w->scratch, y->name)) == 0;
}

static void tell_alike(struct showing *w)
{
    size_t first = 0;
    if (w->n)
        qsort(w->all, w->n, sizeof *w->all, compare_shown);
    for (size_t i = 1; i < w->n; i++) {
        const struct shown *s = &w->all[i], *f = &w->all[first];
        if (strcmp(s->looks, f->looks) != 0)
            first = i;
        else if (strcmp(s->id, f->id) != 0 && strcmp(s->id, w->all[i - 1].id) != 0 &&
                 !is_one_name(w, s, f))
            diags_add(w->diags, SEVERITY_WARNING, file_of_shown(w, s), s->line, 0,
                      "found the name \"%s\", which looks like \"%s\" (%s), expected a name that "
                      "readers can distinguish from those of %s",
                      foreign_line(w->project->arena, s->name, 100),
                      foreign_line(w->project->arena, f->name, 100), file_of_shown(w, f),
                      w->others);
    }
    arena_release(&w->scratch);
}

static void index_looks(struct arena *arena, struct name_list *list, const char *name)
{
    const char *looks = name ? looks_of(arena, name) : "";
    if (*looks)
        *(struct name_looks *)ARENA_PUSH(arena, list->items, list->n) =
            (struct name_looks){looks, name};
}

void project_index_looks(struct project *p)
{
    p->card_names = p->model_names = (struct name_list){NULL, 0};
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *c = &p->accelerators[i];
        index_looks(p->arena, &p->card_names, c->id);
        index_looks(p->arena, &p->card_names, c->name);
        for (size_t k = 0; k < c->n_aliases; k++)
            index_looks(p->arena, &p->card_names, c->aliases[k]);
    }
    for (size_t i = 0; i < p->n_models; i++) {
        const struct model *m = &p->models[i];
        index_looks(p->arena, &p->model_names, m->id);
        index_looks(p->arena, &p->model_names, m->name.en);
        for (size_t k = 0; k < m->n_aliases; k++)
            index_looks(p->arena, &p->model_names, m->aliases[k]);
    }
}

void project_vendors_check(const struct project *p, struct diags *diags)
{
    struct showing w = {p, diags, "vendors", "other vendors", ARENA_INIT, NULL, 0};
    for (size_t i = 0; i < p->n_vendors; i++) {
        const struct vendor *v = &p->vendors[i];
        show_name(&w, v->id, v->line, v->id);
        show_name(&w, v->id, v->line, v->name.zh);
        show_name(&w, v->id, v->line, v->name.en);
    }
    tell_alike(&w);
}

void project_looks_check(const struct project *p, struct diags *diags)
{
    struct showing cards = {p, diags, "accelerators", "other cards", ARENA_INIT, NULL, 0};
    struct showing models = {p, diags, "models", "other models", ARENA_INIT, NULL, 0};
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *c = &p->accelerators[i];
        show_name(&cards, c->id, c->line, c->id);
        show_name(&cards, c->id, c->line, c->name);
        for (size_t k = 0; k < c->n_aliases; k++)
            show_name(&cards, c->id, c->line, c->aliases[k]);
    }
    tell_alike(&cards);
    for (size_t i = 0; i < p->n_models; i++) {
        const struct model *m = &p->models[i];
        show_name(&models, m->id, m->line, m->id);
        show_name(&models, m->id, m->line, m->name.zh);
        show_name(&models, m->id, m->line, m->name.en);
        for (size_t k = 0; k < m->n_aliases; k++)
            show_name(&models, m->id, m->line, m->aliases[k]);
    }
    tell_alike(&models);
}
