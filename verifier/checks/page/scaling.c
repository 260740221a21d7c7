/*
 * Rates of one row among each other, and throughput per card across sizes. The best row of each
 * number of cards counts, because rows differ in batch size. More per card on more cards, or little
 * more in all, is possible (memory, batch size, all-to-all traffic) and worth a question: a
 * warning, never an error.
 */
#include "verifier/checks/checks.h"
#include "verifier/checks/page/older.h"

#include "verifier/claims/alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_FACTOR 3

/* p_whole over p_train: the share of the time that is training; NaN. */
static double training_share(const struct claim *c)
{
    const struct figure *whole = claim_figure(c, "p_whole"), *train = claim_figure(c, "p_train");
    bool both = whole->kind == FIGURE_NUMBER && train->kind == FIGURE_NUMBER && train->value > 0;
    return both ? whole->value / train->value : NAN;
}

/* The row of the table that begins at `from` which trains the greatest share of its time, the first
 * of several; NULL. */
static const struct claim *best_share(const struct audit *a, const struct claim *from)
{
    const struct claim *best = NULL;
    for (const struct claim *c = from; c < a->claims + a->n_claims && c->of == from->of; c++) {
        double share = training_share(c);
        if (!isnan(share) && (!best || share > training_share(best)))
            best = c;
    }
    return best;
}

/* A row that trains a far smaller share of its time than another has a slip in one of the two. */
static void check_share(struct audit *a, const struct claim *c, const struct claim *best)
{
    double own = training_share(c), most = best ? training_share(best) : NAN;
    if (isnan(own) || most <= SHARE_FACTOR * own)
        return;
    struct check_result *r = audit_fail(a, c, "p_whole is %s %% of p_train, in row %d it is %s %%",
                                        audit_fixed(a->arena, own * 100, 1), best->row,
                                        audit_fixed(a->arena, most * 100, 1));
    r->stated = claim_cell(c, "p_whole");
    r->expected =
        arena_printf(a->arena, "about %s %% of p_train", audit_fixed(a->arena, most * 100, 0));
}

/* "p3>p2>p1", as general tables say: each rate leaves out more of the time than the one before.
 * Equal is possible: nothing was left out, or less than is printed. */
static void check_order(struct audit *a, const struct claim *c)
{
    static const char *const rates[] = {"p_whole", "p_train", "p_core"};
    const char *before = NULL, *other = NULL;
    double least = NAN;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const char *text = claim_cell(c, rates[i]);
        const struct figure f = *claim_figure(c, rates[i]);
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

void check_rates(struct audit *a)
{
    const struct claim *best = NULL;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        if (i == 0 || c->of != a->claims[i - 1].of)
            best = best_share(a, c);
        check_share(a, c, best);
        check_order(a, c);
    }
}

/* Columns of rates, and how many times the rate per card of the smallest size it may be. Where the
 * time to start up counts (p_train, p_whole) small cases are slow on many cards, whatever it is. */
static const struct rate_column {
    const char *key;
    bool per_card;
    double least, poor, most; /* between poor and least a network may be slow: a notice */
} rate_columns[] = {
    {"p_core", false, 0.6, 0.5, 1.25},
    {"p_train", false, 0, 0, 2},
    {"p_whole", false, 0, 0, 2},
    {"token_per_s_per_card", true, 0.6, 0.5, 1.25},
};

/* What the rows say that rates are compared by; equal texts have equal numbers
 * (verifier/claims/alike.h). */
struct row_kinds {
    const size_t *cards, *precisions, *batches, *stages;
};

#define N_KINDS 5

/* A row with a rate in the column under examination. */
struct rated {
    size_t kind[N_KINDS]; /* table, card, precision, batch, stage: rates of the same are compared */
    long cards;
    double rate; /* of the whole system */
    size_t at;   /* among the claims */
};

/* One column under examination, for each claim: places of the claims that it is compared with, the
 * best row of its own size, of the smallest and of the next smaller one; SIZE_MAX: there is none.
 */
struct scaling {
    struct audit *a;
    const struct rate_column *column;
    double *rates; /* of the whole system; NaN */
    size_t *best, *smallest, *before;
};

static double system_rate(const struct claim *c, const struct rate_column *column)
{
    const struct figure f = *claim_figure(c, column->key);
    if (f.kind != FIGURE_NUMBER || f.value <= 0 || !c->cards)
        return NAN;
    return column->per_card ? f.value * (double)c->cards : f.value;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static const size_t *numbers_of(const struct audit *a, const char *(*text)(const struct claim *))
{
    const char **texts = arena_array(a->arena, a->n_claims, sizeof *texts);
    for (size_t i = 0; i < a->n_claims; i++)
        texts[i] = or_empty(text(&a->claims[i]));
    return alike_number(texts, a->n_claims, a->arena);
}

static const char *card_of(const struct claim *c)
{
    return c->config.accelerator;
}

static const char *precision_of(const struct claim *c)
{
    return c->precision;
}

static const char *batch_of(const struct claim *c)
{
    return claim_cell(c, "hyperparameters");
}

static const char *stage_of(const struct claim *c)
{
    return c->config.stage;
}

/* Rows whose rates can be compared: of one table, card and precision; tokens per second also of
 * the same batch and stage, which change more than the number of cards does. */
static struct rated rated_row(const struct scaling *s, const struct row_kinds *kinds, size_t i)
{
    const struct claim *c = &s->a->claims[i];
    struct rated r = {
        {(size_t)c->table, kinds->cards[i], kinds->precisions[i], 0, 0}, c->cards, s->rates[i], i};
    if (s->column->per_card) {
        r.kind[3] = kinds->batches[i];
        r.kind[4] = kinds->stages[i];
    }
    return r;
}

static int compare_kinds(const struct rated *x, const struct rated *y)
{
    for (size_t k = 0; k < N_KINDS; k++)
        if (x->kind[k] != y->kind[k])
            return x->kind[k] < y->kind[k] ? -1 : 1;
    return 0;
}

/* Those of a kind beside each other, the smallest first; of one size the best first, of the best
 * the first one of the page. */
static int compare_rated(const void *p, const void *q)
{
    const struct rated *x = p, *y = q;
    int kind = compare_kinds(x, y);
    if (kind)
        return kind;
    if (x->cards != y->cards)
        return x->cards < y->cards ? -1 : 1;
    if (x->rate != y->rate)
        return x->rate > y->rate ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

static void find_others(const struct scaling *s, const struct row_kinds *kinds)
{
    struct rated *rows = arena_array(s->a->arena, s->a->n_claims, sizeof *rows);
    size_t n = 0, smallest = 0, size = 0, before = SIZE_MAX;
    for (size_t i = 0; i < s->a->n_claims; i++)
        if (!isnan(s->rates[i]))
            rows[n++] = rated_row(s, kinds, i);
    if (n)
        qsort(rows, n, sizeof *rows, compare_rated);
    for (size_t k = 0; k < n; k++) {
        size_t i = rows[k].at;
        if (k && compare_kinds(&rows[k - 1], &rows[k]) != 0) {
            smallest = size = k;
            before = SIZE_MAX;
        } else if (rows[k].cards != rows[size].cards) {
            before = rows[size].at;
            size = k;
        }
        /* Of rows that are equally good each is the best. */
        s->best[i] = rows[k].rate == rows[size].rate ? i : rows[size].at;
        s->smallest[i] = before == SIZE_MAX ? SIZE_MAX : rows[smallest].at;
        s->before[i] = before;
    }
}

static bool report_efficiency(const struct scaling *s, size_t at, size_t base)
{
    struct audit *a = s->a;
    const struct claim *c = &a->claims[at], *b = &a->claims[base];
    double per_card = s->rates[at] / (double)c->cards;
    double efficiency = per_card / (s->rates[base] / (double)b->cards);
    bool odd = efficiency > s->column->most || efficiency < s->column->least;
    struct check_result *r = audit_report(
        a, odd ? OUTCOME_FAIL : OUTCOME_PASS, c, 0,
        "%s: %s a second and card on %ld cards, %s times those on %ld", s->column->key,
        audit_number(a->arena, per_card), c->cards, audit_fixed(a->arena, efficiency, 2), b->cards);
    if (efficiency < s->column->least && efficiency >= s->column->poor)
        r->severity = SEVERITY_NOTICE;
    r->stated = claim_cell(c, s->column->key);
    r->expected = arena_printf(a->arena, "%g to %g times", s->column->least, s->column->most);
    return odd;
}

static bool report_less(const struct scaling *s, size_t at, size_t before)
{
    struct audit *a = s->a;
    const struct claim *c = &a->claims[at], *b = &a->claims[before];
    if (s->rates[at] >= s->rates[before] || s->column->least <= 0)
        return false;
    struct check_result *r = audit_fail(a, c, "%ld cards do %s a second, %ld cards do %s", c->cards,
                                        audit_number(a->arena, s->rates[at]), b->cards,
                                        audit_number(a->arena, s->rates[before]));
    r->stated = claim_cell(c, s->column->key);
    r->expected = arena_printf(a->arena, "> %s", audit_number(a->arena, s->rates[before]));
    return true;
}

/* Says something odd about a row only once: rates go together. */
static void check_column(const struct scaling *s, bool *said)
{
    for (size_t i = 0; i < s->a->n_claims; i++) {
        if (said[i] || isnan(s->rates[i]) || s->best[i] != i || s->smallest[i] == SIZE_MAX)
            continue;
        bool odd = report_efficiency(s, i, s->smallest[i]);
        said[i] = report_less(s, i, s->before[i]) || odd;
    }
}

void check_scaling(struct audit *a)
{
    bool *said = arena_array(a->arena, a->n_claims, sizeof *said);
    const struct row_kinds kinds = {numbers_of(a, card_of), numbers_of(a, precision_of),
                                    numbers_of(a, batch_of), numbers_of(a, stage_of)};
    for (size_t k = 0; k < sizeof rate_columns / sizeof rate_columns[0]; k++) {
        struct scaling s = {a,
                            &rate_columns[k],
                            arena_array(a->arena, a->n_claims, sizeof *s.rates),
                            arena_array(a->arena, a->n_claims, sizeof *s.best),
                            arena_array(a->arena, a->n_claims, sizeof *s.smallest),
                            arena_array(a->arena, a->n_claims, sizeof *s.before)};
        for (size_t i = 0; i < a->n_claims; i++)
            s.rates[i] = system_rate(&a->claims[i], s.column);
        find_others(&s, &kinds);
        check_column(&s, said);
    }
    older_check_scaling(a);
}
