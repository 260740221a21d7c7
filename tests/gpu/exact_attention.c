#include "tests/gpu/exact.h"

#include <stdio.h>

/* ---- rotation ------------------------------------------------------------------------------- */

/* Quarter turns: of pair i at position p as often as (p + i) % 4. */
static void rotations(struct exact *b, struct attention_shape s)
{
    static const float cosines[] = {1, 0, -1, 0};
    int half = s.head_width / 2, heads = s.heads + 2 * s.kv_heads;
    size_t rows = (size_t)s.batch * s.length, n = rows * heads * s.head_width;
    float *before = exact_wholes(b, n, 100, 1), *after = exact_host(b, n);
    float *cosine = exact_host(b, (size_t)s.length * half),
          *sine = exact_host(b, (size_t)s.length * half);
    for (int at = 0; at < s.length * half; at++) {
        int quarters = (at / half + at % half) % 4;
        cosine[at] = cosines[quarters];
        sine[at] = cosines[(quarters + 3) % 4];
    }
    for (size_t i = 0; i < n; i++) {
        int in_head = (int)(i % s.head_width), head = (int)(i / s.head_width % heads);
        size_t at = i / s.head_width / heads % s.length * half + in_head % half;
        size_t other = in_head < half ? i + half : i - half;
        float turn = in_head < half ? -sine[at] : sine[at];
        bool value = head >= s.heads + s.kv_heads;
        after[i] = value ? before[i] : before[i] * cosine[at] + before[other] * turn;
    }
    struct rotation r = {.shape = s, .qkv = exact_put(b, before, n)};
    r.cosine = exact_put_wide(b, cosine, (size_t)s.length * half);
    r.sine = exact_put_wide(b, sine, (size_t)s.length * half);
    b->o->rotate_forward(b->device, &r);
    exact_expect(b, r.qkv, after, n, "rotation by quarter turns");
    b->o->rotate_backward(b->device, &r);
    exact_expect(b, r.qkv, before, n, "rotation and back");
    exact_done(b);
}

/* ---- attention ------------------------------------------------------------------------------ */

/*
 * Each query finds one key and no other: a key says its position in bits (1 or -1), a query asks
 * for those of one position times FAR; less what a full match would give. So the score is 0 for the
 * one and at most -2 FAR / sqrt(width) for all others, whose share is 0 in fp32: y is that value,
 * log_sum_exp 0, and since the shares are 1 and 0 whatever happens, only values have gradients.
 */
#define FAR 1024.0f

static int target_of(int row, int head)
{
    return (5 * row + 3 * head) % (row + 1);
}

static int bits_for(int length)
{
    int bits = 0;
    while (1 << bits < length)
        bits++;
    return bits;
}

struct lookup {
    struct attention_shape s;
    float *qkv, *y, *lse, *dy, *d_qkv;
};

static float sign_of_bit(int number, int bit)
{
    return number >> bit & 1 ? 1 : -1;
}

static void lookup_row(const struct lookup *l, int sequence, int row)
{
    const struct attention_shape *s = &l->s;
    int w = s->head_width, packed = (s->heads + 2 * s->kv_heads) * w, bits = bits_for(s->length);
    size_t at = (size_t)sequence * s->length + row;
    float *q = l->qkv + at * packed, *k = q + s->heads * w;
    for (int head = 0; head < s->heads; head++) {
        for (int bit = 0; bit < bits; bit++)
            q[head * w + bit] = FAR * sign_of_bit(target_of(row, head), bit);
        q[head * w + bits] = -FAR * (float)bits;
    }
    for (int head = 0; head < s->kv_heads; head++) {
        for (int bit = 0; bit < bits; bit++)
            k[head * w + bit] = sign_of_bit(row, bit);
        k[head * w + bits] = 1;
        for (int i = 0; i < w; i++)
            k[(s->kv_heads + head) * w + i] = exact_whole(at * packed + head * w + i, 8);
    }
}

/* Values of all rows are there. */
static void lookup_answer(const struct lookup *l, int sequence, int row)
{
    const struct attention_shape *s = &l->s;
    int w = s->head_width, packed = (s->heads + 2 * s->kv_heads) * w;
    for (int head = 0; head < s->heads; head++) {
        size_t from = (size_t)sequence * s->length + target_of(row, head);
        size_t to = ((size_t)sequence * s->length + row) * s->heads * w + head * w;
        int kv = head / (s->heads / s->kv_heads);
        size_t value = from * packed + (s->heads + s->kv_heads + kv) * w;
        for (int i = 0; i < w; i++) {
            l->y[to + i] = l->qkv[value + i];
            l->dy[to + i] = exact_whole(to + i, 2);
            l->d_qkv[value + i] += l->dy[to + i];
        }
    }
}

static void lookups(struct exact *b, struct attention_shape s)
{
    char what[100];
    size_t rows = (size_t)s.batch * s.length, n = rows * s.heads * s.head_width;
    size_t packed = rows * (s.heads + 2 * s.kv_heads) * s.head_width;
    struct lookup l = {s,
                       exact_host(b, packed),
                       exact_host(b, n),
                       exact_host(b, rows * s.heads),
                       exact_host(b, n),
                       exact_host(b, packed)};
    for (int sequence = 0; sequence < s.batch; sequence++)
        for (int row = 0; row < s.length; row++)
            lookup_row(&l, sequence, row);
    for (int sequence = 0; sequence < s.batch; sequence++)
        for (int row = 0; row < s.length; row++)
            lookup_answer(&l, sequence, row);
    void *qkv = exact_put(b, l.qkv, packed), *y = exact_put(b, exact_nans(b, n), n);
    void *dy = exact_put(b, l.dy, n), *d_qkv = exact_put(b, exact_nans(b, packed), packed);
    float *lse = exact_put_wide(b, exact_nans(b, rows * s.heads), rows * s.heads);
    b->o->attend_forward(b->device, &(struct attention_forward){s, qkv, y, lse});
    b->o->attend_backward(b->device, &(struct attention_backward){s, qkv, y, dy, lse, d_qkv});
    snprintf(what, sizeof what, "attention %d x %d, %d heads on %d, %d wide: values found", s.batch,
             s.length, s.heads, s.kv_heads, s.head_width);
    exact_expect(b, y, l.y, n, what);
    exact_expect_wide(b, lse, l.lse, rows * s.heads, "attention: log of the sums");
    exact_expect(b, d_qkv, l.d_qkv, packed, "attention backward: values get it all");
    exact_done(b);
}

void exact_attention(struct exact *b)
{
    static const struct attention_shape shapes[] = {{2, 64, 4, 2, 16},
                                                    {2, 128, 4, 4, 64},
                                                    {1, 100, 4, 1, 128},
                                                    {3, 77, 4, 2, 64},
                                                    {1, 1, 2, 1, 64}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        rotations(b, shapes[i]);
        lookups(b, shapes[i]);
    }
}
