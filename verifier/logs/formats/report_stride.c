#include "verifier/logs/formats/report_stride.h"

#include <math.h>
#include <stdbool.h>

/* Can a training of so many steps have had this many reports, one every s steps? */
static bool has_stride(size_t reports, double steps)
{
    double s = reports ? floor(steps / (double)reports) : 0;
    return s >= 1 && floor(steps / s) == (double)reports;
}

double report_stride(size_t n, double least, double most)
{
    double s = floor(most / (double)n);
    bool fits = s >= 1 && floor(least / s) == (double)n && floor(most / s) == (double)n;
    bool lower = s > 1 && floor(least / (s - 1)) <= (double)n;
    return fits && !lower && !has_stride(n - 1, least) && !has_stride(n - 1, most) ? s : 0;
}
