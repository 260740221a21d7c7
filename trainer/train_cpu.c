#include "trainer/train.h"

#include "trainer/comm.h"
#include "trainer/precision.h"

int training_check_cpu(const struct training *t, struct err *err)
{
    if (training_check(t, err) < 0)
        return -1;
    if (!precision_find(t->precision)->on_cpu)
        return err_set(err, ERR_USAGE, "precision: found %s, expected fp32 on a processor",
                       t->precision);
    return 0;
}

int train_on_cpu(const struct training *t, const struct train_observer *observer, struct err *err)
{
    struct device *device = NULL;
    struct comm *comm = NULL;
    int rc = training_check_cpu(t, err);
    if (rc == 0)
        rc = device_cpu_open(&device, err);
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
