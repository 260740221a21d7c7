/*
 * pack_values: values that cross from a worker (base/process/worker.h) to whoever asked it, in
 * base/pack.h's bytes.
 *
 * Whoever takes them believes nothing: a value beyond its limits makes the reader bad, and what it
 * gives from then on is 0, NULL or empty.
 */
#ifndef BASE_RECORDS_PACK_VALUES_H
#define BASE_RECORDS_PACK_VALUES_H

#include "base/pack.h"
#include "base/records/facts.h"
#include "base/records/verdict.h"

void pack_double(struct buf *out, double value); /* NaN, too, is the same again */
double unpack_double(struct unpack *u);
void pack_doubles(struct buf *out, const double *values, size_t n);
double *unpack_doubles(struct unpack *u, size_t n, struct arena *arena);

/* Places and numbers of tables, rows and lines: 0 … INT_MAX. */
int unpack_int(struct unpack *u);

/* A number of items of at least `least` bytes each, which are no more than `most` and take `size`
 * bytes of memory each. */
size_t unpack_list(struct unpack *u, size_t least, size_t most, size_t size);

/* 0 … most */
size_t unpack_choice(struct unpack *u, size_t most);

/* UTF-8, or NULL; borrowed from the bytes, or copied unless these last. */
const char *unpack_words(struct unpack *u);
const char *take_words(struct unpack *u, struct arena *arena);

/* Members of a struct that are texts, by where they lie in it. */
void pack_texts(const void *from, const size_t *texts, size_t n, struct buf *out);
void unpack_texts(void *to, const size_t *texts, size_t n, struct arena *arena, struct unpack *u);

/* Steps rise strictly. */
void pack_curve(const struct curve *c, struct buf *out);
void unpack_curve(struct curve *c, struct arena *arena, struct unpack *u);

/* With what was measured. Each fact has a value or a reason. */
void pack_facts(const struct facts *f, struct buf *out);
struct facts *unpack_facts(struct arena *arena, struct unpack *u);

void pack_diags(const struct diags *d, struct buf *out);
void unpack_diags(struct diags *d, struct arena *arena, struct unpack *u);

#endif
