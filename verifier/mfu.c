#include "verifier/mfu.h"

#include "base/text.h"
#include "verifier/mfu_convention.h"

#include <math.h>
#include <string.h>

/* Peaks that a precision may use, best first; `fast`: the other half of a mix. Published pages
 * divide fp32 by the tf32 peak where a card has one, because that is what the matrix units run. */
static const struct precision {
    const char *name; /* text_fold form, up to the first comma */
    const char *peaks[2], *fast;
} precisions[] = {
    {"fp32", {"tf32", "fp32"}, NULL},      {"tf32", {"tf32", NULL}, NULL},
    {"amp", {"bf16", "fp16"}, NULL},       {"bf16", {"bf16", "fp16"}, NULL},
    {"fp16", {"fp16", "bf16"}, NULL},      {"fp8", {"fp8", NULL}, NULL},
    {"bf16+fp8", {"bf16", "fp16"}, "fp8"},
};

static double find_peak(const struct accelerator *card, const char *precision)
{
    for (size_t i = 0; precision && i < card->n_peaks; i++)
        if (strcmp(card->peaks[i].precision, precision) == 0)
            return card->peaks[i].tflops * 1e12;
    return NAN;
}

static const struct precision *find_precision(const char *text, struct arena *arena)
{
    const char *folded = text_fold(arena, text);
    size_t n = strcspn(folded, ",");
    for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++)
        if (strlen(precisions[i].name) == n && strncmp(folded, precisions[i].name, n) == 0)
            return &precisions[i];
    return NULL;
}

static bool find_card_peak(const struct audit *a, const struct claim *c, struct mfu_inputs *out,
                           const char **why)
{
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    const struct precision *p = c->precision ? find_precision(c->precision, a->arena) : NULL;
    /* A row that names a card which is not known is not of the environment's card. */
    if (!c->accelerator && *c->config.accelerator)
        card = NULL;
    if (!card || !p) {
        *why = !card ? "the accelerator is not known" : "the precision is not known";
        return false;
    }
    out->card = card;
    for (size_t i = 0; i < 2 && isnan(out->peak); i++) {
        out->peak = find_peak(card, p->peaks[i]);
        out->peak_name =
            arena_printf(a->arena, "%s %s", card->name, p->peaks[i] ? p->peaks[i] : "");
    }
    out->low_peak = find_peak(card, p->fast);
    if (isnan(out->peak) || (p->fast && isnan(out->low_peak))) {
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
    return text_starts(text_fold(a->arena, a->model->id), "llava");
}

static double find_factor(const struct audit *a, const struct claim *c)
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
    out->factor = find_factor(a, c);
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
