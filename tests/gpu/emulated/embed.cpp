/*
 * The embedding's gradient on a processor: the kernels of embed.cu themselves (block.h), against
 * the sum in ascending order of rows, bit for bit.
 */
extern "C" {
#include "tests/gpu/attention_data.h"
}
#include "tests/gpu/emulated/block.h"
#include "tests/gpu/emulated/tests.h"
#include "trainer/device/cuda/kernels/kernels.h"

#include <stdio.h>
#include <string.h>
#include <vector>

/* Numbers of many sizes, so that another order of addition gives other bits. */
static float number_of(size_t i)
{
    float x = (float)(i * 2654435761u % 2001) - 1000;
    return x * (i % 3 ? 1.0f : 64.0f) * (i % 7 ? 0.37f : 0.00113f);
}

static bool same_bits(const std::vector<float> &a, const std::vector<float> &b)
{
    return memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/* How tokens are spread over rows. */
typedef int32_t spread(int row, int vocabulary);
static int32_t all_alike(int, int vocabulary) { return vocabulary - 1; }
static int32_t all_others(int row, int vocabulary) { return (row * 7 + 3) % vocabulary; }
static int32_t some_often(int row, int vocabulary)
{
    return row % 3 ? row * row % 5 : row * 13 % vocabulary;
}

static bool embed(int rows, int width, int vocabulary, enum number number, spread *token_of)
{
    std::vector<int32_t> tokens(rows);
    std::vector<uint16_t> dy((size_t)rows * width);
    std::vector<float> got((size_t)vocabulary * width), want;
    std::vector<char> scratch((size_t)rows * 8, (char)0xFF); /* no more than it says it needs */
    struct launch l = {};
    l.number = number;
    l.scratch = scratch.data();
    for (int row = 0; row < rows; row++)
        tokens[row] = token_of(row, vocabulary);
    for (size_t i = 0; i < dy.size(); i++)
        dy[i] = narrow(number_of(i), number);
    for (size_t i = 0; i < got.size(); i++)
        got[i] = number_of(i + 17);
    want = got;
    for (size_t i = 0; i < dy.size(); i++)
        want[(size_t)tokens[i / width] * width + i % width] += (float)wide(dy[i], number);
    kernel_embed_backward(&l, got.data(), tokens.data(), dy.data(), rows, width);
    return same_bits(got, want);
}

int test_embedding(int *tests)
{
    static const struct {
        int rows, width, vocabulary;
        spread *token_of;
    } cases[] = {{1, 8, 3, all_alike},      {77, 24, 5, all_alike},   {200, 2056, 211, all_others},
                 {131, 13, 40, some_often}, {64, 40, 64, some_often}, {33, 257, 1, all_alike}};
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (enum number number : {NUMBER_BF16, NUMBER_FP16}) {
            bool good = embed(cases[i].rows, cases[i].width, cases[i].vocabulary, number,
                              cases[i].token_of);
            printf("%sok %d - %s embedding's gradient, %d rows by %d, emulated: rows in order, to "
                   "the bit\n",
                   good ? "" : "not ", ++*tests, number_name(number), cases[i].rows,
                   cases[i].width);
            failures += !good;
        }
    return failures;
}
