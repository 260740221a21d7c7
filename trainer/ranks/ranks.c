#include "trainer/ranks/ranks.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- numbers -------------------------------------------------------------------------------- */

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

static const char *text_of(const char *name)
{
    const char *text = name ? getenv(name) : NULL;
    return text ? text : "";
}

/* ---- Slurm ---------------------------------------------------------------------------------- */

/* Tasks on the i-th machine by a list as "2(x3),1"; 0: it does not say. */
static int tasks_on(const char *list, long i)
{
    while (*list && i >= 0) {
        char *end;
        long tasks = strtol(list, &end, 10), machines = 1;
        if (end == list || tasks < 1 || tasks > RANKS_MAX)
            return 0;
        if (strncmp(end, "(x", 2) == 0)
            machines = strtol(end + 2, &end, 10);
        i -= machines;
        if (i < 0)
            return (int)tasks;
        list = end + strspn(end, "),");
    }
    return 0;
}

/* The first host of a list as "gpu[07-12,20],login2": gpu07. */
static void first_host(char *out, size_t size, const char *list)
{
    size_t n = 0;
    while (*list && *list != ',' && n + 1 < size) {
        if (*list != '[') {
            out[n++] = *list++;
            continue;
        }
        for (list++; *list && !strchr(",-]", *list) && n + 1 < size;)
            out[n++] = *list++;
        list += strcspn(list, "]");
        list += *list == ']';
    }
    out[n] = '\0';
}

/* Steps of one job may run beside each other, and jobs on one machine. */
static void refine_slurm(struct ranks *r)
{
    const char *hosts = text_of("SLURM_STEP_NODELIST");
    long job = atol(text_of("SLURM_JOB_ID")), step = atol(text_of("SLURM_STEP_ID"));
    if (!r->local_world)
        r->local_world =
            tasks_on(text_of("SLURM_STEP_TASKS_PER_NODE"), atol(text_of("SLURM_NODEID")));
    snprintf(r->job, sizeof r->job, "%ld.%ld", job, step);
    r->port = RANKS_PORT + (int)((unsigned long)(job + step) % RANKS_PORTS);
    if (r->local_world != r->world)
        first_host(r->address, sizeof r->address, *hosts ? hosts : text_of("SLURM_JOB_NODELIST"));
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Names of variables. Those of local_world and job may be missing in an environment. */
static const struct starter {
    const char *name;
    const char *sign; /* this starter is known by it, and by the rank */
    const char *rank, *world, *local_rank, *local_world, *job;
    bool by_mpi;
    void (*refine)(struct ranks *r); /* what is told in other ways; NULL: nothing */
} starters[] = {
    {.name = "torchrun",
     .sign = "WORLD_SIZE",
     .rank = "RANK",
     .world = "WORLD_SIZE",
     .local_rank = "LOCAL_RANK",
     .local_world = "LOCAL_WORLD_SIZE",
     .job = "TORCHELASTIC_RUN_ID"},
    {.name = "mpirun",
     .sign = "OMPI_COMM_WORLD_SIZE",
     .rank = "OMPI_COMM_WORLD_RANK",
     .world = "OMPI_COMM_WORLD_SIZE",
     .local_rank = "OMPI_COMM_WORLD_LOCAL_RANK",
     .local_world = "OMPI_COMM_WORLD_LOCAL_SIZE",
     .job = "PMIX_NAMESPACE",
     .by_mpi = true},
    /* Slurm's help for MPI sets the first two as well. */
    {.name = "mpiexec",
     .sign = "MPI_LOCALRANKID",
     .rank = "PMI_RANK",
     .world = "PMI_SIZE",
     .local_rank = "MPI_LOCALRANKID",
     .local_world = "MPI_LOCALNRANKS",
     .by_mpi = true},
    /* A batch script, which is no rank, has all of Slurm's but those of a step. */
    {.name = "srun",
     .sign = "SLURM_STEP_NUM_TASKS",
     .rank = "SLURM_PROCID",
     .world = "SLURM_STEP_NUM_TASKS",
     .local_rank = "SLURM_LOCALID",
     .refine = refine_slurm},
};

static int read_numbers(struct ranks *r, const struct starter *s, struct err *err)
{
    bool local = s->local_world && getenv(s->local_world);
    if (number_of(s->name, s->world, 1, RANKS_MAX, &r->world, err) < 0 ||
        number_of(s->name, s->rank, 0, r->world - 1, &r->rank, err) < 0 ||
        number_of(s->name, s->local_rank, 0, r->world - 1, &r->local_rank, err) < 0)
        return -1;
    return local ? number_of(s->name, s->local_world, 1, r->world, &r->local_world, err) : 0;
}

/* What the environment says of the place comes before what we make of it. */
static int find_place(struct ranks *r, struct err *err)
{
    const char *address = text_of("MASTER_ADDR");
    if (getenv("MASTER_PORT") && number_of(r->starter, "MASTER_PORT", 1, 65535, &r->port, err) < 0)
        return -1;
    if (strcmp(text_of("TORCHELASTIC_USE_AGENT_STORE"), "True") == 0)
        r->port += r->port < 65535 ? 1 : -1;
    if (strlen(address) >= sizeof r->address)
        return err_set(err, ERR_USAGE, "MASTER_ADDR: found %zu bytes, expected an address",
                       strlen(address));
    if (*address)
        snprintf(r->address, sizeof r->address, "%s", address);
    else if (r->local_world == r->world)
        snprintf(r->address, sizeof r->address, "127.0.0.1");
    if (!*r->address && !r->by_mpi)
        return err_set(err, ERR_USAGE,
                       "MASTER_ADDR: missing, expected the address of rank 0's machine for ranks "
                       "on several");
    return 0;
}

/* A descriptor that does not listen (any more) is none. */
static int find_listener(void)
{
    int fd = atoi(text_of(RANKS_LISTENER)), listens = 0;
    socklen_t n = sizeof listens;
    if (fd < 3 || getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &n) < 0 || !listens ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return 0;
    return fd;
}

static int find_patience(struct ranks *r, struct err *err)
{
    const char *text = getenv(RANKS_PATIENCE);
    char *end;
    if (!text)
        return 0;
    r->patience = strtod(text, &end);
    return end != text && !*end && r->patience >= 0.01 && r->patience <= 100
               ? 0
               : err_set(err, ERR_USAGE, RANKS_PATIENCE ": found '%.40s', expected 0.01 to 100",
                         text);
}

static int read_starter(struct ranks *r, const struct starter *s, struct err *err)
{
    r->starter = s->name;
    r->by_mpi = s->by_mpi;
    r->local_world = 0;
    r->port = s->by_mpi ? 0 : RANKS_PORT;
    snprintf(r->job, sizeof r->job, "%s", text_of(s->job));
    if (read_numbers(r, s, err) < 0)
        return -1;
    if (r->world == 1)
        return 0;
    if (s->refine)
        s->refine(r);
    if (r->rank == 0)
        r->listener = find_listener();
    return find_patience(r, err) < 0 ? -1 : find_place(r, err);
}

int ranks_find(struct ranks *out, struct err *err)
{
    *out = (struct ranks){.world = 1, .local_world = 1};
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        if (getenv(starters[i].rank) && getenv(starters[i].sign))
            return read_starter(out, &starters[i], err);
    return 0;
}

int ranks_name_job(char job[RANKS_JOB], struct err *err)
{
    unsigned char bytes[(RANKS_JOB - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return err_errno(err, ERR_IO, "getrandom");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(job + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

struct mpi {
    void *object;
    /* of comm_mpi.h */
    int (*start)(int *rank, int *world, struct err *err);
    int (*share)(void *bytes, size_t n, struct err *err);
    void (*end)(void);
};

/* Components of an MPI look for its own names among those of the process. */
static void *open_beside_us(void)
{
    char path[4096 + sizeof MPI_OBJECT];
    ssize_t n = readlink("/proc/self/exe", path, 4096);
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n <= 0)
        return NULL;
    memcpy(path + n, MPI_OBJECT, sizeof MPI_OBJECT);
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

/* POSIX's way from an object's address to a function's. */
static bool find_mpi_function(void *object, const char *name, void *function)
{
    void *at = dlsym(object, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

/* Another MPI than the one that started us counts one rank, as if it had been started by nobody. */
static int start_mpi(struct mpi *m, const struct ranks *ranks, bool *ours, struct err *err)
{
    int rank, world;
    if (m->start(&rank, &world, err) < 0)
        return -1;
    *ours = rank == ranks->rank && world == ranks->world;
    if (!*ours)
        m->end();
    return 0;
}

int mpi_open(struct mpi **out, const struct ranks *ranks, struct err *err)
{
    struct mpi m = {.object = ranks->by_mpi ? open_beside_us() : NULL};
    bool ours = false;
    *out = NULL;
    if (!m.object || !find_mpi_function(m.object, "comm_mpi_start", &m.start) ||
        !find_mpi_function(m.object, "comm_mpi_share", &m.share) ||
        !find_mpi_function(m.object, "comm_mpi_end", &m.end))
        return 0;
    if (start_mpi(&m, ranks, &ours, err) < 0)
        return -1;
    if (ours) {
        *out = memory_alloc(sizeof **out);
        **out = m;
    }
    return 0;
}

int mpi_share(struct mpi *m, void *bytes, size_t n, struct err *err)
{
    return m->share(bytes, n, err);
}

/* The object stays: what an MPI leaves running must not lose its code. */
void mpi_close(struct mpi *m, bool well)
{
    if (well)
        m->end();
    free(m);
}
