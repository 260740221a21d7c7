/* event_record: a record of an event file around any bytes, with a checksum of our own, bit by bit
 * (CRC-32C, RFC 3720 appendix B.4). */
#pragma once

#include "base/arena.h"

#include <stdint.h>

static inline void add_little_endian(struct buf *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_char(to, (char)(value >> 8 * i & 0xff));
}

static inline uint32_t masked_sum(const char *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < 8 * n; i++) {
        uint32_t bit = (crc ^ (uint32_t)((unsigned char)bytes[i / 8] >> i % 8)) & 1;
        crc = crc >> 1 ^ (bit ? 0x82f63b78 : 0);
    }
    crc = ~crc;
    return (uint32_t)((crc >> 15 | crc << 17) + 0xa282ead8U);
}

static inline void event_record(struct buf *to, const char *bytes, size_t n)
{
    size_t begin = to->len;
    add_little_endian(to, n, 8);
    add_little_endian(to, masked_sum(to->data + begin, 8), 4);
    buf_add(to, bytes, n);
    add_little_endian(to, masked_sum(bytes, n), 4);
}
