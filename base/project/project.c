#include "base/project/project.h"

#include "base/project/names.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int compare_case(const void *a, const void *b)
{
    const struct result *x = *(const struct result *const *)a;
    const struct result *y = *(const struct result *const *)b;
    int order = strcmp(x->case_id, y->case_id);
    return order ? order : strcmp(x->vendor, y->vendor);
}

/* A result and its place: of two with one vendor and case the first counts. */
struct ranked {
    const struct result *result;
    size_t rank;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = compare_case(&x->result, &y->result);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_id(const void *a, const void *b)
{
    const struct case_record *x = *(const struct case_record *const *)a;
    const struct case_record *y = *(const struct case_record *const *)b;
    return strcmp(x->id, y->id);
}

static int compare_spelling(const void *a, const void *b)
{
    const struct spelling *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    if (!order)
        order = (x->kind > y->kind) - (x->kind < y->kind);
    return order ? order : (x->of > y->of) - (x->of < y->of);
}

static void add_spelling(struct project *p, const struct accelerator *of, const char *text,
                         enum spelling_kind kind)
{
    const char *folded = text_fold_words(p->arena, text);
    if (*folded)
        *(struct spelling *)ARENA_PUSH(p->arena, p->spellings, p->n_spellings) =
            (struct spelling){folded, strlen(folded), of, kind};
}

static void add_vendor_name(struct project *p, const struct vendor *of, const char *text)
{
    const char *folded = text ? text_fold(p->arena, text) : "";
    if (strlen(folded) >= 3)
        *(struct vendor_name *)ARENA_PUSH(p->arena, p->vendor_names, p->n_vendor_names) =
            (struct vendor_name){folded, of};
}

static void index_vendors(struct project *p)
{
    p->vendor_names = NULL;
    p->n_vendor_names = 0;
    for (size_t i = 0; i < p->n_vendors; i++) {
        const struct vendor *v = &p->vendors[i];
        for (size_t k = 0; k < v->n_aliases; k++)
            add_vendor_name(p, v, v->aliases[k]);
        add_vendor_name(p, v, v->id);
        add_vendor_name(p, v, v->name.zh);
        add_vendor_name(p, v, v->name.en);
    }
    p->vendors_by_id = lookup_of(p->vendors, p->n_vendors, sizeof *p->vendors,
                                 offsetof(struct vendor, id), p->arena);
    p->models_by_id =
        lookup_of(p->models, p->n_models, sizeof *p->models, offsetof(struct model, id), p->arena);
}

void project_index(struct project *p)
{
    p->by_case = arena_array(p->arena, p->n_results, sizeof *p->by_case);
    for (size_t i = 0; i < p->n_results; i++)
        p->by_case[i] = &p->results[i];
    if (p->n_results)
        qsort(p->by_case, p->n_results, sizeof *p->by_case, compare_case);
    p->peers = p->by_case;
    p->n_peers = p->n_results;
    p->by_id = arena_array(p->arena, p->n_cases, sizeof *p->by_id);
    for (size_t i = 0; i < p->n_cases; i++)
        p->by_id[i] = &p->cases[i];
    if (p->n_cases)
        qsort(p->by_id, p->n_cases, sizeof *p->by_id, compare_id);
    p->n_spellings = 0;
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        for (size_t k = 0; k < a->n_aliases; k++)
            add_spelling(p, a, a->aliases[k], SPELLING_ALIAS);
        add_spelling(p, a, a->name, SPELLING_NAME);
        add_spelling(p, a, a->id, SPELLING_ID);
    }
    if (p->n_spellings)
        qsort(p->spellings, p->n_spellings, sizeof *p->spellings, compare_spelling);
    memset(p->spellings_from, 0, sizeof p->spellings_from);
    for (size_t i = 0; i < p->n_spellings; i++)
        p->spellings_from[(unsigned char)p->spellings[i].text[0] + 1] = i + 1;
    for (size_t c = 1; c < sizeof p->spellings_from / sizeof *p->spellings_from; c++)
        if (p->spellings_from[c] < p->spellings_from[c - 1])
            p->spellings_from[c] = p->spellings_from[c - 1];
    index_vendors(p);
    project_index_looks(p);
}

/* The first of these results of this case, or the first behind them. */
static size_t bound_of_case(const struct result **all, size_t n, const char *case_id, bool behind)
{
    size_t from = 0, to = all ? n : 0;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(all[middle]->case_id, case_id);
        if (order < 0 || (behind && order == 0))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static const struct result **of_case(const struct result **all, size_t n_all, const char *case_id,
                                     size_t *n)
{
    size_t from = bound_of_case(all, n_all, case_id, false);
    *n = bound_of_case(all, n_all, case_id, true) - from;
    return all ? all + from : NULL;
}

const struct result **project_case_results(const struct project *p, const char *case_id, size_t *n)
{
    return of_case(p->peers, p->n_peers, case_id, n);
}

void project_give(struct project *p, const struct result *const *given, size_t n)
{
    size_t all = p->n_results + n, kept = 0;
    const struct result **peers = arena_array(p->arena, all, sizeof *peers);
    struct ranked *ranked = arena_array(p->arena, all, sizeof *ranked);
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){given[i], i};
    for (size_t i = n; i < all; i++)
        ranked[i] = (struct ranked){&p->results[i - n], i};
    if (all)
        qsort(ranked, all, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < all; i++)
        if (!i || compare_case(&ranked[i].result, &ranked[i - 1].result) != 0)
            peers[kept++] = ranked[i].result;
    p->peers = peers;
    p->n_peers = kept;
}

#define FIND_BY_ID(items, n, wanted)              \
    for (size_t i = 0; i < (n); i++)              \
        if (strcmp((items)[i].id, (wanted)) == 0) \
            return &(items)[i];                   \
    return NULL

const struct vendor *project_vendor(const struct project *p, const char *id)
{
    if (p->vendors_by_id.items == (const char *)p->vendors && p->vendors_by_id.n == p->n_vendors) {
        size_t i = lookup_find(&p->vendors_by_id, id);
        return i == LOOKUP_NONE ? NULL : &p->vendors[i];
    }
    FIND_BY_ID(p->vendors, p->n_vendors, id);
}

const struct case_record *project_case(const struct project *p, const char *id)
{
    const struct case_record wanted = {.id = id}, *key = &wanted;
    const struct case_record *const *hit;
    if (p->by_id && p->n_cases) {
        hit = bsearch(&key, p->by_id, p->n_cases, sizeof *p->by_id, compare_id);
        return hit ? *hit : NULL;
    }
    FIND_BY_ID(p->cases, p->n_cases, id);
}

const struct model *project_model(const struct project *p, const char *id)
{
    if (p->models_by_id.items == (const char *)p->models && p->models_by_id.n == p->n_models) {
        size_t i = lookup_find(&p->models_by_id, id);
        return i == LOOKUP_NONE ? NULL : &p->models[i];
    }
    FIND_BY_ID(p->models, p->n_models, id);
}

const struct result *project_result(const struct project *p, const char *vendor,
                                    const char *case_id)
{
    size_t n = p->n_results;
    const struct result **all = p->by_case ? of_case(p->by_case, p->n_results, case_id, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct result *r = all ? all[i] : &p->results[i];
        if (strcmp(r->vendor, vendor) == 0 && strcmp(r->case_id, case_id) == 0)
            return r;
    }
    return NULL;
}

const struct result *project_result_by_name(const struct project *p, const char *name,
                                            struct arena *arena)
{
    size_t n = strcspn(name, "/");
    return name[n] ? project_result(p, arena_strndup(arena, name, n), name + n + 1) : NULL;
}

/* Each factor may be 1e8: too much for an integer. */
double case_sequences(const struct case_record *c)
{
    double data = c->parallel ? plan_factor(c->parallel->data) : 1;
    return (double)c->micro_batch * plan_factor(c->gradient_accumulation) * data;
}

static bool same_as_any(const char *const *names, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (text_may_be_same(names[i], text) && text_same(names[i], text))
            return true;
    return false;
}

const struct model *project_find_model(const struct project *p, const char *text)
{
    const struct model *hit = NULL;
    for (size_t i = 0; i < p->n_models; i++) {
        const struct model *m = &p->models[i];
        const char *const own[] = {m->id, m->name.zh};
        if (!same_as_any(own, 2, text) && !same_as_any(m->aliases, m->n_aliases, text))
            continue;
        if (hit)
            return NULL;
        hit = m;
    }
    return hit;
}

const struct model *project_case_model(const struct project *p, const char *case_id)
{
    const struct case_record *c = project_case(p, case_id);
    const char *dash = strchr(case_id, '-');
    if (c && project_model(p, c->model))
        return project_model(p, c->model);
    struct arena scratch = ARENA_INIT;
    size_t n = dash ? (size_t)(dash - case_id) : strlen(case_id);
    const struct model *m = project_find_model(p, arena_strndup(&scratch, case_id, n));
    arena_release(&scratch);
    return m;
}

const struct model *project_result_model(const struct project *p, const struct result *r)
{
    const struct model *m = project_case_model(p, r->case_id);
    const char *named = result_general(r, "模型");
    return m || !named ? m : project_find_model(p, named);
}

/* Whose cards count: `only` this vendor's, and `own` before others; NULL: everybody's. */
struct preference {
    const char *only, *own;
};

static bool is_spelling_of(const struct spelling *s, const char *vendor)
{
    return vendor && strcmp(s->of->vendor, vendor) == 0;
}

/* Of two that begin in one place: the longer, else the preferred one of those with that text, which
 * are sorted. */
static bool wins(const struct spelling *s, const struct spelling *best, const char *own)
{
    if (!best || s->n != best->n)
        return !best || s->n > best->n;
    return is_spelling_of(s, own) && !is_spelling_of(best, own);
}

/* The spelling that stands in the folded text as a whole word from `at` on; NULL. */
static const struct spelling *match_spellings(const struct project *p, const char *at,
                                              const struct preference *preference)
{
    const struct spelling *best = NULL;
    unsigned char c = (unsigned char)*at;
    for (size_t i = p->spellings_from[c]; i < p->spellings_from[c + 1]; i++) {
        const struct spelling *s = &p->spellings[i];
        if (wins(s, best, preference->own) && strncmp(at, s->text, s->n) == 0 &&
            text_word_ends(at + s->n) && (!preference->only || is_spelling_of(s, preference->only)))
            best = s;
    }
    return best;
}

/* None where the text names two cards in words of one length. */
static const struct accelerator *find_accelerator(const struct project *p, const char *text,
                                                  struct preference preference)
{
    struct arena scratch = ARENA_INIT;
    const struct spelling *best = NULL;
    bool tie = false;
    const char *folded = text_fold_words(&scratch, text);
    for (const char *at = folded; *at && p->n_spellings; at++) {
        const struct spelling *s = NULL;
        if (at == folded || text_word_ends(at - 1))
            s = match_spellings(p, at, &preference);
        if (!s || (best && s->n < best->n))
            continue;
        tie = best && s->n == best->n && (tie || s->of != best->of);
        best = s;
    }
    arena_release(&scratch);
    return best && !tie ? best->of : NULL;
}

const struct accelerator *project_find_accelerator(const struct project *p, const char *text,
                                                   const char *vendor)
{
    return find_accelerator(p, text, (struct preference){.only = vendor});
}

const struct accelerator *project_find_card(const struct project *p, const char *text,
                                            const char *own)
{
    return find_accelerator(p, text, (struct preference){.own = own});
}
