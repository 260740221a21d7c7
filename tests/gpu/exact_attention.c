#include "tests/gpu/exact.h"

#include <math.h>
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
 * Each query finds one key and no other, or two of them alike. A key says its position in bits (1
 * or -1), a query asks for those of one position times FAR, for a pair of neighbours without the
 * lowest bit; less what a match would give. So the score is 0 for what is found and at most -2 FAR
 * / sqrt(width) for all others, whose share is 0 in fp32; the shares of what is found are 1, or 1/2
 * each. With the former, log_sum_exp is 0 and only values have gradients.
 */
#define FAR 1024.0f

struct lookup {
    struct attention_shape s;
    bool pairs;
    float *qkv, *y, *lse, *dy, *d_qkv;
};

/* The positions that a query finds: *first and those behind it. Returns how many. */
static int found_by(const struct lookup *l, int row, int head, int *first)
{
    if (!l->pairs) {
        *first = (5 * row + 3 * head) % (row + 1);
        return 1;
    }
    *first = (5 * row + 3 * head) % (row / 2 + 1) * 2;
    return *first + 1 <= row ? 2 : 1;
}

static int bits_for(int length)
{
    int bits = 1;
    while (1 << bits < length)
        bits++;
    return bits;
}

static float sign_of_bit(int number, int bit)
{
    return number >> bit & 1 ? 1 : -1;
}

static size_t packed_width(const struct attention_shape *s)
{
    return (size_t)(s->heads + 2 * s->kv_heads) * s->head_width;
}

/* Head `head` of a packed row, counted through queries, keys and values. */
static float *head_at(const struct attention_shape *s, float *packed, int sequence, int row,
                      int head)
{
    size_t at = (size_t)sequence * s->length + row;
    return packed + at * packed_width(s) + (size_t)head * s->head_width;
}

static void ask(const struct lookup *l, float *q, int row, int head)
{
    int first, bits = bits_for(l->s.length);
    found_by(l, row, head, &first);
    for (int bit = l->pairs; bit < bits; bit++)
        q[bit] = FAR * sign_of_bit(first, bit);
    q[bits] = -FAR * (float)(bits - l->pairs);
}

static void row_fill(const struct lookup *l, int sequence, int row)
{
    const struct attention_shape *s = &l->s;
    int bits = bits_for(s->length);
    for (int head = 0; head < s->heads; head++)
        ask(l, head_at(s, l->qkv, sequence, row, head), row, head);
    for (int head = 0; head < s->kv_heads; head++) {
        float *k = head_at(s, l->qkv, sequence, row, s->heads + head);
        float *v = head_at(s, l->qkv, sequence, row, s->heads + s->kv_heads + head);
        for (int bit = 0; bit < bits; bit++)
            k[bit] = sign_of_bit(row, bit);
        k[bits] = 1;
        for (int i = 0; i < s->head_width; i++)
            v[i] = exact_whole((size_t)(v - l->qkv) + i, l->pairs ? 2 : 8);
    }
}

static float dot(const float *a, const float *b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_times(float *to, float factor, const float *x, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += factor * x[i];
}

/* What one query finds, and what that adds to all gradients; rows are filled. */
static void answer(const struct lookup *l, int sequence, int row, int head)
{
    const struct attention_shape *s = &l->s;
    int w = s->head_width, first, count = found_by(l, row, head, &first);
    int k_head = s->heads + head / (s->heads / s->kv_heads), v_head = k_head + s->kv_heads;
    size_t at = ((size_t)sequence * s->length + row) * s->heads + head;
    float *y = l->y + at * w, *dy = l->dy + at * w, share = 1 / (float)count;
    float *q = head_at(s, l->qkv, sequence, row, head);
    float *dq = head_at(s, l->d_qkv, sequence, row, head);
    l->lse[((size_t)sequence * s->heads + head) * s->length + row] = count == 2 ? 0.693147181f : 0;
    for (int i = 0; i < w; i++)
        dy[i] = !l->pairs || i == (row + head) % w ? exact_whole(at * w + i, 1) * 2 : 0;
    for (int j = first; j < first + count; j++)
        add_times(y, share, head_at(s, l->qkv, sequence, j, v_head), w);
    for (int j = first; j < first + count; j++) {
        float *k = head_at(s, l->qkv, sequence, j, k_head);
        float dp = dot(dy, head_at(s, l->qkv, sequence, j, v_head), w) - dot(dy, y, w);
        float ds = share * dp / sqrtf((float)w);
        add_times(dq, ds, k, w);
        add_times(head_at(s, l->d_qkv, sequence, j, k_head), ds, q, w);
        add_times(head_at(s, l->d_qkv, sequence, j, v_head), share, dy, w);
    }
}

static void lookups(struct exact *b, struct attention_shape s, bool pairs)
{
    char what[120];
    const char *found = pairs ? "pairs" : "single values";
    size_t rows = (size_t)s.batch * s.length, n = rows * s.heads * s.head_width;
    size_t packed = rows * packed_width(&s);
    const struct lookup l = {.s = s,
                             .pairs = pairs,
                             .qkv = exact_host(b, packed),
                             .y = exact_host(b, n),
                             .lse = exact_host(b, rows * s.heads),
                             .dy = exact_host(b, n),
                             .d_qkv = exact_host(b, packed)};
    for (int i = 0; i < s.batch * s.length; i++)
        row_fill(&l, i / s.length, i % s.length);
    for (int i = 0; i < s.batch * s.length * s.heads; i++)
        answer(&l, i / s.heads / s.length, i / s.heads % s.length, i % s.heads);
    void *qkv = exact_put(b, l.qkv, packed), *y = exact_put(b, exact_nans(b, n), n);
    void *dy = exact_put(b, l.dy, n), *d_qkv = exact_put(b, exact_nans(b, packed), packed);
    float *lse = exact_put_wide(b, exact_nans(b, rows * s.heads), rows * s.heads);
    b->o->attend_forward(b->device, &(struct attention_forward){s, qkv, y, lse});
    b->o->attend_backward(b->device, &(struct attention_backward){s, qkv, y, dy, lse, d_qkv});
    snprintf(what, sizeof what, "attention %d x %d, %d heads on %d, %d wide: %s found", s.batch,
             s.length, s.heads, s.kv_heads, s.head_width, found);
    exact_expect(b, y, l.y, n, what);
    snprintf(what, sizeof what, "attention, %s: log of the sums", found);
    exact_expect_wide(b, lse, l.lse, rows * s.heads, what);
    snprintf(what, sizeof what, "attention backward, %s", found);
    exact_expect(b, d_qkv, l.d_qkv, packed, what);
    exact_done(b);
}

void exact_attention(struct exact *b)
{
    static const struct attention_shape shapes[] = {
        {2, 64, 4, 2, 16, NULL}, {2, 128, 4, 4, 64, NULL},  {1, 100, 4, 1, 128, NULL},
        {3, 77, 4, 2, 64, NULL}, {2, 256, 4, 2, 128, NULL}, {1, 1, 2, 1, 64, NULL}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        rotations(b, shapes[i]);
        lookups(b, shapes[i], false);
        if (shapes[i].head_width < 128) /* of which the root is no number of any format */
            lookups(b, shapes[i], true);
    }
}
