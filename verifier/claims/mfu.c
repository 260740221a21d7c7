#include "verifier/claims/mfu.h"

#include "base/project/peaks.h"
#include "base/text.h"
#include "verifier/claims/mfu_convention.h"

#include <math.h>
#include <string.h>

static bool find_card_peak(const struct audit *a, const struct claim *c, struct mfu_inputs *out,
                           const char **why)
{
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    bool known = peaks_knows(c->precision, a->arena);
    struct peaks found;
    /* A row that names a card which is not known is not of the environment's card. */
    if (!c->accelerator && *c->config.accelerator)
        card = NULL;
    if (!card || !known) {
        *why = !card ? "the accelerator is not known" : "the precision is not known";
        return false;
    }
    out->card = card;
    bool rated = peaks_find(card, c->precision, a->arena, &found);
    out->peak = found.peak;
    out->low_peak = found.low;
    out->peak_name = found.name;
    if (!rated) {
        *why = card->peak_note ? arena_printf(a->arena, "no peak of %s for %s is known: %s",
                                              card->name, c->precision, card->peak_note)
                               : arena_printf(a->arena, "no peak of %s for %s is known", card->name,
                                              c->precision);
        return false;
    }
    return true;
}

static bool is_llava(const struct audit *a)
{
    return a->model && text_starts(text_fold(a->arena, a->model->id), "llava");
}

double mfu_factor(const struct audit *a, const struct claim *c)
{
    if (mfu_row_says(a, c, "lora"))
        return 4;
    if (c->config.stage && strcmp(c->config.stage, "pretrain") == 0 && is_llava(a))
        return 2;
    if (a->kase && !isnan(a->kase->mfu_factor))
        return a->kase->mfu_factor;
    return audit_mentions(a, "lora") ? 4 : 6;
}

bool mfu_find_inputs(const struct audit *a, const struct claim *c, struct mfu_inputs *out,
                     const char **why)
{
    *out = (struct mfu_inputs){.peak = NAN, .low_peak = NAN};
    if (!a->model || isnan(a->model->nominal_parameters)) {
        *why = "the number of parameters of the model is not known";
        return false;
    }
    out->parameters = a->model->nominal_parameters;
    out->factor = mfu_factor(a, c);
    if (isnan(c->hyper.theory_flops))
        return find_card_peak(a, c, out, why);
    out->peak = c->hyper.theory_flops;
    out->peak_name = "as the row states it";
    return true;
}

double mfu_ratio(const struct mfu_inputs *in, double tokens_per_s_per_card)
{
    return in->factor * in->parameters * tokens_per_s_per_card / in->peak;
}

const char *mfu_derivation(const struct mfu_inputs *in, double tokens_per_s_per_card,
                           struct arena *arena)
{
    double percent = 100 * mfu_ratio(in, tokens_per_s_per_card);
    return arena_printf(arena, "%s * %s * %s / %s = %s %% (factor * N * token/p/s / peak, %s)",
                        audit_number(arena, in->factor), audit_number(arena, in->parameters),
                        audit_number(arena, tokens_per_s_per_card), audit_number(arena, in->peak),
                        audit_fixed(arena, percent, 4), in->peak_name);
}
