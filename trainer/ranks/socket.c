#include "trainer/ranks/socket.h"

#include "base/arena.h"
#include "base/calendar.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WAITING 4096    /* that have connected and are not yet accepted */
#define ANSWER_S 3      /* for one address to answer */
#define ADDRESSES_MAX 8 /* that one machine tells of itself */

static struct addrinfo *resolve(const char *address, int port, struct err *err)
{
    const struct addrinfo wanted = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    char text[16];
    snprintf(text, sizeof text, "%d", port);
    int code = getaddrinfo(*address ? address : NULL, text, &wanted, &found);
    if (code != 0)
        err_set(err, ERR_USAGE,
                "address of rank 0: found '%s', which does not resolve (%s); set MASTER_ADDR to an "
                "address of rank 0's machine",
                address, gai_strerror(code));
    return code == 0 ? found : NULL;
}

static void send_at_once(int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* ---- listening ------------------------------------------------------------------------------ */

static int port_of(int fd)
{
    struct sockaddr_storage at;
    socklen_t n = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &n) < 0)
        return 0;
    return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
                                          : ((struct sockaddr_in *)&at)->sin_port);
}

int socket_listen(const char *address, int *port, struct err *err)
{
    struct addrinfo *at = resolve(address, *port, err);
    int on = 1;
    if (!at)
        return -1;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, WAITING) == 0;
    freeaddrinfo(at);
    if (ok) {
        *port = port_of(fd);
        return fd;
    }
    err_errno(err, ERR_IO, "rank 0 cannot listen at %s port %d", *address ? address : "any address",
              *port);
    if (fd >= 0)
        close(fd);
    return -1;
}

int socket_accept(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        send_at_once(fd);
    return fd;
}

/* ---- connecting ----------------------------------------------------------------------------- */

/* Has what was begun been answered well? */
static bool connect_succeeded(int fd, double until)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    int fault = 0, ready;
    socklen_t n = sizeof fault;
    do {
        double left = until - clock_seconds();
        ready = poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
    } while (ready < 0 && errno == EINTR);
    return ready == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &n) == 0 && fault == 0;
}

/* A port of this machine that nobody listens at may be given to us while we ask for it: we have
 * then connected to ourselves. */
static bool is_itself(int fd)
{
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t n = sizeof here, m = sizeof there;
    return getsockname(fd, (struct sockaddr *)&here, &n) == 0 &&
           getpeername(fd, (struct sockaddr *)&there, &m) == 0 && n == m &&
           memcmp(&here, &there, n) == 0;
}

static int try_one(const struct addrinfo *at, double until)
{
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), off = 0;
    if (fd < 0)
        return -1;
    bool begun = connect(fd, at->ai_addr, at->ai_addrlen) == 0 || errno == EINPROGRESS;
    if (begun && connect_succeeded(fd, until) && !is_itself(fd)) {
        ioctl(fd, FIONBIO, &off);
        send_at_once(fd);
        return fd;
    }
    close(fd);
    return -1;
}

/* Every address that a name stands for. */
static int try_name(const char *address, int port, double until, struct err *err)
{
    struct addrinfo *found = resolve(address, port, err);
    int fd = -1;
    for (const struct addrinfo *at = found; fd < 0 && at; at = at->ai_next) {
        double soon = clock_seconds() + ANSWER_S;
        fd = try_one(at, soon < until ? soon : until);
    }
    if (found)
        freeaddrinfo(found);
    return fd;
}

static int try_all(const char *addresses, int port, double until, struct err *err)
{
    char one[SOCKET_ADDRESS_MAX];
    int fd = -1;
    for (const char *at = addresses; fd < 0 && *at;) {
        size_t n = strcspn(at, ",");
        snprintf(one, sizeof one, "%.*s", (int)n, at);
        fd = try_name(one, port, until, err);
        at += n + (at[n] == ',');
    }
    return fd;
}

int socket_connect(const char *addresses, int port, double until, struct err *err)
{
    const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    struct err fault = ERR_INIT;
    int fd = try_all(addresses, port, until, &fault);
    while (fd < 0 && !fault.kind && clock_seconds() < until) {
        nanosleep(&pause, NULL);
        fd = try_all(addresses, port, until, &fault);
    }
    if (fd < 0 && fault.kind)
        *err = fault;
    else if (fd < 0)
        err_set(err, ERR_IO, "no rank 0 at %s port %d", addresses, port);
    return fd;
}

/* ---- addresses ------------------------------------------------------------------------------ */

static void digits(const struct sockaddr *at, char *out, size_t size)
{
    socklen_t n =
        at->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (getnameinfo(at, n, out, (socklen_t)size, NULL, 0, NI_NUMERICHOST) != 0)
        *out = '\0';
}

void socket_peer(int fd, char *out, size_t size)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof at;
    *out = '\0';
    if (getpeername(fd, (struct sockaddr *)&at, &n) == 0)
        digits((struct sockaddr *)&at, out, size);
}

/* Link-local ones mean something on one link only. */
static bool has_usable_address(const struct ifaddrs *i)
{
    if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || (i->ifa_flags & IFF_LOOPBACK))
        return false;
    if (i->ifa_addr->sa_family == AF_INET6)
        return !IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)i->ifa_addr)->sin6_addr);
    return i->ifa_addr->sa_family == AF_INET;
}

void socket_own_addresses(char *out, size_t size)
{
    struct ifaddrs *all = NULL;
    char one[INET6_ADDRSTRLEN + 1];
    size_t used = 0;
    int n = 0;
    *out = '\0';
    if (getifaddrs(&all) < 0)
        all = NULL;
    for (const struct ifaddrs *i = all; i && n < ADDRESSES_MAX; i = i->ifa_next) {
        if (!has_usable_address(i))
            continue;
        digits(i->ifa_addr, one, sizeof one);
        if (used + strlen(one) + 2 > size)
            break;
        used += (size_t)snprintf(out + used, size - used, "%s%s", n++ ? "," : "", one);
    }
    if (all)
        freeifaddrs(all);
    if (!n)
        snprintf(out, size, "127.0.0.1");
}

/* ---- bytes ---------------------------------------------------------------------------------- */

bool socket_send(int fd, const void *from, size_t n)
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

/* Something to read before `until`? */
static bool wait_for(int fd, double until)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    double left = until - clock_seconds();
    return left > 0 && (poll(&p, 1, (int)(left * 1000) + 1) >= 0 || errno == EINTR);
}

bool socket_receive(int fd, void *to, size_t n, double until)
{
    bool ever = isinf(until);
    char *at = to;
    while (n > 0) {
        if (!ever && !wait_for(fd, until))
            return false;
        ssize_t got = recv(fd, at, n, ever ? 0 : MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

struct message {
    struct message *next;
    size_t bytes;
    char data[];
};

struct outbox {
    int fd;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct message *first, **last;
    bool ends, failed;
};

/* The next one, or NULL at the end. */
static struct message *take_message(struct outbox *o)
{
    pthread_mutex_lock(&o->mutex);
    while (!o->first && !o->ends)
        pthread_cond_wait(&o->changed, &o->mutex);
    struct message *m = o->first;
    if (m && !(o->first = m->next))
        o->last = &o->first;
    pthread_mutex_unlock(&o->mutex);
    return m;
}

static void *send_outbox(void *argument)
{
    struct outbox *o = argument;
    struct message *m;
    while ((m = take_message(o))) {
        bool sent = !o->failed && socket_send(o->fd, m->data, m->bytes);
        free(m);
        if (sent)
            continue;
        pthread_mutex_lock(&o->mutex);
        o->failed = true;
        pthread_mutex_unlock(&o->mutex);
    }
    return NULL;
}

int outbox_open(struct outbox **out, int fd, struct err *err)
{
    struct outbox *o = memory_alloc(sizeof *o);
    o->fd = fd;
    o->last = &o->first;
    pthread_mutex_init(&o->mutex, NULL);
    pthread_cond_init(&o->changed, NULL);
    *out = o;
    if (pthread_create(&o->thread, NULL, send_outbox, o) == 0)
        return 0;
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->mutex);
    free(o);
    *out = NULL;
    return err_set(err, ERR_IO, "cannot begin a thread that sends");
}

int outbox_put(struct outbox *o, const void *from, size_t bytes, struct err *err)
{
    struct message *m = memory_alloc(sizeof *m + bytes);
    m->bytes = bytes;
    memcpy(m->data, from, bytes);
    pthread_mutex_lock(&o->mutex);
    bool failed = o->failed;
    *o->last = m;
    o->last = &m->next;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->mutex);
    return failed ? err_set(err, ERR_IO, "a message could not be sent") : 0;
}

void outbox_close(struct outbox *o)
{
    if (!o)
        return;
    pthread_mutex_lock(&o->mutex);
    o->ends = true;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->mutex);
    pthread_join(o->thread, NULL);
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->mutex);
    free(o);
}
