/*
 * Small uploads by way of page-locked memory. From pageable memory a copy waits for everything that
 * is queued before it; from here it is queued like the rest, and the host goes on. The places are
 * used in turn, each again when its last copy is done.
 */
#include "base/arena.h"
#include "trainer/device/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 8
#define PLACE_BYTES ((size_t)1 << 20) /* the tokens of a micro-batch, and its targets */

struct staging {
    char *memory;               /* NULL: the system has no page-locked memory for us */
    cudaEvent_t copied[PLACES]; /* NULL until a place is used */
    int next;
};

/* Free, and with an event of its own. */
static bool place_ready(struct cuda *c, cudaEvent_t *copied)
{
    return *copied ? cuda_check(c, cudaEventSynchronize(*copied), "cudaEventSynchronize")
                   : cuda_check(c, cudaEventCreateWithFlags(copied, cudaEventDisableTiming),
                                "cudaEventCreate");
}

bool staging_upload(struct cuda *c, void *to, const void *host, size_t bytes)
{
    if (!c->staging) {
        c->staging = memory_alloc(sizeof *c->staging);
        if (cudaMallocHost((void **)&c->staging->memory, PLACES * PLACE_BYTES) != cudaSuccess) {
            c->staging->memory = NULL;
            cudaGetLastError(); /* it goes without */
        }
    }
    struct staging *s = c->staging;
    if (!s->memory || bytes > PLACE_BYTES)
        return false;
    char *place = s->memory + (size_t)s->next * PLACE_BYTES;
    cudaEvent_t *copied = &s->copied[s->next];
    s->next = (s->next + 1) % PLACES;
    if (!place_ready(c, copied))
        return true; /* the failure is kept */
    memcpy(place, host, bytes);
    if (cuda_check(c, cudaMemcpyAsync(to, place, bytes, cudaMemcpyHostToDevice, c->launch.stream),
                   "cudaMemcpyAsync"))
        cuda_check(c, cudaEventRecord(*copied, c->launch.stream), "cudaEventRecord");
    return true;
}

void staging_close(struct cuda *c)
{
    struct staging *s = c->staging;
    if (!s)
        return;
    for (int i = 0; i < PLACES; i++)
        if (s->copied[i]) {
            cudaEventSynchronize(s->copied[i]);
            cudaEventDestroy(s->copied[i]);
        }
    if (s->memory)
        cudaFreeHost(s->memory);
    free(s);
}
