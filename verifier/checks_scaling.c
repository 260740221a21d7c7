/*
 * Rates of one row among each other, and throughput per card across sizes. The best row of each
 * number of cards counts, because rows differ in batch size. More per card on more cards, or little
 * more in all, is possible (memory, batch size, all-to-all traffic) and worth a question: a
 * warning, never an error.
 */
#include "verifier/checks.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define EFFICIENCY_MOST 1.25
#define EFFICIENCY_LEAST 0.6
#define EFFICIENCY_POOR 0.5 /* between this and the least a network may be slow: a notice */

/* The columns that a row's rate is taken from: the first that has a figure. */
static const struct rate_column {
    const char *key;
    bool per_card;
} rate_columns[] = {
    {"p_core", false},
    {"p_train", false},
    {"p_whole", false},
    {"token_per_s_per_card", true},
};

static const struct rate_column *rate_column(const struct audit *a, const struct claim *c,
                                             struct figure *f)
{
    for (size_t i = 0; i < sizeof rate_columns / sizeof rate_columns[0]; i++) {
        figure_parse(claim_cell(c, rate_columns[i].key), a->arena, f);
        if (f->kind == FIGURE_NUMBER)
            return &rate_columns[i];
    }
    return NULL;
}

/* The whole system's throughput per second; NaN when the row has none. */
static double system_rate(const struct audit *a, const struct claim *c)
{
    struct figure f;
    const struct rate_column *column = rate_column(a, c, &f);
    if (!column || !c->cards)
        return NAN;
    return column->per_card ? f.value * (double)c->cards : f.value;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* Rows whose rates can be compared: of one column, card and precision; tokens per second also of
 * the same batch and stage, which change more than the number of cards does. */
static bool same_kind(const struct audit *a, const struct claim *x, const struct claim *y)
{
    struct figure f;
    const struct rate_column *column = rate_column(a, x, &f);
    if (column != rate_column(a, y, &f) || x->of != y->of)
        return false;
    bool same_batch = !column || !column->per_card ||
                      (text_same(or_empty(claim_cell(x, "hyperparameters")),
                                 or_empty(claim_cell(y, "hyperparameters"))) &&
                       text_same(or_empty(x->config.stage), or_empty(y->config.stage)));
    return same_batch && text_same(or_empty(x->precision), or_empty(y->precision)) &&
           text_same(x->config.accelerator, y->config.accelerator);
}

/* The best row of as many cards and the same precision; itself when there is no better one. */
static const struct claim *best_of_size(const struct audit *a, const struct claim *c)
{
    const struct claim *best = c;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *x = &a->claims[i];
        if (x->cards == c->cards && same_kind(a, x, c) && system_rate(a, x) > system_rate(a, best))
            best = x;
    }
    return best;
}

/* The best row of the next smaller size, or of the smallest; NULL when this is the smallest. */
static const struct claim *smaller(const struct audit *a, const struct claim *c, bool smallest)
{
    const struct claim *hit = NULL;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *x = &a->claims[i];
        bool better = !hit || (smallest ? x->cards < hit->cards : x->cards > hit->cards);
        if (x->cards < c->cards && same_kind(a, x, c) && !isnan(system_rate(a, x)) && better)
            hit = x;
    }
    return hit ? best_of_size(a, hit) : NULL;
}

/* "p3>p2>p1", as general tables say: each rate leaves out more of the time than the one before.
 * Equal is possible: nothing was left out, or less than is printed. */
void check_rates(struct audit *a, const struct claim *c)
{
    static const char *const rates[] = {"p_whole", "p_train", "p_core"};
    const char *before = NULL, *other = NULL;
    double least = NAN;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const char *text = claim_cell(c, rates[i]);
        struct figure f;
        figure_parse(text, a->arena, &f);
        if (f.kind != FIGURE_NUMBER)
            continue;
        bool ok = !before || f.value + figure_last_place(f.decimals) >= least;
        if (before) {
            struct check_result *r =
                audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0, "%s is %s, and %s is %s",
                             rates[i], text, before, other);
            r->stated = text;
            r->expected = arena_printf(a->arena, ">= %s", other);
        }
        before = rates[i], other = text, least = f.value;
    }
}

/* "1.7e6 a second on 16 cards": what a row's rate is for all its cards. */
static const char *shown(const struct audit *a, const struct claim *c)
{
    return audit_number(a->arena, system_rate(a, c));
}

static void report_efficiency(struct audit *a, const struct claim *c, const struct claim *base)
{
    double per_card = system_rate(a, c) / (double)c->cards;
    double efficiency = per_card / (system_rate(a, base) / (double)base->cards);
    bool odd = efficiency > EFFICIENCY_MOST || efficiency < EFFICIENCY_LEAST;
    struct check_result *r =
        audit_report(a, odd ? OUTCOME_FAIL : OUTCOME_PASS, c, 0,
                     "%s a second and card on %ld cards, %s times those on %ld",
                     audit_number(a->arena, per_card), c->cards,
                     audit_fixed(a->arena, efficiency, 2), base->cards);
    if (efficiency < EFFICIENCY_LEAST && efficiency >= EFFICIENCY_POOR)
        r->severity = SEVERITY_NOTICE;
    r->stated = shown(a, c);
    r->expected = arena_printf(a->arena, "%g to %g times", EFFICIENCY_LEAST, EFFICIENCY_MOST);
}

void check_scaling(struct audit *a, const struct claim *c)
{
    double rate = system_rate(a, c);
    if (isnan(rate) || best_of_size(a, c) != c)
        return;
    const struct claim *base = smaller(a, c, true), *before = smaller(a, c, false);
    if (!base)
        return;
    report_efficiency(a, c, base);
    if (rate >= system_rate(a, before))
        return;
    struct check_result *r = audit_fail(a, c, "%ld cards do %s a second, %ld cards do %s", c->cards,
                                        shown(a, c), before->cards, shown(a, before));
    r->stated = shown(a, c);
    r->expected = arena_printf(a->arena, "> %s", shown(a, before));
}
