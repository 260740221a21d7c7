/* A case for loose files whose model is known: the length and precision that their logs print. */
#include "verifier/verify_parts.h"

#include "verifier/runs/run_tree.h"

#include <string.h>

/* "torch.bfloat16", as cases call it. */
static const char *case_precision_of(const char *printed)
{
    static const struct {
        const char *words, *precision;
    } rows[] = {{"bfloat16", "bf16"}, {"bf16", "bf16"},    {"float16", "fp16"}, {"fp16", "fp16"},
                {"half", "fp16"},     {"float32", "fp32"}, {"fp32", "fp32"}};
    for (size_t i = 0; printed && i < sizeof rows / sizeof *rows; i++)
        if (strstr(printed, rows[i].words))
            return rows[i].precision;
    return "bf16";
}

void verify_fill_case(struct case_record *kase, const struct model *model,
                      const struct run_round *r)
{
    kase->model = model->id;
    if (!kase->sequence_length)
        kase->sequence_length = run_logs_size(r->all_logs, r->n_all_logs, BANNER_LENGTH);
    if (!kase->precision)
        kase->precision =
            case_precision_of(run_logs_banner(r->all_logs, r->n_all_logs, BANNER_PRECISION)->value);
}
