#include "trainer/score/generation.h"

#include <math.h>

int generation_run(const struct generation *g, struct scored_model *model, const int32_t *tokens,
                   size_t n, const uint8_t *pixels, int32_t *out, size_t *n_out, struct err *err)
{
    const float *logits;
    *n_out = 0;
    if (scored_model_read(model, tokens, n, pixels, &logits, err) < 0)
        return -1;
    for (int i = 0; i < g->tokens_max; i++) {
        /* It is token 0 where that one's logit is no number. */
        int32_t next = 0;
        for (int32_t token = 1; token < model->vocabulary; token++)
            if (logits[token] > logits[next])
                next = token;
        if (!isfinite(logits[next]))
            return 1;
        if (next == g->end)
            break;
        out[(*n_out)++] = next;
        if (i + 1 < g->tokens_max && scored_model_go_on(model, next, &logits, err) < 0)
            return -1;
    }
    return 0;
}
