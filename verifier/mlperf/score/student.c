#include "verifier/mlperf/score/student.h"

#include <math.h>
#include <stddef.h>

#define STEPS_MAX 500
#define TINY 1e-300
#define CLOSE 1e-15

static double not_zero(double x)
{
    return fabs(x) < TINY ? TINY : x;
}

/* The continued fraction of I_x(a, b), for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m <= STEPS_MAX; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        h *= d * c;
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        h *= d * c;
        if (fabs(d * c - 1) < CLOSE)
            break;
    }
    return h;
}

/* log of the gamma function by Stirling's series from 10 on (A&S 6.1.41): lgamma() of the C library
 * writes a global. */
static double log_gamma(double x)
{
    double shift = 0;
    for (; x < 10; x++)
        shift -= log(x);
    double y = 1 / (x * x);
    double series = (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680)))) / x;
    return shift + (x - 0.5) * log(x) - x + 0.91893853320467274178 + series;
}

/* log of 1 / B(a, b) */
static double log_beta_inverse(double a, double b)
{
    return log_gamma(a + b) - log_gamma(a) - log_gamma(b);
}

/* `front_log` is log_beta_inverse(a, b). */
static double beta_regularised(double a, double b, double x, double front_log)
{
    double front = exp(front_log + a * log(x) + b * log1p(-x));
    if (x <= 0 || x >= 1)
        return x >= 1;
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t95(double df)
{
    double low = 0, high = 1000;
    if (!(df > 0))
        return NAN;
    double front_log = log_beta_inverse(df / 2, 0.5);
    for (int i = 0; i < 200 && low < high; i++) {
        double t = (low + high) / 2;
        if (t == low || t == high)
            break;
        if (beta_regularised(df / 2, 0.5, df / (df + t * t), front_log) / 2 > 0.05)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}

double student_t95_kept(struct student_kept *kept, double df)
{
    if (!kept || !(df > 0 && df < STUDENT_KEPT_MAX) || df != floor(df))
        return student_t95(df);
    double *t = &kept->t95[(size_t)df];
    if (*t == 0)
        *t = student_t95(df);
    return *t;
}
