#include "trainer/ranks/rendezvous.h"

#include "base/arena.h"
#include "base/calendar.h"
#include "trainer/ranks/rendezvous_own.h"
#include "trainer/ranks/socket.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x66707274u /* "fprt" */
#define HEAD 3
#define HELLO_BYTES (12 + 128 + 128)

bool rank_say(int fd, enum message_word word, const void *bytes, size_t n)
{
    unsigned char message[HEAD + RANK_BYTES_MAX];
    n = n < RANK_BYTES_MAX ? n : RANK_BYTES_MAX;
    message[0] = (unsigned char)word;
    message[1] = (unsigned char)n;
    message[2] = (unsigned char)(n >> 8);
    if (n > 0)
        memcpy(message + HEAD, bytes, n);
    return socket_send(fd, message, HEAD + n);
}

bool rank_hear(int fd, struct rank_message *m, double until)
{
    unsigned char head[HEAD];
    if (!socket_receive(fd, head, sizeof head, until))
        return false;
    m->word = (enum message_word)head[0];
    m->n = head[1] | (size_t)head[2] << 8;
    return m->n <= sizeof m->bytes && socket_receive(fd, m->bytes, m->n, until);
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

bool rank_say_hello(int fd, const struct rank_hello *hello)
{
    unsigned char packed[HELLO_BYTES] = {0};
    put32(packed, MAGIC);
    put32(packed + 4, (uint32_t)hello->rank);
    put32(packed + 8, (uint32_t)hello->world);
    memcpy(packed + 12, hello->job, strnlen(hello->job, sizeof hello->job));
    memcpy(packed + 12 + sizeof hello->job, hello->device,
           strnlen(hello->device, sizeof hello->device));
    return rank_say(fd, MESSAGE_HELLO, packed, sizeof packed);
}

bool rank_hear_hello(int fd, struct rank_hello *hello, double until)
{
    struct rank_message m;
    if (!rank_hear(fd, &m, until) || m.word != MESSAGE_HELLO || m.n != HELLO_BYTES ||
        get32(m.bytes) != MAGIC)
        return false;
    hello->rank = (int)get32(m.bytes + 4);
    hello->world = (int)get32(m.bytes + 8);
    memcpy(hello->job, m.bytes + 12, sizeof hello->job);
    memcpy(hello->device, m.bytes + 12 + sizeof hello->job, sizeof hello->device);
    hello->job[sizeof hello->job - 1] = hello->device[sizeof hello->device - 1] = '\0';
    return true;
}

#define TURN_S 1 /* of the watch, at most */
#define NEWS_S 1

void rendezvous_tell(struct rendezvous *r, const char *sentence)
{
    for (int i = 0; r->ranks.rank == 0 && i < r->n_peers; i++)
        if (r->peers[i].state == PEER_HERE)
            rank_say(r->peers[i].fd, MESSAGE_FAILURE, sentence, strlen(sentence));
}

/* ---- the watch ------------------------------------------------------------------------------ */

struct watch {
    struct rendezvous *r;
    struct pollfd *list;        /* of the peers, behind the wake-up */
    double turn, beat, silence; /* s: of a turn at most, between signs of life, and without any */
    double turned, beaten;      /* when the last turn began; s since a sign of life was given */
    char sentence[RENDEZVOUS_CAUSE_MAX + 64]; /* who is lost, and how; "": nobody */
    bool ours;                                /* it is we */
};

/* News of one peer. */
static void hear(struct watch *w, struct peer *p)
{
    struct rank_message m;
    bool heard = rank_hear(p->fd, &m, clock_seconds() + 5);
    p->silent = 0;
    if (heard && m.word == MESSAGE_ALIVE)
        return;
    if (heard && m.word == MESSAGE_END)
        p->state = PEER_ENDED;
    else if (heard && m.word == MESSAGE_FAILURE && w->r->ranks.rank == 0)
        snprintf(w->sentence, sizeof w->sentence, "rank %d failed: %.*s", p->rank, (int)m.n,
                 (char *)m.bytes);
    else if (heard && m.word == MESSAGE_FAILURE)
        snprintf(w->sentence, sizeof w->sentence, "%.*s", (int)m.n, (char *)m.bytes);
    else
        snprintf(w->sentence, sizeof w->sentence,
                 "rank %d died: its connection closed before it had ended", p->rank);
}

/* A turn that took longer than it can is time in which we were stopped: the others were not. */
static void count_silence(struct watch *w)
{
    double now = clock_seconds(), spent = now - w->turned;
    if (spent > 2 * w->turn)
        spent = w->turn;
    w->turned = now;
    w->beaten += spent;
    for (int i = 0; i < w->r->n_peers && !*w->sentence; i++) {
        struct peer *p = &w->r->peers[i];
        p->silent += p->state == PEER_HERE ? spent : 0;
        if (p->silent > w->silence)
            snprintf(w->sentence, sizeof w->sentence,
                     "rank %d is silent: nothing was heard of it for %.3g s (it is stopped, or its "
                     "machine or the network to it is gone)",
                     p->rank, w->silence);
    }
}

/* An mpirun that dies leaves its ranks behind: nobody else would end them. */
static void look_for_starter(struct watch *w)
{
    const struct rendezvous *r = w->r;
    w->ours = r->starter && getppid() != r->starter && !*w->sentence;
    if (w->ours)
        snprintf(w->sentence, sizeof w->sentence, "%s, which started rank %d, is gone",
                 r->ranks.starter, r->ranks.rank);
}

/* To who has ended well, too: rank 0 waits for the others. Never blocks: who does not read has a
 * full buffer only when it is silent. */
static void beat(struct watch *w)
{
    static const unsigned char alive[] = {MESSAGE_ALIVE, 0, 0};
    if (w->beaten < w->beat)
        return;
    w->beaten = 0;
    for (int i = 0; i < w->r->n_peers; i++)
        send(w->r->peers[i].fd, alive, sizeof alive, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* false: the wake-up has come. */
static bool turn(struct watch *w)
{
    struct rendezvous *r = w->r;
    w->list[0] = (struct pollfd){.fd = r->wake, .events = POLLIN};
    for (int i = 0; i < r->n_peers; i++)
        w->list[i + 1] = (struct pollfd){.fd = r->peers[i].state == PEER_HERE ? r->peers[i].fd : -1,
                                         .events = POLLIN};
    int ready = poll(w->list, (nfds_t)r->n_peers + 1, (int)(w->turn * 1000) + 1);
    if (ready > 0 && w->list[0].revents)
        return false;
    if (ready < 0 && errno != EINTR) {
        w->ours = true;
        snprintf(w->sentence, sizeof w->sentence, "rank %d cannot wait for the others: %s",
                 r->ranks.rank, strerror(errno));
        return true;
    }
    for (int i = 0; ready > 0 && i < r->n_peers && !*w->sentence; i++)
        if (w->list[i + 1].revents)
            hear(w, &r->peers[i]);
    count_silence(w);
    look_for_starter(w);
    beat(w);
    return true;
}

static bool all_ended(const struct rendezvous *r)
{
    for (int i = 0; i < r->n_peers; i++)
        if (r->peers[i].state == PEER_HERE)
            return false;
    return true;
}

/* Rank 0 has done when all have ended, the others when they are told to. Who leaves a silent rank
 * 0, or is itself what is lost, tells it why, for the time that it goes on. */
static void *watch_meeting(void *argument)
{
    struct rendezvous *r = argument;
    struct watch w = {.r = r,
                      .turn = rendezvous_limit(&r->ranks, TURN_S),
                      .beat = rendezvous_limit(&r->ranks, RENDEZVOUS_BEAT_S),
                      .silence = rendezvous_limit(&r->ranks, RENDEZVOUS_SILENCE_S),
                      .turned = clock_seconds()};
    w.list = memory_alloc((size_t)(r->n_peers + 1) * sizeof *w.list);
    while (!*w.sentence && !(r->ranks.rank == 0 && all_ended(r)) && turn(&w))
        ;
    free(w.list);
    if (*w.sentence) {
        rendezvous_tell(r, w.sentence);
        if (r->ranks.rank > 0 && (w.ours || r->peers[0].silent > w.silence))
            rank_say(r->peers[0].fd, MESSAGE_FAILURE, w.sentence, strlen(w.sentence));
        r->lost(r->context, w.sentence);
    }
    return NULL;
}

/* ---- birth and death ------------------------------------------------------------------------ */

static void release_rendezvous(struct rendezvous *r)
{
    for (int i = 0; i < r->n_peers; i++)
        if (r->peers[i].fd >= 0)
            close(r->peers[i].fd);
    if (r->wake >= 0)
        close(r->wake);
    free(r->peers);
    free(r);
}

static int start_watch(struct rendezvous *r, struct err *err)
{
    r->wake = eventfd(0, EFD_CLOEXEC);
    if (r->wake >= 0 && pthread_create(&r->watch, NULL, watch_meeting, r) == 0)
        return 0;
    return err_set(err, ERR_IO, "rank %d: cannot watch the others", r->ranks.rank);
}

int rendezvous_open(struct rendezvous **out, const struct rendezvous_wish *wish, struct err *err)
{
    const struct ranks *ranks = wish->ranks;
    struct rendezvous *r = memory_alloc(sizeof *r);
    /* Others set variables and may go before us, as a shell does. */
    bool stays = ranks->by_mpi || (ranks->starter && strcmp(ranks->starter, "srun") == 0);
    *r = (struct rendezvous){.ranks = *ranks,
                             .starter = stays ? getppid() : 0,
                             .wake = -1,
                             .lost = wish->lost,
                             .context = wish->context};
    r->n_peers = ranks->rank == 0 ? ranks->world - 1 : 1;
    r->peers = memory_alloc((size_t)(r->n_peers + 1) * sizeof *r->peers);
    for (int i = 0; i < r->n_peers; i++)
        r->peers[i] = (struct peer){.fd = -1, .rank = ranks->rank == 0 ? i + 1 : 0};
    if (rendezvous_meet(r, wish, err) < 0 || start_watch(r, err) < 0) {
        release_rendezvous(r);
        return -1;
    }
    *out = r;
    return 0;
}

const char *rendezvous_address(const struct rendezvous *r)
{
    return r->address;
}

static void tell_end(struct rendezvous *r, const char *cause)
{
    char sentence[RENDEZVOUS_CAUSE_MAX + 64];
    size_t n = cause ? strnlen(cause, RENDEZVOUS_CAUSE_MAX) : 0;
    if (cause && r->ranks.rank == 0) {
        snprintf(sentence, sizeof sentence, "rank 0 failed: %.*s", (int)n, cause);
        rendezvous_tell(r, sentence);
        return;
    }
    for (int i = 0; i < r->n_peers; i++)
        rank_say(r->peers[i].fd, cause ? MESSAGE_FAILURE : MESSAGE_END, cause, n);
}

void rendezvous_close(struct rendezvous *r, const char *cause)
{
    bool waits = !cause && r->ranks.rank == 0;
    if (cause) {
        /* What fails here may have failed because another rank is gone: then the watch knows who
         * and why, and `lost` comes first. */
        double seconds = rendezvous_limit(&r->ranks, NEWS_S);
        const struct timespec pause = {.tv_sec = (time_t)seconds,
                                       .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
        nanosleep(&pause, NULL);
    }
    if (waits)
        tell_end(r, NULL);
    /* The watch ends by itself when all others have ended, or now. */
    uint64_t one = 1;
    if (!waits && write(r->wake, &one, sizeof one) < 0)
        pthread_cancel(r->watch);
    pthread_join(r->watch, NULL);
    if (!waits)
        tell_end(r, cause);
    release_rendezvous(r);
}
