#include "verifier/verify_mlperf_sealed.h"

#include "base/process/worker.h"
#include "base/sealed/submission.h"

#include <math.h>
#include <string.h>

const char *mlperf_sealed_fault(enum mlperf_sealed_fault fault)
{
    static const char *const faults[] = {
        [SEALED_WHOLE] = NULL,
        [SEALED_BROKEN] = "the archive is incomplete",
        [SEALED_OTHER] = "the archive contains no results of this directory",
        [SEALED_UNREAD] = "the archive cannot be read",
        [SEALED_MISSING] = "the archive is missing, or is not the archive that the record names",
        [SEALED_NO_RULES] = "the rules of the round cannot be read",
    };
    return faults[fault];
}

static const struct mlperf_directory *find_sealed_directory(const struct mlperf_sealed *x,
                                                            const struct mlperf_tree *tree)
{
    const struct mlperf_package *p = &tree->packages[0];
    for (size_t i = 0; i < p->n_directories; i++)
        if (!p->directories[i].skipped && strcmp(p->directories[i].system, x->system) == 0 &&
            strcmp(p->directories[i].name, x->benchmark) == 0)
            return &p->directories[i];
    return NULL;
}

static enum mlperf_sealed_fault recompute_sealed(const struct mlperf_sealed *x, struct arena *arena,
                                                 double *minutes)
{
    struct diags diags = {.arena = arena};
    struct err err = ERR_INIT;
    struct submission sealed;
    struct mlperf_tree tree = {0};
    struct mlperf_findings findings = {0};
    struct mlperf_runs runs = {.findings = &findings};
    if (submission_open_bytes(x->packed, x->path, arena, &sealed, &diags) < 0 || !sealed.intact)
        return SEALED_BROKEN;
    if (mlperf_tree_add_members(&tree, x->package, sealed.files, sealed.n, x->rules, arena, &err) <
        0)
        return SEALED_OTHER;
    const struct mlperf_directory *directory = find_sealed_directory(x, &tree);
    if (!directory)
        return SEALED_OTHER;
    mlperf_read_given(tree.files, tree.n_files, NULL, arena);
    mlperf_runs_compute(&tree, &tree.packages[0], directory, x->rules, x->points, arena, &runs);
    *minutes = runs.score.minutes;
    return SEALED_WHOLE;
}

static void work_sealed(void *context, size_t i, struct worker *w)
{
    double minutes = NAN;
    (void)i;
    pack_number(&w->answer, recompute_sealed(context, &w->arena, &minutes));
    pack_bytes(&w->answer, &minutes, sizeof minutes);
}

static bool take_recomputed(void *context, size_t i, const struct worker_end *end)
{
    struct mlperf_sealed *x = context;
    struct unpack u = unpack_answer(end->answer.data, end->answer.len);
    size_t fault = unpack_choice(&u, SEALED_OTHER);
    const void *minutes = unpack_bytes(&u, sizeof x->minutes);
    (void)i;
    x->fault = SEALED_UNREAD;
    if (end->outcome != WORKER_ANSWERED || !minutes || !unpack_end(&u))
        return false;
    x->fault = (enum mlperf_sealed_fault)fault;
    memcpy(&x->minutes, minutes, sizeof x->minutes);
    return false;
}

void verify_mlperf_sealed(struct mlperf_sealed *x)
{
    const struct worker_crew crew = {
        .context = x, .packed = x->packed.len, .work = work_sealed, .take = take_recomputed};
    x->minutes = NAN;
    worker_each(&crew, 1);
}
