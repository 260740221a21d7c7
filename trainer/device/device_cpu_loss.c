/* Sums along a row are taken in double, as in device_cpu.c. */
#include "trainer/device/device_cpu_loss.h"

#include <math.h>
#include <string.h>

/* ---- rows of length 1 ----------------------------------------------------------------------- */

void cpu_unit_rows(struct device *d, const struct unit_rows *u)
{
    (void)d;
    for (int r = 0; r < u->rows; r++) {
        size_t at = (size_t)r * u->width;
        const float *w = (const float *)u->w + at;
        double squares = 0;
        for (int i = 0; i < u->width; i++)
            squares += (double)w[i] * w[i];
        u->inverse[r] = (float)(1 / fmax(sqrt(squares), 1e-12));
        for (int i = 0; i < u->width; i++)
            ((float *)u->unit)[at + i] = w[i] * u->inverse[r];
    }
}

void cpu_unit_rows_backward(struct device *d, const struct unit_rows *u, float *gradient)
{
    (void)d;
    for (int r = 0; r < u->rows; r++) {
        const float *unit = (const float *)u->unit + (size_t)r * u->width;
        float *g = gradient + (size_t)r * u->width;
        double along = 0;
        for (int i = 0; i < u->width; i++)
            along += (double)unit[i] * g[i];
        for (int i = 0; i < u->width; i++)
            g[i] = u->inverse[r] * (g[i] - unit[i] * (float)along);
    }
}

/* ---- cross-entropy -------------------------------------------------------------------------- */

/* A row without a target. */
static bool left_out(const struct cross_entropy *c, int row)
{
    if (c->targets[row] != TARGET_NONE)
        return false;
    memset((float *)c->logits + (size_t)row * c->vocabulary, 0, c->vocabulary * sizeof(float));
    c->losses[row] = 0;
    return true;
}

void cpu_cross_entropy(struct device *d, const struct cross_entropy *c)
{
    (void)d;
    for (int r = 0; r < c->rows; r++) {
        float *x = (float *)c->logits + (size_t)r * c->vocabulary, top = x[0];
        if (left_out(c, r))
            continue;
        for (int j = 1; j < c->vocabulary; j++)
            top = x[j] > top ? x[j] : top;
        float target = x[c->targets[r]];
        double sum = 0;
        for (int j = 0; j < c->vocabulary; j++)
            sum += x[j] = expf(x[j] - top);
        for (int j = 0; j < c->vocabulary; j++)
            x[j] = c->scale * (float)(x[j] / sum);
        x[c->targets[r]] -= c->scale;
        c->losses[r] = (float)(log(sum) + top - target);
    }
}

static float *logits_of(const struct cross_entropy *c, int row)
{
    return (float *)c->logits + (size_t)row * c->vocabulary;
}

void cpu_entropy_tops(struct device *d, const struct divided_entropy *e)
{
    (void)d;
    for (int r = 0; r < e->of.rows; r++) {
        const float *x = logits_of(&e->of, r);
        float top = x[0];
        for (int j = 1; j < e->of.vocabulary; j++)
            top = x[j] > top ? x[j] : top;
        e->tops[r] = top;
    }
}

void cpu_entropy_sums(struct device *d, const struct divided_entropy *e)
{
    (void)d;
    for (int r = 0; r < e->of.rows; r++) {
        const float *x = logits_of(&e->of, r);
        int target = e->of.targets[r];
        double sum = 0;
        for (int j = 0; j < e->of.vocabulary; j++)
            sum += expf(x[j] - e->tops[r]);
        e->sums[r] = (float)sum;
        e->sums[e->of.rows + r] = target < 0 ? 0 : x[target] - e->tops[r];
    }
}

void cpu_entropy_gradients(struct device *d, const struct divided_entropy *e)
{
    (void)d;
    for (int r = 0; r < e->of.rows; r++) {
        float *x = logits_of(&e->of, r), scale = e->of.scale / e->sums[r];
        if (left_out(&e->of, r))
            continue;
        for (int j = 0; j < e->of.vocabulary; j++)
            x[j] = scale * expf(x[j] - e->tops[r]);
        if (e->of.targets[r] >= 0)
            x[e->of.targets[r]] -= e->of.scale;
        e->of.losses[r] = logf(e->sums[r]) - e->sums[e->of.rows + r];
    }
}
