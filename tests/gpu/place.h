/*
 * place: a GPU, and the ranks beside it, for the programs that test on GPUs: each rank is a process
 * on the GPU of its own number, started as ranks.h says; without such variables it is alone.
 */
#pragma once

#include "trainer/device/cuda/device_cuda.h"
#include "trainer/ranks/comm.h"
#include "trainer/ranks/ranks.h"

struct place {
    struct ranks ranks;
    struct rendezvous *meeting; /* NULL: alone */
    struct device *device;
    struct comm *comm;
};

/* Whether this is one of several ranks, and its GPU, opened as `wanted` but for the ordinal where
 * there are several. */
int place_open(struct place *p, const struct device_cuda_options *wanted, struct err *err);

/* The others, and the comm with them; a rank that is lost later ends the program. */
int place_meet(struct place *p, struct err *err);

/* Of one that was opened, as far as that went; cause NULL: it ends well. */
void place_close(struct place *p, const char *cause);
