/*
 * Messages are a byte of kind, two bytes of length (little endian), and that many bytes:
 *
 *   H   hello       magic, rank, world (4 bytes each), the job's name
 *   B   bytes       what rank 0 has for everybody
 *   E   end         well; nothing follows
 *   F   failure     the cause, and to the others the whole sentence
 */
#include "trainer/rendezvous.h"

#include "base/arena.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x66707274u /* "fprt" */
#define HELLO_BYTES 12
#define MESSAGE_MAX (RENDEZVOUS_BYTES_MAX + 64)

enum peer_state { PEER_HERE, PEER_ENDED };

struct peer {
    int fd; /* -1: none */
    int rank;
    enum peer_state state;
};

struct rendezvous {
    struct ranks ranks;
    struct peer *peers; /* rank 0: the others, by rank; else rank 0 alone */
    int n_peers;
    int wake; /* eventfd that ends the watch */
    pthread_t watch;
    void (*lost)(void *context, const char *sentence);
    void *context;
};

struct message {
    char kind;
    size_t n;
    unsigned char bytes[MESSAGE_MAX];
};

/* ---- sockets -------------------------------------------------------------------------------- */

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A machine that went away without a word is noticed by its silence. */
static void keep_alive(int fd)
{
    int on = 1, idle = 5, apart = 5, probes = (RENDEZVOUS_SILENCE_S - 5) / 5;
    unsigned timeout_ms = RENDEZVOUS_SILENCE_S * 1000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &apart, sizeof apart);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* All n bytes before `until`; false when the other side closed, failed or took too long. */
static bool receive_all(int fd, void *to, size_t n, double until)
{
    char *at = to;
    while (n > 0) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        double left = until - now_seconds();
        if (left <= 0 || (poll(&p, 1, (int)(left * 1000) + 1) < 0 && errno != EINTR))
            return false;
        ssize_t got = recv(fd, at, n, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool send_all(int fd, const void *from, size_t n)
{
    const char *at = from;
    while (n > 0) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool message_send(int fd, char kind, const void *bytes, size_t n)
{
    unsigned char head[3] = {(unsigned char)kind, (unsigned char)n, (unsigned char)(n >> 8)};
    return send_all(fd, head, sizeof head) && (n == 0 || send_all(fd, bytes, n));
}

static bool message_receive(int fd, struct message *m, double until)
{
    unsigned char head[3];
    if (!receive_all(fd, head, sizeof head, until))
        return false;
    m->kind = (char)head[0];
    m->n = head[1] | (size_t)head[2] << 8;
    return m->n <= sizeof m->bytes && receive_all(fd, m->bytes, m->n, until);
}

/* ---- hello ---------------------------------------------------------------------------------- */

static void put32(unsigned char *to, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(x >> 8 * i);
}

static uint32_t get32(const unsigned char *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static size_t job_length(const struct ranks *ranks)
{
    return strnlen(ranks->job, 200);
}

static bool hello_send(int fd, const struct ranks *ranks)
{
    unsigned char hello[HELLO_BYTES + 200];
    put32(hello, MAGIC);
    put32(hello + 4, (uint32_t)ranks->rank);
    put32(hello + 8, (uint32_t)ranks->world);
    memcpy(hello + HELLO_BYTES, ranks->job, job_length(ranks));
    return message_send(fd, 'H', hello, HELLO_BYTES + job_length(ranks));
}

/* The rank that says hello as one of ours, or -1. */
static int hello_receive(int fd, const struct ranks *ranks, double until)
{
    struct message m;
    double soon = now_seconds() + 5;
    if (!message_receive(fd, &m, soon < until ? soon : until) || m.kind != 'H' ||
        m.n != HELLO_BYTES + job_length(ranks) || get32(m.bytes) != MAGIC ||
        get32(m.bytes + 8) != (uint32_t)ranks->world ||
        memcmp(m.bytes + HELLO_BYTES, ranks->job, job_length(ranks)) != 0)
        return -1;
    uint32_t rank = get32(m.bytes + 4);
    return rank > 0 && rank < (uint32_t)ranks->world ? (int)rank : -1;
}

/* ---- meeting -------------------------------------------------------------------------------- */

static struct addrinfo *address_of(const struct ranks *ranks, struct err *err)
{
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char port[16];
    snprintf(port, sizeof port, "%d", ranks->port);
    int code = getaddrinfo(ranks->address, port, &wanted, &found);
    if (code != 0)
        err_set(err, ERR_USAGE, "MASTER_ADDR %s: %s", ranks->address, gai_strerror(code));
    return code == 0 ? found : NULL;
}

static int listen_on(const struct ranks *ranks, struct err *err)
{
    struct addrinfo *at = address_of(ranks, err);
    int on = 1;
    if (!at)
        return -1;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, RANKS_MAX) == 0;
    freeaddrinfo(at);
    if (ok)
        return fd;
    err_errno(err, ERR_IO, "%s port %d: cannot listen", ranks->address, ranks->port);
    if (fd >= 0)
        close(fd);
    return -1;
}

static void accept_one(struct rendezvous *r, int listener, double until, int *missing)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    int rank = fd >= 0 ? hello_receive(fd, &r->ranks, until) : -1;
    if (rank < 0 || r->peers[rank - 1].fd >= 0) {
        if (fd >= 0)
            close(fd);
        return;
    }
    keep_alive(fd);
    r->peers[rank - 1].fd = fd;
    --*missing;
}

static int gather(struct rendezvous *r, const void *bytes, size_t n, struct err *err)
{
    double until = now_seconds() + RENDEZVOUS_WAIT_S;
    int listener = listen_on(&r->ranks, err), missing = r->n_peers;
    if (listener < 0)
        return -1;
    while (missing > 0 && now_seconds() < until) {
        struct pollfd p = {.fd = listener, .events = POLLIN};
        if (poll(&p, 1, 1000) > 0)
            accept_one(r, listener, until, &missing);
    }
    close(listener);
    for (int i = 0; i < r->n_peers; i++)
        if (r->peers[i].fd < 0)
            return err_set(err, ERR_IO, "rank %d and %d others did not come within %d s",
                           r->peers[i].rank, missing - 1, RENDEZVOUS_WAIT_S);
    for (int i = 0; i < r->n_peers; i++)
        if (!message_send(r->peers[i].fd, 'B', bytes, n))
            return err_set(err, ERR_IO, "rank %d went away before the start", r->peers[i].rank);
    return 0;
}

/* Rank 0 may not be listening yet. */
static int connect_to(const struct ranks *ranks, double until, struct err *err)
{
    struct addrinfo *at = address_of(ranks, err);
    const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    int fd = -1;
    if (!at)
        return -1;
    while (fd < 0 && now_seconds() < until) {
        fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
            nanosleep(&pause, NULL);
        }
    }
    freeaddrinfo(at);
    if (fd < 0)
        err_set(err, ERR_IO, "rank %d: no rank 0 at %s port %d within %d s", ranks->rank,
                ranks->address, ranks->port, RENDEZVOUS_WAIT_S);
    return fd;
}

static int join(struct rendezvous *r, void *bytes, size_t n, struct err *err)
{
    double until = now_seconds() + RENDEZVOUS_WAIT_S;
    struct message m;
    int fd = r->peers[0].fd = connect_to(&r->ranks, until, err);
    if (fd < 0)
        return -1;
    keep_alive(fd);
    if (!hello_send(fd, &r->ranks) || !message_receive(fd, &m, until) || m.kind != 'B' || m.n != n)
        return err_set(err, ERR_IO, "rank %d: rank 0 at %s port %d did not let us in",
                       r->ranks.rank, r->ranks.address, r->ranks.port);
    memcpy(bytes, m.bytes, n);
    return 0;
}

/* ---- the watch ------------------------------------------------------------------------------ */

/* Rank 0 tells those that are still here. */
static void spread(struct rendezvous *r, const char *sentence)
{
    for (int i = 0; r->ranks.rank == 0 && i < r->n_peers; i++)
        if (r->peers[i].fd >= 0 && r->peers[i].state == PEER_HERE)
            message_send(r->peers[i].fd, 'F', sentence, strlen(sentence));
}

/* News of one peer; false: it is lost, and `sentence` says how. */
static bool hear(struct rendezvous *r, struct peer *p, char *sentence, size_t size)
{
    struct message m;
    bool heard = message_receive(p->fd, &m, now_seconds() + 5);
    if (heard && m.kind == 'E') {
        p->state = PEER_ENDED;
        return true;
    }
    if (heard && m.kind == 'F' && r->ranks.rank == 0)
        snprintf(sentence, size, "rank %d failed: %.*s", p->rank, (int)m.n, (char *)m.bytes);
    else if (heard && m.kind == 'F')
        snprintf(sentence, size, "%.*s", (int)m.n, (char *)m.bytes);
    else
        snprintf(sentence, size, "rank %d died: its connection closed before it had ended",
                 p->rank);
    return false;
}

/* Peers that may have something to say, behind the wake-up. */
static int poll_list(struct rendezvous *r, struct pollfd *list)
{
    int n = 0;
    list[n++] = (struct pollfd){.fd = r->wake, .events = POLLIN};
    for (int i = 0; i < r->n_peers; i++)
        list[n++] = (struct pollfd){.fd = r->peers[i].state == PEER_HERE ? r->peers[i].fd : -1,
                                    .events = POLLIN};
    return n;
}

static bool all_ended(const struct rendezvous *r)
{
    for (int i = 0; i < r->n_peers; i++)
        if (r->peers[i].state == PEER_HERE)
            return false;
    return true;
}

static void *watch(void *argument)
{
    struct rendezvous *r = argument;
    struct pollfd *list = memory_alloc((size_t)(r->n_peers + 1) * sizeof *list);
    char sentence[RENDEZVOUS_CAUSE_MAX + 64];
    bool here = true;
    while (here && !all_ended(r)) {
        int n = poll_list(r, list);
        if (poll(list, (nfds_t)n, -1) < 0 && errno != EINTR)
            break;
        if (list[0].revents)
            break;
        for (int i = 1; here && i < n; i++)
            here = !list[i].revents || hear(r, &r->peers[i - 1], sentence, sizeof sentence);
    }
    free(list);
    if (!here) {
        spread(r, sentence);
        r->lost(r->context, sentence);
    }
    return NULL;
}

/* ---- birth and death ------------------------------------------------------------------------ */

static void release(struct rendezvous *r)
{
    for (int i = 0; i < r->n_peers; i++)
        if (r->peers[i].fd >= 0)
            close(r->peers[i].fd);
    if (r->wake >= 0)
        close(r->wake);
    free(r->peers);
    free(r);
}

int rendezvous_open(struct rendezvous **out, const struct ranks *ranks, void *bytes, size_t n,
                    void (*lost)(void *context, const char *sentence), void *context,
                    struct err *err)
{
    struct rendezvous *r = memory_alloc(sizeof *r);
    *r = (struct rendezvous){.ranks = *ranks, .lost = lost, .context = context};
    r->n_peers = ranks->rank == 0 ? ranks->world - 1 : 1;
    r->peers = memory_alloc((size_t)(r->n_peers + 1) * sizeof *r->peers);
    for (int i = 0; i < r->n_peers; i++)
        r->peers[i] = (struct peer){.fd = -1, .rank = ranks->rank == 0 ? i + 1 : 0};
    r->wake = eventfd(0, EFD_CLOEXEC);
    int rc = ranks->rank == 0 ? gather(r, bytes, n, err) : join(r, bytes, n, err);
    if (rc == 0 && (r->wake < 0 || pthread_create(&r->watch, NULL, watch, r) != 0))
        rc = err_set(err, ERR_IO, "rank %d: cannot watch the others", ranks->rank);
    if (rc < 0) {
        release(r);
        return -1;
    }
    *out = r;
    return 0;
}

/* The watch ends by itself when all others have ended, or now. */
static void watch_end(struct rendezvous *r, bool now)
{
    uint64_t one = 1;
    if (now && write(r->wake, &one, sizeof one) < 0)
        pthread_cancel(r->watch);
    pthread_join(r->watch, NULL);
}

static void tell_end(struct rendezvous *r, const char *cause)
{
    char sentence[RENDEZVOUS_CAUSE_MAX + 64];
    size_t n = cause ? strnlen(cause, RENDEZVOUS_CAUSE_MAX) : 0;
    if (cause && r->ranks.rank == 0) {
        snprintf(sentence, sizeof sentence, "rank 0 failed: %.*s", (int)n, cause);
        spread(r, sentence);
        return;
    }
    for (int i = 0; i < r->n_peers; i++)
        message_send(r->peers[i].fd, cause ? 'F' : 'E', cause, n);
}

void rendezvous_close(struct rendezvous *r, const char *cause)
{
    bool waits = !cause && r->ranks.rank == 0;
    if (waits)
        tell_end(r, NULL);
    watch_end(r, !waits);
    if (!waits)
        tell_end(r, cause);
    release(r);
}
