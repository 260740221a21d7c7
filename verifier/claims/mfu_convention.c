#include "verifier/claims/mfu_convention.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* A model whose experts are not all used has more parameters than it computes with. */
#define SPARSE 1.5

bool mfu_row_says(const struct audit *a, const struct claim *c, const char *word)
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
