#include "trainer/data/reader.h"

#include "base/arena.h"
#include "base/calendar.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct reader {
    struct reader_plan plan;
    struct reader_batch slots[READER_SLOTS];
    pthread_t thread;
    pthread_mutex_t mutex; /* of all that follows */
    pthread_cond_t changed;
    uint64_t filled, left; /* batches that are there; that nobody uses any more */
    bool used;             /* somebody uses the first of those that are left */
    bool closing;
};

static struct reader_batch *slot(struct reader *r, uint64_t batch)
{
    return &r->slots[(batch - r->plan.first) % READER_SLOTS];
}

/* Is there room for one more? false: no more is wanted. */
static bool wait_for_room(struct reader *r)
{
    pthread_mutex_lock(&r->mutex);
    while (!r->closing && r->filled - r->left == READER_SLOTS)
        pthread_cond_wait(&r->changed, &r->mutex);
    bool goes_on = !r->closing;
    pthread_mutex_unlock(&r->mutex);
    return goes_on;
}

static void *read_ahead_of_training(void *argument)
{
    struct reader *r = argument;
    for (uint64_t batch = r->plan.first; batch < r->plan.end && wait_for_room(r); batch++) {
        r->plan.read(r->plan.context, batch, slot(r, batch));
        pthread_mutex_lock(&r->mutex);
        r->filled = batch + 1;
        pthread_cond_signal(&r->changed);
        pthread_mutex_unlock(&r->mutex);
    }
    return NULL;
}

const struct reader_batch *reader_next(struct reader *r, double *waited)
{
    pthread_mutex_lock(&r->mutex);
    r->left += r->used;
    r->used = true;
    pthread_cond_signal(&r->changed);
    if (r->filled == r->left) {
        double began = clock_seconds();
        while (r->filled == r->left)
            pthread_cond_wait(&r->changed, &r->mutex);
        *waited += clock_seconds() - began;
    }
    const struct reader_batch *batch = slot(r, r->left);
    pthread_mutex_unlock(&r->mutex);
    return batch;
}

/* ---- birth and death ------------------------------------------------------------------------ */

static void release_reader(struct reader *r)
{
    for (int i = 0; i < READER_SLOTS; i++) {
        free(r->slots[i].inputs);
        free(r->slots[i].targets);
        free(r->slots[i].more);
    }
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->mutex);
    free(r);
}

int reader_open(struct reader **out, const struct reader_plan *plan, struct err *err)
{
    struct reader *r = memory_alloc(sizeof *r);
    *r = (struct reader){.plan = *plan, .filled = plan->first, .left = plan->first};
    for (int i = 0; i < READER_SLOTS; i++)
        r->slots[i] = (struct reader_batch){memory_alloc(plan->tokens * sizeof(int32_t)),
                                            memory_alloc(plan->tokens * sizeof(int32_t)),
                                            plan->more ? memory_alloc(plan->more) : NULL};
    pthread_mutex_init(&r->mutex, NULL);
    pthread_cond_init(&r->changed, NULL);
    if (pthread_create(&r->thread, NULL, read_ahead_of_training, r) != 0) {
        release_reader(r);
        return err_set(err, ERR_IO, "cannot make a thread that reads data ahead");
    }
    *out = r;
    return 0;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->mutex);
    r->closing = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->mutex);
    pthread_join(r->thread, NULL);
    release_reader(r);
}
