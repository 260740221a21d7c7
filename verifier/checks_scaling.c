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

/* The whole system's throughput in samples per second; NaN when the row has none. */
static double system_rate(const struct audit *a, const struct claim *c)
{
    struct figure f;
    figure_parse(claim_cell(c, "p_core"), a->arena, &f);
    return f.kind == FIGURE_NUMBER && c->cards ? f.value : NAN;
}

static bool same_kind(const struct claim *a, const struct claim *b)
{
    return text_same(a->precision ? a->precision : "", b->precision ? b->precision : "") &&
           text_same(a->config.accelerator, b->config.accelerator);
}

/* The best row of as many cards and the same precision; itself when there is no better one. */
static const struct claim *best_of_size(const struct audit *a, const struct claim *c)
{
    const struct claim *best = c;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *x = &a->claims[i];
        if (x->cards == c->cards && same_kind(x, c) && system_rate(a, x) > system_rate(a, best))
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
        if (x->cards < c->cards && same_kind(x, c) && !isnan(system_rate(a, x)) && better)
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

void check_scaling(struct audit *a, const struct claim *c)
{
    double rate = system_rate(a, c);
    const struct claim *base = smaller(a, c, true), *before = smaller(a, c, false);
    if (isnan(rate) || best_of_size(a, c) != c || !base)
        return;
    double per_card = rate / (double)c->cards;
    double efficiency = per_card / (system_rate(a, base) / (double)base->cards);
    bool odd = efficiency > EFFICIENCY_MOST || efficiency < EFFICIENCY_LEAST;
    struct check_result *r =
        audit_report(a, odd ? OUTCOME_FAIL : OUTCOME_PASS, c, 0,
                     "%s samples/s and card on %ld cards, %s times those on %ld",
                     audit_number(a->arena, per_card), c->cards,
                     audit_fixed(a->arena, efficiency, 2), base->cards);
    r->stated = claim_cell(c, "p_core");
    r->expected = arena_printf(a->arena, "%g to %g times", EFFICIENCY_LEAST, EFFICIENCY_MOST);
    if (rate >= system_rate(a, before))
        return;
    r = audit_fail(a, c, "%ld cards do %s samples/s, %ld cards do %s", c->cards,
                   claim_cell(c, "p_core"), before->cards, claim_cell(before, "p_core"));
    r->stated = claim_cell(c, "p_core");
    r->expected = arena_printf(a->arena, "> %s", claim_cell(before, "p_core"));
}
