#include "trainer/device/cuda/cuda.h"

int cuda_alloc(struct device *d, void **out, size_t bytes, struct err *err)
{
    struct cuda *c = cuda_of(d);
    void *memory = NULL;
    size_t left = 0, total = 0;
    if (cuda_status(c, err) < 0)
        return -1;
    cudaError_t code = cudaMalloc(&memory, bytes ? bytes : 1);
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* that one is dealt with */
        cudaMemGetInfo(&left, &total);
        return err_set(err, ERR_IO,
                       "%s: not enough memory for %zu bytes (%.1f GiB), %.1f of %.1f GiB are free",
                       d->name, bytes, (double)bytes / (1 << 30), (double)left / (1 << 30),
                       (double)total / (1 << 30));
    }
    if (cuda_check(c, code, "cudaMalloc"))
        cuda_zero(d, memory, bytes);
    *out = memory;
    return cuda_status(c, err);
}

void cuda_release(struct device *d, void *memory)
{
    cudaFree(memory); /* of NULL does nothing; after a failure there is nobody to tell */
    (void)d;
}

void cuda_zero(struct device *d, void *memory, size_t bytes)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        cuda_check(c, cudaMemsetAsync(memory, 0, bytes, c->launch.stream), "cudaMemsetAsync");
}

static void cuda_copy_bytes(struct device *d, void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        cuda_check(c, cudaMemcpyAsync(to, from, bytes, kind, c->launch.stream), "cudaMemcpyAsync");
}

void cuda_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    cuda_copy_bytes(d, to, from, bytes, cudaMemcpyDeviceToDevice);
}

/* What is small goes by way of staging.c. Of the rest, cudaMemcpyAsync returns from pageable memory
 * when it has taken the bytes over. */
void cuda_upload(struct device *d, void *to, const void *host, size_t bytes)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed && !staging_upload(c, to, host, bytes))
        cuda_copy_bytes(d, to, host, bytes, cudaMemcpyHostToDevice);
}

int cuda_download(struct device *d, void *host, const void *from, size_t bytes, struct err *err)
{
    cuda_copy_bytes(d, host, from, bytes, cudaMemcpyDeviceToHost);
    return cuda_synchronize(d, err);
}

int cuda_synchronize(struct device *d, struct err *err)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        cuda_check(c, cudaStreamSynchronize(c->launch.stream), "cudaStreamSynchronize");
    return cuda_status(c, err);
}

int cuda_host_alloc(struct device *d, void **out, size_t bytes, struct err *err)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        cuda_check(c, cudaMallocHost(out, bytes), "cudaMallocHost");
    return cuda_status(c, err);
}

void cuda_host_release(struct device *d, void *memory)
{
    if (memory)
        cudaFreeHost(memory);
    (void)d;
}

bool cuda_scores_take(struct cuda *c, size_t bytes)
{
    struct err err = ERR_INIT;
    if (c->failed || bytes <= c->scores_bytes)
        return !c->failed;
    cuda_synchronize(&c->device, &err);
    cuda_release(&c->device, c->scores);
    c->scores = NULL;
    c->scores_bytes = 0;
    if (cuda_alloc(&c->device, (void **)&c->scores, bytes, &err) < 0)
        cuda_fail(c, "attention: %s", err.text);
    else
        c->scores_bytes = bytes;
    return !c->failed;
}

/* ---- the timer ------------------------------------------------------------------------------ */

void cuda_timer_start(struct device *d)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed && !c->started)
        cuda_check(c, cudaEventCreate(&c->started), "cudaEventCreate");
    if (!c->failed && !c->stopped)
        cuda_check(c, cudaEventCreate(&c->stopped), "cudaEventCreate");
    if (!c->failed)
        cuda_check(c, cudaEventRecord(c->started, c->launch.stream), "cudaEventRecord");
}

int cuda_timer_stop(struct device *d, double *seconds, struct err *err)
{
    struct cuda *c = cuda_of(d);
    float milliseconds = 0;
    if (!c->failed)
        cuda_check(c, cudaEventRecord(c->stopped, c->launch.stream), "cudaEventRecord");
    if (!c->failed)
        cuda_check(c, cudaEventSynchronize(c->stopped), "cudaEventSynchronize");
    if (!c->failed)
        cuda_check(c, cudaEventElapsedTime(&milliseconds, c->started, c->stopped),
                   "cudaEventElapsedTime");
    *seconds = (double)milliseconds * 1e-3;
    return cuda_status(c, err);
}

void cuda_timer_close(struct cuda *c)
{
    if (c->started)
        cudaEventDestroy(c->started);
    if (c->stopped)
        cudaEventDestroy(c->stopped);
}
