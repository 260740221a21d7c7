#include "trainer/ranks/mpi.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
