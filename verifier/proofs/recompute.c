#include "verifier/proofs/recompute.h"

#include "base/text.h"
#include "verifier/claims/rule.h"

const struct measure *product_of(const struct measured *m, const char *precision,
                                 struct arena *arena)
{
    static const struct {
        const char *name;
        enum measure_id id;
    } rows[] = {
        {"fp32", MEASURE_GEMM_FP32}, {"tf32", MEASURE_GEMM_TF32}, {"bf16", MEASURE_GEMM_BF16},
        {"amp", MEASURE_GEMM_BF16},  {"fp16", MEASURE_GEMM_FP16},
    };
    const char *folded = text_fold(arena, precision);
    size_t n = strcspn(folded, ",");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].name) == n && strncmp(rows[i].name, folded, n) == 0)
            return measured_find(m, rows[i].id);
    return NULL;
}

const char *recompute_unsound(const struct proof *p)
{
    const char *why = "the evidence is not intact";
    if (!p->opened)
        return p->missing ? "the evidence is missing" : why;
    if (p->loose)
        return NULL;
    bool other = p->evidence && p->evidence->sha256 &&
                 strcmp(p->evidence->sha256, p->submission.archive_sha256) != 0;
    return p->submission.intact && !other ? NULL : why;
}

bool recompute_next(const struct audit *a, const struct proof *p, size_t *i, const struct claim **c)
{
    *c = NULL;
    if (!p->evidence)
        return (*i)++ == 0;
    *c = proof_next_claim(a, p, i);
    return *c != NULL;
}

static const struct figure *found_figure(struct audit *a, const struct recomputed *x, int decimals)
{
    struct figure f = figure_fixed(x->value, decimals);
    if (x->pair)
        f = figure_joined(FIGURE_PAIR, f, figure_fixed(x->second, decimals));
    f.kind = x->flag ? FIGURE_FLAG : f.kind;
    f.percent = x->percent;
    return figure_kept(f, a->arena);
}

static struct metric *new_metric(struct audit *a, const struct claim *c, const char *key)
{
    struct metric *m = ARENA_PUSH(a->arena, a->verdict->metrics, a->verdict->n_metrics);
    *m = (struct metric){.name = key,
                         .unit = metrics_by_key(key)->unit,
                         .table = c ? c->table : 0,
                         .row = c ? c->row : 0,
                         .says = &figure_missing,
                         .outcome = OUTCOME_CANNOT};
    return m;
}

/* The row's figure; one is made where nothing can be stated: without a row, or without a column
 * that a page could have. NULL: the row has no such column. */
static struct metric *metric_of(struct audit *a, const struct claim *c, const char *key)
{
    const struct claim none = {0};
    struct metric *m = audit_metric(a, c ? c : &none, key);
    if (!m && (!c || metrics_is_extra(key)))
        m = new_metric(a, c, key);
    return m;
}

static double in_printed_unit(const struct recomputed *x, const struct figure *f, double value)
{
    /* MFU as a ratio is read as a ratio; a score of 0.35 beside 35 % likewise. */
    if (x->percent && !f->percent && f->value <= 1)
        return value / 100;
    return !x->percent && f->percent && fabs(value) <= 1 ? value * 100 : value;
}

/* A card of "40 GB" shows 39.6 GiB: what is stated may be its name. */
#define NOMINAL_TOTAL 0.03

static bool agrees_with_figure(const struct recomputed *x, const struct figure *f,
                               double *tolerance)
{
    double value = in_printed_unit(x, f, x->value);
    double stated = f->kind == FIGURE_EXPRESSION && x->pair ? f->each : f->value;
    *tolerance = figure_tolerance(f);
    bool first = fabs(stated - value) <= *tolerance * (1 + 1e-9);
    /* Names are whole numbers; the memory of a machine has none. */
    bool nominal = !x->exact && f->second == floor(f->second);
    double slack =
        fmax(figure_last_place(f->second_decimals), nominal ? NOMINAL_TOTAL * x->second : 0);
    bool second =
        !x->pair || f->kind != FIGURE_PAIR || fabs(f->second - x->second) <= slack * (1 + 1e-9);
    return first && second;
}

static void compare_recomputed(struct audit *a, const struct claim *c, struct metric *m,
                               const struct recomputed *x)
{
    const struct figure f = *m->says;
    double tolerance;
    if (!figure_has_value(&f))
        return;
    bool ok = agrees_with_figure(x, &f, &tolerance);
    int decimals = f.decimals > x->decimals ? f.decimals : x->decimals;
    m->found = found_figure(a, x, decimals);
    m->tolerance = figure_kept(figure_fixed(tolerance, f.decimals), a->arena);
    m->outcome = ok ? OUTCOME_PASS : OUTCOME_FAIL;
    m->reason = NULL;
    const char *found = figure_print(m->found, a->arena);
    struct check_result *r =
        audit_report(a, m->outcome, c, 0, "%s is stated as %s, but the evidence gives %s: %s",
                     x->key, m->stated, found, x->derivation);
    audit_expect(r, m->stated, found);
    r->tolerance = figure_print(m->tolerance, a->arena);
    if (!ok && x->file) {
        r->file = x->file;
        r->line = x->line;
    }
}

void recompute_put(struct audit *a, const struct claim *c, const struct recomputed *x)
{
    struct metric *m = metric_of(a, c, x->key);
    if (!m)
        return;
    m->derivation = x->derivation;
    m->source = "evidence";
    m->rule = a->rule->id;
    m->input = x->file;
    m->input_line = x->line;
    m->input_from = x->from;
    m->found = found_figure(a, x, x->decimals);
    if (m->stated)
        compare_recomputed(a, c, m, x);
    else if (!isfinite(x->value))
        m->reason = "the value from the evidence is not a number";
    else if (!c || metrics_is_extra(x->key))
        m->outcome = OUTCOME_PASS;
}

void recompute_put_all(struct audit *a, const struct proof *p, const struct recomputed *x)
{
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);)
        recompute_put(a, c, x);
}

void recompute_cannot(struct audit *a, const struct claim *c, const char *key, const char *why)
{
    struct metric *m = metric_of(a, c, key);
    if (!m || m->found)
        return;
    if (m->claimed || !c || metrics_is_extra(key))
        m->reason = why;
    if (m->claimed)
        audit_cannot(a, c, "%s cannot be recomputed: %s", key, why);
}

void recompute_cannot_all(struct audit *a, const struct proof *p, const char *key, const char *why)
{
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);)
        recompute_cannot(a, c, key, why);
}
