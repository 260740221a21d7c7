#include "verifier/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

#define POWER_EXACT 22  /* 10^22 is the largest power of ten that a double holds exactly */
#define POWER_DIVIDE 19 /* 10^19 is the largest in 64 bits */
#define MANTISSA_BITS 53

static const double powers[POWER_EXACT + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct scanned {
    uint64_t digits;
    long power; /* value = digits * 10^power */
    bool whole; /* all digits fit */
    size_t n;   /* bytes */
};

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#define EIGHT 8
#define ONES 0x0101010101010101u

/* Are these eight bytes digits? No byte carries into the next: 0x30 to 0x39 keep their upper half,
 * also with 6 added, and no other byte does both. */
static bool are_digits(uint64_t bytes)
{
    return ((bytes & (0xF0 * ONES)) | (((bytes + 6 * ONES) & (0xF0 * ONES)) >> 4)) == 0x33 * ONES;
}

/* The number that eight digits are, the first byte (the lowest of the word) being the highest:
 * pairs, then fours, then all. */
static uint64_t eight_digits(uint64_t bytes)
{
    bytes -= '0' * ONES;
    bytes = bytes * 10 + (bytes >> 8);
    return (((bytes & 0x000000FF000000FFu) * (100 + (1000000ull << 32)) +
             ((bytes >> 16) & 0x000000FF000000FFu) * (1 + (10000ull << 32))) >>
            32) &
           0xFFFFFFFFu;
}

/* Reads digits into d; returns how many. */
static inline size_t scan_digits(const char *s, size_t n, struct scanned *d)
{
    size_t at = 0;
    uint64_t bytes;
    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && n - at >= EIGHT &&
           d->digits < 10000000000) {
        memcpy(&bytes, s + at, EIGHT);
        if (!are_digits(bytes))
            break;
        d->digits = d->digits * 100000000 + eight_digits(bytes);
        at += EIGHT;
    }
    for (; at < n && is_digit(s[at]); at++) {
        if (d->digits > (UINT64_MAX - 9) / 10)
            d->whole = false;
        else
            d->digits = d->digits * 10 + (uint64_t)(s[at] - '0');
    }
    return at;
}

static size_t scan_power(const char *s, size_t n, long *power)
{
    size_t at = 1;
    long value = 0;
    if (n == 0 || (s[0] != 'e' && s[0] != 'E'))
        return 0;
    bool negative = at < n && s[at] == '-';
    at += at < n && (s[at] == '-' || s[at] == '+');
    if (at == n || !is_digit(s[at]))
        return 0;
    for (; at < n && is_digit(s[at]); at++)
        value = value < 10000 ? value * 10 + (s[at] - '0') : value;
    *power += negative ? -value : value;
    return at;
}

static inline struct scanned scan(const char *s, size_t n)
{
    struct scanned d = {0, 0, true, 0};
    size_t at = n && (s[0] == '-' || s[0] == '+'), whole, fraction = 0;
    whole = scan_digits(s + at, n - at, &d);
    at += whole;
    if (at + 1 < n && s[at] == '.' && is_digit(s[at + 1])) {
        fraction = scan_digits(s + at + 1, n - at - 1, &d);
        at += 1 + fraction;
    }
    if (whole + fraction == 0)
        return d;
    d.power = -(long)fraction;
    d.n = at + scan_power(s + at, n - at, &d.power);
    return d;
}

static int bits_of(wide x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)x);
}

/* digits / 10^power, correctly rounded; digits > 0. */
static double divide(uint64_t digits, int power)
{
    uint64_t tens = 1;
    for (int i = 0; i < power; i++)
        tens *= 10;
    /* At least 64 bits of quotient: more than enough to round from. */
    int up = __builtin_clzll(digits);
    wide top = (wide)(digits << up) << 64, quotient = top / tens;
    bool rest = quotient * tens != top;
    int drop = bits_of(quotient) - MANTISSA_BITS;
    uint64_t kept = (uint64_t)(quotient >> drop);
    wide half = (wide)1 << (drop - 1), tail = quotient & ((half << 1) - 1);
    kept += tail > half || (tail == half && (rest || (kept & 1)));
    return ldexp((double)kept, drop - 64 - up);
}

static double with_library(const char *s, size_t n)
{
    char text[DECIMAL_MAX + 1];
    memcpy(text, s, n);
    text[n] = '\0';
    return strtod(text, NULL);
}

size_t decimal_read(const char *s, size_t n, double *value)
{
    struct scanned d = scan(s, n);
    double x;
    if (d.n == 0 || d.n > DECIMAL_MAX)
        return 0;
    bool exact = d.whole && d.digits <= (uint64_t)1 << MANTISSA_BITS;
    if (exact && d.power <= 0 && d.power >= -POWER_EXACT)
        x = (double)d.digits / powers[-d.power];
    else if (exact && d.power > 0 && d.power <= POWER_EXACT)
        x = (double)d.digits * powers[d.power];
    else if (d.whole && d.power < 0 && d.power >= -POWER_DIVIDE)
        x = divide(d.digits, (int)-d.power);
    else {
        x = fabs(with_library(s, d.n));
        if (!isfinite(x))
            return 0;
    }
    *value = s[0] == '-' ? -x : x;
    return d.n;
}
