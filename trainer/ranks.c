#include "trainer/ranks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Names of variables. local_world and job may be missing in an environment. */
static const struct starter {
    const char *name, *rank, *world, *local_rank, *local_world, *job;
} starters[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"},
    {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"},
    {"srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE",
     "SLURM_JOB_ID"},
};

static int number_of(const char *starter, const char *name, int least, int most, int *out,
                     struct err *err)
{
    const char *text = getenv(name);
    char *end;
    if (!text)
        return err_set(err, ERR_USAGE, "%s: missing, expected it beside the others of %s", name,
                       starter);
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        return err_set(err, ERR_USAGE, "%s: found '%.40s', expected %d to %d", name, text, least,
                       most);
    *out = (int)value;
    return 0;
}

static int place_find(struct ranks *r, struct err *err)
{
    const char *address = getenv("MASTER_ADDR");
    bool one_machine = r->local_world == r->world;
    r->port = RANKS_PORT;
    if (getenv("MASTER_PORT") && number_of(r->starter, "MASTER_PORT", 1, 65535, &r->port, err) < 0)
        return -1;
    if (!address && !one_machine)
        return err_set(err, ERR_USAGE,
                       "MASTER_ADDR: missing, expected the address of rank 0's machine for ranks "
                       "on several");
    r->address = address ? address : "127.0.0.1";
    return 0;
}

int ranks_find(struct ranks *out, struct err *err)
{
    *out = (struct ranks){.world = 1, .local_world = 1, .address = "127.0.0.1", .job = ""};
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
        const struct starter *s = &starters[i];
        if (!getenv(s->rank) || !getenv(s->world))
            continue;
        out->starter = s->name;
        out->local_world = 0;
        out->job = getenv(s->job) ? getenv(s->job) : "";
        if (number_of(s->name, s->world, 1, RANKS_MAX, &out->world, err) < 0 ||
            number_of(s->name, s->rank, 0, out->world - 1, &out->rank, err) < 0 ||
            number_of(s->name, s->local_rank, 0, out->world - 1, &out->local_rank, err) < 0 ||
            (getenv(s->local_world) &&
             number_of(s->name, s->local_world, 1, out->world, &out->local_world, err) < 0))
            return -1;
        return out->world == 1 ? 0 : place_find(out, err);
    }
    return 0;
}
