#include "verifier/claims/mfu.h"

#include "base/project/peaks.h"
#include "base/text.h"
#include "verifier/claims/mfu_convention.h"

#include <math.h>
#include <string.h>

static bool find_card_peak(struct audit *a, const struct claim *c, struct mfu_inputs *out,
                           const char **why)
{
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    bool known = peaks_knows(c->precision, a->arena);
    struct peaks found;
    /* A row that names a card which is not known is not of the environment's card. */
    if (!c->accelerator && *c->config.accelerator)
        card = NULL;
    if (!card || !known) {
        *why = !card ? "the accelerator is unknown" : "the precision is unknown";
        return false;
    }
    out->card = card;
    bool rated = peaks_find(card, c->precision, a->arena, &found);
    out->peak = found.peak;
    out->low_peak = found.low;
    out->peak_name = found.name;
    if (!rated) {
        *why = card->peak_note ? sentence_say(a->arena, "the peak rate of %s in %s is unknown: %s",
                                              card->name, c->precision, card->peak_note)
                               : sentence_say(a->arena, "the peak rate of %s in %s is unknown",
                                              card->name, c->precision);
        return false;
    }
    return true;
}

static bool is_llava(struct audit *a)
{
    return a->model && text_starts(text_fold(a->arena, a->model->id), "llava");
}

double mfu_factor(struct audit *a, const struct claim *c)
{
    if (mfu_row_says(a, c, "lora"))
        return 4;
    if (c->config.stage && strcmp(c->config.stage, "pretrain") == 0 && is_llava(a))
        return 2;
    if (a->kase && !isnan(a->kase->mfu_factor))
        return a->kase->mfu_factor;
    return audit_mentions(a, "lora") ? 4 : 6;
}

bool mfu_find_inputs(struct audit *a, const struct claim *c, struct mfu_inputs *out,
                     const char **why)
{
    *out = (struct mfu_inputs){.peak = NAN, .low_peak = NAN};
    if (!a->model || isnan(a->model->nominal_parameters)) {
        *why = "the number of parameters of the model is unknown";
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

const char *mfu_derivation(struct audit *a, const struct mfu_inputs *in,
                           double tokens_per_s_per_card)
{
    double percent = 100 * mfu_ratio(in, tokens_per_s_per_card);
    return sentence_say(a->arena, "%s * %s * %s / %s = %s %% (factor * N * token/p/s / peak, %s)",
                        audit_number(a->arena, in->factor), audit_number(a->arena, in->parameters),
                        audit_number(a->arena, tokens_per_s_per_card),
                        audit_number(a->arena, in->peak), audit_fixed(a->arena, percent, 4),
                        in->peak_name);
}

/* clang-format off */
const struct words mfu_messages[] = {
    {.en = "the accelerator is unknown",
     .zh = "加速卡未知"},
    {.en = "the precision is unknown",
     .zh = "精度未知"},
    {.en = "the peak rate of %s in %s is unknown: %s",
     .zh = "{1} 的 {2} 峰值算力未知：{3:said}"},
    {.en = "the peak rate of %s in %s is unknown",
     .zh = "{1} 的 {2} 峰值算力未知"},
    {.en = "the number of parameters of the model is unknown",
     .zh = "模型的参数量未知"},
    {.en = "as the row states it",
     .zh = "该行所写的峰值"},
    {.en = "%s * %s * %s / %s = %s %% (factor * N * token/p/s / peak, %s)",
     .zh = "{1} * {2} * {3} / {4} = {5} %（系数 * N * token/p/s / 峰值，{6:said}）"},
    {NULL, NULL},
};
/* clang-format on */
