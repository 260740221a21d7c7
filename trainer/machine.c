#include "trainer/machine.h"

#include "trainer/rendezvous.h"

int machine_open(struct machine *m, const struct machine_kind *kind, const struct ranks *ranks,
                 const struct machine_wish *wish, struct err *err)
{
    *m = (struct machine){.kind = kind, .ranks = *ranks};
    if (kind->open(m, wish, err) == 0)
        return 0;
    machine_close(m, err->text);
    return -1;
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
