#include "verifier/claims/mfu.h"

#include "base/project/peaks.h"
#include "base/text.h"

#include <string.h>

/* A model whose experts are not all used has more parameters than it computes with. */
#define SPARSE 1.5

/* Does a cell of the row, or the header above it, contain this word (folded)? */
static bool mfu_row_says(const struct audit *a, const struct claim *c, const char *word)
{
    if (!c->cells)
        return false; /* a submission by itself has no page */
    for (size_t i = 0; i < c->cells->n_cells; i++)
        if (strstr(text_fold(a->arena, c->cells->cells[i].text), word))
            return true;
    for (size_t i = 0; i < c->of->n_columns; i++)
        if (strstr(text_fold(a->arena, c->of->columns[i]), word))
            return true;
    return false;
}

static bool row_says_attention(const struct audit *a, const struct claim *c)
{
    static const char *const words[] = {"attention", "注意力", "palm"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (mfu_row_says(a, c, words[i]))
            return true;
    return false;
}

static bool page_cites_palm(const struct audit *a)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++)
        for (size_t k = 0; k < t->rows[i].n_cells; k++)
            if (strstr(text_fold(a->arena, t->rows[i].cells[k].text), "palm"))
                return true;
    return false;
}

static void add_convention(struct mfu_conventions *out, const char *name, double scale, bool named)
{
    out->all[out->n++] = (struct mfu_convention){name, scale, named};
}

/* Those with the exact N and the attention, where the model's record has what they need. */
static bool add_exact(const struct audit *a, const struct claim *c, const struct mfu_inputs *in,
                      bool named, struct mfu_conventions *out)
{
    const struct model *m = a->model;
    double length = audit_batch(a, c, BATCH_MPE), all = in->factor * in->parameters;
    if (isnan(m->exact_parameters) || m->exact_parameters > SPARSE * m->nominal_parameters)
        return false;
    double exact = m->exact_parameters / m->nominal_parameters;
    add_convention(out, "the exact number of parameters", exact, false);
    if (in->factor != 6 || isnan(length) || !m->shape || !m->shape->layers || !m->shape->hidden)
        return false;
    double attention = 12.0 * (double)m->shape->layers * (double)m->shape->hidden * length / all;
    bool palm = named || page_cites_palm(a);
    add_convention(out, "the exact number of parameters with attention", exact + attention, palm);
    add_convention(out, "the number of parameters with attention", 1 + attention, palm);
    add_convention(out, "the exact number of parameters with causal attention",
                   exact + attention / 2, named);
    add_convention(out, "the number of parameters with causal attention", 1 + attention / 2, named);
    out->least = named ? fmin(1, exact) : NAN;
    out->most = named ? fmax(1, exact) + attention : NAN;
    return true;
}

void mfu_conventions_find(const struct audit *a, const struct claim *c, const struct mfu_inputs *in,
                          struct mfu_conventions *out)
{
    bool attention = row_says_attention(a, c);
    *out = (struct mfu_conventions){.least = NAN, .most = NAN};
    if (!add_exact(a, c, in, attention, out) && attention) {
        out->least = 1;
        out->most = INFINITY;
    }
    if (!mfu_row_says(a, c, "hfu"))
        return;
    double recomputed = (in->factor + 2) / in->factor;
    add_convention(out, "HFU, with one more forward pass", recomputed, true);
    out->least = fmin(1, isnan(out->least) ? 1 : out->least);
    out->most = fmax(recomputed, isnan(out->most) ? recomputed : out->most);
}

/* clang-format off */
const struct words mfu_convention_messages[] = {
    {.en = "the exact number of parameters",
     .zh = "精确参数量"},
    {.en = "the exact number of parameters with attention",
     .zh = "精确参数量并计入注意力"},
    {.en = "the number of parameters with attention",
     .zh = "参数量并计入注意力"},
    {.en = "the exact number of parameters with causal attention",
     .zh = "精确参数量并计入因果注意力"},
    {.en = "the number of parameters with causal attention",
     .zh = "参数量并计入因果注意力"},
    {.en = "HFU, with one more forward pass",
     .zh = "多一次前向计算的 HFU"},
    {NULL, NULL},
};
/* clang-format on */

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

double mfu_factor(struct audit *a, const struct claim *c)
{
    if (mfu_row_says(a, c, "lora"))
        return 4;
    if (c->config.stage && strcmp(c->config.stage, "pretrain") == 0 && a->model &&
        text_starts(text_fold(a->arena, a->model->id), "llava"))
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
