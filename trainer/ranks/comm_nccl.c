#include "trainer/ranks/comm_nccl.h"

#include "base/arena.h"

#include <errno.h>
#include <nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct nccl {
    struct comm comm;  /* first, so that the one is the other */
    ncclComm_t handle; /* NULL: there is none, or it was abandoned */
    cudaStream_t of_device, own;
    cudaEvent_t queued, done;      /* on the device's stream; on our own */
    cudaEvent_t marks[COMM_MARKS]; /* on our own; NULL until it is set */
    int ordinal;
    void (*failed)(void *context, const char *cause);
    void *context;
    pthread_t asking;
    bool asks; /* there is such a thread */
    pthread_mutex_t mutex;
    pthread_cond_t ending;
    bool ends, broken; /* of the mutex: the thread is to end; NCCL has told of a failure */
};

static const ncclDataType_t types[] = {[COMM_BYTE] = ncclUint8,
                                       [COMM_FP32] = ncclFloat32,
                                       [COMM_FP64] = ncclFloat64,
                                       [COMM_BF16] = ncclBfloat16,
                                       [COMM_FP16] = ncclFloat16};

static struct nccl *nccl_of(struct comm *c)
{
    return (struct nccl *)c;
}

static int checked_nccl(const struct comm *c, ncclResult_t code, const char *what, struct err *err)
{
    if (code == ncclSuccess)
        return 0;
    const char *more = ncclGetLastError(((const struct nccl *)c)->handle);
    err_set(err, ERR_IO, "%s: %s%s%s", what, ncclGetErrorString(code), more && *more ? ": " : "",
            more ? more : "");
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
    return checked_nccl(c, ncclAllReduce(data, data, n, types[e], ncclSum, nccl->handle, nccl->own),
                        "ncclAllReduce", err);
}

static int nccl_reduce_scatter(struct comm *c, void *to, const void *from, size_t n,
                               enum comm_element e, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked_nccl(c,
                        ncclReduceScatter(from, to, n, types[e], ncclSum, nccl->handle, nccl->own),
                        "ncclReduceScatter", err);
}

static int nccl_all_gather(struct comm *c, void *to, const void *from, size_t n,
                           enum comm_element e, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked_nccl(c, ncclAllGather(from, to, n, types[e], nccl->handle, nccl->own),
                        "ncclAllGather", err);
}

static int nccl_broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                          struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked_nccl(c, ncclBroadcast(data, data, n, types[e], root, nccl->handle, nccl->own),
                        "ncclBroadcast", err);
}

static int nccl_all_reduce_max(struct comm *c, float *data, size_t n, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked_nccl(c,
                        ncclAllReduce(data, data, n, ncclFloat32, ncclMax, nccl->handle, nccl->own),
                        "ncclAllReduce", err);
}

static int nccl_send(struct comm *c, const void *from, size_t bytes, int to, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked_nccl(c, ncclSend(from, bytes, ncclUint8, to, nccl->handle, nccl->own),
                        "ncclSend", err);
}

static int nccl_receive(struct comm *c, void *to, size_t bytes, int from, struct err *err)
{
    struct nccl *nccl = nccl_of(c);
    if (follow(nccl, err) < 0)
        return -1;
    return checked_nccl(c, ncclRecv(to, bytes, ncclUint8, from, nccl->handle, nccl->own),
                        "ncclRecv", err);
}

static int nccl_join(struct comm *c, struct err *err)
{
    struct nccl *n = nccl_of(c);
    if (checked_cuda(c, cudaEventRecord(n->done, n->own), "cudaEventRecord", err) < 0)
        return -1;
    return checked_cuda(c, cudaStreamWaitEvent(n->of_device, n->done, 0), "cudaStreamWaitEvent",
                        err);
}

static int nccl_mark(struct comm *c, int mark, struct err *err)
{
    struct nccl *n = nccl_of(c);
    if (!n->marks[mark] &&
        checked_cuda(c, cudaEventCreateWithFlags(&n->marks[mark], cudaEventDisableTiming),
                     "cudaEventCreate", err) < 0)
        return -1;
    return checked_cuda(c, cudaEventRecord(n->marks[mark], n->own), "cudaEventRecord", err);
}

static int nccl_join_mark(struct comm *c, int mark, struct err *err)
{
    struct nccl *n = nccl_of(c);
    if (!n->marks[mark])
        return 0;
    return checked_cuda(c, cudaStreamWaitEvent(n->of_device, n->marks[mark], 0),
                        "cudaStreamWaitEvent", err);
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

/* ---- failures that show while a rank waits -------------------------------------------------- */

/* What NCCL has to tell; ncclSuccess and ncclInProgress are no failures. */
static bool has_failed(struct nccl *n, char *cause, size_t size)
{
    ncclResult_t state = ncclSuccess;
    ncclResult_t code = ncclCommGetAsyncError(n->handle, &state);
    if (code == ncclSuccess)
        code = state;
    if (code == ncclSuccess || code == ncclInProgress)
        return false;
    const char *more = ncclGetLastError(n->handle);
    snprintf(cause, size, "NCCL: %s%s%s", ncclGetErrorString(code), more && *more ? ": " : "",
             more ? more : "");
    return true;
}

/* false: the thread is to end. */
static bool pause_asking(struct nccl *n)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += COMM_NCCL_ASK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&n->mutex);
    while (!n->ends && pthread_cond_timedwait(&n->ending, &n->mutex, &until) != ETIMEDOUT)
        ;
    bool goes_on = !n->ends;
    pthread_mutex_unlock(&n->mutex);
    return goes_on;
}

static void *ask(void *argument)
{
    struct nccl *n = argument;
    char cause[512];
    cudaSetDevice(n->ordinal); /* a thread begins with the first one */
    while (pause_asking(n)) {
        if (!has_failed(n, cause, sizeof cause))
            continue;
        pthread_mutex_lock(&n->mutex);
        n->broken = true;
        pthread_mutex_unlock(&n->mutex);
        n->failed(n->context, cause);
        break;
    }
    return NULL;
}

/* Before the communicator goes. */
static void stop_asking(struct nccl *n)
{
    if (!n->asks)
        return;
    pthread_mutex_lock(&n->mutex);
    n->ends = true;
    pthread_cond_signal(&n->ending);
    pthread_mutex_unlock(&n->mutex);
    pthread_join(n->asking, NULL);
    n->asks = false;
}

/* ---- the end -------------------------------------------------------------------------------- */

static void nccl_abandon(struct comm *c)
{
    struct nccl *n = nccl_of(c);
    stop_asking(n);
    if (n->handle)
        ncclCommAbort(n->handle); /* also ends kernels that wait for a rank that is gone */
    n->handle = NULL;
}

/* NCCL's two steps: what was sent has arrived everywhere; then all is freed. */
static void end_well(struct nccl *n)
{
    if (ncclCommFinalize(n->handle) == ncclSuccess)
        ncclCommDestroy(n->handle);
    else
        ncclCommAbort(n->handle);
    n->handle = NULL;
}

static void nccl_close(struct comm *c)
{
    struct nccl *n = nccl_of(c);
    stop_asking(n);
    if (n->handle && n->broken)
        nccl_abandon(c);
    if (n->handle)
        end_well(n);
    if (n->own)
        cudaStreamDestroy(n->own);
    for (int i = 0; i < COMM_MARKS; i++)
        if (n->marks[i])
            cudaEventDestroy(n->marks[i]);
    if (n->queued)
        cudaEventDestroy(n->queued);
    if (n->done)
        cudaEventDestroy(n->done);
    pthread_cond_destroy(&n->ending);
    pthread_mutex_destroy(&n->mutex);
    free(n);
}

static int nccl_split(struct comm *c, int colour, struct comm **out, struct err *err);

static const struct comm_operations nccl_operations = {
    .close = nccl_close,
    .all_reduce = nccl_all_reduce,
    .reduce_scatter = nccl_reduce_scatter,
    .all_gather = nccl_all_gather,
    .broadcast = nccl_broadcast,
    .all_reduce_max = nccl_all_reduce_max,
    .send = nccl_send,
    .receive = nccl_receive,
    .split = nccl_split,
    .join = nccl_join,
    .mark = nccl_mark,
    .join_mark = nccl_join_mark,
    .barrier = nccl_barrier,
    .abandon = nccl_abandon,
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

/* All that a communicator needs beside itself. */
static int start_stream(struct nccl *n, struct err *err)
{
    struct comm *c = &n->comm;
    int lowest, highest;
    if (checked_cuda(c, cudaDeviceGetStreamPriorityRange(&lowest, &highest), "priorities", err) <
            0 ||
        checked_cuda(c, cudaStreamCreateWithPriority(&n->own, cudaStreamNonBlocking, highest),
                     "cudaStreamCreate", err) < 0 ||
        checked_cuda(c, cudaEventCreateWithFlags(&n->queued, cudaEventDisableTiming),
                     "cudaEventCreate", err) < 0)
        return -1;
    return checked_cuda(c, cudaEventCreateWithFlags(&n->done, cudaEventDisableTiming),
                        "cudaEventCreate", err);
}

static int start_nccl_thread(struct nccl *n, const char id[COMM_NCCL_ID], struct err *err)
{
    struct comm *c = &n->comm;
    ncclUniqueId unique;
    memcpy(&unique, id, sizeof unique);
    if (start_stream(n, err) < 0)
        return -1;
    return checked_nccl(c, ncclCommInitRank(&n->handle, c->world, unique, c->rank),
                        "ncclCommInitRank", err);
}

/* From the communicator's birth on. */
static int start_asking(struct nccl *n, struct err *err)
{
    n->asks = n->failed && pthread_create(&n->asking, NULL, ask, n) == 0;
    return n->asks || !n->failed ? 0
                                 : err_set(err, ERR_IO, "rank %d: cannot watch NCCL", n->comm.rank);
}

static struct nccl *nccl_new(const struct nccl *like)
{
    struct nccl *n = memory_alloc(sizeof *n);
    *n = *like;
    pthread_mutex_init(&n->mutex, NULL);
    pthread_cond_init(&n->ending, NULL);
    return n;
}

int comm_nccl_open(struct comm **out, struct device *device, const struct comm_nccl_place *place,
                   struct err *err)
{
    struct nccl *n =
        nccl_new(&(struct nccl){.comm = {&nccl_operations, device, place->rank, place->world},
                                .of_device = place->stream,
                                .ordinal = place->ordinal,
                                .failed = place->failed,
                                .context = place->context});
    if (start_nccl_thread(n, place->id, err) < 0 || start_asking(n, err) < 0) {
        nccl_abandon(&n->comm);
        nccl_close(&n->comm);
        return -1;
    }
    *out = &n->comm;
    return 0;
}

/* A communicator of its own, with a stream and a watch of its own: what one group waits for,
 * another one does not. */
static int nccl_split(struct comm *c, int colour, struct comm **out, struct err *err)
{
    struct nccl *parent = nccl_of(c);
    ncclComm_t handle = NULL;
    *out = NULL;
    if (checked_nccl(c,
                     ncclCommSplit(parent->handle, colour < 0 ? NCCL_SPLIT_NOCOLOR : colour,
                                   c->rank, &handle, NULL),
                     "ncclCommSplit", err) < 0)
        return -1;
    if (!handle)
        return 0;
    struct nccl *n = nccl_new(&(struct nccl){.comm = {&nccl_operations, c->device, 0, 0},
                                             .handle = handle,
                                             .of_device = parent->of_device,
                                             .ordinal = parent->ordinal,
                                             .failed = parent->failed,
                                             .context = parent->context});
    if (checked_nccl(c, ncclCommUserRank(handle, &n->comm.rank), "ncclCommUserRank", err) < 0 ||
        checked_nccl(c, ncclCommCount(handle, &n->comm.world), "ncclCommCount", err) < 0 ||
        start_stream(n, err) < 0 || start_asking(n, err) < 0) {
        nccl_abandon(&n->comm);
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
