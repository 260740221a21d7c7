/* Rules about the page as a text: empty fields, headings of another vendor, rows that are named
 * but not there. */
#include "verifier/checks.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void note_doubled(struct audit *a, const struct item *item)
{
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, item->line, "'%s' stands again in its own value '%s'",
                     item->label, item->value);
    r->stated = item->value;
    r->expected = "the value alone";
}

/* "机器型号: 机器型号: R5300"; "cuda: cuda_11.8" is a name that begins with another. */
static bool repeats_label(const struct item *item)
{
    size_t n = strlen(item->label);
    if (strncmp(item->value, item->label, n) != 0)
        return false;
    const char *rest = item->value + n + strspn(item->value + n, " ");
    return *rest == ':' || text_starts(rest, "：");
}

static void note_empty(void *data, const struct item *item, const char *key)
{
    struct audit *a = data;
    (void)key;
    if (item->label && repeats_label(item)) {
        note_doubled(a, item);
        return;
    }
    /* A bullet whose value is its sub-bullets is not empty. */
    if (!item->label || item->n_items || strspn(item->value, " \t\n") != strlen(item->value))
        return;
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, item->line,
                     "'%s' is empty; '/' says that it is withheld", item->label);
    r->stated = item->label;
    r->expected = "a value";
}

void check_empty_fields(struct audit *a)
{
    size_t before = a->verdict->n_checks;
    audit_items(a, note_empty, a);
    if (a->verdict->n_checks == before && a->result->n_environments)
        audit_pass(a, NULL, "every field of the environment says something");
}

/* The vendor that a heading names: by accelerator, else by name. */
static const char *named_vendor(const struct audit *a, const char *heading)
{
    const struct accelerator *card = project_find_accelerator(a->project, heading, NULL);
    if (card)
        return card->vendor;
    const char *folded = text_fold(a->arena, heading);
    const char *vendor = NULL;
    for (size_t i = 0; i < a->project->n_vendors; i++) {
        const struct vendor *v = &a->project->vendors[i];
        for (size_t k = 0; k < v->n_aliases + 3; k++) {
            const char *name = k < v->n_aliases        ? v->aliases[k]
                               : k == v->n_aliases     ? v->id
                               : k == v->n_aliases + 1 ? v->name.zh
                                                       : v->name.en;
            name = name ? text_fold(a->arena, name) : "";
            if (strlen(name) >= 3 && strstr(folded, name))
                vendor = v->id;
        }
    }
    return vendor;
}

static bool heading_is_foreign(struct audit *a, const char *heading, int line)
{
    const char *vendor = heading ? named_vendor(a, heading) : NULL;
    if (!vendor || strcmp(vendor, a->result->vendor) == 0)
        return false;
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, line, "the heading '%s' names %s, the result is of %s",
                     heading, vendor, a->result->vendor);
    r->stated = heading;
    r->expected = a->result->vendor;
    return true;
}

void check_foreign_heading(struct audit *a)
{
    const struct result *r = a->result;
    if (!project_vendor(a->project, r->vendor)) {
        audit_cannot(a, NULL, "the project has no record of the vendor '%s'", r->vendor);
        return;
    }
    bool foreign = heading_is_foreign(a, r->title, r->line);
    for (size_t i = 0; i < r->n_environments; i++) {
        const struct environment *e = &r->environments[i];
        foreign |= heading_is_foreign(a, e->title, e->line);
        for (size_t k = 0; k < e->n_groups; k++)
            foreign |= heading_is_foreign(a, e->groups[k].label, e->groups[k].line);
    }
    if (!foreign)
        audit_pass(a, NULL, "no heading names another vendor");
}

/* "第4组" in the text: which row it names; *s moves behind it. 0 at the end. */
static long next_reference(const char **s)
{
    for (const char *at; (at = strstr(*s, "第")) != NULL;) {
        char *end;
        *s = at + strlen("第");
        long n = strtol(*s, &end, 10);
        while (*end == ' ')
            end++;
        if (n > 0 && n < 10000 && text_starts(end, "组"))
            return n;
    }
    return 0;
}

/* The text stands before the table whose rows it counts. */
void check_row_reference(struct audit *a)
{
    const struct result *r = a->result;
    for (size_t i = 0; i < r->n_performance; i++) {
        const char *text = r->performance[i].text.zh;
        size_t rows = 0;
        for (size_t k = i; k < r->n_performance && !rows; k++)
            rows = r->performance[k].table ? r->performance[k].table->n_rows : 0;
        for (long n; text && rows && (n = next_reference(&text)) > 0;) {
            bool there = (size_t)n <= rows;
            struct check_result *c =
                audit_report(a, there ? OUTCOME_PASS : OUTCOME_FAIL, NULL, r->performance[i].line,
                             "the text names row %ld; the table has %zu %s", n, rows,
                             rows == 1 ? "row" : "rows");
            c->stated = arena_printf(a->arena, "第%ld组", n);
            c->expected = arena_printf(a->arena, "at most %zu", rows);
        }
    }
}

void check_size(struct audit *a)
{
    if (a->too_many)
        audit_fail(a, NULL, "the result has more %s than are checked", a->too_many);
}
