/* What is done element by element: SwiGLU, rounding, AdamW. A thread takes one pack. */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

#define THREADS 128

/* The fast exponential is off by a few units of fp32's last place: nothing beside 16 bits. */
template <typename T> __device__ float sigmoid(float x)
{
    if (sizeof(T) < sizeof(float))
        return __fdividef(1, 1 + __expf(-x));
    return 1 / (1 + expf(-x));
}

/* ---- SwiGLU --------------------------------------------------------------------------------- */

/* One block row per row of the matrix, so that nobody divides. */
template <typename T, int V> __global__ void swiglu_forward(T *y, const T *gate_up, int width)
{
    int column = (blockIdx.x * THREADS + threadIdx.x) * V;
    if (column >= width)
        return;
    const T *gate = gate_up + (size_t)blockIdx.y * 2 * width + column;
    pack<T, V> g = load<T, V>(gate), u = load<T, V>(gate + width), out;
    for (int j = 0; j < V; j++)
        out.of[j] = round_to<T>(widen(g.of[j]) * sigmoid<T>(widen(g.of[j])) * widen(u.of[j]));
    store<T, V>(y + (size_t)blockIdx.y * width + column, out);
}

/* What is stored again is rounded where the forward pass rounds it; AGAIN false leaves it out. */
template <typename T, int V, bool AGAIN>
__global__ void swiglu_backward(T *d_gate_up, T *again, const T *dy, const T *gate_up, int width)
{
    int column = (blockIdx.x * THREADS + threadIdx.x) * V;
    if (column >= width)
        return;
    size_t place = (size_t)blockIdx.y * 2 * width + column;
    pack<T, V> g = load<T, V>(gate_up + place), u = load<T, V>(gate_up + place + width);
    size_t narrow_place = (size_t)blockIdx.y * width + column;
    pack<T, V> d = load<T, V>(dy + narrow_place), dg, du, y;
    for (int j = 0; j < V; j++) {
        float gate = widen(g.of[j]), s = sigmoid<T>(gate), dout = widen(d.of[j]);
        du.of[j] = round_to<T>(dout * gate * s);
        dg.of[j] = round_to<T>(dout * widen(u.of[j]) * s * (1 + gate * (1 - s)));
        if (AGAIN)
            y.of[j] = round_to<T>(gate * s * widen(u.of[j]));
    }
    store<T, V>(d_gate_up + place, dg);
    store<T, V>(d_gate_up + place + width, du);
    if (AGAIN)
        store<T, V>(again + narrow_place, y);
}

/* blockIdx.y counts to 65535 only. */
#define ROWS_AT_ONCE 32768

template <typename T, int V>
static void launch_swiglu_forward(const struct launch *l, T *y, const T *gate_up, int rows,
                                  int width)
{
    for (int done = 0; done < rows; done += ROWS_AT_ONCE) {
        int now = rows - done < ROWS_AT_ONCE ? rows - done : ROWS_AT_ONCE;
        dim3 blocks(blocks_for(width, THREADS * V), now);
        swiglu_forward<T, V><<<blocks, THREADS, 0, l->stream>>>(
            y + (size_t)done * width, gate_up + (size_t)done * 2 * width, width);
    }
}

template <typename T, int V>
static void launch_swiglu_backward(const struct launch *l, const struct swiglu_backward *b)
{
    for (int done = 0; done < b->rows; done += ROWS_AT_ONCE) {
        int now = b->rows - done < ROWS_AT_ONCE ? b->rows - done : ROWS_AT_ONCE;
        dim3 blocks(blocks_for(b->width, THREADS * V), now);
        size_t at = (size_t)done * b->width;
        T *to = (T *)b->d_gate_up + 2 * at, *again = b->y_again ? (T *)b->y_again + at : NULL;
        const T *dy = (const T *)b->dy + at, *gate_up = (const T *)b->gate_up + 2 * at;
        if (again)
            swiglu_backward<T, V, true>
                <<<blocks, THREADS, 0, l->stream>>>(to, again, dy, gate_up, b->width);
        else
            swiglu_backward<T, V, false>
                <<<blocks, THREADS, 0, l->stream>>>(to, NULL, dy, gate_up, b->width);
    }
}

void kernel_swiglu_forward(const struct launch *l, void *y, const void *gate_up, int rows,
                           int width)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        if (packs_fit<T>(width, y, gate_up))
            launch_swiglu_forward<T, pack_width<T>>(l, (T *)y, (const T *)gate_up, rows, width);
        else
            launch_swiglu_forward<T, 1>(l, (T *)y, (const T *)gate_up, rows, width);
    });
}

void kernel_swiglu_backward(const struct launch *l, const struct swiglu_backward *b)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        if (packs_fit<T>(b->width, b->d_gate_up, b->y_again, b->dy, b->gate_up))
            launch_swiglu_backward<T, pack_width<T>>(l, b);
        else
            launch_swiglu_backward<T, 1>(l, b);
    });
}

/* ---- rounding and adding
 * ------------------------------------------------------------------------------- */

template <typename T> __global__ void narrow(T *to, const float *from, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        to[i] = round_to<T>(from[i]);
}

void kernel_narrow(const struct launch *l, void *to, const float *from, size_t n)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        narrow<T><<<blocks_for(n, THREADS), THREADS, 0, l->stream>>>((T *)to, from, n);
    });
}

template <int V> __global__ void add_to(float *to, const float *x, size_t packs)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= packs)
        return;
    pack<float, V> sum = load<float, V>(to + V * i), more = load<float, V>(x + V * i);
    for (int k = 0; k < V; k++)
        sum.of[k] += more.of[k];
    store<float, V>(to + V * i, sum);
}

/* In packs where the addresses allow it, and what is left over one by one. */
void kernel_add(const struct launch *l, float *to, const float *x, size_t n)
{
    bool wide = ((uintptr_t)to | (uintptr_t)x) % 16 == 0;
    size_t packs = wide ? n / 4 : 0, rest = n - 4 * packs;
    if (packs > 0)
        add_to<4><<<blocks_for(packs, THREADS), THREADS, 0, l->stream>>>(to, x, packs);
    if (rest > 0)
        add_to<1><<<blocks_for(rest, THREADS), THREADS, 0, l->stream>>>(to + 4 * packs,
                                                                        x + 4 * packs, rest);
}

template <typename T> __global__ void add_rows(T *to, const T *a, const T *b, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        to[i] = round_to<T>(widen(a[i]) + widen(b[i]));
}

void kernel_add_rows(const struct launch *l, void *to, const void *a, const void *b, size_t n)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        add_rows<T><<<blocks_for(n, THREADS), THREADS, 0, l->stream>>>((T *)to, (const T *)a,
                                                                       (const T *)b, n);
    });
}

/* ---- AdamW ---------------------------------------------------------------------------------- */

struct factors {
    float gradient_scale, lr, eps, decay, correction1, correction2;
    float keep1, take1, keep2, take2;
};

/* The weight after the step, from the same weight, its moments and its gradient. */
static __device__ float adamw_one(const factors &f, float w, float &m, float &v, float gradient)
{
    float g = gradient * f.gradient_scale;
    m = f.keep1 * m + f.take1 * g;
    v = f.keep2 * v + f.take2 * g * g;
    float step = m / f.correction1 / (sqrtf(v / f.correction2) + f.eps);
    return w - f.lr * (f.decay * w + step);
}

template <typename T, int V>
__global__ void adamw(size_t n, T *weight, float *master, float *m, float *v, const float *gradient,
                      factors f)
{
    size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) * V;
    if (i >= n)
        return;
    pack<float, V> w = load<float, V>(master + i), m_ = load<float, V>(m + i);
    pack<float, V> v_ = load<float, V>(v + i), g = load<float, V>(gradient + i);
    pack<T, V> narrow;
    for (int j = 0; j < V; j++) {
        w.of[j] = adamw_one(f, w.of[j], m_.of[j], v_.of[j], g.of[j]);
        narrow.of[j] = round_to<T>(w.of[j]);
    }
    store<float, V>(master + i, w);
    store<float, V>(m + i, m_);
    store<float, V>(v + i, v_);
    if ((const void *)weight != (const void *)master)
        store<T, V>(weight + i, narrow);
}

void kernel_adamw(const struct launch *l, const struct adamw_step *a)
{
    const factors f = {a->gradient_scale,
                       a->lr,
                       a->eps,
                       a->decay,
                       a->correction1,
                       a->correction2,
                       (float)a->beta1,
                       (float)(1 - a->beta1),
                       (float)a->beta2,
                       (float)(1 - a->beta2)};
    bool fit = a->n % 4 == 0 && packs_fit<float>(4, a->master, a->m, a->v, a->gradient) &&
               (uintptr_t)a->weight % 16 == 0;
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        T *weight = (T *)a->weight;
        if (fit)
            adamw<T, 4><<<blocks_for(a->n, THREADS * 4), THREADS, 0, l->stream>>>(
                a->n, weight, a->master, a->m, a->v, a->gradient, f);
        else
            adamw<T, 1><<<blocks_for(a->n, THREADS), THREADS, 0, l->stream>>>(
                a->n, weight, a->master, a->m, a->v, a->gradient, f);
    });
}
