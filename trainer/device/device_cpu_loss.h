/* device_cpu_loss: dropout, the head's unit rows and cross-entropy, of the slow twin
 * (device_cpu.c). */
#ifndef TRAINER_DEVICE_DEVICE_CPU_LOSS_H
#define TRAINER_DEVICE_DEVICE_CPU_LOSS_H

#include "trainer/device/device.h"

void cpu_unit_rows(struct device *, const struct unit_rows *);
void cpu_unit_rows_backward(struct device *, const struct unit_rows *, float *gradient);

void cpu_cross_entropy(struct device *, const struct cross_entropy *);
void cpu_entropy_tops(struct device *, const struct divided_entropy *);
void cpu_entropy_sums(struct device *, const struct divided_entropy *);
void cpu_entropy_gradients(struct device *, const struct divided_entropy *);

#endif
