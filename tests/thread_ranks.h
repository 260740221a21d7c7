/*
 * thread_ranks: ranks of a training as threads of the test's process (comm_threads.h), each with a
 * processor as its device.
 *
 *     rc = threads_train(&training, world, &observer, &disturbance, &err);
 *
 * The observer hears rank 0 alone. Returns what rank 0 did, or the first rank that failed: one that
 * took more or less memory than is planned for it fails, too.
 */
#pragma once

#include "trainer/machine/memory_plan.h"
#include "trainer/ranks/comm_threads.h"
#include "trainer/training/train.h"

#include <pthread.h>

#define THREADS_MAX 8
#define HELD_MAX 32

/* The nth gradient of weights that a rank makes comes out by this factor; n 0: none. */
struct disturbance {
    int rank, n;
    float factor;
};

struct thread_rank {
    struct device_operations operations, inner; /* as the device has them */
    struct held {
        void *memory;
        size_t bytes;
    } held[HELD_MAX];
    size_t now, most; /* bytes */
    struct disturbance disturbance;
    struct comm_threads *shared;
    const struct training *training;
    const struct train_observer *observer;
    struct comm *comm;
    int rank, world, rc;
    struct err err;
};

static _Thread_local struct thread_rank *thread_rank_here;

static inline void disturbed_multiply(struct device *d, const struct matrix_product *product)
{
    struct thread_rank *r = thread_rank_here;
    struct matrix_product changed = *product;
    if (product->c_fp32 && --r->disturbance.n == 0)
        changed.alpha *= r->disturbance.factor;
    r->inner.multiply(d, &changed);
}

static inline int counted_alloc(struct device *d, void **out, size_t bytes, struct err *err)
{
    struct thread_rank *r = thread_rank_here;
    int i = 0;
    if (r->inner.alloc(d, out, bytes, err) < 0)
        return -1;
    while (i < HELD_MAX - 1 && r->held[i].memory)
        i++;
    r->held[i] = (struct held){*out, bytes};
    r->now += bytes;
    r->most = r->now > r->most ? r->now : r->most;
    return 0;
}

static inline void counted_release(struct device *d, void *memory)
{
    struct thread_rank *r = thread_rank_here;
    for (int i = 0; memory && i < HELD_MAX; i++)
        if (r->held[i].memory == memory) {
            r->now -= r->held[i].bytes;
            r->held[i].memory = NULL;
        }
    r->inner.release(d, memory);
}

/* Was what was taken what was planned? The device's scratch for attention is not allocated. */
static inline int check_memory(struct thread_rank *r, struct device *device)
{
    const struct attention_shape attention = training_attention_shape(r->training);
    struct memory_plan plan;
    size_t scratch;
    if (memory_plan_make(&plan, r->training, r->rank, r->world, device, &r->err) < 0 ||
        r->inner.workspace_bytes(device, &attention, 0, &scratch, &r->err) < 0)
        return -1;
    return r->most + scratch == plan.total && r->now == 0
               ? 0
               : err_set(&r->err, ERR_CHECK, "rank %d: took %zu bytes, %zu were planned", r->rank,
                         r->most + scratch, plan.total);
}

static inline void *thread_rank_run(void *argument)
{
    struct thread_rank *r = argument;
    struct device *device;
    thread_rank_here = r;
    r->rc = device_cpu_open(&device, &r->err);
    if (r->rc < 0)
        return NULL;
    r->inner = r->operations = *device->operations;
    r->operations.multiply = disturbed_multiply;
    r->operations.alloc = counted_alloc;
    r->operations.release = counted_release;
    device->operations = &r->operations;
    comm_threads_open(&r->comm, r->shared, device, r->rank, &r->err);
    r->rc = train_native(r->training, r->comm, r->observer, &r->err);
    if (r->rc < 0)
        comm_abandon(r->comm);
    else
        r->rc = check_memory(r, device);
    comm_close(r->comm);
    device_close(device);
    return NULL;
}

static inline int threads_train(const struct training *t, int world,
                                const struct train_observer *observer,
                                const struct disturbance *disturbance, struct err *err)
{
    static const struct train_observer deaf = {.context = NULL};
    struct thread_rank ranks[THREADS_MAX];
    pthread_t threads[THREADS_MAX];
    struct comm_threads *shared = comm_threads_new(world);
    int rc = 0;
    for (int r = 0; r < world; r++) {
        ranks[r] = (struct thread_rank){.shared = shared,
                                        .training = t,
                                        .observer = r == 0 ? observer : &deaf,
                                        .rank = r,
                                        .world = world,
                                        .err = ERR_INIT};
        if (disturbance && disturbance->rank == r)
            ranks[r].disturbance = *disturbance;
        pthread_create(&threads[r], NULL, thread_rank_run, &ranks[r]);
    }
    for (int r = 0; r < world; r++)
        pthread_join(threads[r], NULL);
    for (int r = 0; rc == 0 && r < world; r++)
        if ((rc = ranks[r].rc) < 0)
            *err = ranks[r].err;
    comm_threads_free(shared);
    return rc;
}
