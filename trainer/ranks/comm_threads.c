#include "trainer/ranks/comm_threads.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What one rank sent to another, in order. */
struct letter {
    struct letter *next;
    size_t bytes;
    char data[];
};

struct comm_threads {
    struct comm_threads *parent; /* NULL: the world */
    struct comm_threads *next;   /* the world's groups, in a list: freed with it */
    int world;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int waiting;      /* ranks that have come to the meeting */
    unsigned meeting; /* how many there have been */
    bool broken;
    const void **given;      /* [world]: what each rank brought to this meeting */
    struct letter **letters; /* [world * world]: from * world + to */
};

struct threads {
    struct comm comm; /* first, so that the one is the other */
    struct comm_threads *shared;
};

static struct comm_threads *shared_of(struct comm *c)
{
    return ((struct threads *)c)->shared;
}

/* ---- meeting -------------------------------------------------------------------------------- */

static int threads_gone(const struct comm *c, struct err *err)
{
    return err_set(err, ERR_IO, "rank %d: another rank has given up", c->rank);
}

/* Returns when every rank has come. The mutex is held. */
static int come(struct comm *c, struct err *err)
{
    struct comm_threads *t = shared_of(c);
    unsigned now = t->meeting;
    if (++t->waiting == t->world) {
        t->waiting = 0;
        t->meeting++;
        pthread_cond_broadcast(&t->changed);
    }
    while (t->meeting == now && !t->broken)
        pthread_cond_wait(&t->changed, &t->mutex);
    return t->meeting != now ? 0 : threads_gone(c, err);
}

/* Everybody sees what each rank brings, until part. */
static int meet(struct comm *c, const void *brings, struct err *err)
{
    struct comm_threads *t = shared_of(c);
    pthread_mutex_lock(&t->mutex);
    t->given[c->rank] = brings;
    int rc = come(c, err);
    pthread_mutex_unlock(&t->mutex);
    return rc;
}

/* Nobody reads any more what was brought. */
static int part(struct comm *c, struct err *err)
{
    struct comm_threads *t = shared_of(c);
    pthread_mutex_lock(&t->mutex);
    int rc = come(c, err);
    pthread_mutex_unlock(&t->mutex);
    return rc;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* sum[n] = elements [begin, begin + n) of what each rank brought, first rank first */
static void add_up(const struct comm_threads *t, void *sum, size_t begin, size_t n,
                   enum comm_element e)
{
    size_t size = comm_element_bytes(e);
    memcpy(sum, (const char *)t->given[0] + begin * size, n * size);
    for (int r = 1; r < t->world; r++) {
        const void *x = (const char *)t->given[r] + begin * size;
        for (size_t i = 0; i < n; i++)
            if (e == COMM_FP32)
                ((float *)sum)[i] += ((const float *)x)[i];
            else
                ((double *)sum)[i] += ((const double *)x)[i];
    }
}

/* to[n] = what add_up makes of data, once nobody reads that any more */
static int sum(struct comm *c, void *to, const void *data, size_t begin, size_t n,
               enum comm_element e, struct err *err)
{
    size_t bytes = n * comm_element_bytes(e);
    void *result = memory_alloc(bytes + 1);
    int rc = meet(c, data, err);
    if (rc == 0)
        add_up(shared_of(c), result, begin, n, e);
    if (rc == 0)
        rc = part(c, err);
    if (rc == 0)
        memcpy(to, result, bytes);
    free(result);
    return rc;
}

static int threads_all_reduce(struct comm *c, void *data, size_t n, enum comm_element e,
                              struct err *err)
{
    return sum(c, data, data, 0, n, e, err);
}

static int threads_reduce_scatter(struct comm *c, void *to, const void *from, size_t n,
                                  enum comm_element e, struct err *err)
{
    return sum(c, to, from, (size_t)c->rank * n, n, e, err);
}

static int threads_all_reduce_max(struct comm *c, float *data, size_t n, struct err *err)
{
    const struct comm_threads *t = shared_of(c);
    float *top = memory_alloc(n * sizeof *top + 1);
    int rc = meet(c, data, err);
    memcpy(top, data, n * sizeof *top);
    for (int r = 0; rc == 0 && r < t->world; r++)
        for (size_t i = 0; i < n; i++) {
            float x = ((const float *)t->given[r])[i];
            top[i] = x > top[i] ? x : top[i];
        }
    if (rc == 0)
        rc = part(c, err);
    memcpy(data, top, n * sizeof *top);
    free(top);
    return rc;
}

/* ---- copies --------------------------------------------------------------------------------- */

static int threads_all_gather(struct comm *c, void *to, const void *from, size_t n,
                              enum comm_element e, struct err *err)
{
    const struct comm_threads *t = shared_of(c);
    size_t bytes = n * comm_element_bytes(e);
    int rc = meet(c, from, err);
    for (int r = 0; rc == 0 && r < t->world; r++)
        if ((char *)to + (size_t)r * bytes != t->given[r])
            memcpy((char *)to + (size_t)r * bytes, t->given[r], bytes);
    return rc < 0 ? -1 : part(c, err);
}

static int threads_broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                             struct err *err)
{
    int rc = meet(c, data, err);
    if (rc == 0 && c->rank != root)
        memcpy(data, shared_of(c)->given[root], n * comm_element_bytes(e));
    return rc < 0 ? -1 : part(c, err);
}

static int threads_send(struct comm *c, const void *from, size_t bytes, int to, struct err *err)
{
    struct comm_threads *t = shared_of(c);
    struct letter *letter = memory_alloc(sizeof *letter + bytes);
    letter->bytes = bytes;
    memcpy(letter->data, from, bytes);
    pthread_mutex_lock(&t->mutex);
    struct letter **last = &t->letters[c->rank * t->world + to];
    while (*last)
        last = &(*last)->next;
    *last = letter;
    bool broken = t->broken;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
    return broken ? threads_gone(c, err) : 0;
}

static int threads_receive(struct comm *c, void *to, size_t bytes, int from, struct err *err)
{
    struct comm_threads *t = shared_of(c);
    pthread_mutex_lock(&t->mutex);
    struct letter **first = &t->letters[from * t->world + c->rank], *letter;
    while (!*first && !t->broken)
        pthread_cond_wait(&t->changed, &t->mutex);
    letter = *first;
    if (letter)
        *first = letter->next;
    pthread_mutex_unlock(&t->mutex);
    if (!letter)
        return threads_gone(c, err);
    int rc = letter->bytes == bytes
                 ? 0
                 : err_set(err, ERR_CHECK, "rank %d: received %zu bytes, expected %zu", c->rank,
                           letter->bytes, bytes);
    memcpy(to, letter->data, rc == 0 ? bytes : 0);
    free(letter);
    return rc;
}

/* ---- order ---------------------------------------------------------------------------------- */

static int threads_join(struct comm *c, struct err *err)
{
    (void)c, (void)err;
    return 0;
}

static int threads_barrier(struct comm *c, struct err *err)
{
    return part(c, err);
}

static struct comm_threads *root_of(struct comm_threads *t)
{
    while (t->parent)
        t = t->parent;
    return t;
}

static void break_one(struct comm_threads *t)
{
    pthread_mutex_lock(&t->mutex);
    t->broken = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

static void threads_abandon(struct comm *c)
{
    struct comm_threads *root = root_of(shared_of(c));
    break_one(root);
    pthread_mutex_lock(&root->mutex);
    for (struct comm_threads *t = root->next; t; t = t->next)
        break_one(t);
    pthread_mutex_unlock(&root->mutex);
}

/* ---- groups --------------------------------------------------------------------------------- */

static int threads_split(struct comm *c, int colour, struct comm **out, struct err *err)
{
    struct comm_threads *t = shared_of(c), *root = root_of(t), *group = NULL;
    int rank = 0, world = 0, leader = -1;
    *out = NULL;
    if (meet(c, &colour, err) < 0)
        return -1;
    for (int r = 0; r < t->world; r++)
        if (*(const int *)t->given[r] == colour) {
            leader = leader < 0 ? r : leader;
            rank += r < c->rank;
            world++;
        }
    if (part(c, err) < 0)
        return -1;
    if (colour >= 0 && leader == c->rank) {
        group = comm_threads_new(world);
        group->parent = t;
        pthread_mutex_lock(&root->mutex);
        group->next = root->next;
        group->broken = root->broken;
        root->next = group;
        pthread_mutex_unlock(&root->mutex);
    }
    if (meet(c, group, err) < 0)
        return -1;
    group = (struct comm_threads *)(uintptr_t)t->given[leader];
    if (part(c, err) < 0)
        return -1;
    return colour < 0 ? 0 : comm_threads_open(out, group, c->device, rank, err);
}

static void threads_close(struct comm *c)
{
    free(c); /* what is shared goes with the world */
}

static const struct comm_operations threads_operations = {
    .close = threads_close,
    .all_reduce = threads_all_reduce,
    .reduce_scatter = threads_reduce_scatter,
    .all_gather = threads_all_gather,
    .broadcast = threads_broadcast,
    .all_reduce_max = threads_all_reduce_max,
    .send = threads_send,
    .receive = threads_receive,
    .split = threads_split,
    .join = threads_join,
    .barrier = threads_barrier,
    .abandon = threads_abandon,
};

struct comm_threads *comm_threads_new(int world)
{
    struct comm_threads *t = memory_alloc(sizeof *t);
    t->world = world;
    t->given = memory_alloc((size_t)world * sizeof *t->given);
    t->letters = memory_alloc((size_t)world * (size_t)world * sizeof(struct letter *));
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->changed, NULL);
    return t;
}

void comm_threads_free(struct comm_threads *t)
{
    while (t) {
        struct comm_threads *next = t->next;
        for (int i = 0; i < t->world * t->world; i++)
            while (t->letters[i]) {
                struct letter *letter = t->letters[i];
                t->letters[i] = letter->next;
                free(letter);
            }
        pthread_cond_destroy(&t->changed);
        pthread_mutex_destroy(&t->mutex);
        free(t->given);
        free(t->letters);
        free(t);
        t = next;
    }
}

int comm_threads_open(struct comm **out, struct comm_threads *t, struct device *device, int rank,
                      struct err *err)
{
    (void)err;
    struct threads *c = memory_alloc(sizeof *c);
    *c = (struct threads){{&threads_operations, device, rank, t->world}, t};
    *out = &c->comm;
    return 0;
}
