#include "trainer/machine/machine.h"

#include "trainer/ranks/ranks.h"
#include "trainer/ranks/rendezvous.h"

#include <stdio.h>

int machine_libraries(const struct machine_kind *kind, struct arena *arena, const char **out,
                      struct err *err)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    int rc = kind->libraries(&text, err);
    *out = rc == 0 ? arena_strndup(arena, text.data, text.len) : NULL;
    buf_release(&text);
    return rc;
}

int machine_open(struct machine *m, const struct machine_kind *kind, const struct ranks *ranks,
                 const struct machine_wish *wish, struct err *err)
{
    *m = (struct machine){
        .kind = kind, .ranks = *ranks, .lost = wish->lost, .context = wish->context};
    pthread_mutex_init(&m->ending, NULL);
    if (kind->open(m, wish, err) == 0)
        return 0;
    if (!m->asked)
        machine_decline(ranks, err->text);
    machine_close(m, err->text);
    return -1;
}

/* MPI is there for the meeting alone. */
static int meet_ranks(struct rendezvous **out, struct rendezvous_wish *wish, struct err *err)
{
    if (mpi_open(&wish->mpi, wish->ranks, err) < 0)
        return -1;
    int rc = rendezvous_open(out, wish, err);
    if (wish->mpi)
        mpi_close(wish->mpi, rc == 0);
    return rc;
}

int machine_meet(struct machine *m, const struct machine_wish *wish, const char *device,
                 void *bytes, size_t n, struct err *err)
{
    struct rendezvous_wish meeting = {.ranks = &m->ranks,
                                      .device = device,
                                      .bytes = bytes,
                                      .n = n,
                                      .lost = wish->lost,
                                      .context = wish->context};
    m->asked = true;
    return meet_ranks(&m->meeting, &meeting, err);
}

void machine_decline(const struct ranks *ranks, const char *cause)
{
    struct rendezvous_wish meeting = {.ranks = ranks, .device = "", .failed = cause};
    struct rendezvous *none;
    struct err ignored = ERR_INIT;
    if (ranks->world > 1)
        meet_ranks(&none, &meeting, &ignored); /* never does */
}

/* Whoever comes first: true. */
static bool end_meeting(struct machine *m, const char *cause)
{
    pthread_mutex_lock(&m->ending);
    bool first = m->meeting != NULL;
    if (first)
        rendezvous_close(m->meeting, cause);
    m->meeting = NULL;
    pthread_mutex_unlock(&m->ending);
    return first;
}

void machine_fail(struct machine *m, const char *cause)
{
    end_meeting(m, cause);
    if (m->comm)
        comm_abandon(m->comm);
}

void machine_broken(struct machine *m, const char *cause)
{
    char sentence[RENDEZVOUS_CAUSE_MAX + 64];
    snprintf(sentence, sizeof sentence, "rank %d failed: %.*s", m->ranks.rank, RENDEZVOUS_CAUSE_MAX,
             cause);
    if (end_meeting(m, cause) && m->lost)
        m->lost(m->context, sentence);
}

/* To end well the comm may wait for the others, and the meeting knows meanwhile when one of them is
 * gone. To end badly it must not. */
void machine_close(struct machine *m, const char *cause)
{
    if (cause)
        machine_fail(m, cause);
    if (m->comm)
        comm_close(m->comm);
    end_meeting(m, NULL);
    if (m->device)
        device_close(m->device);
    pthread_mutex_destroy(&m->ending);
    *m = (struct machine){.kind = m->kind};
}
