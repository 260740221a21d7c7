/* Rules about names: those of another kind of model, and those that are misspelt. */
#include "verifier/checks/checks.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/case_kinds.h"

#include "base/figures/labels.h"
#include "base/text.h"

#include <string.h>

/* The line of a row of the general table, whatever it says; 0. */
static int line_of_row(const struct audit *a, const char *key)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct label *label =
            t->rows[i].n_cells ? label_find(LABEL_GENERAL, t->rows[i].cells[0].text) : NULL;
        if (label && strcmp(label->key, key) == 0)
            return t->rows[i].line;
    }
    return 0;
}

/* The family whose list has the text, where the own list has it not; NULL. */
static const char *whose(const struct case_kind *own, size_t list, const char *text)
{
    size_t n;
    const struct case_kind *kinds = case_kinds(&n);
    const char *mine, *theirs;
    memcpy(&mine, (const char *)own + list, sizeof mine);
    for (size_t i = 0; mine && !case_kind_has(mine, text) && i < n; i++) {
        memcpy(&theirs, (const char *)&kinds[i] + list, sizeof theirs);
        if (case_kind_has(theirs, text))
            return kinds[i].family;
    }
    return NULL;
}

static struct check_result *report_kind(struct audit *a, const struct case_kind *own, int line,
                                        const char *what, const char *text, const char *family)
{
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, line, "the %s '%s' is that of %s, the result is of %s",
                     what, text, family, a->result->case_id);
    r->stated = text;
    r->expected = arena_printf(a->arena, "%s of %s", what, own->family);
    return r;
}

static void check_general(struct audit *a, const struct case_kind *own, const char *key,
                          const char *what, size_t list, enum severity severity)
{
    const char *text = audit_general(a, key);
    const char *family = text ? whose(own, list, text_fold(a->arena, text)) : NULL;
    if (family)
        report_kind(a, own, audit_general_line(a, key), what, text, family)->severity = severity;
}

/* One finding for the scores: where the general table announces them, else at the table. */
static void check_scores(struct audit *a, const struct case_kind *own)
{
    const struct table **tables;
    size_t n = result_figure_tables(a->result, a->arena, &tables);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_columns; k++) {
            const struct metrics_column *m = metrics_column(tables[i]->columns[k]);
            const char *family = m && m->kind == COLUMN_SCORE
                                     ? whose(own, offsetof(struct case_kind, scores), m->key)
                                     : NULL;
            int line = line_of_row(a, "result");
            if (!family)
                continue;
            report_kind(a, own, line ? line : tables[i]->line, "score", tables[i]->columns[k],
                        family);
            return;
        }
}

static void check_older_scores(struct audit *a, const struct case_kind *own)
{
    for (size_t i = 0; i < a->n_older; i++) {
        const char *header = older_header(&a->older[i], OLDER_REACHED);
        const char *family =
            whose(own, offsetof(struct case_kind, scores), text_fold(a->arena, header));
        if (family)
            report_kind(a, own, a->older[i].line, "score", header, family);
    }
}

/* What is said of the task is free text, and a slip in it changes no figure: a notice. */
void check_kind(struct audit *a)
{
    const char *id = a->result->case_id;
    const struct case_kind *own =
        case_kind_of(case_kind_bare(arena_strndup(a->arena, id, strcspn(id, "-")), a->arena));
    if (!own)
        return;
    check_general(a, own, "task", "task", offsetof(struct case_kind, task), SEVERITY_NOTICE);
    check_general(a, own, "dataset", "data set", offsetof(struct case_kind, data),
                  SEVERITY_WARNING);
    check_scores(a, own);
    check_older_scores(a, own);
}

static void report_near(struct audit *a, int line, const char *text, const char *near)
{
    struct check_result *r = audit_report(a, OUTCOME_FAIL, NULL, line,
                                          "'%s' is not known, it is almost '%s'", text, near);
    r->stated = text;
    r->expected = near;
}

static void check_hardware_name(void *data, const struct item *item, const char *key)
{
    static const char *const keys[] = {"machine", "accelerator", "machine_accelerator"};
    struct audit *a = data;
    for (size_t i = 0; key && i < sizeof keys / sizeof keys[0]; i++) {
        const char *near = strcmp(key, keys[i]) == 0 ? cards_near(a, item->value) : NULL;
        if (near)
            report_near(a, item->line, item->value, near);
    }
}

/* One letter too many, too few, another one, or two exchanged; digits are a size's (FP3012). */
static bool is_slip(const char *name, const char *family)
{
    size_t n = strlen(name), m = strlen(family), head = 0, tail = 0, shorter = n < m ? n : m;
    while (head < shorter && name[head] == family[head])
        head++;
    while (tail < shorter - head && name[n - 1 - tail] == family[m - 1 - tail])
        tail++;
    size_t left = n - head - tail, right = m - head - tail;
    bool exchanged =
        left == 2 && right == 2 && name[head] == family[head + 1] && name[head + 1] == family[head];
    bool one = left <= 1 && right <= 1 && left + right > 0;
    const char *digits = "0123456789";
    return m >= 5 && (one || exchanged) && !memchr(digits, left ? name[head] : 'a', 10) &&
           !memchr(digits, right ? family[head] : 'a', 10);
}

static void check_model_name(struct audit *a)
{
    const char *named = audit_general(a, "model"), *id = a->result->case_id;
    const char *name = named ? case_kind_bare(named, a->arena) : "";
    const char *own = case_kind_bare(arena_strndup(a->arena, id, strcspn(id, "-")), a->arena);
    if (named && !project_find_model(a->project, named) && !case_kind_find(name) &&
        is_slip(name, own))
        report_near(a, audit_general_line(a, "model"), named, own);
}

void check_spelling(struct audit *a)
{
    const char *device = audit_general(a, "device");
    const char *near = device ? cards_near(a, device) : NULL;
    audit_items(a, check_hardware_name, a);
    if (near)
        report_near(a, audit_general_line(a, "device"), device, near);
    check_model_name(a);
}
