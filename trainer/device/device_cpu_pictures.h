/* device_cpu_pictures: what the slow twin (device_cpu.c) does for models that see: layer norms,
 * biases, patches of pictures, and rows that are put to their places. */
#pragma once

#include "trainer/device/device.h"

void cpu_put_rows(struct device *, void *y, const void *x, const int32_t *places, int rows,
                  int width);
void cpu_layer_norm(struct device *, const struct layer_norm *);
void cpu_bias_forward(struct device *, const struct bias_forward *);
void cpu_bias_backward(struct device *, const struct bias_backward *);
void cpu_patch_rows(struct device *, const struct patch_rows *);
void cpu_placed_rows(struct device *, const struct placed_rows *);
