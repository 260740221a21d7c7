/* trainer_ground: what a test of the trainer stands on: the processor's device, one rank, a model
 * and its optimizer. */
#pragma once

#include "trainer/optimizer/optimizer.h"
#include "trainer/optimizer/weights.h"
#include "trainer/ranks/comm.h"

struct ground {
    struct device *device;
    struct comm *comm;
    struct groups groups;
    struct model *model;
    struct zero zero;
    struct optimizer optimizer;
};

/* On a device that is open; it becomes the ground's. */
static inline int ground_build(struct ground *g, const struct model_shape *shape,
                               const struct adamw *adamw, struct err *err)
{
    if (comm_self_open(&g->comm, g->device, err) < 0 ||
        model_new(&g->model, shape, g->device, err) < 0)
        return -1;
    g->groups = groups_of_data(g->comm);
    if (zero_init(&g->zero, 0, g->model, &g->groups, err) < 0)
        return -1;
    return optimizer_init(&g->optimizer, &g->zero, adamw, err);
}

static inline int ground_open(struct ground *g, const struct model_shape *shape,
                              const struct adamw *adamw, struct err *err)
{
    return device_cpu_open(&g->device, err) < 0 ? -1 : ground_build(g, shape, adamw, err);
}

static inline void ground_close(struct ground *g)
{
    optimizer_release(&g->optimizer);
    zero_release(&g->zero);
    model_free(g->model);
    comm_close(g->comm);
    device_close(g->device);
}
