#include "trainer/ranks/rendezvous_own.h"

#include "base/arena.h"
#include "base/calendar.h"
#include "trainer/ranks/socket.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELLO_S 5 /* for what has connected to say who it is */

/* What rank 0 tells by an MPI. */
struct invitation {
    char addresses[SOCKET_ADDRESS_MAX];
    char job[RANKS_JOB];
    int port;
    unsigned char bytes[RANK_BYTES_MAX];
};

/* ---- rank 0 --------------------------------------------------------------------------------- */

struct gathering {
    struct rendezvous *r;
    const struct rendezvous_wish *wish;
    int listener;
    int missing;
    double until;
    char sentence[RENDEZVOUS_CAUSE_MAX + 64]; /* why there will be no meeting; "": there may be */
};

/* There will be no meeting: who is here hears it now, who comes later then. */
static void call_off(struct gathering *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void call_off(struct gathering *g, const char *format, ...)
{
    va_list arguments;
    if (*g->sentence)
        return;
    va_start(arguments, format);
    vsnprintf(g->sentence, sizeof g->sentence, format, arguments);
    va_end(arguments);
    rendezvous_tell(g->r, g->sentence);
    g->until = clock_seconds() + rendezvous_limit(&g->r->ranks, RENDEZVOUS_LINGER_S);
}

/* The rank that is here with this device, or -1. */
static int same_device(const struct gathering *g, const char *device)
{
    if (!*device)
        return -1;
    if (strcmp(device, g->wish->device) == 0)
        return 0;
    for (int i = 0; i < g->r->n_peers; i++)
        if (g->r->peers[i].state == PEER_HERE && strcmp(g->r->peers[i].device, device) == 0)
            return g->r->peers[i].rank;
    return -1;
}

/* A rank of ours has come: does it fit those that are here? */
static void check_hello(struct gathering *g, const struct rank_hello *h)
{
    int world = g->r->ranks.world, other = same_device(g, h->device);
    if (h->rank == 0)
        call_off(g, "two processes have the rank number 0");
    else if (h->world != world)
        call_off(g, "rank %d expects %d ranks, but rank 0 expects %d", h->rank, h->world, world);
    else if (g->r->peers[h->rank - 1].state != PEER_AWAITED)
        call_off(g, "two processes have the rank number %d", h->rank);
    else if (other >= 0)
        call_off(g, "ranks %d and %d are set to use the same GPU: %s",
                 other < h->rank ? other : h->rank, other < h->rank ? h->rank : other, h->device);
}

static void accept_hello(struct gathering *g)
{
    struct rank_hello hello;
    struct ranks *ours = &g->r->ranks;
    double soon = clock_seconds() + HELLO_S;
    int fd = socket_accept(g->listener);
    if (fd < 0)
        return;
    if (!rank_hear_hello(fd, &hello, soon) || strcmp(hello.job, ours->job) != 0 || hello.rank < 0 ||
        (hello.world == ours->world && hello.rank >= ours->world)) {
        close(fd);
        return;
    }
    check_hello(g, &hello);
    if (*g->sentence)
        rank_say(fd, MESSAGE_FAILURE, g->sentence, strlen(g->sentence));
    bool known = hello.rank > 0 && hello.rank < ours->world;
    struct peer *p = known ? &g->r->peers[hello.rank - 1] : NULL;
    if (!p || p->state != PEER_AWAITED) {
        close(fd);
        return;
    }
    p->fd = fd;
    p->state = PEER_HERE;
    memcpy(p->device, hello.device, sizeof p->device);
    g->missing--;
}

static void gather_turn(struct gathering *g, struct pollfd *list)
{
    int n = g->r->n_peers;
    list[n] = (struct pollfd){.fd = g->listener, .events = POLLIN};
    for (int i = 0; i < n; i++)
        list[i] = (struct pollfd){.fd = g->r->peers[i].state == PEER_HERE ? g->r->peers[i].fd : -1,
                                  .events = POLLIN};
    if (poll(list, (nfds_t)n + 1, 200) <= 0)
        return;
    for (int i = 0; i < n; i++)
        if (list[i].revents) {
            /* Who has come is to wait in silence. */
            struct peer *p = &g->r->peers[i];
            struct rank_message m;
            if (rank_hear(p->fd, &m, clock_seconds() + HELLO_S) && m.word == MESSAGE_FAILURE)
                call_off(g, "rank %d failed: %.*s", p->rank, (int)m.n, (char *)m.bytes);
            else
                call_off(g, "rank %d died before all ranks had connected", p->rank);
            p->state = PEER_ENDED;
        }
    if (list[n].revents)
        accept_hello(g);
}

static void miss(struct gathering *g)
{
    double wait = rendezvous_limit(&g->r->ranks, RENDEZVOUS_WAIT_S);
    int first = 0, others = g->missing - 1;
    while (g->r->peers[first].state != PEER_AWAITED)
        first++;
    if (others)
        call_off(g, "rank %d and %d others did not come within %.3g s", g->r->peers[first].rank,
                 others, wait);
    else
        call_off(g, "rank %d did not come within %.3g s", g->r->peers[first].rank, wait);
}

static int start_all(struct gathering *g, struct err *err)
{
    size_t n = g->wish->mpi ? 0 : g->wish->n;
    for (int i = 0; i < g->r->n_peers && !*g->sentence; i++)
        if (!rank_say(g->r->peers[i].fd, MESSAGE_START, g->wish->bytes, n))
            call_off(g, "rank %d died before all ranks had connected", g->r->peers[i].rank);
    return *g->sentence ? err_set(err, ERR_IO, "%s", g->sentence) : 0;
}

static int gather_hellos(struct rendezvous *r, const struct rendezvous_wish *wish, int listener,
                         struct err *err)
{
    struct gathering g = {.r = r,
                          .wish = wish,
                          .listener = listener,
                          .missing = r->n_peers,
                          .until =
                              clock_seconds() + rendezvous_limit(&r->ranks, RENDEZVOUS_WAIT_S)};
    struct pollfd *list = memory_alloc((size_t)(r->n_peers + 1) * sizeof *list);
    if (wish->failed)
        call_off(&g, "rank 0 failed: %.*s", RENDEZVOUS_CAUSE_MAX, wish->failed);
    while (g.missing > 0 && clock_seconds() < g.until)
        gather_turn(&g, list);
    if (g.missing > 0 && !*g.sentence)
        miss(&g);
    free(list);
    return start_all(&g, err);
}

/* Who cannot listen may be the second that was told to be rank 0: the first one hears of it. */
static void say_second(struct rendezvous *r)
{
    struct rank_hello hello = {.world = r->ranks.world};
    struct rank_message answer;
    struct err ignored = ERR_INIT;
    double until = clock_seconds() + HELLO_S;
    int fd = socket_connect(r->ranks.address, r->ranks.port, until, &ignored);
    if (fd < 0)
        return;
    snprintf(hello.job, sizeof hello.job, "%s", r->ranks.job);
    rank_say_hello(fd, &hello);
    rank_hear(fd, &answer, until);
    close(fd);
}

/* ---- the others ----------------------------------------------------------------------------- */

/* Rank 0 reads what we say before it closes: with what it says unread we would cut it short. */
static int say_failed(struct rendezvous *r, const char *cause, struct err *err)
{
    int fd = r->peers[0].fd;
    struct rank_message m;
    rank_say(fd, MESSAGE_FAILURE, cause, strnlen(cause, RENDEZVOUS_CAUSE_MAX));
    shutdown(fd, SHUT_WR);
    rank_hear(fd, &m, clock_seconds() + rendezvous_limit(&r->ranks, RENDEZVOUS_LINGER_S));
    return err_set(err, ERR_IO, "%s", cause);
}

static int wait_for_start(struct rendezvous *r, const struct rendezvous_wish *wish, double until,
                          struct err *err)
{
    struct rank_message m;
    bool heard = rank_hear(r->peers[0].fd, &m, until);
    if (heard && m.word == MESSAGE_FAILURE)
        return err_set(err, ERR_IO, "%.*s", (int)m.n, (char *)m.bytes);
    if (!heard || m.word != MESSAGE_START || m.n != (wish->mpi ? 0 : wish->n))
        return err_set(err, ERR_IO,
                       "rank %d: rank 0 at %s port %d refused the connection: rank 0 has died, or "
                       "it belongs to another training",
                       r->ranks.rank, r->ranks.address, r->ranks.port);
    memcpy(wish->bytes, wish->mpi ? wish->bytes : m.bytes, wish->n);
    return 0;
}

static int join_meeting(struct rendezvous *r, const struct rendezvous_wish *wish,
                        const char *addresses, struct err *err)
{
    double limit = wish->failed ? RENDEZVOUS_LINGER_S : RENDEZVOUS_WAIT_S;
    double until = clock_seconds() + rendezvous_limit(&r->ranks, limit);
    struct rank_hello hello = {.rank = r->ranks.rank, .world = r->ranks.world};
    int fd = socket_connect(addresses, r->ranks.port, until, err);
    if (fd < 0) {
        err_prefix(err, "rank %d", r->ranks.rank);
        return -1;
    }
    r->peers[0].fd = fd;
    r->peers[0].state = PEER_HERE;
    socket_peer(fd, r->address, sizeof r->address);
    snprintf(hello.job, sizeof hello.job, "%s", r->ranks.job);
    snprintf(hello.device, sizeof hello.device, "%s", wish->device);
    rank_say_hello(fd, &hello);
    return wish->failed ? say_failed(r, wish->failed, err) : wait_for_start(r, wish, until, err);
}

/* ---- the way -------------------------------------------------------------------------------- */

/* Rank 0's: where it listens, the job's name and the bytes. */
static int invite(struct rendezvous *r, const struct rendezvous_wish *wish, struct invitation *i,
                  struct err *err)
{
    i->port = r->ranks.port;
    if (r->ranks.address[0])
        snprintf(i->addresses, sizeof i->addresses, "%s", r->ranks.address);
    else
        socket_own_addresses(i->addresses, sizeof i->addresses);
    if (wish->n)
        memcpy(i->bytes, wish->bytes, wish->n);
    return ranks_name_job(i->job, err);
}

static int invite_by_mpi(struct rendezvous *r, const struct rendezvous_wish *wish,
                         struct invitation *i, struct err *err)
{
    if (r->ranks.rank == 0 && invite(r, wish, i, err) < 0)
        return -1;
    if (mpi_share(wish->mpi, i, sizeof *i, err) < 0)
        return -1;
    if (wish->n)
        memcpy(wish->bytes, i->bytes, wish->n);
    snprintf(r->ranks.job, sizeof r->ranks.job, "%s", i->job);
    r->ranks.port = i->port;
    return 0;
}

static int check_address(struct ranks *ranks, struct err *err)
{
    if (ranks->port == 0)
        ranks->port = RANKS_PORT;
    return ranks->address[0] ? 0
                             : err_set(err, ERR_USAGE,
                                       "MASTER_ADDR: missing, expected the address of rank 0's "
                                       "machine: no " MPI_OBJECT " of the MPI that started the "
                                       "ranks lies beside the program (`make mpi` makes one)");
}

/* Rank 0 listens before anybody is told where. */
static int find_each_other(struct rendezvous *r, const struct rendezvous_wish *wish, int listener,
                           struct err *err)
{
    struct invitation i = {.port = 0};
    if (wish->mpi && invite_by_mpi(r, wish, &i, err) < 0)
        return -1;
    return r->ranks.rank == 0
               ? gather_hellos(r, wish, listener, err)
               : join_meeting(r, wish, wish->mpi ? i.addresses : r->ranks.address, err);
}

int rendezvous_meet(struct rendezvous *r, const struct rendezvous_wish *wish, struct err *err)
{
    int listener = -1;
    if (!wish->mpi && check_address(&r->ranks, err) < 0)
        return -1;
    snprintf(r->address, sizeof r->address, "%s", r->ranks.address);
    if (r->ranks.rank == 0)
        listener = r->ranks.listener ? r->ranks.listener
                                     : socket_listen(r->ranks.address, &r->ranks.port, err);
    if (r->ranks.rank == 0 && listener < 0) {
        if (!wish->mpi)
            say_second(r);
        return -1;
    }
    int rc = find_each_other(r, wish, listener, err);
    if (listener >= 0)
        close(listener);
    return rc;
}
