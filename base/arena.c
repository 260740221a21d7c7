#include "base/arena.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BLOCK_BYTES 65536
#define FIRST_BYTES 4096 /* many arenas hold little */
#define BLOCK_MAX ((size_t)4 << 20)
#define LARGE_PAGE ((size_t)2 << 20)
/* Below it is what a worker may say: large pages that grow are moved in pieces, so that for a while
 * there is a third more. */
#define GROWN_LEAST ((size_t)40 << 20)
#define ALIGN _Alignof(max_align_t)

struct arena_block {
    struct arena_block *older;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

_Noreturn void memory_end(const char *what, size_t size)
{
    fprintf(stderr, "fpreport: fatal: out of memory (%s%zu bytes)\n", what, size);
    _exit(MEMORY_EXIT);
}

void *memory_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        memory_end("", size);
    return p;
}

/* In large pages, if the system has any: of all that is touched a first time, a build of ten
 * thousand results spends a tenth of its time on the faults of small ones. */
static void advise_large(void *p, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), ahead = (page - (uintptr_t)p % page) % page;
    int before = errno;
    if (size >= LARGE_PAGE + ahead && madvise((char *)p + ahead, size - ahead, MADV_HUGEPAGE) < 0)
        errno = before;
}

void *memory_grow(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p)
        memory_end("", size);
    if (size >= GROWN_LEAST)
        advise_large(p, size);
    return p;
}

void arena_init(struct arena *a)
{
    *a = (struct arena){.last = NULL};
}

void arena_release(struct arena *a)
{
    while (a->last) {
        struct arena_block *older = a->last->older;
        free(a->last);
        a->last = older;
    }
    a->said = NULL;
}

void arena_adopt(struct arena *a, struct arena *from)
{
    struct arena_block **oldest = &from->last;
    while (*oldest)
        oldest = &(*oldest)->older;
    *oldest = a->last;
    a->last = from->last;
    from->last = NULL;
    from->said = NULL;
}

/* Whole large pages, where it is one or more. */
static struct arena_block *block_alloc(size_t *size)
{
    size_t whole = sizeof(struct arena_block) + *size;
    if (whole < LARGE_PAGE)
        return memory_grow(NULL, whole);
    whole = (whole + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    struct arena_block *b = aligned_alloc(LARGE_PAGE, whole);
    if (!b)
        memory_end("", whole);
    advise_large(b, whole);
    *size = whole - sizeof *b;
    return b;
}

/* Each block is twice as large as the one before, so that little memory is in small ones. */
static size_t block_least(const struct arena *a)
{
    size_t last = a->last ? a->last->size : 0;
    return !last                  ? FIRST_BYTES
           : last < BLOCK_BYTES   ? BLOCK_BYTES
           : last < BLOCK_MAX / 2 ? 2 * last
                                  : BLOCK_MAX;
}

static struct arena_block *block_new(struct arena *a, size_t room)
{
    size_t least = block_least(a), size = room > least ? room : least;
    struct arena_block *b = block_alloc(&size);
    b->size = size;
    b->used = 0;
    b->older = a->last;
    return a->last = b;
}

/* Whatever stood there before: what is taken is zeroed, not whole blocks. */
static void *take_block(struct arena *a, size_t size)
{
    if (size > SIZE_MAX / 2)
        memory_end("", size);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    struct arena_block *b = a->last;
    if (!b || b->size - b->used < size)
        b = block_new(a, size);
    void *p = b->bytes + b->used;
    b->used += size;
    return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
    return memset(take_block(a, size), 0, size);
}

char *arena_room(struct arena *a, size_t size)
{
    return take_block(a, size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / 2 / size)
        memory_end("", SIZE_MAX);
    return arena_alloc(a, n * size);
}

void *arena_copy(struct arena *a, const void *items, size_t n, size_t size)
{
    void *to = arena_array(a, n, size);
    if (n)
        memcpy(to, items, n * size);
    return to;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *copy = take_block(a, n + 1);
    memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

size_t memory_printed(int n)
{
    if (n < 0)
        memory_end("printf, ", sizeof(void *));
    return (size_t)n;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    char room[256]; /* most texts fit, so that they are formatted once */
    va_list again;
    va_copy(again, ap);
    size_t n = memory_printed(vsnprintf(room, sizeof room, fmt, ap));
    char *s = take_block(a, n + 1);
    if (n < sizeof room)
        memcpy(s, room, n + 1);
    else
        memory_printed(vsnprintf(s, n + 1, fmt, again));
    va_end(again);
    return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}

/* The capacity is the next power of two (at least 4), so that it needs no field of its own. */
void *arena_push(struct arena *a, void *items, size_t *n, size_t size)
{
    void *old;
    memcpy(&old, items, sizeof old);
    if (*n == 0 || (*n >= 4 && (*n & (*n - 1)) == 0)) {
        size_t cap = *n < 4 ? 4 : *n * 2;
        if (cap > SIZE_MAX / 2 / size)
            memory_end("", SIZE_MAX);
        char *bigger = take_block(a, cap * size);
        if (*n)
            memcpy(bigger, old, *n * size);
        memset(bigger + *n * size, 0, (cap - *n) * size);
        memcpy(items, &bigger, sizeof bigger);
        old = bigger;
    }
    return (char *)old + (*n)++ * size;
}

void buf_init(struct buf *b, size_t max)
{
    *b = (struct buf)BUF_INIT(max);
}

void buf_release(struct buf *b)
{
    if (b->cap)
        free(b->data);
    buf_init(b, b->max);
}

char *buf_text(struct buf *b, struct arena *a)
{
    char *text = arena_strndup(a, b->data, b->len);
    buf_release(b);
    return text;
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    b->overflow = false;
    if (b->cap)
        b->data[0] = '\0';
}

/* Make room for n more bytes and the NUL; false once the maximum would be passed. */
static bool reserve(struct buf *b, size_t n)
{
    if (b->overflow || n > b->max || b->len > b->max - n) {
        b->overflow = true;
        return false;
    }
    size_t need = b->len + n + 1;
    if (need <= b->cap)
        return true;
    size_t cap = b->cap ? b->cap : 64;
    while (cap < need)
        cap *= 2;
    b->data = memory_grow(b->cap ? b->data : NULL, cap);
    b->cap = cap;
    return true;
}

char *buf_room(struct buf *b, size_t n)
{
    return reserve(b, n) ? b->data + b->len : NULL;
}

void buf_took(struct buf *b, size_t n)
{
    b->len += n;
    b->data[b->len] = '\0';
}

void buf_add(struct buf *b, const char *bytes, size_t n)
{
    if (n == 0 || !reserve(b, n))
        return;
    memcpy(b->data + b->len, bytes, n);
    buf_took(b, n);
}

void buf_str(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

void buf_char(struct buf *b, char c)
{
    if (b->overflow || b->len >= b->max || b->len + 2 > b->cap) {
        buf_add(b, &c, 1);
        return;
    }
    b->data[b->len++] = c;
    b->data[b->len] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    /* Where there is room it is formatted once. */
    size_t room = b->cap > b->len ? b->cap - b->len : 0;
    size_t n = memory_printed(vsnprintf(room ? b->data + b->len : NULL, room, fmt, ap));
    va_end(ap);
    bool fits = n > 0 && reserve(b, n);
    if (fits && n >= room)
        memory_printed(vsnprintf(b->data + b->len, n + 1, fmt, again));
    if (fits)
        b->len += n;
    else if (room)
        b->data[b->len] = '\0';
    va_end(again);
}

int buf_check(const struct buf *b, const char *what, struct err *err)
{
    return !b->overflow ? 0 : err_set(err, ERR_INPUT, "%s is larger than %zu bytes", what, b->max);
}
