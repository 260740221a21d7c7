/*
 * machine_cuda: one NVIDIA GPU a rank, the ranks joined by NCCL (machine.h).
 */
#ifndef TRAINER_MACHINE_MACHINE_CUDA_H
#define TRAINER_MACHINE_MACHINE_CUDA_H

#include "trainer/machine/machine.h"

extern const struct machine_kind machine_cuda;

#endif
