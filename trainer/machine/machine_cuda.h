/*
 * machine_cuda: one NVIDIA GPU a rank, the ranks joined by NCCL (machine.h).
 */
#pragma once

#include "trainer/machine/machine.h"

extern const struct machine_kind machine_cuda;
