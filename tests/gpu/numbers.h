/*
 * numbers: what fp32, bf16 and fp16 hold, on the host and without CUDA: rounding to the nearest,
 * ties to even, and back.
 */
#pragma once

#include "trainer/device/device.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint16_t bf16_of(float x)
{
    uint32_t bits = bits_of(x);
    if (isnan(x))
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline uint16_t half_of(float x)
{
    _Float16 h = (_Float16)x;
    uint16_t bits;
    memcpy(&bits, &h, sizeof bits);
    return bits;
}

static inline float half_widen(uint16_t bits)
{
    _Float16 h;
    memcpy(&h, &bits, sizeof h);
    return (float)h;
}

/* For the two formats of 16 bits. */
static inline uint16_t narrow_one(enum number number, float x)
{
    return number == NUMBER_BF16 ? bf16_of(x) : half_of(x);
}

static inline float widen_one(enum number number, uint16_t bits)
{
    return number == NUMBER_BF16 ? float_of((uint32_t)bits << 16) : half_widen(bits);
}
