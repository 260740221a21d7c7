/*
 * Trains the shipped case on the ranks that mpirun started, each on a processor:
 *
 *   mpirun -n N train_ranks LEVEL [NAME=VALUE …] [-- [NAME=VALUE …]] …
 *
 * LEVEL is zero.h's; behind each `--` there is one more training, with settings that replace those
 * of the one before. Rank 0 prints step,loss,grad_norm for each step and the SHA-256 of the final
 * weights; the others print nothing, and end with an error when their weights are not rank 0's.
 * Checkpoints that were written are named on stderr.
 */
#include "tests/oracle/settings.h"
#include "tests/oracle/tiny_llama.h"
#include "trainer/ranks/comm_mpi.h"

static int print_step(void *context, const struct train_step *s)
{
    if (*(const int *)context == 0)
        printf("%d,%.9g,%.9g\n", s->step, s->loss, s->grad_norm);
    return 0;
}

static void print_saved(void *context, const struct train_saved *s)
{
    if (*(const int *)context == 0)
        fprintf(stderr, "saved,%d,%s,%zu\n", s->step, s->path, s->bytes);
}

static char last[65]; /* of this rank */

static void keep_end(void *context, const struct train_end *e)
{
    if (*(const int *)context == 0)
        printf("weights,%s\n", e->weights_sha256);
    snprintf(last, sizeof last, "%s", e->weights_sha256);
}

static int same_everywhere(struct err *err)
{
    char first[sizeof last];
    memcpy(first, last, sizeof last);
    if (comm_mpi_share(first, sizeof first, err) < 0)
        return -1;
    return strcmp(first, last) == 0
               ? 0
               : err_set(err, ERR_CHECK, "weights %s, expected rank 0's: %s", last, first);
}

static int train(const struct training *t, int rank, struct err *err)
{
    const struct train_observer observer = {
        .context = &rank, .stepped = print_step, .ended = keep_end, .saved = print_saved};
    struct device *device;
    struct comm *comm;
    if (device_cpu_open(&device, err) < 0 || comm_mpi_open(&comm, device, err) < 0 ||
        train_native(t, comm, &observer, err) < 0)
        return -1;
    comm_close(comm);
    device_close(device);
    return same_everywhere(err);
}

static void train_or_abort(const struct training *t, int rank)
{
    struct err err = ERR_INIT;
    if (train(t, rank, &err) == 0)
        return;
    fprintf(stderr, "rank %d: %s\n", rank, err.text);
    comm_mpi_abort(1);
}

int main(int argc, char **argv)
{
    struct training t = tiny_llama;
    struct err err = ERR_INIT;
    int rank = 0, world = 0;
    if (comm_mpi_start(&rank, &world, &err) < 0)
        return fprintf(stderr, "%s\n", err.text), 1;
    t.zero = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            train_or_abort(&t, rank);
        else if (setting_replace(&t, argv[i]) < 0)
            comm_mpi_abort(2);
    train_or_abort(&t, rank);
    comm_mpi_end();
    return 0;
}
