#include "trainer/machine/machine_cuda.h"

#include "trainer/device/cuda/device_cuda.h"
#include "trainer/machine/probe.h"
#include "trainer/ranks/comm_nccl.h"

static bool cuda_computes(const struct precision *p)
{
    (void)p;
    return true;
}

static int cuda_libraries(struct buf *out, struct err *err)
{
    char nccl[16];
    (void)err;
    device_cuda_libraries(out);
    buf_printf(out, ", NCCL %s", comm_nccl_version(nccl));
    return 0;
}

/* NCCL's id is made by rank 0. */
static int cuda_meet(struct machine *m, const struct machine_wish *wish, int ordinal,
                     char id[COMM_NCCL_ID], struct err *err)
{
    char device[DEVICE_CUDA_NAME];
    if (device_cuda_name(ordinal, device, err) < 0 ||
        (m->ranks.rank == 0 && comm_nccl_id(id, err) < 0))
        return -1;
    return machine_meet(m, wish, device, id, COMM_NCCL_ID, err);
}

/* One collective of a kind, on n fp32 of `memory` in all. */
static int once(struct comm *c, int kind, float *memory, size_t n, struct err *err)
{
    const struct comm_operations *o = c->operations;
    size_t part = n / (size_t)c->world;
    float *own = memory + part * (size_t)c->rank;
    switch (kind) {
    case 0:
        return o->all_reduce(c, memory, n, COMM_FP32, err);
    case 1:
        return o->reduce_scatter(c, own, memory, part, COMM_FP32, err);
    case 2:
        return o->all_gather(c, memory, own, part, COMM_FP32, err);
    default:
        return o->broadcast(c, memory, n, COMM_FP32, 0, err);
    }
}

/* NCCL connects ranks, and takes memory for it, when a way of doing a collective comes up first;
 * which way depends on the size. Here all of it comes up before memory is planned. */
static int connect_ranks(struct machine *m, struct err *err)
{
    static const size_t sizes[] = {1 << 10, 1 << 18, 1 << 24}; /* of fp32 */
    const struct device_operations *o = m->device->operations;
    void *memory;
    int rc = 0;
    if (o->alloc(m->device, &memory, sizes[2] * sizeof(float), err) < 0)
        return -1;
    for (size_t i = 0; rc == 0 && i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; rc == 0 && kind < 4; kind++)
            rc = once(m->comm, kind, memory, sizes[i], err);
    if (rc == 0)
        rc = m->comm->operations->join(m->comm, err);
    if (rc == 0)
        rc = o->synchronize(m->device, err);
    o->release(m->device, memory);
    return rc;
}

static void nccl_failed(void *context, const char *cause)
{
    machine_broken(context, cause);
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
    if ((!alone && cuda_meet(m, wish, options.ordinal, id, err) < 0) ||
        device_cuda_open(&m->device, &options, err) < 0)
        return -1;
    if (alone)
        return comm_self_open(&m->comm, m->device, err);
    const struct comm_nccl_place place = {.stream = device_cuda_stream(m->device),
                                          .ordinal = m->ordinal,
                                          .rank = m->ranks.rank,
                                          .world = m->ranks.world,
                                          .id = id,
                                          .failed = nccl_failed,
                                          .context = m};
    return comm_nccl_open(&m->comm, m->device, &place, err) < 0 ? -1 : connect_ranks(m, err);
}

static int cuda_another(const struct machine *m, const struct precision *p, struct device **out,
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
    .computes = cuda_computes,
    .libraries = cuda_libraries,
    .open = open_cuda,
    .choices = device_cuda_choices,
    .remarks = device_cuda_remarks,
    .attention = device_cuda_attention,
    .another = cuda_another,
    .scale = &scale,
    .measured = true,
};
