/*
 * gradient: a hand-written backward pass against finite differences of its forward pass.
 *
 * The slope at x is taken from four values of the loss around it, which leaves an error of order
 * h^4 (the central difference of two values leaves h^2):
 *
 *   (8 (L(x + h) - L(x - h)) - (L(x + 2h) - L(x - 2h))) / 12 h
 *
 * Tolerance. h is 2^-6, so x + h is exact for |x| < 2^17 or nearly so. With fourth-order
 * differences the truncation, h^4 / 30 times a fifth derivative of order 1, is below 1e-8. What is
 * left is the rounding of fp32: a loss is a sum of some hundred terms of order 1, each off by a
 * few times 2^-24, so L is off by about 1e-6 and the slope by 1.5 * 1e-6 / 2h = 5e-5 at most. The
 * tests allow GRADIENT_TOLERANCE = 5e-4 of the largest slope (at least 1). A wrong sign, factor,
 * index or missing term is off by order 1.
 */
#pragma once

#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>

#define GRADIENT_TOLERANCE 5e-4

static inline double slope(float *x, double (*loss)(void *), void *context)
{
    const float h = 1.0f / 64, kept = *x;
    const float steps[4] = {h, -h, 2 * h, -2 * h};
    double l[4];
    for (int i = 0; i < 4; i++) {
        *x = kept + steps[i];
        l[i] = loss(context);
    }
    *x = kept;
    return (8 * (l[0] - l[1]) - (l[2] - l[3])) / (12 * (double)h);
}

/* Every element of x[n] is moved; analytic[n] is what the backward pass said. */
static inline void check_gradient(const char *what, float *x, const float *analytic, size_t n,
                                  double (*loss)(void *), void *context)
{
    double largest = 1;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs((double)analytic[i]));
    for (size_t i = 0; i < n; i++) {
        double numeric = slope(&x[i], loss, context);
        if (!(fabs(numeric - (double)analytic[i]) <= GRADIENT_TOLERANCE * largest))
            fail_msg("%s[%zu]: backward pass %.7g, finite difference %.7g", what, i,
                     (double)analytic[i], numeric);
    }
}
