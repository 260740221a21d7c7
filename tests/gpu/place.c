#include "tests/gpu/place.h"

#include "trainer/ranks/comm_nccl.h"
#include "trainer/ranks/rendezvous.h"

#include <stdio.h>
#include <unistd.h>

static void lost(void *context, const char *sentence)
{
    (void)context;
    printf("Bail out! %s\n", sentence);
    fflush(stdout);
    _exit(3);
}

static void failed(void *context, const char *cause)
{
    lost(context, cause);
}

int place_open(struct place *p, const struct device_cuda_options *wanted, struct err *err)
{
    struct device_cuda_options options = *wanted;
    *p = (struct place){.meeting = NULL};
    if (ranks_find(&p->ranks, err) < 0)
        return -1;
    if (p->ranks.world > 1)
        options.ordinal = p->ranks.local_rank;
    return device_cuda_open(&p->device, &options, err);
}

int place_meet(struct place *p, struct err *err)
{
    char id[COMM_NCCL_ID] = {0};
    const struct rendezvous_wish wish = {
        .ranks = &p->ranks, .device = "", .bytes = id, .n = sizeof id, .lost = lost};
    if (p->ranks.world == 1)
        return comm_self_open(&p->comm, p->device, err);
    if ((p->ranks.rank == 0 && comm_nccl_id(id, err) < 0) ||
        rendezvous_open(&p->meeting, &wish, err) < 0)
        return -1;
    const struct comm_nccl_place place = {.stream = device_cuda_stream(p->device),
                                          .ordinal = p->ranks.local_rank,
                                          .rank = p->ranks.rank,
                                          .world = p->ranks.world,
                                          .id = id,
                                          .failed = failed};
    return comm_nccl_open(&p->comm, p->device, &place, err);
}

void place_close(struct place *p, const char *cause)
{
    if (p->meeting && cause)
        rendezvous_close(p->meeting, cause);
    if (p->comm && cause)
        comm_abandon(p->comm);
    if (p->comm)
        comm_close(p->comm);
    if (p->meeting && !cause)
        rendezvous_close(p->meeting, NULL);
    if (p->device)
        device_close(p->device);
}
