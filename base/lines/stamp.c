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

double stamp_read(struct span s, char between)
{
    static const char shape[] = "dddd-dd-dd?dd:dd:dd";
    int v[6] = {0}, k = 0;
    if (s.n < STAMP_LENGTH)
        return NAN;
    for (size_t i = 0; i < STAMP_LENGTH; i++) {
        char want = shape[i] == '?' ? between : shape[i];
        bool digit = s.p[i] >= '0' && s.p[i] <= '9';
        if (want == 'd' ? !digit : s.p[i] != want)
            return NAN;
        if (digit)
            v[k] = v[k] * 10 + (s.p[i] - '0');
        else
            k++;
    }
    if (v[1] < 1 || v[1] > 12)
        return NAN;
    return days_of(v[0], v[1], v[2]) * 86400 + v[3] * 3600.0 + v[4] * 60.0 + v[5];
}
