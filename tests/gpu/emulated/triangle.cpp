/*
 * Attention in fp32 (triangle.cu) on a processor (block.h), against its formulas in double: several
 * sequences, heads that share keys, slopes, one tile and several.
 */
#include "tests/gpu/emulated/block.h"
#include "tests/gpu/emulated/tests.h"
#include "trainer/device/cuda/kernels/kernels.h"

#include <stdio.h>
#include <vector>

typedef std::vector<float> floats;

struct triangle_bench {
    struct attention_shape s;
    floats qkv, dy, y, lse, d_qkv;                /* the kernels' */
    std::vector<double> want_y, want_lse, want_d; /* the formulas' */
};

static floats drawn(uint64_t &state, size_t n)
{
    floats x(n);
    for (auto &e : x) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        e = (float)(state >> 40) / (1 << 22) - 2;
    }
    return x;
}

/* Head `head` of a packed row, counted through queries, keys and values. */
static size_t packed_at(const attention_shape &s, int sequence, int row, int head)
{
    size_t of_row = (size_t)(s.heads + 2 * s.kv_heads) * s.head_width;
    return ((size_t)sequence * s.length + row) * of_row + (size_t)head * s.head_width;
}

static double dot_of(const float *a, const float *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

/* One query of one head: y, log_sum_exp, and what it adds to the gradients. */
static void query_expected(triangle_bench &b, int sequence, int head, int row)
{
    const attention_shape &s = b.s;
    const int w = s.head_width, kv = head / (s.heads / s.kv_heads);
    const size_t at_y = (((size_t)sequence * s.length + row) * s.heads + head) * w;
    const size_t q = packed_at(s, sequence, row, head);
    std::vector<double> p(row + 1);
    double top = -1e300, sum = 0, delta = 0;
    for (int j = 0; j <= row; j++) {
        size_t k = packed_at(s, sequence, j, s.heads + kv);
        p[j] = dot_of(&b.qkv[q], &b.qkv[k], w) / sqrt((double)w);
        p[j] += s.slopes ? (double)s.slopes[head] * (j - row) : 0;
        top = std::max(top, p[j]);
    }
    for (auto &x : p)
        sum += x = exp(x - top);
    b.want_lse[((size_t)sequence * s.heads + head) * s.length + row] = top + log(sum);
    for (int j = 0; j <= row; j++) {
        size_t v = packed_at(s, sequence, j, s.heads + s.kv_heads + kv);
        p[j] /= sum;
        delta += p[j] * dot_of(&b.dy[at_y], &b.qkv[v], w);
        for (int i = 0; i < w; i++)
            b.want_y[at_y + i] += p[j] * b.qkv[v + i];
    }
    for (int j = 0; j <= row; j++) {
        size_t k = packed_at(s, sequence, j, s.heads + kv),
               v = packed_at(s, sequence, j, s.heads + s.kv_heads + kv);
        double ds = p[j] * (dot_of(&b.dy[at_y], &b.qkv[v], w) - delta) / sqrt((double)w);
        for (int i = 0; i < w; i++) {
            b.want_d[q + i] += ds * b.qkv[k + i];
            b.want_d[k + i] += ds * b.qkv[q + i];
            b.want_d[v + i] += p[j] * b.dy[at_y + i];
        }
    }
}

/* In the Euclidean norm, as a share of what is expected. */
static double off_by(const floats &x, const std::vector<double> &want)
{
    double off = 0, size = 0;
    for (size_t i = 0; i < x.size(); i++) {
        off += (x[i] - want[i]) * (x[i] - want[i]);
        size += want[i] * want[i];
    }
    return sqrt(off / size);
}

static int triangle_shape(int *tests, attention_shape s)
{
    uint64_t state = 11;
    const size_t rows = (size_t)s.batch * s.length, wide = rows * s.heads * s.head_width;
    const size_t packed = rows * (s.heads + 2 * s.kv_heads) * s.head_width, stats = rows * s.heads;
    triangle_bench b = {s,
                        drawn(state, packed),
                        drawn(state, wide),
                        floats(wide, NAN),
                        floats(stats, NAN),
                        floats(packed, NAN),
                        std::vector<double>(wide),
                        std::vector<double>(stats),
                        std::vector<double>(packed)};
    floats scratch(stats), scores(kernel_triangle_bytes(&s) / sizeof(float), NAN);
    struct launch l = {};
    l.scratch = scratch.data();
    for (int i = 0; i < s.batch * s.heads * s.length; i++)
        query_expected(b, i / s.length / s.heads, i / s.length % s.heads, i % s.length);
    const attention_forward f = {s, b.qkv.data(), b.y.data(), b.lse.data()};
    const attention_backward back = {s,           b.qkv.data(), b.y.data(),
                                     b.dy.data(), b.lse.data(), b.d_qkv.data()};
    kernel_triangle_forward(&l, &f, scores.data());
    kernel_triangle_backward(&l, &back, scores.data());
    const double off[] = {off_by(b.y, b.want_y), off_by(b.lse, b.want_lse),
                          off_by(b.d_qkv, b.want_d)};
    static const char *const names[] = {"y", "log_sum_exp", "the gradients"};
    int failures = !kernel_triangle_fits(&s);
    for (int i = 0; i < 3; i++) {
        bool good = off[i] <= 1e-6;
        printf("%sok %d - fp32 %dx%d, %d:%d heads%s, emulated: %s off by %.2e\n",
               good ? "" : "not ", ++*tests, s.batch, s.length, s.heads, s.kv_heads,
               s.slopes ? " with slopes" : "", names[i], off[i]);
        failures += !good;
    }
    return failures;
}

int test_triangle(int *tests)
{
    static const float slopes[] = {0.8409f, 0.25f, 0.7071f, 0.00390625f};
    return triangle_shape(tests, {2, 128, 2, 2, 128, nullptr}) +
           triangle_shape(tests, {1, 256, 4, 2, 128, slopes});
}
