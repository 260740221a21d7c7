#include "trainer/machine.h"

#include "trainer/mpi.h"
#include "trainer/rendezvous.h"

int machine_open(struct machine *m, const struct machine_kind *kind, const struct ranks *ranks,
                 const struct machine_wish *wish, struct err *err)
{
    *m = (struct machine){.kind = kind, .ranks = *ranks};
    if (kind->open(m, wish, err) == 0)
        return 0;
    if (!m->asked)
        machine_decline(ranks, err->text);
    machine_close(m, err->text);
    return -1;
}

/* MPI is there for the meeting alone. */
static int meet(struct rendezvous **out, struct rendezvous_wish *wish, struct err *err)
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
    return meet(&m->meeting, &meeting, err);
}

void machine_decline(const struct ranks *ranks, const char *cause)
{
    struct rendezvous_wish meeting = {.ranks = ranks, .device = "", .failed = cause};
    struct rendezvous *none;
    struct err ignored = ERR_INIT;
    if (ranks->world > 1)
        meet(&none, &meeting, &ignored); /* never does */
}

/* The meeting first: what closes a comm may wait for ranks that are gone. */
void machine_close(struct machine *m, const char *cause)
{
    if (m->meeting)
        rendezvous_close(m->meeting, cause);
    if (m->comm)
        comm_close(m->comm);
    if (m->device)
        device_close(m->device);
    *m = (struct machine){.kind = m->kind};
}
