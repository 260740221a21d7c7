/*
 * arena: memory that lives and dies together; and, at the end, buf: a byte string that grows.
 *
 * Everything that belongs to one input (a JSON tree, a result, a page) is allocated from one
 * arena and released at once; nothing in it is freed singly. Memory is zeroed; a copy of NULL is
 * NULL. Running out of memory ends the process (abort after a line on stderr): one of the two
 * exceptions to "only cli prints". Inputs are capped before they are read, so an arena needs no
 * maximum of its own.
 */
#pragma once

#include "base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena {
    struct arena_block *last; /* newest block; NULL while empty */
    struct said_texts *said;  /* what its texts were made of (base/sentence.h); NULL: of none */
};

#define ARENA_INIT ((struct arena){NULL, NULL})

void arena_init(struct arena *a);
void arena_release(struct arena *a); /* frees everything; the arena is empty and usable again */

/* Zeroed, aligned for any type. size 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* For bytes that are written at once: whatever stood there before, not zeros. */
char *arena_room(struct arena *a, size_t size);

/* n * size, checked for overflow. */
void *arena_array(struct arena *a, size_t n, size_t size);

/* These n items; they stay the caller's. */
void *arena_copy(struct arena *a, const void *items, size_t n, size_t size);

char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/*
 * Append room for one more element to the array *items of *n elements of `size` bytes and
 * return its address (zeroed). *items moves as it grows; *n is raised by one. Amortised O(1).
 */
void *arena_push(struct arena *a, void *items, size_t *n, size_t size);
#define ARENA_PUSH(a, items, n) (arena_push((a), &(items), &(n), sizeof *(items)))

/* What `from` holds lives in `a` from now on; `from` is empty. What its texts were made of is no
 * longer known. */
void arena_adopt(struct arena *a, struct arena *from);

/* What MEMORY_EXIT stands for in cli/cli.h: it ended in the middle, and what came of it has to be
 * looked at. */
#define MEMORY_EXIT 5

/* Say that `what` ran out of memory, and end the process: nothing is left half done that a kill
 * would not leave, too. */
_Noreturn void memory_end(const char *what, size_t size);

/*
 * A library that runs out of memory must not be taken for one that found something: a record that
 * cannot be parsed, a signature that does not hold, a figure that is not there would go into a
 * verdict or a page. So libraries that take an allocator have one that ends so (hash_start,
 * repo_git_start); where one reports it, or printf does, whoever called it ends.
 *
 * What printf and its kin gave; they fail only for want of memory.
 */
size_t memory_printed(int n);

/* malloc and realloc that end so when memory runs out; for buffers that outgrow. */
void *memory_alloc(size_t size);
void *memory_grow(void *old, size_t size);

/* A byte string that grows, born with its maximum.
 *
 * Invariants: `data` is never NULL and data[len] is NUL, also right after init. Once more than
 * `max` bytes are asked for, the buffer stops growing, `overflow` stays true, and what does not
 * fit is dropped: writers need no check per call, the one who finishes the buffer asks
 * buf_check() once. Out of memory ends the process (arena.h). */

struct buf {
    char *data;
    size_t len, cap, max;
    bool overflow;
};

/* 64 MiB: more than any page, record or log line that we write. */
#define BUF_DEFAULT_MAX ((size_t)64 << 20)

/* A new one: struct buf out = BUF_INIT(BUF_DEFAULT_MAX). All empty ones share their data: cap 0
 * says that it is neither ours to free nor to write. */
#define BUF_INIT(most) ((struct buf){.data = (char *)"", .max = (most)})
void buf_init(struct buf *b, size_t max);
void buf_release(struct buf *b);
void buf_clear(struct buf *b); /* length 0, capacity and maximum kept */

/* A copy of it in the arena; the buffer is released. */
char *buf_text(struct buf *b, struct arena *a);

void buf_add(struct buf *b, const char *bytes, size_t n);
void buf_str(struct buf *b, const char *s);
void buf_char(struct buf *b, char c);

/* Room for n more bytes, of which the caller says how many it filled; NULL: they do not fit. */
char *buf_room(struct buf *b, size_t n);
void buf_took(struct buf *b, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* -1 and "<what> is larger than <max> bytes" if anything was dropped. */
int buf_check(const struct buf *b, const char *what, struct err *err);

/* A piece of memory with its length, borrowed from whoever made it (mostly an arena). The
 * bytes may be anything, NULs too. */

/* Bytes with a NUL behind them (not counted in len). */
struct bytes {
    const char *data;
    size_t len;
};
