#include "trainer/cuda/machine_cuda.h"

#include "trainer/comm_nccl.h"
#include "trainer/cuda/device_cuda.h"
#include "trainer/probe.h"

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

/* NCCL's id is made by rank 0. */
static int meet(struct machine *m, const struct machine_wish *wish, int ordinal,
                char id[COMM_NCCL_ID], struct err *err)
{
    char device[DEVICE_CUDA_NAME];
    if (device_cuda_name(ordinal, device, err) < 0 ||
        (m->ranks.rank == 0 && comm_nccl_id(id, err) < 0))
        return -1;
    return machine_meet(m, wish, device, id, COMM_NCCL_ID, err);
}

static int open_cuda(struct machine *m, const struct machine_wish *wish, struct err *err)
{
    m->ordinal = wish->ordinal < 0 ? device_cuda_of_rank(m->ranks.local_rank) : wish->ordinal;
    const struct device_cuda_options options = {
        .ordinal = m->ordinal,
        .number = wish->precision->number,
        .tf32 = wish->precision->tf32,
        .choices = wish->choices,
    };
    char id[COMM_NCCL_ID] = {0};
    bool alone = m->ranks.world == 1;
    if ((!alone && meet(m, wish, options.ordinal, id, err) < 0) ||
        device_cuda_open(&m->device, &options, err) < 0)
        return -1;
    return alone ? comm_self_open(&m->comm, m->device, err)
                 : comm_nccl_open(&m->comm, m->device, device_cuda_stream(m->device), m->ranks.rank,
                                  m->ranks.world, id, err);
}

static int another(const struct machine *m, const struct precision *p, struct device **out,
                   struct err *err)
{
    const struct device_cuda_options options = {
        .ordinal = m->ordinal, .number = p->number, .tf32 = p->tf32, .attention = ATTENTION_PLAIN};
    return device_cuda_open(out, &options, err);
}

/* 1.1e12 operations a product; a buffer is twenty times what the caches hold. */
static const struct probe_scale scale = {.product = 8192,
                                         .memory = (size_t)1 << 30,
                                         .host = (size_t)256 << 20,
                                         .reduce = (size_t)2 << 30,
                                         .repetition = 0.02};

const struct machine_kind machine_cuda = {
    .name = "cuda",
    .present = device_cuda_present,
    .computes = computes,
    .libraries = libraries,
    .open = open_cuda,
    .choices = device_cuda_choices,
    .another = another,
    .scale = &scale,
    .measured = true,
};
