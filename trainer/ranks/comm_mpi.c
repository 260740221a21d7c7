#include "trainer/ranks/comm_mpi.h"

#include "base/arena.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Elements per rank that are gathered and added up at a time. */
#define PART 65536

static int checked_mpi(int code, const char *what, struct err *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS)
        return 0;
    MPI_Error_string(code, text, &length);
    return err_set(err, ERR_IO, "%s: %s", what, text);
}

/* to[n] = sum over ranks of from[world][n], first rank first */
static void add_in_order(void *to, const void *from, int world, size_t n, enum comm_element e)
{
    memcpy(to, from, n * comm_element_bytes(e));
    for (int r = 1; r < world; r++)
        for (size_t i = 0; i < n; i++)
            if (e == COMM_FP32)
                ((float *)to)[i] += ((const float *)from)[(size_t)r * n + i];
            else
                ((double *)to)[i] += ((const double *)from)[(size_t)r * n + i];
}

/* Part by part: every rank gets all ranks' values and adds them up. */
static int mpi_all_reduce(struct comm *c, void *data, size_t n, enum comm_element e,
                          struct err *err)
{
    size_t size = comm_element_bytes(e);
    char *all = memory_alloc((size_t)c->world * PART * size), *at = data;
    int rc = 0;
    for (size_t left = n; rc == 0 && left > 0;) {
        size_t part = left < PART ? left : PART;
        rc = checked_mpi(MPI_Allgather(at, (int)(part * size), MPI_BYTE, all, (int)(part * size),
                                       MPI_BYTE, MPI_COMM_WORLD),
                         "MPI_Allgather", err);
        if (rc == 0)
            add_in_order(at, all, c->world, part, e);
        at += part * size;
        left -= part;
    }
    free(all);
    return rc;
}

/* Part by part: rank r sends its values of everybody's part there. */
static int mpi_reduce_scatter(struct comm *c, void *to, const void *from, size_t n,
                              enum comm_element e, struct err *err)
{
    size_t size = comm_element_bytes(e), world = (size_t)c->world;
    char *out = memory_alloc(world * PART * size), *in = memory_alloc(world * PART * size);
    char *sum = memory_alloc(n * size + 1);
    int rc = 0;
    for (size_t done = 0; rc == 0 && done < n;) {
        size_t part = n - done < PART ? n - done : PART;
        for (size_t r = 0; r < world; r++)
            memcpy(out + r * part * size, (const char *)from + (r * n + done) * size, part * size);
        rc = checked_mpi(MPI_Alltoall(out, (int)(part * size), MPI_BYTE, in, (int)(part * size),
                                      MPI_BYTE, MPI_COMM_WORLD),
                         "MPI_Alltoall", err);
        if (rc == 0)
            add_in_order(sum + done * size, in, c->world, part, e);
        done += part;
    }
    if (rc == 0) /* not before, because `to` may be a part of `from` */
        memcpy(to, sum, n * size);
    free(out);
    free(in);
    free(sum);
    return rc;
}

static int mpi_all_gather(struct comm *c, void *to, const void *from, size_t n, enum comm_element e,
                          struct err *err)
{
    size_t bytes = n * comm_element_bytes(e), world = (size_t)c->world, part = (size_t)1 << 20;
    char *all = memory_alloc(world * part);
    char *own = memory_alloc(bytes + 1);
    int rc = 0;
    memcpy(own, from, bytes);
    for (size_t done = 0; rc == 0 && done < bytes; done += part) {
        size_t now = bytes - done < part ? bytes - done : part;
        rc = checked_mpi(
            MPI_Allgather(own + done, (int)now, MPI_BYTE, all, (int)now, MPI_BYTE, MPI_COMM_WORLD),
            "MPI_Allgather", err);
        for (size_t r = 0; rc == 0 && r < world; r++)
            memcpy((char *)to + r * bytes + done, all + r * now, now);
    }
    free(own);
    free(all);
    return rc;
}

static int broadcast_bytes(void *data, size_t bytes, int root, struct err *err)
{
    const size_t part = (size_t)1 << 28;
    int rc = 0;
    for (size_t done = 0; rc == 0 && done < bytes; done += part) {
        size_t now = bytes - done < part ? bytes - done : part;
        rc = checked_mpi(MPI_Bcast((char *)data + done, (int)now, MPI_BYTE, root, MPI_COMM_WORLD),
                         "MPI_Bcast", err);
    }
    return rc;
}

static int mpi_broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                         struct err *err)
{
    (void)c;
    return broadcast_bytes(data, n * comm_element_bytes(e), root, err);
}

static int mpi_join(struct comm *c, struct err *err)
{
    (void)c, (void)err;
    return 0;
}

static int mpi_barrier(struct comm *c, struct err *err)
{
    (void)c;
    return checked_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier", err);
}

static void mpi_close(struct comm *c)
{
    free(c);
}

static const struct comm_operations mpi_operations = {
    .close = mpi_close,
    .all_reduce = mpi_all_reduce,
    .reduce_scatter = mpi_reduce_scatter,
    .all_gather = mpi_all_gather,
    .broadcast = mpi_broadcast,
    .join = mpi_join,
    .barrier = mpi_barrier,
};

int comm_mpi_start(int *rank, int *world, struct err *err)
{
    if (checked_mpi(MPI_Init(NULL, NULL), "MPI_Init", err) < 0 ||
        checked_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI", err) < 0 ||
        checked_mpi(MPI_Comm_rank(MPI_COMM_WORLD, rank), "MPI_Comm_rank", err) < 0)
        return -1;
    return checked_mpi(MPI_Comm_size(MPI_COMM_WORLD, world), "MPI_Comm_size", err);
}

int comm_mpi_open(struct comm **out, struct device *device, struct err *err)
{
    struct comm *c = memory_alloc(sizeof *c);
    *c = (struct comm){.operations = &mpi_operations, .device = device};
    if (checked_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &c->rank), "MPI_Comm_rank", err) < 0 ||
        checked_mpi(MPI_Comm_size(MPI_COMM_WORLD, &c->world), "MPI_Comm_size", err) < 0) {
        free(c);
        return -1;
    }
    *out = c;
    return 0;
}

int comm_mpi_share(void *bytes, size_t n, struct err *err)
{
    return broadcast_bytes(bytes, n, 0, err);
}

void comm_mpi_end(void)
{
    MPI_Finalize();
}

void comm_mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}
