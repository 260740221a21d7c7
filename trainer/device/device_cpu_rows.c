/* Sums along a row are taken in double, as in device_cpu.c. */
#include "trainer/device/device_cpu_rows.h"

#include <math.h>
#include <string.h>

/* ---- feed-forward ----------------------------------------------------------------- */

static float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

void cpu_swiglu_forward(struct device *d, void *y, const void *gate_up, int rows, int width)
{
    (void)d;
    for (int r = 0; r < rows; r++) {
        const float *g = (const float *)gate_up + (size_t)r * 2 * width, *u = g + width;
        float *out = (float *)y + (size_t)r * width;
        for (int i = 0; i < width; i++)
            out[i] = g[i] * sigmoid(g[i]) * u[i];
    }
}

void cpu_swiglu_backward(struct device *d, const struct swiglu_backward *b)
{
    (void)d;
    for (int r = 0; r < b->rows; r++) {
        const size_t at = (size_t)r * b->width;
        const float *g = (const float *)b->gate_up + 2 * at, *u = g + b->width;
        const float *dy = (const float *)b->dy + at;
        float *dg = (float *)b->d_gate_up + 2 * at, *du = dg + b->width;
        float *y = b->y_again ? (float *)b->y_again + at : NULL;
        for (int i = 0; i < b->width; i++) {
            float s = sigmoid(g[i]);
            du[i] = dy[i] * g[i] * s;
            dg[i] = dy[i] * u[i] * s * (1 + g[i] * (1 - s));
            if (y)
                y[i] = g[i] * s * u[i];
        }
    }
}

/* ---- thin products -------------------------------------------------------------------------- */

static void draw_bits(const struct thin *t)
{
    uint64_t below = (uint64_t)(t->keep * (1 << 24));
    memset(t->bits, 0, (size_t)t->rows * thin_bits_bytes(t->width));
    for (int row = 0; row < t->rows; row++)
        for (int c = 0; c < t->width; c++) {
            uint64_t place = (t->first_row + (uint64_t)row) * (uint64_t)t->width + (uint64_t)c;
            if (device_mix(t->key ^ place) >> 40 < below)
                t->bits[row * thin_bits_bytes(t->width) + c / 8] |= (uint8_t)(1 << c % 8);
        }
}

static bool is_kept(const struct thin *t, int row, int c)
{
    return !t->bits || t->bits[row * thin_bits_bytes(t->width) + c / 8] >> c % 8 & 1;
}

static float thin_factor(const struct thin *t)
{
    return t->bits ? t->scale / t->keep : t->scale;
}

static size_t place_in_w(const struct thin *t, int j, int c)
{
    return t->across ? (size_t)c * t->r + j : (size_t)j * t->width + c;
}

static float *wide_at(const struct thin *t, int row)
{
    return (float *)t->x + (size_t)row * (t->ld ? t->ld : t->width);
}

static float *thin_at(const struct thin *t, int row)
{
    return (float *)t->thin + (size_t)row * t->r;
}

void cpu_thin_down(struct device *d, const struct thin *t, int n)
{
    (void)d;
    for (; n > 0; t++, n--) {
        if (t->bits)
            draw_bits(t);
        for (int row = 0; row < t->rows; row++)
            for (int j = 0; j < t->r; j++) {
                const float *x = wide_at(t, row);
                double sum = 0;
                for (int c = 0; c < t->width; c++)
                    sum += is_kept(t, row, c)
                               ? (double)x[c] * ((const float *)t->w)[place_in_w(t, j, c)]
                               : 0;
                thin_at(t, row)[j] = (float)(thin_factor(t) * sum);
            }
    }
}

void cpu_thin_up(struct device *d, const struct thin *t, int n)
{
    (void)d;
    for (; n > 0; t++, n--)
        for (int row = 0; row < t->rows; row++)
            for (int c = 0; c < t->width; c++) {
                double sum = 0;
                for (int j = 0; j < t->r; j++)
                    sum += (double)thin_at(t, row)[j] * ((const float *)t->w)[place_in_w(t, j, c)];
                if (is_kept(t, row, c))
                    wide_at(t, row)[c] += (float)(thin_factor(t) * sum);
            }
}

void cpu_thin_gradient(struct device *d, const struct thin *t, int n)
{
    (void)d;
    for (; n > 0; t++, n--)
        for (int j = 0; j < t->r; j++)
            for (int c = 0; c < t->width; c++) {
                float *to = t->gradient + place_in_w(t, j, c);
                double sum = 0;
                for (int row = 0; row < t->rows; row++)
                    sum += is_kept(t, row, c) ? (double)thin_at(t, row)[j] * wide_at(t, row)[c] : 0;
                *to = (t->fresh ? 0 : *to) + (float)(thin_factor(t) * sum);
            }
}

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
