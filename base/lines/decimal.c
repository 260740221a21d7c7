#include "base/lines/decimal.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef unsigned __int128 wide;

#define POWER_EXACT 22  /* 10^22 is the largest power of ten that a double holds exactly */
#define POWER_DIGITS 19 /* 10^19 is the largest in 64 bits */
#define POWER_DIVIDE 27 /* and 5^27 the largest power of five */
#define MANTISSA_BITS 53
#define EXPONENT_BIAS 1023

static const double powers[POWER_EXACT + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct scanned {
    uint64_t digits;
    long power; /* value = digits * 10^power */
    bool whole; /* all digits fit */
    size_t n;   /* bytes */
};

#define EIGHT 8
#define ONES 0x0101010101010101u

static const uint64_t tens[POWER_DIGITS + 1] = {1,
                                                10,
                                                100,
                                                1000,
                                                10000,
                                                100000,
                                                1000000,
                                                10000000,
                                                100000000,
                                                1000000000,
                                                10000000000,
                                                100000000000,
                                                1000000000000,
                                                10000000000000,
                                                100000000000000,
                                                1000000000000000,
                                                10000000000000000,
                                                100000000000000000,
                                                1000000000000000000,
                                                10000000000000000000u};

/* Up to eight bytes, the first one lowest; zeros where there are fewer. */
static inline uint64_t load_eight(const char *s, size_t n)
{
    uint64_t bytes = 0;
    if (n >= EIGHT)
        memcpy(&bytes, s, EIGHT);
    else
        memcpy(&bytes, s, n);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : __builtin_bswap64(bytes);
}

/* The number that eight digits are, the lowest byte being the highest: pairs, fours, all. */
static inline uint64_t eight_digits(uint64_t values)
{
    values = values * 10 + (values >> 8);
    return (((values & 0x000000FF000000FFu) * (100 + (1000000ull << 32)) +
             ((values >> 16) & 0x000000FF000000FFu) * (1 + (10000ull << 32))) >>
            32) &
           0xFFFFFFFFu;
}

/* Digits that do not all fit into 64 bits. */
static size_t scan_many_digits(const char *s, size_t n, struct scanned *d)
{
    size_t at = 0;
    for (; at < n && text_is_digit(s[at]); at++) {
        if (d->digits > (UINT64_MAX - 9) / 10)
            d->whole = false;
        else
            d->digits = d->digits * 10 + (uint64_t)(s[at] - '0');
    }
    return at;
}

/* Reads digits into d; returns how many. */
static inline size_t scan_digits(const char *s, size_t n, struct scanned *d)
{
    for (size_t at = 0;;) {
        uint64_t values = load_eight(s + at, n - at) ^ '0' * ONES;
        /* How many bytes from the lowest on are at most 9. What is more sets its own highest bit,
         * and perhaps bits of those above it, where nobody looks. */
        uint64_t others = ((values + (0x80 - 10) * ONES) | values) & 0x80 * ONES;
        size_t k = others ? (size_t)__builtin_ctzll(others) / 8 : EIGHT;
        if (k == 0)
            return at;
        if (d->digits >= UINT64_MAX / 100000000 && d->digits >= UINT64_MAX / tens[k])
            return at + scan_many_digits(s + at, n - at, d);
        /* Shifted until the last of the k digits is the highest byte, behind zeros. */
        d->digits = d->digits * tens[k] + eight_digits(values << (64 - 8 * k));
        at += k;
        if (k < EIGHT)
            return at;
    }
}

static size_t scan_power(const char *s, size_t n, long *power)
{
    size_t at = 1;
    long value = 0;
    if (n == 0 || (s[0] != 'e' && s[0] != 'E'))
        return 0;
    bool negative = at < n && s[at] == '-';
    at += at < n && (s[at] == '-' || s[at] == '+');
    if (at == n || !text_is_digit(s[at]))
        return 0;
    for (; at < n && text_is_digit(s[at]); at++)
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
    if (at + 1 < n && s[at] == '.' && text_is_digit(s[at + 1])) {
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

/* 10^k = fives[k] * 2^k, and all of the doubt of a division is in the fives. */
static const uint64_t fives[POWER_DIVIDE + 1] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

/* digits / 10^power, correctly rounded; digits > 0. */
static double divide(uint64_t digits, int power)
{
    /* At least 64 bits of quotient: more than enough to round from. */
    int up = __builtin_clzll(digits);
    wide top = (wide)(digits << up) << 64, quotient = top / fives[power];
    bool rest = quotient * fives[power] != top;
    int drop = bits_of(quotient) - MANTISSA_BITS;
    uint64_t kept = (uint64_t)(quotient >> drop);
    wide half = (wide)1 << (drop - 1), tail = quotient & ((half << 1) - 1);
    kept += tail > half || (tail == half && (rest || (kept & 1)));
    return ldexp((double)kept, drop - 64 - up - power);
}

/* 2^(63 + bits of 5^k) / 5^k, rounded down: between 2^63 and 2^64. */
static const uint64_t reciprocals[POWER_DIVIDE + 1] = {0,
                                                       0xCCCCCCCCCCCCCCCC,
                                                       0xA3D70A3D70A3D70A,
                                                       0x83126E978D4FDF3B,
                                                       0xD1B71758E219652B,
                                                       0xA7C5AC471B478423,
                                                       0x8637BD05AF6C69B5,
                                                       0xD6BF94D5E57A42BC,
                                                       0xABCC77118461CEFC,
                                                       0x89705F4136B4A597,
                                                       0xDBE6FECEBDEDD5BE,
                                                       0xAFEBFF0BCB24AAFE,
                                                       0x8CBCCC096F5088CB,
                                                       0xE12E13424BB40E13,
                                                       0xB424DC35095CD80F,
                                                       0x901D7CF73AB0ACD9,
                                                       0xE69594BEC44DE15B,
                                                       0xB877AA3236A4B449,
                                                       0x9392EE8E921D5D07,
                                                       0xEC1E4A7DB69561A5,
                                                       0xBCE5086492111AEA,
                                                       0x971DA05074DA7BEE,
                                                       0xF1C90080BAF72CB1,
                                                       0xC16D9A0095928A27,
                                                       0x9ABE14CD44753B52,
                                                       0xF79687AED3EEC551,
                                                       0xC612062576589DDA,
                                                       0x9E74D1B791E07E48};

/* The same by a multiplication (after Eisel and Lemire). The reciprocal is short by less than one,
 * so the upper half of the product, with all that is cut off, by less than two: where that could
 * move it across the middle between two doubles, there is a division. */
static double multiply(uint64_t digits, int power)
{
    int up = __builtin_clzll(digits);
    uint64_t high = (uint64_t)((wide)(digits << up) * reciprocals[power] >> 64);
    int drop = 64 - __builtin_clzll(high) - MANTISSA_BITS;
    uint64_t half = (uint64_t)1 << (drop - 1), tail = high & (2 * half - 1);
    if (tail == half || tail == half - 1)
        return divide(digits, power);
    uint64_t kept = (high >> drop) + (tail > half), bits;
    int exponent = drop - up + 1 - power - bits_of(fives[power]); /* value = kept * 2^exponent */
    double x;
    /* The highest bit of kept is the hidden one; a carry out of it raises the exponent. */
    bits = ((uint64_t)(exponent + MANTISSA_BITS - 1 + EXPONENT_BIAS - 1) << (MANTISSA_BITS - 1)) +
           kept;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Rounds once; false where none of the fast ways leads there. */
static bool convert(const struct scanned *d, double *x)
{
    bool exact = d->whole && d->digits <= (uint64_t)1 << MANTISSA_BITS;
    if (exact && d->power <= 0 && d->power >= -POWER_EXACT)
        *x = (double)d->digits / powers[-d->power];
    else if (exact && d->power > 0 && d->power <= POWER_EXACT)
        *x = (double)d->digits * powers[d->power];
    else if (d->whole && d->digits && d->power < 0 && d->power >= -POWER_DIVIDE)
        *x = multiply(d->digits, (int)-d->power);
    else
        return false;
    return true;
}

size_t decimal_read(const char *s, size_t n, double *value)
{
    size_t taken = n >= DECIMAL_WINDOW ? decimal_read_window(s, value) : 0;
    double x;
    if (taken)
        return taken;
    struct scanned d = scan(s, n);
    if (d.n == 0 || d.n > DECIMAL_MAX)
        return 0;
    if (!convert(&d, &x)) {
        char text[DECIMAL_MAX + 1];
        memcpy(text, s, d.n);
        text[d.n] = '\0';
        x = fabs(strtod(text, NULL));
        if (!isfinite(x))
            return 0;
    }
    *value = s[0] == '-' ? -x : x;
    return d.n;
}

static inline bool in_run(char c)
{
    return text_is_digit(c) || c == ':' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

size_t decimal_run(const char *s, size_t n)
{
    size_t run = 0;
    while (run < n && in_run(s[run]))
        run++;
    return run;
}

#ifdef __SSE2__
#define SEEN 32                              /* bytes that are looked at together */
#define SIDE 16                              /* digits on one side of the point */
#define SURE 15                              /* digits that a double always holds */
#define HIGH_MAX (tens[POWER_DIGITS - SIDE]) /* what may stand in front of SIDE digits */

/* Bit i: byte i is no digit; bit SEEN is set. */
static inline uint64_t other_bits(const char *s)
{
    uint64_t bits = 0;
    for (int half = 0; half < 2; half++) {
        __m128i values = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)s + half),
                                      _mm_set1_epi8('0'));
        __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
        bits |= (uint64_t)_mm_movemask_epi8(digit) << 16 * half;
    }
    return ~bits;
}

/* The number that n <= SIDE digits are; 16 bytes can be read. */
static inline uint64_t side(const char *s, size_t n)
{
    uint64_t first = load_eight(s, EIGHT) ^ '0' * ONES;
    if (n <= EIGHT)
        return eight_digits(first << (64 - 8 * n));
    uint64_t last = load_eight(s + n - EIGHT, EIGHT) ^ '0' * ONES;
    return eight_digits(first << (128 - 8 * n)) * tens[EIGHT] + eight_digits(last);
}

/* "E+01" and the like; 0 when it is something else. */
static inline size_t read_decimal_power(const char *s, long *power)
{
    unsigned high = (unsigned)(s[2] - '0'), low = (unsigned)(s[3] - '0');
    if ((s[1] != '-' && s[1] != '+') || high > 9 || low > 9 || text_is_digit(s[4]))
        return 0;
    long value = (long)(high * 10 + low);
    *power += s[1] == '-' ? -value : value;
    return 4;
}

/* The number that the digits of a fraction are, behind `whole`; false: that may not fit. */
static inline bool read_fraction(const char *s, size_t n, uint64_t whole, uint64_t *digits)
{
    if (n <= SIDE) {
        *digits = whole * tens[n] + side(s, n);
        return true;
    }
    uint64_t high = n - SIDE <= EIGHT ? side(s, n - SIDE) : HIGH_MAX;
    *digits = high * tens[SIDE] + side(s + n - SIDE, SIDE);
    return whole == 0 && high < HIGH_MAX;
}

size_t decimal_read_window(const char *s, double *value)
{
    uint64_t others = other_bits(s);
    size_t at = (size_t)__builtin_ctzll(others), n = at;
    if (at == 0 || at > SIDE)
        return 0;
    uint64_t digits = side(s, at);
    long power = 0;
    if (s[at] == '.') {
        others &= others - 1;
        size_t fraction = (size_t)__builtin_ctzll(others) - at - 1;
        if (fraction == 0 || !read_fraction(s + at + 1, fraction, digits, &digits))
            return 0;
        power = -(long)fraction;
        n = fraction <= SIDE ? n + fraction : POWER_DIGITS;
        at += 1 + fraction;
    }
    if (at == SEEN || n > POWER_DIGITS)
        return 0;
    if (s[at] == 'e' || s[at] == 'E') {
        size_t more = read_decimal_power(s + at, &power);
        if (!more)
            return 0;
        at += more;
    }
    if (n <= SURE && power >= -POWER_EXACT && power <= POWER_EXACT)
        *value = power < 0 ? (double)(int64_t)digits / powers[-power]
                           : (double)(int64_t)digits * powers[power];
    else if (power == 0)
        *value = (double)digits;
    else if (digits && power < 0 && power >= -POWER_DIVIDE)
        *value = multiply(digits, (int)-power);
    else
        return 0;
    return at;
}

/* Bit i: byte i of 16 is not in_run(). */
static inline unsigned outside_of_16(const char *s)
{
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)s);
    __m128i value = _mm_sub_epi8(c, _mm_set1_epi8('0'));
    __m128i is = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(':' - '0')), value);
    is = _mm_or_si128(is, _mm_cmpeq_epi8(c, _mm_set1_epi8('.')));
    is = _mm_or_si128(is, _mm_cmpeq_epi8(c, _mm_set1_epi8('-')));
    is = _mm_or_si128(is, _mm_cmpeq_epi8(c, _mm_set1_epi8('+')));
    is = _mm_or_si128(is, _mm_cmpeq_epi8(_mm_or_si128(c, _mm_set1_epi8(0x20)), _mm_set1_epi8('e')));
    return (unsigned)_mm_movemask_epi8(is) ^ 0xFFFF;
}

size_t decimal_run_window(const char *s)
{
    unsigned outside = outside_of_16(s);
    if (outside == 0)
        outside = outside_of_16(s + SEEN / 2) << SEEN / 2;
    return outside ? (size_t)__builtin_ctz(outside) : SEEN;
}

bool decimal_runs_window(const char *s, size_t n)
{
    unsigned outside = outside_of_16(s);
    if (n >= SEEN / 2)
        outside |= outside_of_16(s + SEEN / 2) << SEEN / 2;
    return n < SEEN && (outside & ((2u << n) - 1)) == 1u << n;
}
#else
size_t decimal_run_window(const char *s)
{
    return decimal_run(s, 32);
}

bool decimal_runs_window(const char *s, size_t n)
{
    return n < 32 && decimal_run(s, 32) == n;
}

size_t decimal_read_window(const char *s, double *value)
{
    (void)s, (void)value;
    return 0;
}
#endif
