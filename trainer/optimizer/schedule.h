/*
 * schedule: the learning rate of each step.
 *
 * Steps are counted from 1. It rises in a straight line, lr * step / warmup_steps, until step
 * warmup_steps has lr itself; then half a cosine brings it down, and the last step has min_lr:
 *
 *   min_lr + (lr - min_lr) * (1 + cos(pi * (step - warmup) / (steps - warmup))) / 2
 *
 * Counted from zero, as transformers and Megatron do, step s has what the formulas say of s - 1:
 * the first step has rate 0, and the last one is not quite down.
 *
 * Steps after the last keep min_lr. Loshchilov and Hutter 2017, "SGDR", without restarts.
 */
#pragma once

#include <stdbool.h>

struct schedule {
    int steps, warmup_steps; /* 0 <= warmup_steps <= steps */
    double lr, min_lr;
    bool from_zero;
};

double schedule_lr(const struct schedule *s, int step);
