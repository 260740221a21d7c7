/*
 * student: the 0.95 quantile of Student's t, as the test of reference convergence points asks for
 * it (one-sided, p = 0.05).
 *
 * P(T > t) = I_x(df/2, 1/2) / 2 with x = df / (df + t²), I the regularised incomplete beta function
 * by its continued fraction (Abramowitz & Stegun 26.5.8, evaluated by Lentz's method); t is found
 * by bisection. Agrees with tables to seven digits: df 9 1.833113, df 11 1.795885, df 24 1.710882.
 */
#pragma once

/* df > 0; NaN else. */
double student_t95(double df);

/* Those that were asked for, by whole degrees: a round asks for a few of them again and again. All
 * zero is empty. */
#define STUDENT_KEPT_MAX 256
struct student_kept {
    double t95[STUDENT_KEPT_MAX]; /* 0: not asked yet */
};

/* The same number, from those that are kept; `kept` NULL: computed. */
double student_t95_kept(struct student_kept *kept, double df);
