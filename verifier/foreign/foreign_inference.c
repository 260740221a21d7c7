#include "base/text.h"
#include "verifier/foreign/foreign_row.h"

#include <math.h>
#include <string.h>

/* Without reading and writing nothing is slower. */
static void judge_core(struct page_reader *r, const char *what, const struct figure *whole,
                       const struct figure *core)
{
    if (core->value < whole->value)
        foreign_note(r, SEVERITY_ERROR,
                     "%s: the rate without I/O, %.15g, is below the rate with "
                     "I/O, %.15g",
                     what, core->value, whole->value);
}

/* Peaks that a precision may be held to: fp32 runs as tf32 where the card has it. */
static const struct {
    const char *precision, *peak;
} peaks[] = {
    {"fp16", "fp16"}, {"bf16", "bf16"}, {"fp32", "tf32"}, {"fp32", "fp32"}, {"tf32", "tf32"},
};

/* The card and peak by which 2 N * tokens/s is the stated share; NULL. */
static const struct accelerator *card_of_inference(const struct page_reader *r,
                                                   const struct page_row *row, double operations,
                                                   const char **peak)
{
    const char *precision = text_fold(r->arena, row->text[FOREIGN_PRECISION]);
    for (size_t i = 0; i < r->project->n_accelerators; i++) {
        const struct accelerator *a = &r->project->accelerators[i];
        bool named = false;
        for (size_t k = 0; k < a->n_aliases; k++)
            named = named || text_has_word(r->words, text_fold_words(r->arena, a->aliases[k]));
        for (size_t k = 0; named && k < sizeof peaks / sizeof *peaks; k++) {
            double share = 100 * operations / (foreign_peak(a, peaks[k].peak) * 1e12);
            *peak = peaks[k].peak;
            if (strcmp(precision, peaks[k].precision) == 0 &&
                fabs(share - row->of[FOREIGN_MFU]) <= FOREIGN_MFU_SLACK * row->of[FOREIGN_MFU])
                return a;
        }
    }
    return NULL;
}

static void judge_inference_mfu(struct page_reader *r, const struct page_row *row)
{
    const struct model *m = foreign_model_of(r, r->words);
    double stated = row->of[FOREIGN_MFU], rate = row->of[FOREIGN_INFER_CORE];
    const char *peak;
    if (stated > 100)
        foreign_note(r, SEVERITY_ERROR, "an MFU of %.15g %% is above 100 %%", stated);
    if (!(stated <= 100) || !m || isnan(m->nominal_parameters))
        return;
    rate = isnan(rate) ? row->of[FOREIGN_VAL_CORE] : rate;
    const struct accelerator *card =
        card_of_inference(r, row, 2 * m->nominal_parameters * rate, &peak);
    if (card)
        foreign_note(
            r, SEVERITY_NOTICE,
            "an MFU of %.15g %% is 2 * N * tokens/s / peak, with N of %s and the peak of %s in %s",
            stated, m->id, card->name, peak);
    else if (foreign_card_of(r, r->words))
        foreign_note(r, SEVERITY_WARNING,
                     "an MFU of %.15g %% does not follow from the row: with N of %s, 2 * N * "
                     "tokens/s is %.4g TFLOP/s",
                     stated, m->id, 2 * m->nominal_parameters * rate / 1e12);
}

bool foreign_judge_inference(struct page_reader *r, const struct page_row *row)
{
    if (!*row->text[FOREIGN_INFER_WHOLE] && !*row->text[FOREIGN_INFER_CORE] &&
        !*row->text[FOREIGN_VAL_WHOLE])
        return false;
    judge_core(r, "validation", row->figure[FOREIGN_VAL_WHOLE], row->figure[FOREIGN_VAL_CORE]);
    judge_core(r, "inference", row->figure[FOREIGN_INFER_WHOLE], row->figure[FOREIGN_INFER_CORE]);
    const struct figure *memory = row->figure[FOREIGN_MEMORY];
    if (memory->kind == FIGURE_PAIR && memory->value > memory->second)
        foreign_note(r, SEVERITY_ERROR, "%.15g GiB are used, but the card has only %.15g GiB",
                     memory->value, memory->second);
    judge_inference_mfu(r, row);
    return true;
}
