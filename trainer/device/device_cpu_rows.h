/* device_cpu_rows: what the slow twin (device_cpu.c) does with one row after the other: SwiGLU,
 * dropout, the head's unit rows and cross-entropy. */
#pragma once

#include "trainer/device/device.h"

void cpu_swiglu_forward(struct device *, void *y, const void *gate_up, int rows, int width);
void cpu_swiglu_backward(struct device *, const struct swiglu_backward *);
void cpu_thin_down(struct device *, const struct thin *, int n);
void cpu_thin_up(struct device *, const struct thin *, int n);
void cpu_thin_gradient(struct device *, const struct thin *, int n);
void cpu_unit_rows(struct device *, const struct unit_rows *);
void cpu_unit_rows_backward(struct device *, const struct unit_rows *, float *gradient);

void cpu_cross_entropy(struct device *, const struct cross_entropy *);
void cpu_entropy_tops(struct device *, const struct divided_entropy *);
void cpu_entropy_sums(struct device *, const struct divided_entropy *);
void cpu_entropy_gradients(struct device *, const struct divided_entropy *);
