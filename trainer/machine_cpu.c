/* The processor: one core a rank, fp32. Rank 0's address for comm_tcp travels by the rendezvous. */
#include "trainer/comm_tcp.h"
#include "trainer/machine.h"
#include "trainer/rendezvous.h"

static bool present(void)
{
    return true;
}

static bool computes(const struct precision *p)
{
    return p->on_cpu;
}

static void libraries(struct buf *out)
{
    buf_str(out, device_cpu_blas());
}

static int join(struct machine *m, const struct machine_wish *wish, struct err *err)
{
    struct comm_tcp_hub hub = {.listener = -1};
    if (m->ranks.rank == 0 && comm_tcp_listen(&hub, m->ranks.address, err) < 0)
        return -1;
    if (rendezvous_open(&m->meeting, &m->ranks, &hub.meet, sizeof hub.meet, wish->lost,
                        wish->context, err) < 0) {
        comm_tcp_forget(&hub);
        return -1;
    }
    return comm_tcp_open(&m->comm, m->device, &m->ranks, &hub, err);
}

static int open_cpu(struct machine *m, const struct machine_wish *wish, struct err *err)
{
    if (device_cpu_open(&m->device, err) < 0)
        return -1;
    return m->ranks.world == 1 ? comm_self_open(&m->comm, m->device, err) : join(m, wish, err);
}

const struct machine_kind machine_cpu = {
    .name = "cpu",
    .present = present,
    .computes = computes,
    .libraries = libraries,
    .open = open_cpu,
};
