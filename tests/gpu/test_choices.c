/*
 * What the device decides for itself, on the GPU: algorithms of products are repeated from a record
 * of the same place, chosen again from any other and from one that is damaged, with a remark and
 * the right numbers each time; attention that cuDNN has no engine for is left to what can do it,
 * with a remark. Inputs are whole numbers, so that every algorithm gives the same bits. Prints TAP.
 */
#include "base/arena.h"
#include "tests/gpu/numbers.h"
#include "tests/gpu/tap.h"
#include "trainer/device/cuda/device_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tap tap;

static void check(bool good, const char *what, const char *more)
{
    tap_tell(&tap, good, "%s%s%s", what, *more ? ": " : "", more);
}

/* Products are timed, or where only attention is looked at, the library's first proposals. */
static struct device *open_device(const char *choices, enum attention_choice attention, bool fixed)
{
    struct err err = ERR_INIT;
    struct device *d;
    const struct device_cuda_options options = {
        .number = NUMBER_BF16, .attention = attention, .choices = choices, .fixed = fixed};
    tap_must(device_cuda_open(&d, &options, &err), &err);
    return d;
}

/* Into a text of its own; the caller's. */
static char *text_of(struct device *d, void (*ask)(struct device *, struct buf *))
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    ask(d, &text);
    char *kept = strdup(text.data);
    buf_release(&text);
    return kept;
}

static void *put_wholes(struct device *d, size_t n, int step)
{
    struct err err = ERR_INIT;
    uint16_t *host = malloc(n * sizeof *host);
    void *memory;
    for (size_t i = 0; i < n; i++)
        host[i] = narrow_one(NUMBER_BF16, (float)((int)(i * (size_t)step % 5) - 2));
    tap_must(d->operations->alloc(d, &memory, n * sizeof *host, &err), &err);
    d->operations->upload(d, memory, host, n * sizeof *host);
    free(host);
    return memory;
}

/* ---- products ------------------------------------------------------------------------------- */

#define M 512
#define N 768
#define K 1024

/* c[M, N] = a b; rows of b begin `skew` elements further on: addresses of other alignments. */
static void multiply(struct device *d, int skew, float *out)
{
    struct err err = ERR_INIT;
    char *a = put_wholes(d, M * K, 3), *b = put_wholes(d, K * N + 8, 7);
    void *c;
    tap_must(d->operations->alloc(d, &c, sizeof(float) * M * N, &err), &err);
    const struct matrix_product p = {
        .m = M, .n = N, .k = K, .alpha = 1, .a = a, .b = b + 2 * skew, .c = c, .c_fp32 = true};
    d->operations->multiply(d, &p);
    tap_must(d->operations->download(d, out, c, sizeof(float) * M * N, &err), &err);
    d->operations->release(d, a);
    d->operations->release(d, b);
    d->operations->release(d, c);
}

static bool is_right(const float *c, int skew)
{
    for (int i = 0; i < M; i += 37)
        for (int j = 0; j < N; j += 11) {
            double sum = 0;
            for (int k = 0; k < K; k++) {
                size_t at = (size_t)k * N + (size_t)j + (size_t)skew;
                sum += ((i * K + k) * 3 % 5 - 2) * ((int)(at * 7 % 5) - 2);
            }
            if (c[i * N + j] != sum)
                return false;
        }
    return true;
}

/* Both alignments, by a device that was given `choices`; what it says and chose is the caller's. */
static bool products(const char *choices, char **remarks, char **chosen)
{
    float *out = malloc(sizeof(float) * M * N);
    struct device *d = open_device(choices, ATTENTION_PLAIN, false);
    bool right = true;
    for (int skew = 0; skew <= 1; skew++) {
        multiply(d, skew, out);
        right = right && is_right(out, skew);
    }
    *remarks = text_of(d, device_cuda_remarks);
    *chosen = text_of(d, device_cuda_choices);
    device_close(d);
    free(out);
    return right;
}

static int lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* What is said and chosen with a record that was changed by `change`; said NULL: that is not known.
 */
static void changed(const char *record, void (*change)(char *), const char *said, const char *what)
{
    char *text = strdup(record), *remarks, *chosen;
    change(text);
    bool right = products(text, &remarks, &chosen);
    bool as_wanted = !said || (strstr(remarks, said) && lines(remarks) == 1);
    check(right && as_wanted && lines(chosen) == 3, what,
          strtok(remarks, "\n") ? remarks : "nothing is said");
    free(text);
    free(remarks);
    free(chosen);
}

static void other_card(char *text)
{
    char *at = strstr(text, "multiprocessors");
    at[-2] = at[-2] == '9' ? '8' : '9';
}

static void other_library(char *text)
{
    char *at = strstr(text, "cuBLASLt ");
    at[9] = '9';
}

/* Version 1 had no first line. */
static void no_place(char *text)
{
    const char *rest = strchr(text, '\n') + 1;
    memmove(text, rest, strlen(rest) + 1);
}

static void set_algorithms(char *text, char digit)
{
    for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        memset(strchr(line, '\n') - 128, digit, 128);
}

static void all_zero(char *text)
{
    set_algorithms(text, '0');
}

static void all_ones(char *text)
{
    set_algorithms(text, 'f');
}

static void test_products(void)
{
    char *remarks, *record, *again, *more;
    bool right = products(NULL, &remarks, &record);
    check(right && !*remarks && lines(record) == 3, "products of two alignments are two choices",
          remarks);
    right = products(record, &more, &again);
    check(right && !*more && strcmp(record, again) == 0, "a record is repeated to the byte", more);
    changed(record, other_card, "chosen again", "a record of another card");
    changed(record, other_library, "chosen again", "a record of another cuBLASLt");
    changed(record, no_place, "did not say", "a record of an earlier version");
    changed(record, all_zero, NULL, "algorithms that are zeros");
    changed(record, all_ones, "none that this cuBLASLt can run", "algorithms that are ones");
    free(remarks);
    free(record);
    free(again);
    free(more);
}

static void test_malformed(void)
{
    struct err err = ERR_INIT;
    struct device *d;
    const struct device_cuda_options options = {.number = NUMBER_BF16,
                                                .choices = "products/2 x\n1 2 3\n"};
    bool refused = device_cuda_open(&d, &options, &err) < 0;
    check(refused && err.kind == ERR_INPUT, "a malformed record is refused", err.text);
}

/* All but 96 MiB is taken, and the product's result is 256. */
static void test_without_memory(void)
{
    enum { SIDE = 8192 };
    struct err err = ERR_INIT;
    struct device *d = open_device(NULL, ATTENTION_PLAIN, false);
    char *a = put_wholes(d, (size_t)SIDE * 64, 3), *remarks;
    void *c, *rest;
    size_t left;
    tap_must(d->operations->alloc(d, &c, (size_t)SIDE * SIDE * sizeof(float), &err), &err);
    tap_must(d->operations->free_bytes(d, &left, &err), &err);
    tap_must(d->operations->alloc(d, &rest, left - ((size_t)96 << 20), &err), &err);
    const struct matrix_product p = {.transpose_b = true,
                                     .m = SIDE,
                                     .n = SIDE,
                                     .k = 64,
                                     .alpha = 1,
                                     .a = a,
                                     .b = a,
                                     .c = c,
                                     .c_fp32 = true};
    d->operations->multiply(d, &p);
    tap_must(d->operations->synchronize(d, &err), &err);
    remarks = text_of(d, device_cuda_remarks);
    check(strstr(remarks, "not all timed") != NULL, "no memory to time a product in", remarks);
    free(remarks);
    d->operations->release(d, rest);
    d->operations->release(d, c);
    d->operations->release(d, a);
    device_close(d);
}

/* ---- attention ------------------------------------------------------------------------------ */

static const char *kind_of(struct device *d, const struct attention_shape *s, char text[160])
{
    struct buf kind;
    buf_init(&kind, 4096);
    device_cuda_attention(d, s, &kind);
    snprintf(text, 160, "%.159s", kind.data);
    buf_release(&kind);
    return text;
}

/* y of a forward pass, and whether both passes went well. */
static bool attend(struct device *d, const struct attention_shape *s, uint16_t *y)
{
    struct err err = ERR_INIT;
    size_t rows = (size_t)(s->batch * s->length), width = (size_t)(s->heads * s->head_width);
    size_t packed = (size_t)((s->heads + 2 * s->kv_heads) * s->head_width);
    void *qkv = put_wholes(d, rows * packed, 3), *dy = put_wholes(d, rows * width, 11);
    void *out = put_wholes(d, rows * width, 1), *dx = put_wholes(d, rows * packed, 1), *lse;
    tap_must(d->operations->alloc(d, &lse, rows * (size_t)s->heads * sizeof(float), &err), &err);
    const struct attention_forward f = {*s, qkv, out, lse};
    const struct attention_backward b = {*s, qkv, out, dy, lse, dx};
    d->operations->attend_forward(d, &f);
    d->operations->attend_backward(d, &b);
    bool good = d->operations->download(d, y, out, rows * width * sizeof *y, &err) == 0;
    if (!good)
        printf("# %s\n", err.text);
    void *all[] = {qkv, dy, out, dx, lse};
    for (int i = 0; i < 5; i++)
        d->operations->release(d, all[i]);
    return good;
}

/* A shape that cuDNN has no engine for is computed all the same, and said once; one that it has an
 * engine for is cuDNN's, and nothing is said. */
static void test_attention(struct attention_shape s)
{
    char what[64], kind[160];
    size_t bytes, n = (size_t)(s.batch * s.length * s.heads * s.head_width);
    struct err err = ERR_INIT;
    uint16_t *y = malloc(n * sizeof *y), *expected = malloc(n * sizeof *y);
    struct device *cudnn = open_device(NULL, ATTENTION_CUDNN, true);
    struct device *best = open_device(NULL, ATTENTION_BEST, true);
    struct device *plain = open_device(NULL, ATTENTION_PLAIN, true);
    bool engine = cudnn->operations->workspace_bytes(cudnn, &s, 0, &bytes, &err) == 0;
    bool good = attend(best, &s, y) && attend(plain, &s, expected) && attend(best, &s, y);
    char *remarks = text_of(best, device_cuda_remarks);
    bool is_cudnn = strncmp(kind_of(best, &s, kind), "cuDNN", 5) == 0;
    bool same = memcmp(y, expected, n * sizeof *y) == 0;
    snprintf(what, sizeof what, "attention, heads %d wide, %s", s.head_width,
             engine ? "with an engine" : "without one");
    check(good && is_cudnn == engine && lines(remarks) == !engine && (engine || same), what, kind);
    printf("# %s%s", remarks, *remarks ? "" : "\n");
    free(remarks);
    free(y);
    free(expected);
    device_close(cudnn);
    device_close(best);
    device_close(plain);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    test_products();
    test_malformed();
    test_without_memory();
    test_attention((struct attention_shape){1, 256, 2, 1, 128, NULL});
    test_attention((struct attention_shape){1, 128, 2, 2, 264, NULL});
    test_attention((struct attention_shape){1, 128, 2, 2, 512, NULL});
    return tap_end(&tap);
}
