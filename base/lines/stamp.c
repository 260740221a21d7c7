#include "base/lines/stamp.h"

#include <math.h>

/* Days of the civil calendar since 1970-01-01 (Hinnant's algorithm, years from 1970 on). */
static double days_of(int y, int m, int d)
{
    y -= m <= 2;
    int era = y / 400, yoe = y - era * 400;
    int doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097.0 + (yoe * 365 + yoe / 4 - yoe / 100 + doy) - 719468.0;
}

/* Two digits; a negative number when they are none. */
static inline int two_digits(const char *s)
{
    unsigned high = (unsigned)(s[0] - '0'), low = (unsigned)(s[1] - '0');
    return high > 9 || low > 9 ? -1 : (int)(high * 10 + low);
}

double stamp_read(struct span s, char between)
{
    if (s.n < STAMP_LENGTH || s.p[4] != '-' || s.p[7] != '-' || s.p[10] != between ||
        s.p[13] != ':' || s.p[16] != ':')
        return NAN;
    int century = two_digits(s.p), year = two_digits(s.p + 2), month = two_digits(s.p + 5),
        day = two_digits(s.p + 8), hour = two_digits(s.p + 11), minute = two_digits(s.p + 14),
        second = two_digits(s.p + 17);
    if ((century | year | month | day | hour | minute | second) < 0 || month < 1 || month > 12)
        return NAN;
    return days_of(century * 100 + year, month, day) * 86400 + hour * 3600.0 + minute * 60.0 +
           second;
}
