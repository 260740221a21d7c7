#include "verifier/checks/rules.h"

#include "base/text.h"
#include "verifier/checks/list.h"

#include <string.h>

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
