#include "base/project/names.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A record that uses a name. */
struct claim {
    const char *name, *file;
    int line;
    size_t capitals; /* of two, the one with fewer may keep it */
    size_t rank;     /* else the lower one */
    bool *left_out;
    bool of_result; /* its vendor or case, by name */
};

struct claims {
    struct claim *items;
    size_t n;
    bool by_capitals, of_results;
    bool faulty; /* something was left out that is an error */
    struct arena *arena;
    struct diags *diags;
};

size_t project_name_capitals(const char *id)
{
    size_t n = 0;
    for (; *id; id++)
        n += *id >= 'A' && *id <= 'Z';
    return n;
}

static void claim(struct claims *c, const char *name, const char *file, int line, bool *left_out)
{
    *(struct claim *)ARENA_PUSH(c->arena, c->items, c->n) = (struct claim){
        name,     file,     line,         c->by_capitals ? project_name_capitals(name) : 0,
        c->n - 1, left_out, c->of_results};
}

static int compare_claims(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;
    int order = strcasecmp(x->name, y->name);
    order = order ? order : (x->capitals > y->capitals) - (x->capitals < y->capitals);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* A result that came second must not keep the others from being published. */
static void leave_out_claim(struct claims *c, const struct claim *of, const char *why)
{
    enum severity severity = of->of_result ? SEVERITY_WARNING : SEVERITY_ERROR;
    if (!*of->left_out)
        diags_add(c->diags, severity, of->file, of->line, 0, "left out: %s", why);
    c->faulty = c->faulty || !of->of_result;
    *of->left_out = true;
}

/* Who is not the first to use a name has to write it in the same way. */
static void settle_claims(struct claims *c)
{
    size_t first = 0;
    if (c->n)
        qsort(c->items, c->n, sizeof *c->items, compare_claims);
    for (size_t i = 1; i < c->n; i++) {
        const struct claim *own = &c->items[i], *other = &c->items[first];
        if (strcasecmp(own->name, other->name) != 0)
            first = i;
        else if (strcmp(own->name, other->name) != 0)
            leave_out_claim(
                c, own,
                arena_printf(c->arena,
                             "found the name \"%s\", which differs from \"%s\" (%s) in the "
                             "case of letters only",
                             own->name, other->name, other->file));
    }
    c->n = 0;
    c->items = NULL;
}

/* What a site has beside the files of records, and files at its top. */
static bool is_of_site(const char *path)
{
    static const char *const folders[] = {"archive", "data",    "en", "pages",
                                          "result",  "signers", "zh"};
    size_t n = strcspn(path, "/");
    if (!path[n])
        return !text_ends(path, ".tar.zst") && !text_ends(path, ".csv");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strlen(folders[i]) == n && strncasecmp(path, folders[i], n) == 0)
            return true;
    return false;
}

static void claim_path(struct claims *c, const char *path, const char *file, int line,
                       bool *left_out)
{
    claim(c, path, file, line, left_out);
    if (is_of_site(path))
        leave_out_claim(
            c, &c->items[c->n - 1],
            arena_printf(c->arena,
                         "found the path \"%s\", which pages of the site have, expected one "
                         "like evidence/…",
                         path));
}

/* Of each record of a kind. */
struct fates {
    bool *vendors, *accelerators, *models, *cases, *results, *reproductions;
};

static const char *file_of_claim(const struct project *p, const char *folder, const char *id)
{
    return arena_printf(p->arena, "%s/%s/%s.json", p->root, folder, id);
}

static void settle_vendors(const struct project *p, struct claims *c, struct fates *f)
{
    for (size_t i = 0; i < p->n_vendors; i++)
        claim(c, p->vendors[i].id, file_of_claim(p, "vendors", p->vendors[i].id),
              p->vendors[i].line, &f->vendors[i]);
    c->of_results = true;
    for (size_t i = 0; i < p->n_results; i++)
        claim(c, p->results[i].vendor, p->results[i].file, p->results[i].line, &f->results[i]);
    c->of_results = false;
    settle_claims(c);
}

static void settle_cases(const struct project *p, struct claims *c, struct fates *f)
{
    for (size_t i = 0; i < p->n_cases; i++)
        claim(c, p->cases[i].id, p->cases[i].file, p->cases[i].line, &f->cases[i]);
    c->of_results = true;
    for (size_t i = 0; i < p->n_results; i++)
        claim(c, p->results[i].case_id, p->results[i].file, p->results[i].line, &f->results[i]);
    c->of_results = false;
    settle_claims(c);
}

static void settle_things(const struct project *p, struct claims *c, struct fates *f)
{
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        claim(c, a->id, file_of_claim(p, "accelerators", a->id), a->line, &f->accelerators[i]);
    }
    settle_claims(c);
    for (size_t i = 0; i < p->n_models; i++)
        claim(c, p->models[i].id, file_of_claim(p, "models", p->models[i].id), p->models[i].line,
              &f->models[i]);
    settle_claims(c);
}

static void settle_paths(const struct project *p, struct claims *c, struct fates *f)
{
    for (size_t i = 0; i < p->n_cases; i++) {
        const struct case_alignment *a = p->cases[i].alignment;
        if (a && a->reference)
            claim_path(c, a->reference, p->cases[i].file, a->line, &f->cases[i]);
    }
    for (size_t i = 0; i < p->n_results; i++)
        for (size_t k = 0; k < p->results[i].n_evidence; k++) {
            const struct evidence *e = &p->results[i].evidence[k];
            claim_path(c, e->archive, p->results[i].file, e->line, &f->results[i]);
        }
    for (size_t i = 0; i < p->n_reproductions; i++) {
        const struct reproduction *r = &p->reproductions[i];
        claim_path(c, r->archive, r->file, r->line, &f->reproductions[i]);
    }
    settle_claims(c);
}

/* The items that stay, in their order. */
static void keep_unclaimed(void *items, size_t size, size_t *n, const bool *left_out)
{
    size_t kept = 0, all = *n;
    for (size_t i = 0; i < all; i++)
        if (!left_out[i])
            memmove((char *)items + kept++ * size, (char *)items + i * size, size);
    *n = kept;
}

#define FATES(p, kind, arena) arena_array(arena, (p)->n_##kind, sizeof(bool))
#define KEEP(p, kind, f) keep_unclaimed((p)->kind, sizeof *(p)->kind, &(p)->n_##kind, (f)->kind)

int project_names_check(struct project *p, struct diags *diags)
{
    struct arena scratch = ARENA_INIT;
    struct claims c = {.arena = &scratch, .diags = diags};
    struct fates f = {.vendors = FATES(p, vendors, &scratch),
                      .accelerators = FATES(p, accelerators, &scratch),
                      .models = FATES(p, models, &scratch),
                      .cases = FATES(p, cases, &scratch),
                      .results = FATES(p, results, &scratch),
                      .reproductions = FATES(p, reproductions, &scratch)};
    c.by_capitals = true;
    settle_vendors(p, &c, &f);
    settle_things(p, &c, &f);
    c.by_capitals = false;
    settle_cases(p, &c, &f);
    settle_paths(p, &c, &f);
    KEEP(p, vendors, &f);
    KEEP(p, accelerators, &f);
    KEEP(p, models, &f);
    KEEP(p, cases, &f);
    KEEP(p, results, &f);
    KEEP(p, reproductions, &f);
    arena_release(&scratch);
    return c.faulty ? -1 : 0;
}
