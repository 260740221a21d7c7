#include "trainer/ranks/comm_tcp.h"

#include "base/arena.h"
#include "base/calendar.h"
#include "trainer/ranks/socket.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* Elements that are sent and added up at a time. */
#define PART 65536

#define LOOPBACK "127.0.0.1"
#define HELLO_S 30 /* for what has connected to say who it is */

struct tcp {
    struct comm comm;         /* first, so that the one is the other */
    int *fds;                 /* [world]: rank 0's of each other; else only the one of rank 0; -1 */
    struct outbox **outboxes; /* [world]: to those it has sent to; NULL */
    bool local;               /* rank 0 is on this machine */
};

static int *fds_of(struct comm *c)
{
    return ((struct tcp *)c)->fds;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static int tcp_gone(const struct comm *c, int peer, struct err *err)
{
    return err_set(err, ERR_IO, "rank %d: the connection to rank %d is closed", c->rank, peer);
}

static int put(struct comm *c, int peer, const void *from, size_t n, struct err *err)
{
    return socket_send(fds_of(c)[peer], from, n) ? 0 : tcp_gone(c, peer, err);
}

static int tcp_receive(struct comm *c, void *to, size_t n, int peer, struct err *err)
{
    return socket_receive(fds_of(c)[peer], to, n, INFINITY) ? 0 : tcp_gone(c, peer, err);
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void add_elements(void *to, const void *x, size_t n, enum comm_element e)
{
    for (size_t i = 0; i < n; i++)
        if (e == COMM_FP32)
            ((float *)to)[i] += ((const float *)x)[i];
        else
            ((double *)to)[i] += ((const double *)x)[i];
}

/* At rank 0: sum[n] = data[n] of rank 0, then of rank 1, … At the others: data is sent. */
static int collect_sum(struct comm *c, void *sum, const void *data, size_t n, enum comm_element e,
                       struct err *err)
{
    size_t bytes = n * comm_element_bytes(e);
    if (c->rank > 0)
        return put(c, 0, data, bytes, err);
    void *theirs = memory_alloc(bytes);
    int rc = 0;
    memcpy(sum, data, bytes);
    for (int r = 1; rc == 0 && r < c->world; r++) {
        rc = tcp_receive(c, theirs, bytes, r, err);
        if (rc == 0)
            add_elements(sum, theirs, n, e);
    }
    free(theirs);
    return rc;
}

/* data[bytes] of rank 0 on every rank */
static int spread(struct comm *c, void *data, size_t bytes, struct err *err)
{
    if (c->rank > 0)
        return tcp_receive(c, data, bytes, 0, err);
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
        rc = collect_sum(c, sum, at, part, e, err);
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
        if (collect_sum(c, sum, from + done * size, part, e, err) < 0)
            return -1;
        if (c->rank == 0 && r > 0 && put(c, r, sum, part * size, err) < 0)
            return -1;
        if (c->rank == r && r > 0 && tcp_receive(c, sum, part * size, 0, err) < 0)
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
        rc = tcp_receive(c, (char *)to + (size_t)r * bytes, bytes, r, err);
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
        rc = tcp_receive(c, data, bytes, root, err);
    return rc < 0 ? -1 : spread(c, data, bytes, err);
}

static int tcp_all_reduce_max(struct comm *c, float *data, size_t n, struct err *err)
{
    float *all = memory_alloc((size_t)c->world * n * sizeof *all + 1);
    int rc = tcp_all_gather(c, all, data, n, COMM_FP32, err);
    for (int r = 0; rc == 0 && r < c->world; r++)
        for (size_t i = 0; i < n; i++) {
            float x = all[(size_t)r * n + i];
            data[i] = x > data[i] ? x : data[i];
        }
    free(all);
    return rc;
}

static int tcp_send(struct comm *c, const void *from, size_t bytes, int to, struct err *err)
{
    struct outbox **o = &((struct tcp *)c)->outboxes[to];
    if ((!*o && outbox_open(o, fds_of(c)[to], err) < 0) || outbox_put(*o, from, bytes, err) < 0)
        return err_prefix(err, "rank %d to rank %d", c->rank, to);
    return 0;
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

/* What waits for one of these connections, on either side, ends. */
static void tcp_abandon(struct comm *c)
{
    for (int r = 0; r < c->world; r++)
        if (fds_of(c)[r] >= 0)
            shutdown(fds_of(c)[r], SHUT_RDWR);
}

static void tcp_close(struct comm *c)
{
    struct tcp *t = (struct tcp *)c;
    for (int r = 0; r < c->world; r++)
        outbox_close(t->outboxes[r]);
    free(t->outboxes);
    for (int r = 0; r < c->world; r++)
        if (fds_of(c)[r] >= 0)
            close(fds_of(c)[r]);
    free(fds_of(c));
    free(c);
}

static int tcp_split(struct comm *c, int colour, struct comm **out, struct err *err);

static const struct comm_operations tcp_operations = {
    .close = tcp_close,
    .all_reduce = tcp_all_reduce,
    .reduce_scatter = tcp_reduce_scatter,
    .all_gather = tcp_all_gather,
    .broadcast = tcp_broadcast,
    .all_reduce_max = tcp_all_reduce_max,
    .send = tcp_send,
    .receive = tcp_receive,
    .split = tcp_split,
    .join = tcp_join,
    .barrier = tcp_barrier,
    .abandon = tcp_abandon,
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
static bool accept_tcp_rank(struct tcp *t, const struct comm_tcp_hub *hub)
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

static int connect_to(struct tcp *t, const char *address, const struct comm_tcp_hub *hub,
                      struct err *err)
{
    struct hello hello = {.rank = t->comm.rank};
    memcpy(hello.key, hub->meet.key, sizeof hello.key);
    t->fds[0] = socket_connect(address, (int)hub->meet.port, clock_seconds() + HELLO_S, err);
    if (t->fds[0] < 0)
        return err_prefix(err, "rank %d", t->comm.rank);
    return put(&t->comm, 0, &hello, sizeof hello, err);
}

int comm_tcp_open(struct comm **out, struct device *device, const struct comm_tcp_place *place,
                  struct comm_tcp_hub *hub, struct err *err)
{
    struct tcp *t = memory_alloc(sizeof *t);
    t->comm = (struct comm){&tcp_operations, device, place->rank, place->world};
    t->fds = memory_alloc((size_t)place->world * sizeof *t->fds);
    t->outboxes = memory_alloc((size_t)place->world * sizeof(struct outbox *));
    t->local = strcmp(place->address, LOOPBACK) == 0;
    for (int r = 0; r < place->world; r++)
        t->fds[r] = -1;
    for (int missing = place->rank == 0 ? place->world - 1 : 0; missing > 0;)
        missing -= accept_tcp_rank(t, hub);
    int rc = place->rank == 0 ? 0 : connect_to(t, place->address, hub, err);
    comm_tcp_forget(hub);
    if (rc < 0) {
        tcp_close(&t->comm);
        return -1;
    }
    *out = &t->comm;
    return 0;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* What each rank tells all others of the group that it wants. */
struct member {
    int32_t colour, local;
};

/* And where the first of a group is to be found. */
struct door {
    uint32_t port;
    unsigned char key[16];
    char addresses[SOCKET_ADDRESS_MAX];
};

/* This rank's place in its group, the group's first rank in the world, and whether all ranks are on
 * one machine. */
static struct comm_tcp_place place_in(const struct comm *c, const struct member *members,
                                      int *first, bool *local)
{
    struct comm_tcp_place place = {0, 0, LOOPBACK};
    *first = -1;
    *local = true;
    for (int r = 0; r < c->world; r++) {
        *local = *local && members[r].local;
        if (members[r].colour != members[c->rank].colour)
            continue;
        *first = *first < 0 ? r : *first;
        place.rank += r < c->rank;
        place.world++;
    }
    return place;
}

static int open_door(struct door *door, bool local, struct comm_tcp_hub *hub, struct err *err)
{
    if (comm_tcp_listen(hub, local ? LOOPBACK : "", err) < 0)
        return -1;
    door->port = hub->meet.port;
    memcpy(door->key, hub->meet.key, sizeof door->key);
    if (local)
        strcpy(door->addresses, LOOPBACK);
    else
        socket_own_addresses(door->addresses, sizeof door->addresses);
    return 0;
}

/* Everybody hears of every door, also of one that could not be opened. */
static int meet_in_group(struct comm *c, struct comm_tcp_place place, int first, bool local,
                         bool wanted, struct comm **out, struct err *err)
{
    struct comm_tcp_hub hub = {.listener = -1};
    struct door door = {.port = 0}, *doors = memory_alloc((size_t)c->world * sizeof *doors);
    int rc = wanted && first == c->rank ? open_door(&door, local, &hub, err) : 0;
    struct err ignored = ERR_INIT;
    if (tcp_all_gather(c, doors, &door, sizeof door, COMM_BYTE, rc < 0 ? &ignored : err) < 0)
        rc = -1;
    if (rc == 0 && wanted) {
        hub.meet.port = doors[first].port;
        memcpy(hub.meet.key, doors[first].key, sizeof hub.meet.key);
        place.address = doors[first].addresses;
        rc = comm_tcp_open(out, c->device, &place, &hub, err);
    }
    comm_tcp_forget(&hub);
    free(doors);
    return rc;
}

static int tcp_split(struct comm *c, int colour, struct comm **out, struct err *err)
{
    const struct member self = {colour, ((struct tcp *)c)->local};
    struct member *members = memory_alloc((size_t)c->world * sizeof *members);
    int first;
    bool local;
    *out = NULL;
    int rc = tcp_all_gather(c, members, &self, sizeof self, COMM_BYTE, err);
    const struct comm_tcp_place place = place_in(c, members, &first, &local);
    free(members);
    return rc < 0 ? -1 : meet_in_group(c, place, first, local, colour >= 0, out, err);
}
