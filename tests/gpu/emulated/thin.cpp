/*
 * Thin products on a processor: the kernels of thin.cu themselves (block.h), against the sums of
 * device.h in double. What dropout keeps is what its formula says, bit for bit.
 */
extern "C" {
#include "tests/gpu/attention_data.h"
}
#include "tests/gpu/emulated/block.h"
#include "tests/gpu/emulated/tests.h"
#include "trainer/device/cuda/kernels/kernels.h"

#include <math.h>
#include <stdio.h>
#include <vector>

#define ADAPTERS 2

struct shape {
    int rows, width, r;
    bool across;
    float keep;
};

/* Elements in the format under test, and as doubles. */
struct numbers {
    std::vector<double> x;
    std::vector<char> raw;
    enum number number;

    numbers(size_t n, enum number in, int seed) : x(n), raw(n * size(in)), number(in)
    {
        for (size_t i = 0; i < n; i++)
            set(i, ((double)((i + seed) * 2654435761u % 2001) - 1000) / 700);
    }
    static size_t size(enum number in) { return in == NUMBER_FP32 ? 4 : 2; }
    void *at(size_t i) { return raw.data() + i * size(number); }
    void set(size_t i, double value)
    {
        if (number == NUMBER_FP32)
            *(float *)at(i) = (float)value;
        else
            *(uint16_t *)at(i) = narrow((float)value, number);
        x[i] = get(i);
    }
    double get(size_t i)
    {
        return number == NUMBER_FP32 ? *(float *)at(i) : wide(*(uint16_t *)at(i), number);
    }
};

/* The relative difference of all that is there. */
struct distance {
    double off = 0, size = 0;
    void add(double found, double expected)
    {
        off += (found - expected) * (found - expected);
        size += expected * expected;
    }
    double relative() const { return sqrt(off / size); }
};

static bool keeps(const struct thin &t, int row, int column)
{
    uint64_t place = (t.first_row + row) * (uint64_t)t.width + column;
    return !t.bits || device_mix(t.key ^ place) >> 40 < (uint64_t)(t.keep * (1 << 24));
}

struct ground {
    struct shape s;
    numbers x, w, thin;
    std::vector<uint8_t> bits;
    std::vector<float> gradient;
    std::vector<char> scratch;
    struct launch l = {};
    struct thin of[ADAPTERS];
    int ld;

    ground(const struct shape &shape, enum number in)
        : s(shape), x((size_t)s.rows * (ADAPTERS * s.width + 8), in, 1),
          w((size_t)ADAPTERS * s.width * s.r, in, 2), thin((size_t)ADAPTERS * s.rows * s.r, in, 3),
          bits(ADAPTERS * s.rows * thin_bits_bytes(s.width), 0xFF), gradient(w.x.size(), 0.5f),
          scratch((size_t)1 << 20), ld(ADAPTERS * s.width + 8)
    {
        l.number = in;
        l.scratch = scratch.data();
        for (int i = 0; i < ADAPTERS; i++) {
            of[i] = {};
            of[i].rows = s.rows, of[i].width = s.width, of[i].r = s.r, of[i].ld = ld;
            of[i].across = s.across, of[i].fresh = i == 1, of[i].scale = 0.5f, of[i].keep = s.keep;
            of[i].key = 0x123456789abcdefu + i, of[i].first_row = 77;
            if (s.keep < 1)
                of[i].bits = bits.data() + i * s.rows * thin_bits_bytes(s.width);
            of[i].x = x.at((size_t)i * s.width);
            of[i].w = w.at((size_t)i * s.width * s.r);
            of[i].thin = thin.at((size_t)i * s.rows * s.r);
            of[i].gradient = gradient.data() + (size_t)i * s.width * s.r;
        }
    }
    size_t in_w(int i, int j, int c) const
    {
        return (size_t)i * s.width * s.r + (s.across ? (size_t)c * s.r + j : (size_t)j * s.width + c);
    }
    size_t in_x(int i, int row, int c) const { return (size_t)row * ld + i * s.width + c; }
    size_t in_thin(int i, int row, int j) const { return ((size_t)i * s.rows + row) * s.r + j; }
    double factor() const { return 0.5 / s.keep; }

    double down()
    {
        distance d;
        kernel_thin_down(&l, of, ADAPTERS);
        for (int i = 0; i < ADAPTERS; i++)
            for (int row = 0; row < s.rows; row++)
                for (int j = 0; j < s.r; j++) {
                    double sum = 0;
                    for (int c = 0; c < s.width; c++)
                        sum += keeps(of[i], row, c) ? x.x[in_x(i, row, c)] * w.x[in_w(i, j, c)] : 0;
                    d.add(thin.get(in_thin(i, row, j)), factor() * sum);
                    thin.set(in_thin(i, row, j), thin.get(in_thin(i, row, j)));
                }
        return d.relative();
    }
    bool drawn() const
    {
        bool same = true;
        for (int i = 0; i < ADAPTERS && s.keep < 1; i++)
            for (int row = 0; row < s.rows; row++)
                for (int c = 0; c < s.width; c++)
                    same = same && keeps(of[i], row, c) ==
                                       (of[i].bits[row * thin_bits_bytes(s.width) + c / 8] >> c % 8 & 1);
        return same;
    }
    double gradients()
    {
        distance d;
        kernel_thin_gradient(&l, of, ADAPTERS);
        for (int i = 0; i < ADAPTERS; i++)
            for (int j = 0; j < s.r; j++)
                for (int c = 0; c < s.width; c++) {
                    double sum = 0;
                    for (int row = 0; row < s.rows; row++)
                        sum += keeps(of[i], row, c) ? thin.x[in_thin(i, row, j)] * x.x[in_x(i, row, c)] : 0;
                    d.add(gradient[in_w(i, j, c)], (i == 1 ? 0 : 0.5) + factor() * sum);
                }
        return d.relative();
    }
    double up(bool together)
    {
        distance d;
        std::vector<double> want = x.x;
        if (together)
            of[1].x = of[0].x;
        kernel_thin_up(&l, of, ADAPTERS);
        for (int i = 0; i < ADAPTERS; i++)
            for (int row = 0; row < s.rows; row++)
                for (int c = 0; c < s.width; c++)
                    for (int j = 0; j < s.r && keeps(of[i], row, c); j++)
                        want[in_x(together ? 0 : i, row, c)] +=
                            factor() * thin.x[in_thin(i, row, j)] * w.x[in_w(i, j, c)];
        for (size_t i = 0; i < want.size(); i++) {
            d.add(x.get(i), want[i]);
            x.set(i, x.get(i));
        }
        return d.relative();
    }
};

int test_thin(int *tests)
{
    static const struct shape shapes[] = {{37, 64, 8, false, 0.95f}, {37, 1064, 8, true, 1},
                                          {9, 72, 16, true, 0.5f},   {21, 13, 3, false, 0.7f},
                                          {300, 45, 11, true, 0.9f}, {17, 1100, 8, false, 0.95f}};
    static const char *const names[] = {"fp32", "bf16", "fp16"};
    static const double limits[] = {2e-6, 8e-3, 1e-3};
    int failures = 0;
    for (const struct shape &s : shapes)
        for (enum number number : {NUMBER_FP32, NUMBER_BF16, NUMBER_FP16}) {
            ground g(s, number);
            double off[] = {g.down(), g.gradients(), g.up(false), g.up(true)};
            bool good = g.drawn();
            for (double o : off)
                good = good && o <= limits[number];
            printf("%sok %d - %s thin products, %dx%d, r %d%s, keep %g, emulated: off by %.1e, "
                   "%.1e, %.1e, %.1e, kept as drawn\n",
                   good ? "" : "not ", ++*tests, names[number], s.rows, s.width, s.r,
                   s.across ? " across" : "", s.keep, off[0], off[1], off[2], off[3]);
            failures += !good;
        }
    return failures;
}
