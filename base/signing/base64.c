#include "base/signing/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int base64_value(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Four characters; the last `padding` of them were seen to be '='. */
static bool decode_four(const char *text, size_t padding, unsigned char *to)
{
    unsigned bits = 0;
    for (size_t i = 0; i < 4; i++) {
        int value = i < 4 - padding ? base64_value(text[i]) : 0;
        if (value < 0)
            return false;
        bits = bits << 6 | (unsigned)value;
    }
    if (bits & ((1u << (8 * padding)) - 1))
        return false;
    to[0] = (unsigned char)(bits >> 16);
    to[1] = (unsigned char)(bits >> 8);
    to[2] = (unsigned char)bits;
    return true;
}

bool base64_decode(const char *text, size_t len, struct arena *arena, struct bytes *out)
{
    size_t padding = len < 4 || text[len - 1] != '=' ? 0 : text[len - 2] != '=' ? 1 : 2;
    if (len % 4)
        return false;
    unsigned char *to = arena_alloc(arena, len / 4 * 3 + 1);
    for (size_t i = 0; i < len; i += 4)
        if (!decode_four(text + i, i + 4 == len ? padding : 0, to + i / 4 * 3))
            return false;
    size_t n = len / 4 * 3 - padding;
    to[n] = '\0';
    *out = (struct bytes){(const char *)to, n};
    return true;
}

void base64_encode(const void *data, size_t len, struct buf *out)
{
    const unsigned char *at = data;
    char text[1024];
    size_t n = 0;
    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i < 3 ? len - i : 3;
        unsigned bits = (unsigned)at[i] << 16 | (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
                        (left > 2 ? at[i + 2] : 0u);
        for (size_t k = 0; k < 4; k++)
            text[n++] = k > left ? '=' : alphabet[bits >> (18 - 6 * k) & 63];
        if (n == sizeof text) {
            buf_add(out, text, n);
            n = 0;
        }
    }
    buf_add(out, text, n);
}
