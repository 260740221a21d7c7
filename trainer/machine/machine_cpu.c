/* The processor: one core a rank, fp32. Rank 0's address for comm_tcp travels by the rendezvous. */
#include "trainer/machine/machine.h"
#include "trainer/machine/probe.h"
#include "trainer/ranks/comm_tcp.h"
#include "trainer/ranks/rendezvous.h"

static bool present(void)
{
    return true;
}

static bool cpu_computes(const struct precision *p)
{
    return p->on_cpu;
}

static int cpu_libraries(struct buf *out, struct err *err)
{
    const char *blas = device_cpu_blas(err);
    buf_str(out, blas ? blas : "");
    return blas ? 0 : -1;
}

static int cpu_meet(struct machine *m, const struct machine_wish *wish, struct comm_tcp_hub *hub,
                    struct err *err)
{
    if (m->ranks.rank == 0 && comm_tcp_listen(hub, m->ranks.address, err) < 0)
        return -1;
    return machine_meet(m, wish, "", &hub->meet, sizeof hub->meet, err);
}

static int cpu_join(struct machine *m, struct comm_tcp_hub *hub, struct err *err)
{
    if (m->ranks.world == 1)
        return comm_self_open(&m->comm, m->device, err);
    const struct comm_tcp_place place = {m->ranks.rank, m->ranks.world,
                                         rendezvous_address(m->meeting)};
    return comm_tcp_open(&m->comm, m->device, &place, hub, err);
}

static int open_cpu(struct machine *m, const struct machine_wish *wish, struct err *err)
{
    struct comm_tcp_hub hub = {.listener = -1};
    int rc = m->ranks.world == 1 ? 0 : cpu_meet(m, wish, &hub, err);
    if (rc == 0)
        rc = device_cpu_open(&m->device, err);
    if (rc == 0)
        rc = cpu_join(m, &hub, err);
    comm_tcp_forget(&hub);
    return rc;
}

static int cpu_another(const struct machine *m, const struct precision *p, struct device **out,
                       struct err *err)
{
    (void)m, (void)p;
    return device_cpu_open(out, err);
}

/* Beyond every cache, and still a few seconds. */
static const struct probe_scale scale = {
    .product = 1024, .memory = (size_t)256 << 20, .reduce = (size_t)8 << 20, .repetition = 0.05};

const struct machine_kind machine_cpu = {
    .name = "cpu",
    .present = present,
    .computes = cpu_computes,
    .libraries = cpu_libraries,
    .open = open_cpu,
    .another = cpu_another,
    .scale = &scale,
};
