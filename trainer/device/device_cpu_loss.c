/* Sums along a row are taken in double, as in device_cpu.c. */
#include "trainer/device/device_cpu_loss.h"

#include <math.h>

void cpu_cross_entropy(struct device *d, const struct cross_entropy *c)
{
    (void)d;
    for (int r = 0; r < c->rows; r++) {
        float *x = (float *)c->logits + (size_t)r * c->vocabulary, top = x[0];
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
        for (int j = 0; j < e->of.vocabulary; j++)
            x[j] = scale * expf(x[j] - e->tops[r]);
        if (e->of.targets[r] >= 0)
            x[e->of.targets[r]] -= e->of.scale;
        e->of.losses[r] = logf(e->sums[r]) - e->sums[e->of.rows + r];
    }
}
