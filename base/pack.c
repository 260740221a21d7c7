#include "base/pack.h"

#include <string.h>

void pack_number(struct buf *out, uint64_t number)
{
    char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(number >> (8 * i) & 0xFF);
    buf_add(out, bytes, sizeof bytes);
}

/* 0 stands for NULL, so that lengths are one more. */
void pack_text(struct buf *out, const char *text)
{
    size_t len = text ? strlen(text) + 1 : 0;
    pack_number(out, len);
    buf_add(out, text ? text : "", len);
}

void pack_bytes(struct buf *out, const void *data, size_t len)
{
    buf_add(out, data, len);
}

const void *unpack_bytes(struct unpack *u, size_t len)
{
    if (u->bad || len > (size_t)(u->end - u->at)) {
        u->bad = true;
        return NULL;
    }
    u->at += len;
    return u->at - len;
}

uint64_t unpack_number(struct unpack *u)
{
    uint64_t number = 0;
    const unsigned char *bytes = unpack_bytes(u, 8);
    for (size_t i = 0; bytes && i < 8; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

const char *unpack_text(struct unpack *u)
{
    size_t len = (size_t)unpack_number(u);
    const char *text = len ? unpack_bytes(u, len) : NULL;
    if (text && memchr(text, '\0', len) == text + len - 1)
        return text;
    u->bad |= len > 0;
    return NULL;
}

size_t unpack_count(struct unpack *u, size_t least)
{
    uint64_t n = unpack_number(u);
    u->bad |= n > (size_t)(u->end - u->at) / least;
    return u->bad ? 0 : (size_t)n;
}

bool unpack_end(const struct unpack *u)
{
    return !u->bad && u->at == u->end;
}
