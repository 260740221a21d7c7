/*
 * buf: a byte string that grows, born with its maximum.
 *
 * Invariants: `data` is never NULL and data[len] is NUL, also right after init. Once more than
 * `max` bytes are asked for, the buffer stops growing, `overflow` stays true, and what does not
 * fit is dropped: writers need no check per call, the one who finishes the buffer asks
 * buf_check() once. Out of memory ends the process (arena.h).
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data;
    size_t len, cap, max;
    bool overflow;
};

/* 64 MiB: more than any page, record or log line that we write. */
#define BUF_DEFAULT_MAX ((size_t)64 << 20)

void buf_init(struct buf *b, size_t max);
void buf_release(struct buf *b);
void buf_clear(struct buf *b); /* length 0, capacity and maximum kept */

void buf_add(struct buf *b, const char *bytes, size_t n);
void buf_str(struct buf *b, const char *s);
void buf_char(struct buf *b, char c);

/* Room for n more bytes, of which the caller says how many it filled; NULL: they do not fit. */
char *buf_room(struct buf *b, size_t n);
void buf_took(struct buf *b, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* -1 and "<what> is larger than <max> bytes" if anything was dropped. */
int buf_check(const struct buf *b, const char *what, struct err *err);
