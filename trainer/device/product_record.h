/*
 * product_record: which algorithms a device chose for its matrix products, as text that a run
 * keeps for another run.
 *
 *   products/2 cuBLASLt 13.1.0, NVIDIA H200, 9.0, 132 multiprocessors, bf16
 *   <fields of the key> <microseconds> <the algorithm, 128 hexadecimal digits>
 *   …
 *
 * An algorithm is 64 bytes that mean something to the library, the card and the precision that the
 * first line names, and to no other: whoever reads a record compares that line before it uses the
 * rest, and has the library check each algorithm. Files of earlier versions have no such line; they
 * are read as a record of an unknown place, with nothing in it.
 *
 * Nothing here knows the library: an algorithm is numbers.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trainer/device/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What tells products apart that may need different algorithms. Alpha is none of it. */
enum product_field {
    PRODUCT_M,
    PRODUCT_N,
    PRODUCT_K,
    PRODUCT_LDA,
    PRODUCT_LDB,
    PRODUCT_LDC,
    PRODUCT_BATCH,
    PRODUCT_TRANSPOSE_A,
    PRODUCT_TRANSPOSE_B,
    PRODUCT_ADDS, /* beta is not 0 */
    PRODUCT_C_FP32,
    PRODUCT_STRIDE_A,
    PRODUCT_STRIDE_B,
    PRODUCT_STRIDE_C,
    PRODUCT_ALIGN_A, /* of the address, a power of two, PRODUCT_ALIGN_MAX at most */
    PRODUCT_ALIGN_B,
    PRODUCT_ALIGN_C,
    PRODUCT_FIELDS
};

#define PRODUCT_ALIGN_MAX 16

/* Without padding: keys are the same when their bytes are. */
struct product_key {
    int64_t of[PRODUCT_FIELDS];
};

/* What is left to defaults (device.h) is filled in. */
struct product_key product_key_of(const struct matrix_product *p);
bool product_key_same(const struct product_key *a, const struct product_key *b);

#define PRODUCT_ALGORITHM_WORDS 8

struct product_choice {
    struct product_key key;
    double microseconds; /* when it was chosen by timing; 0 */
    uint64_t algorithm[PRODUCT_ALGORITHM_WORDS];
};

#define PRODUCT_PLACE_MAX 160
#define PRODUCT_CHOICES_MAX 4096

struct product_record {
    char place[PRODUCT_PLACE_MAX]; /* "": the text does not say */
    struct product_choice *choices;
    size_t n;
};

/* `text` NULL or "": an empty record. ERR_INPUT with the line that is malformed; what was read up
 * to there is released. */
int product_record_read(struct product_record *r, const char *text, struct err *err);
void product_record_release(struct product_record *r); /* all zero is allowed */

/* NULL: there is none. */
const struct product_choice *product_record_find(const struct product_record *r,
                                                 const struct product_key *key);

/* The first line, and one more. */
void product_record_head(struct buf *out, const char *place);
void product_record_line(struct buf *out, const struct product_choice *choice);
