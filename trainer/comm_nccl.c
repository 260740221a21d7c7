#include "trainer/comm_nccl.h"

#include "base/arena.h"

#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nccl {
    struct comm comm; /* first, so that the one is the other */
    ncclComm_t handle;
    cudaStream_t of_device, own;
    cudaEvent_t queued, done; /* on the device's stream; on our own */
};

static const ncclDataType_t types[] = {
    [COMM_BYTE] = ncclUint8, [COMM_FP32] = ncclFloat32, [COMM_FP64] = ncclFloat64};

static struct nccl *nccl_of(struct comm *c)
{
    return (struct nccl *)c;
}

static int checked(const struct comm *c, ncclResult_t code, const char *what, struct err *err)
{
    if (code == ncclSuccess)
        return 0;
    err_set(err, ERR_IO, "%s: %s", what, ncclGetErrorString(code));
    return err_prefix(err, "rank %d of %d", c->rank, c->world);
}

static int checked_cuda(const struct comm *c, cudaError_t code, const char *what, struct err *err)
{
    if (code == cudaSuccess)
        return 0;
    err_set(err, ERR_IO, "%s: %s", what, cudaGetErrorString(code));
    return err_prefix(err, "rank %d of %d", c->rank, c->world);
}

/* Our stream goes on when the device's has come to where it is now. */
static int follow(struct nccl *n, struct err *err)
{
    if (checked_cuda(&n->comm, cudaEventRecord(n->queued, n->of_device), "cudaEventRecord", err) <
        0)
        return -1;
    return checked_cuda(&n->comm, cudaStreamWaitEvent(n->own, n->queued, 0), "cudaStreamWaitEvent",
                        err);
}

static int nccl_all_reduce(struct comm *c, void *data, size_t n, enum comm_element e,
                           struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked(c, ncclAllReduce(data, data, n, types[e], ncclSum, nccl->handle, nccl->own),
                   "ncclAllReduce", err);
}

static int nccl_reduce_scatter(struct comm *c, void *to, const void *from, size_t n,
                               enum comm_element e, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked(c, ncclReduceScatter(from, to, n, types[e], ncclSum, nccl->handle, nccl->own),
                   "ncclReduceScatter", err);
}

static int nccl_all_gather(struct comm *c, void *to, const void *from, size_t n,
                           enum comm_element e, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked(c, ncclAllGather(from, to, n, types[e], nccl->handle, nccl->own),
                   "ncclAllGather", err);
}

static int nccl_broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                          struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked(c, ncclBroadcast(data, data, n, types[e], root, nccl->handle, nccl->own),
                   "ncclBroadcast", err);
}

static int nccl_join(struct comm *c, struct err *err)
{
    struct nccl *n = nccl_of(c);
    if (checked_cuda(c, cudaEventRecord(n->done, n->own), "cudaEventRecord", err) < 0)
        return -1;
    return checked_cuda(c, cudaStreamWaitEvent(n->of_device, n->done, 0), "cudaStreamWaitEvent",
                        err);
}

/* A sum of one byte each: nobody has it before everybody has come. */
static int nccl_barrier(struct comm *c, struct err *err)
{
    void *one;
    if (c->device->operations->alloc(c->device, &one, sizeof(double), err) < 0)
        return -1;
    int rc = nccl_all_reduce(c, one, 1, COMM_FP64, err);
    if (rc == 0)
        rc = nccl_join(c, err);
    if (rc == 0)
        rc = c->device->operations->synchronize(c->device, err);
    c->device->operations->release(c->device, one);
    return rc;
}

static void nccl_close(struct comm *c)
{
    struct nccl *n = nccl_of(c);
    if (n->handle)
        ncclCommAbort(n->handle); /* what is done is done; what hangs must not hang us */
    if (n->own)
        cudaStreamDestroy(n->own);
    if (n->queued)
        cudaEventDestroy(n->queued);
    if (n->done)
        cudaEventDestroy(n->done);
    free(n);
}

static const struct comm_operations nccl_operations = {
    .close = nccl_close,
    .all_reduce = nccl_all_reduce,
    .reduce_scatter = nccl_reduce_scatter,
    .all_gather = nccl_all_gather,
    .broadcast = nccl_broadcast,
    .join = nccl_join,
    .barrier = nccl_barrier,
};

int comm_nccl_id(char id[COMM_NCCL_ID], struct err *err)
{
    ncclUniqueId unique;
    _Static_assert(sizeof unique == COMM_NCCL_ID, "NCCL's id has another size");
    ncclResult_t code = ncclGetUniqueId(&unique);
    if (code != ncclSuccess)
        return err_set(err, ERR_IO, "ncclGetUniqueId: %s", ncclGetErrorString(code));
    memcpy(id, &unique, sizeof unique);
    return 0;
}

static int start(struct nccl *n, const char id[COMM_NCCL_ID], struct err *err)
{
    struct comm *c = &n->comm;
    ncclUniqueId unique;
    int lowest, highest;
    memcpy(&unique, id, sizeof unique);
    if (checked_cuda(c, cudaDeviceGetStreamPriorityRange(&lowest, &highest), "priorities", err) <
            0 ||
        checked_cuda(c, cudaStreamCreateWithPriority(&n->own, cudaStreamNonBlocking, highest),
                     "cudaStreamCreate", err) < 0 ||
        checked_cuda(c, cudaEventCreateWithFlags(&n->queued, cudaEventDisableTiming),
                     "cudaEventCreate", err) < 0 ||
        checked_cuda(c, cudaEventCreateWithFlags(&n->done, cudaEventDisableTiming),
                     "cudaEventCreate", err) < 0)
        return -1;
    return checked(c, ncclCommInitRank(&n->handle, c->world, unique, c->rank), "ncclCommInitRank",
                   err);
}

int comm_nccl_open(struct comm **out, struct device *device, void *stream, int rank, int world,
                   const char id[COMM_NCCL_ID], struct err *err)
{
    struct nccl *n = memory_alloc(sizeof *n);
    n->comm = (struct comm){
        .operations = &nccl_operations, .device = device, .rank = rank, .world = world};
    n->of_device = stream;
    if (start(n, id, err) < 0) {
        nccl_close(&n->comm);
        return -1;
    }
    *out = &n->comm;
    return 0;
}

const char *comm_nccl_version(char text[16])
{
    int version = 0;
    if (ncclGetVersion(&version) != ncclSuccess)
        version = 0;
    snprintf(text, 16, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return text;
}
