/* Sums along a row, and over rows, are taken in double, as in device_cpu.c. */
#include "trainer/device/device_cpu_pictures.h"

#include <math.h>
#include <string.h>

void cpu_put_rows(struct device *d, void *y, const void *x, const int32_t *places, int rows,
                  int width)
{
    (void)d;
    for (int r = 0; r < rows; r++)
        if (places[r] >= 0)
            memcpy((float *)y + (size_t)places[r] * width, (const float *)x + (size_t)r * width,
                   width * sizeof(float));
}

/* ---- layer norm ----------------------------------------------------------------------------- */

void cpu_layer_norm(struct device *d, const struct layer_norm *n)
{
    (void)d;
    const float *weight = n->weight, *bias = n->bias;
    for (int r = 0; r < n->rows; r++) {
        size_t at = (size_t)r * n->width;
        const float *x = (const float *)n->x + at;
        float *s = (float *)n->sum + at, *y = (float *)n->y + at;
        double mean = 0, squares = 0;
        for (int i = 0; i < n->width; i++) {
            s[i] = n->residual ? x[i] + ((const float *)n->residual)[at + i] : x[i];
            mean += s[i];
        }
        mean /= n->width;
        for (int i = 0; i < n->width; i++)
            squares += (s[i] - mean) * (s[i] - mean);
        double inverse = 1 / sqrt(squares / n->width + n->eps);
        for (int i = 0; i < n->width; i++)
            y[i] = (float)((s[i] - mean) * inverse) * weight[i] + bias[i];
    }
}

/* ---- biases --------------------------------------------------------------------------------- */

static double phi(double x)
{
    return (1 + erf(x * sqrt(0.5))) / 2;
}

static double quick_sigmoid(double x)
{
    return 1 / (1 + exp(-1.702 * x));
}

static float activate(enum activation f, float x)
{
    return f == ACTIVATION_NONE ? x
                                : (float)(x * (f == ACTIVATION_GELU ? phi(x) : quick_sigmoid(x)));
}

/* f'(x) */
static double activation_slope(enum activation f, double x)
{
    if (f == ACTIVATION_GELU)
        return phi(x) + x * exp(-x * x / 2) / sqrt(2 * acos(-1.0));
    double s = quick_sigmoid(x);
    return s * (1 + 1.702 * x * (1 - s));
}

void cpu_bias_forward(struct device *d, const struct bias_forward *b)
{
    (void)d;
    for (int r = 0; r < b->rows; r++)
        for (int i = 0; i < b->width; i++) {
            size_t at = (size_t)r * b->width + i;
            float x = ((float *)b->x)[at] += ((const float *)b->bias)[i];
            ((float *)b->y)[at] = activate(b->activation, x);
        }
}

void cpu_bias_backward(struct device *d, const struct bias_backward *b)
{
    (void)d;
    for (int i = 0; i < b->width; i++) {
        double sum = 0;
        for (int r = 0; r < b->rows; r++) {
            size_t at = (size_t)r * b->width + i;
            float dx = ((const float *)b->dy)[at];
            if (b->activation != ACTIVATION_NONE)
                dx = (float)(dx * activation_slope(b->activation, ((const float *)b->x)[at]));
            ((float *)b->dx)[at] = dx;
            sum += dx;
        }
        b->d_bias[i] += (float)sum;
    }
}

/* ---- pictures ------------------------------------------------------------------------------- */

void cpu_patch_rows(struct device *d, const struct patch_rows *p)
{
    (void)d;
    int across = p->side / p->size, patches = across * across, n = 3 * p->size * p->size;
    for (int row = 0; row < p->pictures * patches; row++) {
        int picture = row / patches, top = row % patches / across * p->size;
        int left = row % across * p->size;
        float *to = (float *)p->rows + (size_t)row * n;
        for (int i = 0; i < n; i++) {
            int channel = i / (p->size * p->size);
            size_t y = (size_t)(top + i / p->size % p->size), x = (size_t)(left + i % p->size);
            size_t pixel = ((size_t)picture * p->side + y) * p->side + x;
            to[i] = p->scale[channel] * p->pixels[3 * pixel + channel] + p->shift[channel];
        }
    }
}

void cpu_placed_rows(struct device *d, const struct placed_rows *p)
{
    (void)d;
    for (int picture = 0; picture < p->pictures; picture++)
        for (int place = 0; place <= p->patches; place++) {
            size_t to = ((size_t)picture * (1 + p->patches) + place) * p->width;
            size_t from = ((size_t)picture * p->patches + place - 1) * p->width;
            const float *x = place == 0 ? p->first : (const float *)p->x + from;
            for (int i = 0; i < p->width; i++)
                ((float *)p->y)[to + i] =
                    x[i] + ((const float *)p->places)[(size_t)place * p->width + i];
        }
}
