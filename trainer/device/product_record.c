#include "trainer/device/product_record.h"

#include "base/arena.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "products/2 "

/* ---- keys ----------------------------------------------------------------------------------- */

static int64_t alignment_of(const void *address)
{
    int64_t aligned = 1;
    while (aligned < PRODUCT_ALIGN_MAX && (uintptr_t)address % (uintptr_t)(2 * aligned) == 0)
        aligned *= 2;
    return aligned;
}

struct product_key product_key_of(const struct matrix_product *p)
{
    return (struct product_key){{
        [PRODUCT_M] = p->m,
        [PRODUCT_N] = p->n,
        [PRODUCT_K] = p->k,
        [PRODUCT_LDA] = p->lda           ? p->lda
                        : p->transpose_a ? p->m
                                         : p->k,
        [PRODUCT_LDB] = p->ldb           ? p->ldb
                        : p->transpose_b ? p->k
                                         : p->n,
        [PRODUCT_LDC] = p->ldc ? p->ldc : p->n,
        [PRODUCT_BATCH] = p->batch ? p->batch : 1,
        [PRODUCT_TRANSPOSE_A] = p->transpose_a,
        [PRODUCT_TRANSPOSE_B] = p->transpose_b,
        [PRODUCT_ADDS] = p->beta != 0,
        [PRODUCT_C_FP32] = p->c_fp32,
        [PRODUCT_STRIDE_A] = (int64_t)p->stride_a,
        [PRODUCT_STRIDE_B] = (int64_t)p->stride_b,
        [PRODUCT_STRIDE_C] = (int64_t)p->stride_c,
        [PRODUCT_ALIGN_A] = alignment_of(p->a),
        [PRODUCT_ALIGN_B] = alignment_of(p->b),
        [PRODUCT_ALIGN_C] = alignment_of(p->c),
    }};
}

bool product_key_same(const struct product_key *a, const struct product_key *b)
{
    return memcmp(a->of, b->of, sizeof a->of) == 0;
}

/* ---- writing -------------------------------------------------------------------------------- */

void product_record_head(struct buf *out, const char *place)
{
    buf_printf(out, HEAD "%.*s\n", PRODUCT_PLACE_MAX - 1, place);
}

void product_record_line(struct buf *out, const struct product_choice *choice)
{
    for (int i = 0; i < PRODUCT_FIELDS; i++)
        buf_printf(out, "%" PRId64 " ", choice->key.of[i]);
    buf_printf(out, "%.1f ", choice->microseconds);
    for (int i = 0; i < PRODUCT_ALGORITHM_WORDS; i++)
        buf_printf(out, "%016" PRIx64, choice->algorithm[i]);
    buf_printf(out, "\n");
}

/* ---- reading -------------------------------------------------------------------------------- */

/* What a field may be. */
static const struct range {
    int64_t least, most;
} ranges[PRODUCT_FIELDS] = {
    [PRODUCT_M] = {1, INT32_MAX},
    [PRODUCT_N] = {1, INT32_MAX},
    [PRODUCT_K] = {1, INT32_MAX},
    [PRODUCT_LDA] = {1, INT32_MAX},
    [PRODUCT_LDB] = {1, INT32_MAX},
    [PRODUCT_LDC] = {1, INT32_MAX},
    [PRODUCT_BATCH] = {1, INT32_MAX},
    [PRODUCT_TRANSPOSE_A] = {0, 1},
    [PRODUCT_TRANSPOSE_B] = {0, 1},
    [PRODUCT_ADDS] = {0, 1},
    [PRODUCT_C_FP32] = {0, 1},
    [PRODUCT_STRIDE_A] = {0, INT64_MAX},
    [PRODUCT_STRIDE_B] = {0, INT64_MAX},
    [PRODUCT_STRIDE_C] = {0, INT64_MAX},
    [PRODUCT_ALIGN_A] = {1, PRODUCT_ALIGN_MAX},
    [PRODUCT_ALIGN_B] = {1, PRODUCT_ALIGN_MAX},
    [PRODUCT_ALIGN_C] = {1, PRODUCT_ALIGN_MAX},
};

/* A field and the one space behind it. */
static bool field_read(const char **at, const struct range *range, int64_t *out)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    if (errno || *end != ' ' || value < range->least || value > range->most)
        return false;
    *out = value;
    *at = end + 1;
    return true;
}

static bool time_read(const char **at, double *out)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *out = strtod(*at, &end);
    if (*end != ' ' || !isfinite(*out))
        return false;
    *at = end + 1;
    return true;
}

static bool word_read(const char **at, uint64_t *out)
{
    char digits[17] = "";
    for (int i = 0; i < 16; i++, ++*at) {
        if (!isxdigit((unsigned char)**at))
            return false;
        digits[i] = **at;
    }
    *out = strtoull(digits, NULL, 16);
    return true;
}

static bool choice_read(const char *line, struct product_choice *out)
{
    for (int i = 0; i < PRODUCT_FIELDS; i++)
        if (!field_read(&line, &ranges[i], &out->key.of[i]))
            return false;
    if (!time_read(&line, &out->microseconds))
        return false;
    for (int i = 0; i < PRODUCT_ALGORITHM_WORDS; i++)
        if (!word_read(&line, &out->algorithm[i]))
            return false;
    return *line == '\n' || *line == '\0';
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* The place that the first line names; false when it names none. */
static bool place_read(struct product_record *r, const char *text)
{
    size_t head = strlen(HEAD), length = strcspn(text, "\n");
    if (strncmp(text, HEAD, head) != 0 || length == head || length - head >= sizeof r->place)
        return false;
    memcpy(r->place, text + head, length - head);
    return true;
}

static int choices_read(struct product_record *r, const char *text, struct err *err)
{
    int number = 2;
    for (const char *line = next_line(text); *line; line = next_line(line), number++) {
        struct product_choice choice;
        if (r->n == PRODUCT_CHOICES_MAX)
            return err_set(err, ERR_INPUT,
                           "recorded products: found more than %d lines, expected at most as many",
                           PRODUCT_CHOICES_MAX);
        if (!choice_read(line, &choice))
            return err_set(err, ERR_INPUT,
                           "line %d of the recorded products: found no choice of an algorithm, "
                           "expected %d whole numbers in their ranges, a time, and %d hexadecimal "
                           "digits",
                           number, PRODUCT_FIELDS, 16 * PRODUCT_ALGORITHM_WORDS);
        r->choices = memory_grow(r->choices, (r->n + 1) * sizeof *r->choices);
        r->choices[r->n++] = choice;
    }
    return 0;
}

int product_record_read(struct product_record *r, const char *text, struct err *err)
{
    *r = (struct product_record){.place = ""};
    if (!text || !*text || isdigit((unsigned char)*text)) /* none, or of an earlier version */
        return 0;
    if (!place_read(r, text))
        return err_set(err, ERR_INPUT,
                       "line 1 of the recorded products: expected \"" HEAD
                       "\" and what they were chosen with");
    if (choices_read(r, text, err) == 0)
        return 0;
    product_record_release(r);
    return -1;
}

void product_record_release(struct product_record *r)
{
    free(r->choices);
    *r = (struct product_record){.place = ""};
}

const struct product_choice *product_record_find(const struct product_record *r,
                                                 const struct product_key *key)
{
    for (size_t i = 0; i < r->n; i++)
        if (product_key_same(&r->choices[i].key, key))
            return &r->choices[i];
    return NULL;
}
