/*
 * The kernels of pictures.cu on a processor (block.h), against their formulas in double. Widths
 * that packs fit and that they do not; rows of other numbers than a block's.
 */
extern "C" {
#include "tests/gpu/attention_data.h"
}
#include "tests/gpu/emulated/block.h"
#include "tests/gpu/emulated/tests.h"
#include "trainer/device/cuda/kernels/kernels.h"

#include <stdio.h>
#include <vector>

typedef std::vector<uint16_t> narrows;

struct picture_bench {
    struct launch launch;
    enum number number;
    std::vector<char> scratch;
    uint64_t state;
    double limit;
};

static double next_number(picture_bench &b)
{
    b.state = b.state * 6364136223846793005u + 1442695040888963407u;
    return (double)(b.state >> 40) / (1 << 23) - 1;
}

static narrows numbers(picture_bench &b, size_t n)
{
    narrows x(n);
    for (auto &e : x)
        e = narrow((float)(2 * next_number(b)), b.number);
    return x;
}

static double at(const picture_bench &b, const narrows &x, size_t i)
{
    return wide(x[i], b.number);
}

/* In the Euclidean norm, as a share of what is expected. */
static double apart_from(const picture_bench &b, const narrows &x, const std::vector<double> &want)
{
    double off = 0, length = 0;
    for (size_t i = 0; i < x.size(); i++) {
        off += (at(b, x, i) - want[i]) * (at(b, x, i) - want[i]);
        length += want[i] * want[i];
    }
    return sqrt(off / length);
}

static double layer_norms(picture_bench &b, int rows, int width)
{
    size_t n = (size_t)rows * width;
    narrows x = numbers(b, n), residual = numbers(b, n), weight = numbers(b, width);
    narrows bias = numbers(b, width), sum(n), y(n);
    std::vector<double> want(n);
    const struct layer_norm norm = {rows,        width,           1e-5f,
                                    x.data(),    residual.data(), weight.data(),
                                    bias.data(), sum.data(),      y.data()};
    kernel_layer_norm(&b.launch, &norm);
    for (int r = 0; r < rows; r++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < width; i++)
            mean += at(b, sum, (size_t)r * width + i) / width;
        for (int i = 0; i < width; i++)
            squares += pow(at(b, sum, (size_t)r * width + i) - mean, 2) / width;
        for (int i = 0; i < width; i++) {
            size_t k = (size_t)r * width + i;
            want[k] =
                (at(b, sum, k) - mean) / sqrt(squares + 1e-5) * at(b, weight, i) + at(b, bias, i);
            if (sum[k] != narrow((float)(at(b, x, k) + at(b, residual, k)), b.number))
                return INFINITY;
        }
    }
    return apart_from(b, y, want);
}

static double value(enum activation f, double x, bool slope)
{
    double p = (1 + erf(x * sqrt(0.5))) / 2, s = 1 / (1 + exp(-1.702 * x));
    if (f == ACTIVATION_NONE)
        return slope ? 1 : x;
    if (f == ACTIVATION_GELU)
        return slope ? p + x * exp(-x * x / 2) / sqrt(2 * acos(-1.0)) : x * p;
    return slope ? s * (1 + 1.702 * x * (1 - s)) : x * s;
}

static double biases(picture_bench &b, int rows, int width, enum activation f)
{
    size_t n = (size_t)rows * width;
    narrows x = numbers(b, n), before = x, bias = numbers(b, width), y(n), d = numbers(b, n);
    narrows dy = d;
    std::vector<double> want(n), d_want(n), sums(width);
    std::vector<float> d_bias(width, 1.0f);
    const struct bias_forward forward = {rows, width, f, bias.data(), x.data(), y.data()};
    const struct bias_backward backward = {rows,     width,        f, x.data(), d.data(),
                                           d.data(), d_bias.data()};
    kernel_bias_forward(&b.launch, &forward);
    kernel_bias_backward(&b.launch, &backward);
    for (size_t i = 0; i < n; i++) {
        if (x[i] != narrow((float)(at(b, before, i) + at(b, bias, i % width)), b.number))
            return INFINITY;
        want[i] = value(f, at(b, x, i), false);
        d_want[i] = at(b, dy, i) * value(f, at(b, x, i), true);
        sums[i % width] += d_want[i];
    }
    double off = fmax(apart_from(b, y, want), apart_from(b, d, d_want));
    for (int i = 0; i < width; i++)
        off = fmax(off, fabs(d_bias[i] - 1 - sums[i]) / (1 + fabs(sums[i])) / sqrt((double)rows));
    return off;
}

static double softmaxes(picture_bench &b, int rows, int length)
{
    size_t n = (size_t)rows * length;
    std::vector<float> scores(n);
    std::vector<double> want(n);
    narrows p(n);
    for (auto &s : scores)
        s = (float)(5 * next_number(b));
    kernel_softmax_all(&b.launch, p.data(), scores.data(), rows, length);
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int j = 0; j < length; j++)
            sum += exp(scores[(size_t)r * length + j]);
        for (int j = 0; j < length; j++)
            want[(size_t)r * length + j] = exp(scores[(size_t)r * length + j]) / sum;
    }
    return apart_from(b, p, want);
}

/* Rows as they lie in a picture, the class in front, then some of them put elsewhere. */
static double pictures_in_rows(picture_bench &b, int side, int size, int width)
{
    const int pictures = 2, across = side / size, patches = across * across, area = size * size;
    std::vector<uint8_t> pixels((size_t)pictures * side * side * 3);
    narrows rows((size_t)pictures * patches * 3 * area);
    std::vector<double> want(rows.size());
    for (auto &p : pixels)
        p = (uint8_t)(128 + 127 * next_number(b));
    struct patch_rows p = {pictures,      side,       size, pixels.data(), {0.01f, 0.02f, 0.03f},
                           {-1, 0.5f, 0}, rows.data()};
    kernel_patch_rows(&b.launch, &p);
    for (size_t i = 0; i < rows.size(); i++) {
        int in = (int)(i % (3 * area)), patch = (int)(i / (3 * area)) % patches;
        size_t picture = i / (3 * area) / patches, y = patch / across * size + in % area / size;
        size_t x = patch % across * size + in % size, c = in / area;
        want[i] = p.scale[c] * pixels[((picture * side + y) * side + x) * 3 + c] + p.shift[c];
    }
    double off = apart_from(b, rows, want);
    narrows x = numbers(b, (size_t)pictures * patches * width), first = numbers(b, width);
    narrows places = numbers(b, (size_t)(1 + patches) * width);
    narrows y((size_t)pictures * (1 + patches) * width);
    const struct placed_rows placed = {pictures,     patches,       width,   x.data(),
                                       first.data(), places.data(), y.data()};
    kernel_placed_rows(&b.launch, &placed);
    std::vector<int32_t> to(pictures * (1 + patches));
    narrows put(y.size(), narrow(7, b.number)), expected = put;
    for (size_t r = 0; r < to.size(); r++)
        to[r] = r % 3 == 1 ? -1 : (int32_t)(to.size() - 1 - r);
    kernel_put_rows(&b.launch, put.data(), y.data(), to.data(), (int)to.size(), width);
    for (size_t i = 0; i < y.size(); i++) {
        size_t row = i / width, picture = row / (1 + patches), place = row % (1 + patches);
        double from = place ? at(b, x, (picture * patches + place - 1) * width + i % width)
                            : at(b, first, i % width);
        if (y[i] != narrow((float)(from + at(b, places, place * width + i % width)), b.number))
            return INFINITY;
        if (to[row] >= 0)
            expected[(size_t)to[row] * width + i % width] = y[i];
    }
    return put == expected ? off : INFINITY;
}

static int tell_picture(const picture_bench &b, int *tests, const char *what, double off)
{
    bool good = off <= b.limit;
    printf("%sok %d - %s %s, emulated: %.2g off\n", good ? "" : "not ", ++*tests,
           number_name(b.number), what, off);
    return !good;
}

int test_pictures(int *tests)
{
    int failures = 0;
    for (enum number number : {NUMBER_BF16, NUMBER_FP16}) {
        picture_bench b = {{},
                           number,
                           std::vector<char>(1 << 22, (char)0xFF),
                           1,
                           number == NUMBER_BF16 ? 4e-3 : 5e-4};
        b.launch.number = number;
        b.launch.scratch = b.scratch.data();
        failures += tell_picture(b, tests, "layer norm of 64", layer_norms(b, 21, 64));
        failures += tell_picture(b, tests, "layer norm of 1027", layer_norms(b, 3, 1027));
        for (enum activation f : {ACTIVATION_NONE, ACTIVATION_GELU, ACTIVATION_QUICK_GELU}) {
            failures += tell_picture(b, tests, "bias of 300 rows", biases(b, 300, 40, f));
            failures += tell_picture(b, tests, "bias of 7 rows", biases(b, 7, 333, f));
        }
        failures += tell_picture(b, tests, "softmax of 577", softmaxes(b, 19, 577));
        failures += tell_picture(b, tests, "pictures in rows", pictures_in_rows(b, 28, 14, 32));
        failures += tell_picture(b, tests, "pictures in odd rows", pictures_in_rows(b, 9, 3, 13));
    }
    return failures;
}
