/*
 * device_cpu_memory: the rows of the processor's device that deal with memory, which is the host's.
 */
#pragma once

#include "trainer/device/device.h"

int cpu_alloc(struct device *d, void **out, size_t bytes, struct err *err);
void cpu_release(struct device *d, void *memory);
void cpu_zero(struct device *d, void *memory, size_t bytes);
void cpu_copy(struct device *d, void *to, const void *from, size_t bytes);
int cpu_download(struct device *d, void *host, const void *from, size_t bytes, struct err *err);
int cpu_synchronize(struct device *d, struct err *err);
int cpu_free_bytes(struct device *d, size_t *bytes, struct err *err);
