#include "trainer/tokens/wire.h"

#include <string.h>

#define VARINT_BYTES_MAX 10

static int malformed(const struct wire_reader *r, struct err *err, const char *expected)
{
    return err_set(err, ERR_INPUT, "byte %zu of the message: found other bytes, expected %s", r->at,
                   expected);
}

static int read_varint(struct wire_reader *r, uint64_t *value, struct err *err)
{
    *value = 0;
    for (int i = 0; i < VARINT_BYTES_MAX && r->at < r->message.len; i++) {
        unsigned char byte = (unsigned char)r->message.data[r->at++];
        *value |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (!(byte & 0x80))
            return 0;
    }
    return malformed(r, err, "a number of at most 10 bytes");
}

static int read_fixed(struct wire_reader *r, size_t n, uint64_t *value, struct err *err)
{
    if (r->message.len - r->at < n)
        return malformed(r, err, "as many bytes as a fixed number has");
    *value = 0;
    for (size_t i = 0; i < n; i++)
        *value |= (uint64_t)(unsigned char)r->message.data[r->at++] << 8 * i;
    return 0;
}

static int read_bytes(struct wire_reader *r, struct bytes *out, struct err *err)
{
    uint64_t n;
    if (read_varint(r, &n, err) < 0)
        return -1;
    if (n > r->message.len - r->at)
        return malformed(r, err, "as many bytes as their length says");
    *out = (struct bytes){r->message.data + r->at, (size_t)n};
    r->at += (size_t)n;
    return 0;
}

static int read_value(struct wire_reader *r, struct wire_field *f, struct err *err)
{
    switch (f->type) {
    case WIRE_VARINT:
        return read_varint(r, &f->value, err);
    case WIRE_FIXED64:
        return read_fixed(r, 8, &f->value, err);
    case WIRE_BYTES:
        return read_bytes(r, &f->bytes, err);
    case WIRE_FIXED32:
        return read_fixed(r, 4, &f->value, err);
    }
    return malformed(r, err, "a field of type 0, 1, 2 or 5");
}

int wire_next(struct wire_reader *r, struct wire_field *field, struct err *err)
{
    uint64_t key;
    if (r->at == r->message.len)
        return 0;
    if (read_varint(r, &key, err) < 0)
        return -1;
    *field = (struct wire_field){.number = key >> 3, .type = (enum wire_type)(key & 7)};
    if (field->number == 0)
        return malformed(r, err, "a field number of 1 or more");
    return read_value(r, field, err) < 0 ? -1 : 1;
}

float wire_float(const struct wire_field *field)
{
    uint32_t bits = (uint32_t)field->value;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
