#include "verifier/mlperf/package/same.h"

#include "base/files/beneath.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define PIECE ((size_t)64 << 10)
#define COMPARED_MAX 8 /* earlier logs that one is compared with */

/* A log with where it lies. */
struct placed {
    const struct mlperf_file *file;
    const struct mlperf_package *package;
    const struct mlperf_directory *directory;
};

/* What is not known stands in front. */
static int compare_numbers(double x, double y)
{
    x = isnan(x) ? -INFINITY : x;
    y = isnan(y) ? -INFINITY : y;
    return (x > y) - (x < y);
}

/* Those that may be the same stand side by side, by path. */
static int by_size_and_times(const void *a, const void *b)
{
    const struct mlperf_file *x = ((const struct placed *)a)->file;
    const struct mlperf_file *y = ((const struct placed *)b)->file;
    int order = (x->bytes > y->bytes) - (x->bytes < y->bytes);
    if (!order)
        order = compare_numbers(x->facts.log.start_ms, y->facts.log.start_ms);
    if (!order)
        order = compare_numbers(x->facts.log.stop_ms, y->facts.log.stop_ms);
    return order ? order : strcmp(x->shown, y->shown);
}

static bool may_be_same(const struct mlperf_file *x, const struct mlperf_file *y)
{
    const struct mlperf_log_facts *a = &x->facts.log, *b = &y->facts.log;
    return x->bytes && x->bytes == y->bytes && a->n_records == b->n_records &&
           !(a->start_ms < b->start_ms) && !(a->start_ms > b->start_ms) &&
           !(a->stop_ms < b->stop_ms) && !(a->stop_ms > b->stop_ms);
}

static ssize_t read_piece(int fd, char *to)
{
    size_t n = 0;
    while (n < PIECE) {
        ssize_t got = read(fd, to + n, PIECE - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

static bool same_file_bytes(const struct mlperf_file *x, const struct mlperf_file *y)
{
    char *a = memory_alloc(2 * PIECE), *b = a + PIECE;
    int fd = beneath_open(x->root, x->path), other = beneath_open(y->root, y->path);
    bool same = fd >= 0 && other >= 0, more = same;
    while (more) {
        ssize_t n = read_piece(fd, a), m = read_piece(other, b);
        same = n >= 0 && n == m && memcmp(a, b, (size_t)n) == 0;
        more = same && n == (ssize_t)PIECE;
    }
    if (fd >= 0)
        close(fd);
    if (other >= 0)
        close(other);
    free(a);
    return same;
}

static struct placed *all_logs(const struct mlperf_tree *tree, struct arena *arena, size_t *n)
{
    struct placed *all = NULL;
    *n = 0;
    for (size_t p = 0; p < tree->n_packages; p++)
        for (size_t d = 0; d < tree->packages[p].n_directories; d++) {
            const struct mlperf_directory *directory = &tree->packages[p].directories[d];
            for (size_t i = 0; i < directory->n_logs; i++)
                *(struct placed *)ARENA_PUSH(arena, all, *n) = (struct placed){
                    &tree->files[directory->logs[i]], &tree->packages[p], directory};
        }
    return all;
}

const struct mlperf_same *mlperf_same_logs(const struct mlperf_tree *tree, struct arena *arena,
                                           size_t *n)
{
    struct mlperf_same *found = NULL;
    size_t n_all;
    struct placed *all = all_logs(tree, arena, &n_all);
    *n = 0;
    if (n_all > 1)
        qsort(all, n_all, sizeof *all, by_size_and_times);
    for (size_t i = 1, first = 0; i < n_all; i++) {
        if (!may_be_same(all[first].file, all[i].file)) {
            first = i;
            continue;
        }
        for (size_t k = first; k < i && k < first + COMPARED_MAX; k++)
            if (all[k].directory != all[i].directory && same_file_bytes(all[k].file, all[i].file)) {
                *(struct mlperf_same *)ARENA_PUSH(arena, found, *n) =
                    (struct mlperf_same){all[i].file,    all[k].file,      all[i].package,
                                         all[k].package, all[i].directory, all[k].directory};
                break;
            }
    }
    return found;
}
