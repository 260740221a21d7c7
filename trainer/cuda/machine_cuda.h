/*
 * machine_cuda: one NVIDIA GPU a rank, the ranks joined by NCCL (machine.h).
 */
#ifndef TRAINER_CUDA_MACHINE_CUDA_H
#define TRAINER_CUDA_MACHINE_CUDA_H

#include "trainer/machine.h"

extern const struct machine_kind machine_cuda;

#endif
