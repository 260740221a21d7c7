#include "base/buf.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shared by all empty buffers: cap 0 says that it is neither ours to free nor to write. */
static const char empty[1];

void buf_init(struct buf *b, size_t max)
{
    *b = (struct buf){.data = (char *)empty, .max = max};
}

void buf_release(struct buf *b)
{
    if (b->cap)
        free(b->data);
    buf_init(b, b->max);
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
    if (!b->overflow)
        return 0;
    return err_set(err, ERR_INPUT, "%s is larger than %zu bytes", what, b->max);
}
