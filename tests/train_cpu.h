/* train_cpu: a whole training on the processor, by one rank, of precisions that it has. */
#pragma once

#include "trainer/device/precision.h"
#include "trainer/ranks/comm.h"
#include "trainer/training/train.h"

static inline int train_on_cpu(const struct training *t, const struct train_observer *observer,
                               struct err *err)
{
    struct device *device = NULL;
    struct comm *comm = NULL;
    const struct precision *precision = t->precision ? precision_find(t->precision) : NULL;
    if (precision && !precision->on_cpu)
        return err_set(err, ERR_USAGE, "%s: not on a processor", t->precision);
    int rc = device_cpu_open(&device, err);
    if (rc == 0)
        rc = comm_self_open(&comm, device, err);
    if (rc == 0)
        rc = train_native(t, comm, observer, err);
    if (comm)
        comm_close(comm);
    if (device)
        device_close(device);
    return rc;
}
