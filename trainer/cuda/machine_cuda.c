#include "trainer/cuda/machine_cuda.h"

#include "trainer/comm_nccl.h"
#include "trainer/cuda/device_cuda.h"
#include "trainer/rendezvous.h"

static bool computes(const struct precision *p)
{
    (void)p;
    return true;
}

static void libraries(struct buf *out)
{
    char nccl[16];
    device_cuda_libraries(out);
    buf_printf(out, ", NCCL %s", comm_nccl_version(nccl));
}

/* NCCL's id is made by rank 0 and travels by the rendezvous. */
static int join(struct machine *m, const struct machine_wish *wish, struct err *err)
{
    char id[COMM_NCCL_ID] = {0};
    if (m->ranks.rank == 0 && comm_nccl_id(id, err) < 0)
        return -1;
    if (rendezvous_open(&m->meeting, &m->ranks, id, sizeof id, wish->lost, wish->context, err) < 0)
        return -1;
    return comm_nccl_open(&m->comm, m->device, device_cuda_stream(m->device), m->ranks.rank,
                          m->ranks.world, id, err);
}

static int open_cuda(struct machine *m, const struct machine_wish *wish, struct err *err)
{
    const struct device_cuda_options options = {
        .ordinal = wish->ordinal < 0 ? m->ranks.local_rank : wish->ordinal,
        .number = wish->precision->number,
        .tf32 = wish->precision->tf32,
        .choices = wish->choices,
    };
    if (device_cuda_open(&m->device, &options, err) < 0)
        return -1;
    return m->ranks.world == 1 ? comm_self_open(&m->comm, m->device, err) : join(m, wish, err);
}

const struct machine_kind machine_cuda = {
    .name = "cuda",
    .present = device_cuda_present,
    .computes = computes,
    .libraries = libraries,
    .open = open_cuda,
    .choices = device_cuda_choices,
};
