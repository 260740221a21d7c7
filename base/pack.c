#include "base/pack.h"

#include "base/text.h"

#include <limits.h>
#include <string.h>

#define MORE 0x80u /* in a byte: another one follows */

void pack_number(struct buf *out, uint64_t number)
{
    char bytes[10];
    size_t n = 0;
    if (number < MORE) { /* most are */
        buf_char(out, (char)number);
        return;
    }
    for (; number >= MORE; number >>= 7)
        bytes[n++] = (char)((number & (MORE - 1)) | MORE);
    bytes[n++] = (char)number;
    buf_add(out, bytes, n);
}

/* 0 stands for NULL, so that lengths are one more. */
void pack_text(struct buf *out, const char *text)
{
    size_t len = text ? strlen(text) + 1 : 0;
    pack_number(out, len);
    buf_add(out, text ? text : "", len);
}

void pack_number_list(struct buf *out, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pack_number(out, numbers[i]);
}

void pack_text_list(struct buf *out, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pack_text(out, texts[i]);
}

void pack_bytes(struct buf *out, const void *data, size_t len)
{
    buf_add(out, data, len);
}

#define LANES 4 /* that do not wait for each other */
#define WORD sizeof(uint64_t)

/* Another `sum` or another `word` gives another result: both steps can be taken back. */
static uint64_t mix_words(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 32;
}

uint64_t pack_checksum(const void *data, size_t len)
{
    uint64_t lanes[LANES] = {1, 2, 3, 4}, word, sum = len;
    const char *at = data;
    for (; len >= sizeof lanes; at += sizeof lanes, len -= sizeof lanes)
        for (size_t i = 0; i < LANES; i++) {
            memcpy(&word, at + i * WORD, WORD);
            lanes[i] = mix_words(lanes[i], word);
        }
    while (len > 0) {
        size_t n = len < WORD ? len : WORD;
        word = 0;
        memcpy(&word, at, n);
        sum = mix_words(sum, word);
        at += n;
        len -= n;
    }
    for (size_t i = 0; i < LANES; i++)
        sum = mix_words(sum, lanes[i]);
    return sum;
}

struct unpack unpack_answer(const char *answer, size_t len)
{
    return (struct unpack){
        .at = answer, .end = answer + len, .memory_max = 2 * len + ((size_t)64 << 20)};
}

bool unpack_memory(struct unpack *u, size_t n, size_t size)
{
    size_t left = u->memory_max - u->memory;
    if (u->memory_max && n > left / size)
        u->bad = true;
    else
        u->memory += n * size;
    return !u->bad;
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
    for (unsigned bit = 0; bit < 64; bit += 7) {
        const unsigned char *byte = unpack_bytes(u, 1);
        if (!byte)
            return 0;
        number |= (uint64_t)(*byte & (MORE - 1)) << bit;
        if (*byte < MORE)
            return number;
    }
    u->bad = true; /* longer than any number */
    return 0;
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

int unpack_int(struct unpack *u)
{
    uint64_t number = unpack_number(u);
    u->bad |= number > INT_MAX;
    return u->bad ? 0 : (int)number;
}

size_t unpack_list(struct unpack *u, size_t least, size_t most, size_t size)
{
    size_t n = unpack_count(u, least);
    u->bad |= n > most;
    return unpack_memory(u, n, size) ? n : 0;
}

size_t unpack_choice(struct unpack *u, size_t most)
{
    uint64_t number = unpack_number(u);
    u->bad |= number > most;
    return u->bad ? 0 : (size_t)number;
}

const char *unpack_words(struct unpack *u)
{
    const char *text = unpack_text(u);
    if (!text || u->lasts)
        return text;
    size_t n = strlen(text);
    u->bad |= utf8_valid_until(text, n) != n;
    return u->bad ? NULL : text;
}

const char *take_words(struct unpack *u, struct arena *arena)
{
    const char *text = unpack_words(u);
    if (!text || u->lasts)
        return text;
    return unpack_memory(u, 1, strlen(text) + UNPACK_TEXT) ? arena_strdup(arena, text) : NULL;
}

bool unpack_end(const struct unpack *u)
{
    return !u->bad && u->at == u->end;
}
