/*
 * attention_data: inputs and outputs of attention on the host and on the device, and the float64
 * reference that they are held to, straight after the formulas in trainer/device/device.h.
 */
#pragma once

#include "trainer/device/device.h"

#include <cuda_runtime_api.h>

/* Ends the program when a call has failed. */
void cuda(cudaError_t rc);

/* The two narrow formats, on the host. */
uint16_t narrow(float x, enum number number);
double wide(uint16_t x, enum number number);
const char *number_name(enum number number);

void *device_memory(size_t bytes);

/* One set of inputs and outputs, on the host and on the device. */
struct data {
    struct attention_shape shape;
    enum number number;
    size_t rows, packed, plain, stats; /* elements of qkv, y and log_sum_exp */
    uint16_t *qkv, *dy, *y, *d_qkv;
    float *lse;
    const float *slopes; /* of the heads, on the host; NULL */
    void *dev_qkv, *dev_dy, *dev_y, *dev_d_qkv, *dev_slopes;
    float *dev_lse;
};

/* The slopes of `s` are on the host and outlive `d`. */
void data_init(struct data *d, struct attention_shape s, enum number number);
void data_release(struct data *d);

/* ALiBi's, of up to 64 heads: from steep to flat. */
extern const float slopes_steep_to_flat[64];

/* Repeatable numbers, about normal: the sum of four uniform ones. */
void fill(uint16_t *x, size_t n, enum number number, uint64_t seed);
void upload(const struct data *d);

/* Inputs of about normal size, and on the device. */
void data_random(struct data *d, uint64_t seed);

/* ||got - want||, ||want|| of q, k and v parts, of y and of the statistics. */
enum { PART_Q, PART_K, PART_V, PART_Y, PART_LSE, PARTS };
extern const char *const part_names[PARTS];
struct errors {
    double difference[PARTS], size[PARTS];
};

/* Add the results that are on the host, against float64. */
void compare_all(const struct data *d, struct errors *e);
