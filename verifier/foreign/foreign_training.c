#include "base/text.h"
#include "verifier/foreign/foreign_row.h"

#include <math.h>
#include <string.h>

#define SUM_SLACK 1e-9

static void judge_product(struct page_reader *r, const char *what, double product, double stated,
                          double slack)
{
    if (isnan(product) || isnan(stated) || fabs(product - stated) <= slack * fabs(stated) + slack)
        return;
    foreign_note(r, SEVERITY_ERROR,
                 "%s is %.15g by the other cells of the row, but the row states %.15g", what,
                 product, stated);
}

static bool near_mfu(double percent, double stated)
{
    return fabs(percent - stated) <= FOREIGN_MFU_SLACK * stated;
}

/* --- operations of a token --- */

/* How a framework counts them: 6 (N - embedding V d) + attention L d s. */
static const struct convention {
    const char *formula;
    double embedding, attention;
} conventions[] = {
    {"6 N", 0, 0},
    {"6 N + 12 L d s", 0, 12},
    {"6 N + 6 L d s", 0, 6},
    {"6 (N - V d) + 6 L d s", 1, 6},
    {"6 (N - V d) + 12 L d s", 1, 12},
};
#define N_CONVENTIONS (sizeof conventions / sizeof *conventions)

static double operations_by(const struct convention *c, const struct model *m, double length)
{
    double n = isnan(m->exact_parameters) ? m->nominal_parameters : m->exact_parameters;
    const struct model_shape *shape = m->shape;
    if (!shape)
        return c->embedding > 0 || c->attention > 0 ? NAN : 6 * n;
    double s = isnan(length) ? (double)shape->context : length;
    double embedding = (double)shape->vocabulary * (double)shape->hidden;
    return 6 * (n - c->embedding * embedding) +
           c->attention * (double)shape->layers * (double)shape->hidden * s;
}

/* Tokens/s and FLOP/s of a card, of a model that the row or the heading above it names. */
static void judge_operations(struct page_reader *r, const struct page_row *row)
{
    double rate = row->of[FOREIGN_CARD_RATE], tflops = row->of[FOREIGN_TFLOPS];
    const struct model *m = foreign_model_of(r, row->text[FOREIGN_MODEL]);
    double operations = tflops * 1e12 / rate;
    m = m ? m : foreign_model_of(r, r->heading);
    if (!m || !(operations > 0) || !isnan(row->of[FOREIGN_MFU]))
        return;
    for (size_t i = 0; i < N_CONVENTIONS; i++) {
        double by = operations_by(&conventions[i], m, row->of[FOREIGN_LENGTH]);
        if (fabs(by - operations) > FOREIGN_MFU_SLACK * operations)
            continue;
        foreign_note(r, SEVERITY_NOTICE,
                     "%.15g TFLOP/s per card equal %s * tokens/s for the model %s", tflops,
                     conventions[i].formula, m->id);
        return;
    }
    foreign_note(r, SEVERITY_NOTICE,
                 "%.15g TFLOP/s per card are %.4g GFLOP per token, but 6 N for %s is %.4g", tflops,
                 operations / 1e9, m->id, operations_by(&conventions[0], m, NAN) / 1e9);
}

/* --- MFU --- */

static double parameters_of(const struct model *m)
{
    return isnan(m->exact_parameters) ? m->nominal_parameters : m->exact_parameters;
}

/* The model with attention by which the MFU is the stated one, nearest by its parameters; NULL. */
static const struct model *model_of_mfu(const struct page_reader *r, const struct page_row *row,
                                        double peak)
{
    double exact = row->of[FOREIGN_PARAMETERS], length = row->of[FOREIGN_LENGTH];
    double parameters = isnan(exact) ? row->of[FOREIGN_MODEL] : exact;
    const struct model *found = NULL;
    for (size_t i = 0; i < r->project->n_models; i++) {
        const struct model *m = &r->project->models[i];
        double n = parameters_of(m);
        bool alike = m->shape && (m->nominal_parameters == parameters ||
                                  fabs(n - parameters) <= 0.08 * parameters);
        if (!alike || (found && fabs(parameters_of(found) - parameters) <= fabs(n - parameters)))
            continue;
        double s = isnan(length) ? (double)m->shape->context : length;
        double operations = 6 * (isnan(exact) ? n : exact) +
                            12 * (double)m->shape->layers * (double)m->shape->hidden * s;
        if (near_mfu(100 * operations * row->of[FOREIGN_CARD_RATE] / peak, row->of[FOREIGN_MFU]))
            found = m;
    }
    return found;
}

/* What the row's rate, and its FLOP/s, give in per cent of the peak of the card, as it is called.
 */
static void compare_foreign_mfu(struct page_reader *r, const struct page_row *row, const char *card,
                                double peak)
{
    double stated = row->of[FOREIGN_MFU];
    double flops =
        isnan(row->of[FOREIGN_FLOPS]) ? row->of[FOREIGN_TFLOPS] * 1e12 : row->of[FOREIGN_FLOPS];
    double n =
        isnan(row->of[FOREIGN_PARAMETERS]) ? row->of[FOREIGN_MODEL] : row->of[FOREIGN_PARAMETERS];
    double bare = 100 * 6 * n * row->of[FOREIGN_CARD_RATE] / peak, by_flops = 100 * flops / peak;
    const struct model *m = model_of_mfu(r, row, peak);
    if (!isnan(by_flops) && !near_mfu(by_flops, stated))
        foreign_note(r, SEVERITY_ERROR,
                     "the MFU is %.4g %% by the row's FLOP/s and the peak of %s, but the row "
                     "states %.15g %%",
                     by_flops, card, stated);
    else if (!isnan(bare) && near_mfu(bare, stated))
        foreign_note(r, SEVERITY_NOTICE, "an MFU of %.15g %% is 6 N * tokens/s / peak of %s",
                     stated, card);
    else if (m)
        foreign_note(r, SEVERITY_NOTICE,
                     "an MFU of %.15g %% is (6 N + 12 L d s) * tokens/s / peak of %s, with "
                     "attention operations of %s; without them %.4g %%",
                     stated, card, m->id, bare);
    else if (!isnan(by_flops))
        foreign_note(r, SEVERITY_NOTICE,
                     "an MFU of %.15g %% is the row's FLOP/s / peak of %s; 6 N * tokens/s would be "
                     "%.4g %%",
                     stated, card, bare);
    else if (!isnan(bare))
        foreign_note(r,
                     bare > stated * (1 + FOREIGN_MFU_SLACK) ? SEVERITY_WARNING : SEVERITY_NOTICE,
                     "an MFU of %.15g %% does not follow from the row: 6 N * tokens/s / peak of %s "
                     "is %.4g %%",
                     stated, card, bare);
}

/* --- batch and time --- */

/* Cells such as "1 (16)" are of two runs. */
static bool is_of_two_runs(const struct page_row *row)
{
    static const enum foreign_column plan[] = {FOREIGN_TENSOR,  FOREIGN_PIPELINE,
                                               FOREIGN_CONTEXT, FOREIGN_MICRO,
                                               FOREIGN_GLOBAL,  FOREIGN_ACCUMULATION};
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++)
        if (*row->figure[plan[i]]->remark)
            return true;
    return false;
}

static double size_or_one(double x)
{
    return isnan(x) ? 1 : x;
}

static void judge_batch(struct page_reader *r, const struct page_row *row)
{
    const double *x = row->of;
    double ranks = size_or_one(x[FOREIGN_TENSOR]) * size_or_one(x[FOREIGN_PIPELINE]) *
                   size_or_one(x[FOREIGN_CONTEXT]);
    double replicas = x[FOREIGN_CARDS] / ranks, batch = x[FOREIGN_MICRO] * replicas;
    if (is_of_two_runs(row) || !(replicas > 0))
        return;
    if (ranks > 1 && replicas != floor(replicas)) {
        foreign_note(r, SEVERITY_ERROR, "%.15g cards are not a multiple of TP * PP * CP = %.15g",
                     x[FOREIGN_CARDS], ranks);
        return;
    }
    if (!isnan(x[FOREIGN_ACCUMULATION]))
        judge_product(r, "the global batch", batch * x[FOREIGN_ACCUMULATION], x[FOREIGN_GLOBAL],
                      SUM_SLACK);
    else if (fmod(x[FOREIGN_GLOBAL], batch) > 0)
        foreign_note(r, SEVERITY_ERROR,
                     "a global batch of %.15g is not a multiple of %.15g, which is the sum of the "
                     "micro-batches of %.15g replicas",
                     x[FOREIGN_GLOBAL], batch, replicas);
}

/* "Est. time to train in days (10T tokens, 1K GPUs)" */
static bool tokens_and_cards_of(const char *title, double *tokens, double *cards)
{
    const char *at = strchr(title, '('), *comma = at ? strchr(at, ',') : NULL;
    int decimals;
    size_t n;
    if (!comma || !(n = figure_scan_number(at + 1, tokens, &decimals)))
        return false;
    *tokens *= at[1 + n] == 't' ? 1e12 : at[1 + n] == 'b' ? 1e9 : 1;
    if (!(n = figure_scan_number(comma + 1, cards, &decimals)))
        return false;
    *cards *= comma[1 + n] == 'k' ? 1000 : 1;
    return *tokens > 0 && *cards > 0;
}

/* 1K cards are 1000 or 1024. */
static void judge_days(struct page_reader *r, const struct page_row *row)
{
    double tokens, cards, stated = row->of[FOREIGN_DAYS], rate = row->of[FOREIGN_CARD_RATE];
    for (size_t i = 0; i < r->n_columns; i++) {
        if (r->columns[i] != FOREIGN_DAYS || !tokens_and_cards_of(r->titles[i], &tokens, &cards))
            continue;
        double most = tokens / (rate * cards) / 86400, least = most / 1.024;
        double place = figure_last_place(row->figure[FOREIGN_DAYS]->decimals);
        if (most < stated - place || least > stated + place)
            foreign_note(r, SEVERITY_ERROR,
                         "at %.15g tokens/s per card, the training takes %.4g days, but the page "
                         "states %.15g",
                         rate, most, stated);
    }
}

bool foreign_judge_training(struct page_reader *r, const struct page_row *row)
{
    const double *x = row->of;
    bool rate = !isnan(x[FOREIGN_CARD_RATE]) || !isnan(x[FOREIGN_RATE]);
    if (!rate && isnan(x[FOREIGN_MFU]) && isnan(x[FOREIGN_TFLOPS]))
        return false;
    judge_batch(r, row);
    judge_product(r, "the batch in tokens", x[FOREIGN_GLOBAL] * x[FOREIGN_LENGTH],
                  x[FOREIGN_GLOBAL_TOKENS], SUM_SLACK);
    /* A rate of a card is rounded to one. */
    judge_product(r, "the throughput per card", x[FOREIGN_RATE] / x[FOREIGN_CARDS],
                  x[FOREIGN_CARD_RATE], 1.0 / fmax(x[FOREIGN_CARD_RATE], 1));
    judge_product(r, "the throughput per card",
                  x[FOREIGN_GLOBAL] * x[FOREIGN_LENGTH] / x[FOREIGN_STEP_SECONDS] /
                      x[FOREIGN_CARDS],
                  x[FOREIGN_CARD_RATE], 0.005 + foreign_slack(row->figure[FOREIGN_STEP_SECONDS]));
    judge_days(r, row);
    judge_operations(r, row);
    const struct accelerator *card = foreign_card_of(r, row->text[FOREIGN_CARD]);
    card = card ? card : foreign_card_of(r, r->words);
    double peak = foreign_peak(card, "bf16") * 1e12, stated = row->of[FOREIGN_MFU];
    double peak_fp8 = foreign_peak(card, "fp8") * 1e12;
    bool in_fp8 = strcasestr(row->text[FOREIGN_PRECISION], "fp8") && !isnan(peak_fp8);
    if (stated > 100)
        foreign_note(r, SEVERITY_ERROR, "an MFU of %.15g %% is above 100 %%", stated);
    else if (!isnan(stated) && !isnan(peak))
        compare_foreign_mfu(r, row,
                            in_fp8 ? arena_printf(r->arena, "%s (fp8)", card->name) : card->name,
                            in_fp8 ? peak_fp8 : peak);
    return true;
}
