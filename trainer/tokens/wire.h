/*
 * wire: the fields of a message in protobuf's wire format, one after the other.
 *
 * A field is a key (number * 8 + wire type, a varint) and a value: a varint (type 0), 8 bytes (1),
 * a length and so many bytes (2), or 4 bytes (5), little endian. Groups (3, 4) are refused: no
 * message of today has any. Source: https://protobuf.dev/programming-guides/encoding/
 *
 * Nothing in the bytes is trusted: a varint of more than 10 bytes, a length beyond the end, a field
 * number 0 and an unknown type are ERR_INPUT with the offset in the message. A message inside a
 * message is a range of bytes within it, so that reading always ends.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

enum wire_type { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 5 };

struct wire_field {
    uint64_t number;
    enum wire_type type;
    uint64_t value;     /* of all types but WIRE_BYTES */
    struct bytes bytes; /* of WIRE_BYTES; no NUL stands behind them */
};

struct wire_reader {
    struct bytes message; /* borrowed */
    size_t at;
};

/* 1: *field is the next one; 0: the message has ended; -1: the bytes are malformed. */
int wire_next(struct wire_reader *r, struct wire_field *field, struct err *err);

/* A value of WIRE_FIXED32 as the float that it stands for. */
float wire_float(const struct wire_field *field);
