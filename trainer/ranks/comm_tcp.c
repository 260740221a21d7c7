#include "trainer/ranks/comm_tcp.h"

#include "base/arena.h"
#include "base/clock.h"
#include "trainer/ranks/socket.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Elements that are sent and added up at a time. */
#define PART 65536

#define HELLO_S 30 /* for what has connected to say who it is */

struct tcp {
    struct comm comm; /* first, so that the one is the other */
    int *fds;         /* [world]: rank 0's of each other; else only the one of rank 0; -1 */
};

static int *fds_of(struct comm *c)
{
    return ((struct tcp *)c)->fds;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static int gone(const struct comm *c, int peer, struct err *err)
{
    return err_set(err, ERR_IO, "rank %d: the connection to rank %d is closed", c->rank, peer);
}

static int put(struct comm *c, int peer, const void *from, size_t n, struct err *err)
{
    return socket_send(fds_of(c)[peer], from, n) ? 0 : gone(c, peer, err);
}

static int get(struct comm *c, int peer, void *to, size_t n, struct err *err)
{
    return socket_receive(fds_of(c)[peer], to, n, INFINITY) ? 0 : gone(c, peer, err);
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void add(void *to, const void *x, size_t n, enum comm_element e)
{
    for (size_t i = 0; i < n; i++)
        if (e == COMM_FP32)
            ((float *)to)[i] += ((const float *)x)[i];
        else
            ((double *)to)[i] += ((const double *)x)[i];
}

/* At rank 0: sum[n] = data[n] of rank 0, then of rank 1, … At the others: data is sent. */
static int collect(struct comm *c, void *sum, const void *data, size_t n, enum comm_element e,
                   struct err *err)
{
    size_t bytes = n * comm_element_bytes(e);
    if (c->rank > 0)
        return put(c, 0, data, bytes, err);
    void *theirs = memory_alloc(bytes);
    int rc = 0;
    memcpy(sum, data, bytes);
    for (int r = 1; rc == 0 && r < c->world; r++) {
        rc = get(c, r, theirs, bytes, err);
        if (rc == 0)
            add(sum, theirs, n, e);
    }
    free(theirs);
    return rc;
}

/* data[bytes] of rank 0 on every rank */
static int spread(struct comm *c, void *data, size_t bytes, struct err *err)
{
    if (c->rank > 0)
        return get(c, 0, data, bytes, err);
    int rc = 0;
    for (int r = 1; rc == 0 && r < c->world; r++)
        rc = put(c, r, data, bytes, err);
    return rc;
}

/* ---- the table ------------------------------------------------------------------------------ */

static int tcp_all_reduce(struct comm *c, void *data, size_t n, enum comm_element e,
                          struct err *err)
{
    size_t size = comm_element_bytes(e);
    char *sum = memory_alloc(PART * size), *at = data;
    int rc = 0;
    for (size_t left = n; rc == 0 && left > 0;) {
        size_t part = left < PART ? left : PART;
        rc = collect(c, sum, at, part, e, err);
        if (rc == 0)
            rc = spread(c, sum, part * size, err);
        if (rc == 0)
            memcpy(at, sum, part * size);
        at += part * size;
        left -= part;
    }
    free(sum);
    return rc;
}

/* What rank r is to have, part by part. */
static int scatter_to(struct comm *c, int r, char *to, const char *from, char *sum, size_t n,
                      enum comm_element e, struct err *err)
{
    size_t size = comm_element_bytes(e);
    for (size_t done = 0; done < n; done += PART) {
        size_t part = n - done < PART ? n - done : PART;
        if (collect(c, sum, from + done * size, part, e, err) < 0)
            return -1;
        if (c->rank == 0 && r > 0 && put(c, r, sum, part * size, err) < 0)
            return -1;
        if (c->rank == r && r > 0 && get(c, 0, sum, part * size, err) < 0)
            return -1;
        if (c->rank == r)
            memcpy(to + done * size, sum, part * size);
    }
    return 0;
}

static int tcp_reduce_scatter(struct comm *c, void *to, const void *from, size_t n,
                              enum comm_element e, struct err *err)
{
    size_t size = comm_element_bytes(e);
    char *sum = memory_alloc(PART * size);
    int rc = 0;
    for (int r = 0; rc == 0 && r < c->world; r++)
        rc = scatter_to(c, r, to, (const char *)from + (size_t)r * n * size, sum, n, e, err);
    free(sum);
    return rc;
}

static int tcp_all_gather(struct comm *c, void *to, const void *from, size_t n, enum comm_element e,
                          struct err *err)
{
    size_t bytes = n * comm_element_bytes(e);
    int rc = 0;
    if (c->rank > 0)
        rc = put(c, 0, from, bytes, err);
    else
        memmove(to, from, bytes);
    for (int r = 1; rc == 0 && c->rank == 0 && r < c->world; r++)
        rc = get(c, r, (char *)to + (size_t)r * bytes, bytes, err);
    return rc < 0 ? -1 : spread(c, to, (size_t)c->world * bytes, err);
}

static int tcp_broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                         struct err *err)
{
    size_t bytes = n * comm_element_bytes(e);
    int rc = 0;
    if (root > 0 && c->rank == root)
        rc = put(c, 0, data, bytes, err);
    if (root > 0 && c->rank == 0)
        rc = get(c, root, data, bytes, err);
    return rc < 0 ? -1 : spread(c, data, bytes, err);
}

static int tcp_join(struct comm *c, struct err *err)
{
    (void)c, (void)err;
    return 0;
}

static int tcp_barrier(struct comm *c, struct err *err)
{
    double nothing = 0;
    return tcp_all_reduce(c, &nothing, 1, COMM_FP64, err);
}

static void tcp_close(struct comm *c)
{
    for (int r = 0; r < c->world; r++)
        if (fds_of(c)[r] >= 0)
            close(fds_of(c)[r]);
    free(fds_of(c));
    free(c);
}

static const struct comm_operations tcp_operations = {
    .close = tcp_close,
    .all_reduce = tcp_all_reduce,
    .reduce_scatter = tcp_reduce_scatter,
    .all_gather = tcp_all_gather,
    .broadcast = tcp_broadcast,
    .join = tcp_join,
    .barrier = tcp_barrier,
};

/* ---- meeting -------------------------------------------------------------------------------- */

struct hello {
    unsigned char key[16];
    int32_t rank;
};

int comm_tcp_listen(struct comm_tcp_hub *hub, const char *address, struct err *err)
{
    int port = 0;
    *hub = (struct comm_tcp_hub){.listener = socket_listen(address, &port, err)};
    if (hub->listener < 0)
        return -1;
    hub->meet.port = (uint32_t)port;
    if (getrandom(hub->meet.key, sizeof hub->meet.key, 0) == sizeof hub->meet.key)
        return 0;
    comm_tcp_forget(hub);
    return err_errno(err, ERR_IO, "getrandom");
}

void comm_tcp_forget(struct comm_tcp_hub *hub)
{
    if (hub->listener >= 0)
        close(hub->listener);
    hub->listener = -1;
}

/* One more rank, or nobody of ours. */
static bool accept_one(struct tcp *t, const struct comm_tcp_hub *hub)
{
    struct hello hello;
    int fd = socket_accept(hub->listener);
    if (fd < 0)
        return false;
    if (socket_receive(fd, &hello, sizeof hello, clock_seconds() + HELLO_S) &&
        memcmp(hello.key, hub->meet.key, sizeof hello.key) == 0 && hello.rank > 0 &&
        hello.rank < t->comm.world && t->fds[hello.rank] < 0) {
        t->fds[hello.rank] = fd;
        return true;
    }
    close(fd);
    return false;
}

static int gather(struct tcp *t, const struct comm_tcp_hub *hub)
{
    for (int missing = t->comm.world - 1; missing > 0;)
        missing -= accept_one(t, hub);
    return 0;
}

static int connect_to(struct tcp *t, const char *address, const struct comm_tcp_hub *hub,
                      struct err *err)
{
    struct hello hello = {.rank = t->comm.rank};
    memcpy(hello.key, hub->meet.key, sizeof hello.key);
    t->fds[0] = socket_connect(address, (int)hub->meet.port, clock_seconds() + HELLO_S, err);
    if (t->fds[0] < 0) {
        err_prefix(err, "rank %d", t->comm.rank);
        return -1;
    }
    return put(&t->comm, 0, &hello, sizeof hello, err);
}

int comm_tcp_open(struct comm **out, struct device *device, const struct comm_tcp_place *place,
                  struct comm_tcp_hub *hub, struct err *err)
{
    struct tcp *t = memory_alloc(sizeof *t);
    t->comm = (struct comm){&tcp_operations, device, place->rank, place->world};
    t->fds = memory_alloc((size_t)place->world * sizeof *t->fds);
    for (int r = 0; r < place->world; r++)
        t->fds[r] = -1;
    int rc = place->rank == 0 ? gather(t, hub) : connect_to(t, place->address, hub, err);
    comm_tcp_forget(hub);
    if (rc < 0) {
        tcp_close(&t->comm);
        return -1;
    }
    *out = &t->comm;
    return 0;
}
