#include "verifier/checks/rules.h"

#include "verifier/checks/list.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/reproduction.h"

static const struct rules_set sets[] = {
    {"2026.1", "pages, figures, environment, submissions"},
    {"2026.2", "every log format, run trees, reproduction"},
    {"2026.3", "dead runs, impossible speeds and times, copies"},
};

const struct rules_set *rules_sets(size_t *n)
{
    *n = sizeof sets / sizeof sets[0];
    return sets;
}

const char *rules_version(const struct rules *r)
{
    return r && r->version ? r->version : RULES_CURRENT;
}

/* "2026.10" comes behind "2026.2". */
bool rules_in_set(const struct rule *c, const char *version)
{
    return strverscmp(c->since, version) <= 0 && (!c->until || strverscmp(version, c->until) < 0);
}

bool rules_has(const struct rules *r, const struct rule *c)
{
    if (!rules_in_set(c, rules_version(r)))
        return false;
    bool chosen = !r || !r->n_only;
    for (size_t i = 0; !chosen && i < r->n_only; i++)
        chosen = text_starts(c->id, r->only[i]);
    return chosen;
}

size_t rules_count(const struct rules *r, size_t *all)
{
    size_t n, chosen = 0;
    const struct rule *const *rules = rules_all(&n);
    *all = 0;
    for (size_t i = 0; i < n; i++) {
        chosen += rules_has(r, rules[i]);
        *all += rules_in_set(rules[i], rules_version(r));
    }
    return chosen;
}

bool rules_partial(const struct rules *r)
{
    size_t all;
    return r && r->n_only && rules_count(r, &all) < all;
}

bool rules_sealed(const struct rules *r)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    for (size_t i = 0; i < n; i++)
        if (rules_has(r, rules[i]) && !rules[i]->sealed)
            return false;
    return true;
}

bool rules_name(const char *version, const char *word)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    for (size_t i = 0; strlen(word) > strlen("FP") && i < n; i++)
        if (rules_in_set(rules[i], version) && text_starts(rules[i]->id, word))
            return true;
    return false;
}

const char *rules_only_text(const struct rules *r, struct arena *arena)
{
    const char *text = "";
    if (!rules_partial(r))
        return NULL;
    for (size_t i = 0; i < r->n_only; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? "," : "", r->only[i]);
    return text;
}

/* "new", the older row of the same id that ends where this one begins, makes it "changed". */
static bool replaces(const struct rule *c, const struct rule *const *rules, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i]->id, c->id) == 0 && rules[i]->until &&
            strcmp(rules[i]->until, c->since) == 0)
            return true;
    return false;
}

static bool is_replaced(const struct rule *c, const struct rule *const *rules, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i]->id, c->id) == 0 && strcmp(rules[i]->since, c->until) == 0)
            return true;
    return false;
}

static void list_row(const struct rule *c, const char *what, struct buf *out)
{
    buf_printf(out, "  %-7s  %s  %-7s  %s\n", what, c->id, severity_name(c->severity),
               c->title.en ? c->title.en : c->title.zh);
}

static void list_set(const struct rules_set *set, bool first, struct buf *out)
{
    size_t n, all;
    const struct rule *const *rules = rules_all(&n);
    rules_count(&(struct rules){.version = set->version}, &all);
    buf_printf(out, "%s  %zu rules: %s%s\n", set->version, all, set->what,
               strcmp(set->version, RULES_CURRENT) == 0 ? " (current)" : "");
    for (size_t i = 0; !first && i < n; i++) {
        const struct rule *c = rules[i];
        if (strcmp(c->since, set->version) == 0)
            list_row(c, replaces(c, rules, n) ? "changed" : "new", out);
        if (c->until && strcmp(c->until, set->version) == 0 && !is_replaced(c, rules, n))
            list_row(c, "ended", out);
    }
}

void rules_list_text(struct buf *out)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        list_set(&sets[i], i == 0, out);
}

/* What a file says that is not there can be held against nobody: rules about more than the archive
 * itself are not applied to a redacted submission. */
static void run_proof(struct audit *a, const struct rule *r, struct proof *p)
{
    if (!p->submission.n_withheld || r->sealed)
        r->proof(a, p);
    else if (a->project->retraining || !text_starts(r->id, "FP6")) /* which nobody asked for */
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "some files of the submission are withheld, but this check needs all files");
}

static void run_on_proofs(struct audit *a, const struct rule *r)
{
    for (size_t i = 0; r->proof && i < a->n_proofs; i++)
        run_proof(a, r, &a->proofs[i]);
}

static void run_on_all(struct audit *a, const struct rule *r)
{
    if (r->page && a->result)
        r->page(a);
    for (size_t i = 0; r->claim && i < a->n_claims; i++)
        r->claim(a, &a->claims[i]);
    for (size_t i = 0; r->older && i < a->n_older; i++)
        for (size_t k = 0; k < a->older[i].n_rows; k++)
            r->older(a, &a->older[i], &a->older[i].rows[k]);
    run_on_proofs(a, r);
    for (size_t i = 0; r->reproduction && i < a->n_reproductions; i++)
        r->reproduction(a, &a->reproductions[i]);
}

static void run_each(struct audit *a, void (*run)(struct audit *a, const struct rule *r))
{
    size_t n;
    const struct rule *const *all = rules_all(&n);
    for (size_t i = 0; i < n; i++) {
        a->rule = all[i];
        if (rules_has(a->rules, a->rule))
            run(a, a->rule);
    }
}

void rules_run(struct audit *a)
{
    run_each(a, run_on_all);
}

void rules_run_proofs(struct audit *a)
{
    run_each(a, run_on_proofs);
}
