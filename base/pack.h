/*
 * pack: numbers and texts as bytes, for caches of our own.
 *
 *     pack_number(&out, 3);                      struct unpack u = {.at = data, .end = data + len};
 *     pack_text(&out, "abc");                    size_t n = unpack_count(&u, 2);
 *                                                const char *text = unpack_text(&u);
 *                                                if (!unpack_end(&u)) …   // not what was packed
 *
 * Numbers take a byte for every seven bits, the lowest first. A text is its length, its bytes and
 * a NUL, so that a reader borrows it from the buffer; NULL stays NULL. A reader never reads past
 * the end: after the first fault it is `bad`, and everything further is 0, NULL or empty.
 */
#pragma once

#include "base/arena.h"

#include <stdint.h>

void pack_number(struct buf *out, uint64_t number);
void pack_text(struct buf *out, const char *text);
void pack_bytes(struct buf *out, const void *data, size_t len);

/* Several of them: pack_texts(out, a, b, c). */
#define PACK_N(type, ...) (sizeof((type[]){__VA_ARGS__}) / sizeof(type))
#define pack_numbers(out, ...) \
    pack_number_list((out), (const uint64_t[]){__VA_ARGS__}, PACK_N(uint64_t, __VA_ARGS__))
#define pack_texts(out, ...) \
    pack_text_list((out), (const char *const[]){__VA_ARGS__}, PACK_N(const char *, __VA_ARGS__))
void pack_number_list(struct buf *out, const uint64_t *numbers, size_t n);
void pack_text_list(struct buf *out, const char *const *texts, size_t n);

struct unpack {
    const char *at, *end;
    bool bad;
    bool lasts;        /* they are our own and stay: texts are borrowed, as they are */
    size_t memory_max; /* that may be asked for to keep what is in it; 0: no limit */
    size_t memory;     /* that was asked for */
};

/* Reads an untrusted answer. At most twice its size and 64 MiB are made of it,
 * which is more than honest ones ask for. */
struct unpack unpack_answer(const char *answer, size_t len);

#define UNPACK_TEXT 16 /* bytes that keeping a text takes beside its own */

/* Before memory is asked for to keep what was read: false when it is more than there may be. */
bool unpack_memory(struct unpack *u, size_t n, size_t size);

uint64_t unpack_number(struct unpack *u);
const char *unpack_text(struct unpack *u);

/* The next `len` bytes; NULL when there are fewer. */
const void *unpack_bytes(struct unpack *u, size_t len);

/* A number of items of at least `least` bytes each: never more than can still follow. */
size_t unpack_count(struct unpack *u, size_t least);

/* The same of items that are no more than `most` and take `size` bytes of memory each. */
size_t unpack_list(struct unpack *u, size_t least, size_t most, size_t size);

/* Places and numbers of tables, rows and lines: 0 … INT_MAX; and 0 … most. */
int unpack_int(struct unpack *u);
size_t unpack_choice(struct unpack *u, size_t most);

/* UTF-8, or NULL; borrowed from the bytes, or copied unless these last. */
const char *unpack_words(struct unpack *u);
const char *take_words(struct unpack *u, struct arena *arena);

/* Of bytes as they were packed, to see damage: a change within one word of eight bytes is always
 * seen, any other but for one in 2^64. Nothing against somebody who means it; SHA-256 takes ten
 * times as long.
 */
uint64_t pack_checksum(const void *data, size_t len);

/* Was all of it read, and good? */
bool unpack_end(const struct unpack *u);
