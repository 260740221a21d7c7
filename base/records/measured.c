#include "base/records/measured.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS_MAX 1000000
#define SIZE_LIMIT 9007199254740992.0 /* 2^53 */

const struct measure_kind measure_kinds[MEASURE_KINDS] = {
    [MEASURE_GEMM_FP32] = {"gemm_fp32", "Matrix product, fp32", "TFLOP/s", MEASURE_ROWS},
    [MEASURE_GEMM_TF32] = {"gemm_tf32", "Matrix product, tf32", "TFLOP/s", MEASURE_ROWS},
    [MEASURE_GEMM_BF16] = {"gemm_bf16", "Matrix product, bf16", "TFLOP/s", MEASURE_ROWS},
    [MEASURE_GEMM_FP16] = {"gemm_fp16", "Matrix product, fp16", "TFLOP/s", MEASURE_ROWS},
    [MEASURE_MEMORY_COPY] = {"memory_copy", "Memory, copy", "GB/s", MEASURE_BYTES},
    [MEASURE_MEMORY_UPDATE] = {"memory_update", "Memory, update", "GB/s", MEASURE_BYTES},
    [MEASURE_HOST_TO_DEVICE] = {"host_to_device", "Host to device", "GB/s", MEASURE_BYTES},
    [MEASURE_DEVICE_TO_HOST] = {"device_to_host", "Device to host", "GB/s", MEASURE_BYTES},
    [MEASURE_ALL_REDUCE] = {"all_reduce", "All-reduce, bus", "GB/s", MEASURE_BYTES},
};

/* NULL for a key that this version does not know. */
static const struct measure_kind *measure_kind_of(const char *key)
{
    return text_find(measure_kinds, MEASURE_KINDS, sizeof *measure_kinds, key);
}

const struct measure *measured_find(const struct measured *m, enum measure_id id)
{
    const struct measure *best = NULL;
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->items[i].key, measure_kinds[id].key) == 0 &&
            (!best || m->items[i].size > best->size))
            best = &m->items[i];
    return best;
}

const struct measure *measured_same(const struct measured *m, const struct measure *x)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].size == x->size && strcmp(m->items[i].key, x->key) == 0)
            return &m->items[i];
    return NULL;
}

/* ---- for people ----------------------------------------------------------------------------- */

const char *measure_size(const struct measure *m, struct arena *arena)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    const struct measure_kind *kind = measure_kind_of(m->key);
    double value = m->size;
    size_t unit = 0;
    if (!kind)
        return arena_printf(arena, "size %.0f", m->size);
    if (kind->size == MEASURE_ROWS)
        return arena_printf(arena, "%.0f x %.0f", m->size, m->size);
    for (; value >= 1024 && fmod(value, 1024) == 0 && unit + 1 < sizeof units / sizeof *units;
         unit++)
        value /= 1024;
    return arena_printf(arena, "%.0f %s", value, units[unit]);
}

const char *measure_label(const struct measure *m)
{
    const struct measure_kind *kind = measure_kind_of(m->key);
    return kind ? kind->label : m->key;
}

const char *measure_name(const struct measure *m, struct arena *arena)
{
    return arena_printf(arena, "%s, %s", measure_label(m), measure_size(m, arena));
}

const char *measure_text(const struct measure *m, struct arena *arena)
{
    const char *text = arena_printf(arena, "%.4g %s (%.4g to %.4g, %d times", m->median, m->unit,
                                    m->min, m->max, m->repetitions);
    if (isnan(m->slowest))
        return arena_printf(arena, "%s)", text);
    return arena_printf(arena, "%s; slowest is rank %d, %.4g)", text, m->slowest_rank, m->slowest);
}

/* Four significant digits, which is more than repeats. */
static double rounded_measure(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_one(const struct measure *m, struct json_writer *w)
{
    json_begin_object_flat(w, NULL);
    json_string(w, "key", m->key);
    json_string(w, "unit", m->unit);
    json_number(w, "size", m->size);
    json_integer(w, "repetitions", m->repetitions);
    json_number(w, "min", rounded_measure(m->min));
    json_number(w, "median", rounded_measure(m->median));
    json_number(w, "max", rounded_measure(m->max));
    if (!isnan(m->slowest)) {
        json_number(w, "slowest", rounded_measure(m->slowest));
        json_integer(w, "slowest_rank", m->slowest_rank);
    }
    json_end_object(w);
}

void measured_write(const struct measured *m, struct json_writer *w)
{
    if (m->n == 0)
        return;
    json_begin_object(w, "measured");
    json_string(w, "device", m->device);
    json_string(w, "with", m->with);
    json_integer(w, "ranks", m->ranks);
    json_begin_array(w, "figures");
    for (size_t i = 0; i < m->n; i++)
        write_one(&m->items[i], w);
    json_end_array(w);
    json_end_object(w);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
    const char *file;
    struct arena *arena;
    struct measured *out;
    struct diags *diags;
};

__attribute__((format(printf, 3, 4))) static void
complain_of_measures(struct reading *r, const struct json *at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diags_vadd(r->diags, SEVERITY_ERROR, r->file, at->line, at->col, fmt, ap);
    va_end(ap);
}

/* NaN: there is no such number. */
static double number_of_measure(const struct json *j, const char *key)
{
    const struct json *member = json_get(j, key);
    return member && member->kind == JSON_NUMBER ? member->number : NAN;
}

/* -1: not a whole number from 0 to max. */
static int whole_of(const struct json *j, const char *key, int max)
{
    double value = number_of_measure(j, key);
    return value >= 0 && value <= max && value == floor(value) ? (int)value : -1;
}

/* Only what can be shown in a line. */
static bool is_unit(const char *unit)
{
    size_t n = strlen(unit);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)unit[i] <= ' ' || (unsigned char)unit[i] > '~')
            return false;
    return n > 0 && n < 24;
}

/* What is wrong with a figure, or NULL. */
static const char *fault_of_measure(const struct measured *m, const struct measure *x,
                                    bool one_slowest)
{
    const struct measure_kind *kind = x->key ? measure_kind_of(x->key) : NULL;
    bool several = m->ranks > 1;
    if (!x->key || !*x->key || strlen(x->key) >= 64 ||
        x->key[strspn(x->key, "abcdefghijklmnopqrstuvwxyz0123456789_")])
        return "expected a 'key' of lower-case letters, digits and '_'";
    if (!x->unit || !is_unit(x->unit) || (kind && strcmp(kind->unit, x->unit) != 0))
        return "expected 'unit' to be the unit of this key";
    if (!(x->size >= 1 && x->size <= SIZE_LIMIT && x->size == floor(x->size)))
        return "expected 'size' to be a whole number of at least 1";
    if (x->repetitions < 1)
        return "expected 'repetitions' to be a whole number of at least 1";
    if (!(x->min > 0 && x->min <= x->median && x->median <= x->max))
        return "expected numbers 0 < 'min' <= 'median' <= 'max'";
    if (one_slowest || (several && !(x->slowest > 0 && x->slowest <= x->max)) ||
        (!several && !isnan(x->slowest)))
        return "expected 'slowest' and 'slowest_rank' for several ranks, and neither for a single "
               "rank";
    return measured_same(m, x) ? "the same measured rate appears twice" : NULL;
}

static void read_measure(struct reading *r, const struct json *j)
{
    struct measure x = {
        .key = json_get_text(j, "key", NULL),
        .unit = json_get_text(j, "unit", NULL),
        .size = number_of_measure(j, "size"),
        .repetitions = whole_of(j, "repetitions", REPETITIONS_MAX),
        .min = number_of_measure(j, "min"),
        .median = number_of_measure(j, "median"),
        .max = number_of_measure(j, "max"),
        .slowest = number_of_measure(j, "slowest"),
        .slowest_rank = whole_of(j, "slowest_rank", r->out->ranks - 1),
    };
    const char *fault =
        j->kind != JSON_OBJECT
            ? "expected an object"
            : fault_of_measure(r->out, &x, isnan(x.slowest) != (x.slowest_rank < 0));
    if (fault)
        complain_of_measures(r, j, "%s", fault);
    else
        *(struct measure *)ARENA_PUSH(r->arena, r->out->items, r->out->n) = x;
}

int measured_read(const char *file, const struct json *j, struct arena *arena, struct measured *out,
                  struct diags *diags)
{
    struct reading r = {file, arena, out, diags};
    size_t before = diags->errors;
    *out = (struct measured){0};
    if (!j)
        return 0;
    const struct json *figures = json_get(j, "figures");
    *out = (struct measured){.device = json_get_text(j, "device", NULL),
                             .with = json_get_text(j, "with", NULL),
                             .ranks = whole_of(j, "ranks", MEASURED_RANKS_MAX)};
    if (!out->device || !out->with || out->ranks < 1)
        complain_of_measures(&r, j,
                             "expected 'device' and 'with', strings, and 'ranks', at least 1");
    else if (!figures || figures->kind != JSON_ARRAY || figures->n > MEASURED_MAX)
        complain_of_measures(&r, j, "expected 'figures' to be an array of at most %d entries",
                             MEASURED_MAX);
    else
        for (const struct json *x = figures->child; x; x = x->next)
            read_measure(&r, x);
    return diags->errors == before ? 0 : -1;
}
