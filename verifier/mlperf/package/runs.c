#include "verifier/mlperf/package/runs.h"

#include "base/lookup.h"
#include "verifier/mlperf/package/energy.h"

static void fill_runs(struct mlperf_runs *r)
{
    const struct mlperf_directory *d = r->directory;
    r->n = d->n_logs;
    r->runs = arena_array(r->arena, r->n, sizeof *r->runs);
    r->scored = arena_array(r->arena, r->n, sizeof *r->scored);
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_file *file = &r->tree->files[d->logs[i]];
        const struct mlperf_log_facts *log = &file->facts.log;
        r->runs[i] = (struct mlperf_run_of){.file = file,
                                            .log = log,
                                            .power = d->has_power ? &d->power[i] : NULL,
                                            .energy_j = NAN,
                                            .no_energy = "no power/"};
        r->scored[i] = (struct mlperf_run){log->minutes, mlperf_log_complies(log), false};
        r->n_failing += !r->scored[i].complies;
        if (!r->logged)
            r->logged = mlperf_ruleset_benchmark(r->rules, log->benchmark);
    }
}

/* ---- power --------------------------------------------------------------------------------- */

/* How many files most runs have; of several counts that are as frequent, the first. */
static size_t usual_count(const struct mlperf_runs *r, bool switches)
{
    size_t usual = 0, most = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_power_folder *p = r->runs[i].power;
        size_t count = switches ? p->n_named_switch : p->n_named_node, times = 0;
        for (size_t k = 0; k < r->n && p->there; k++) {
            const struct mlperf_power_folder *q = r->runs[k].power;
            times += q->there && (switches ? q->n_named_switch : q->n_named_node) == count;
        }
        if (times > most) {
            most = times;
            usual = count;
        }
    }
    return usual;
}

static void find_power(struct mlperf_runs *r)
{
    size_t nodes = usual_count(r, false), switches = usual_count(r, true);
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_power_folder *p = r->runs[i].power;
        enum mlperf_power_fault *fault = &r->runs[i].power_fault;
        if (!p->there)
            *fault = POWER_MISSING;
        else if (p->n_named_node != nodes || p->n_named_switch != switches)
            *fault = POWER_OTHER_COUNT;
        else if (p->badly_named)
            *fault = POWER_NAMES;
        r->runs[i].no_energy = "no folder of this run in power/";
        if (p->there)
            r->runs[i].energy_j =
                mlperf_energy(r->tree, p, r->runs[i].log, r->arena, &r->runs[i].no_energy);
    }
}

/* Over the runs that the time keeps. */
static void sum_energy(struct mlperf_runs *r, double factor)
{
    double sum = 0;
    r->energy_j = NAN;
    r->no_energy = r->directory->has_power ? "there is no score" : "no power/";
    if (!r->directory->has_power || !r->score.n_kept)
        return;
    r->no_energy = NULL;
    for (size_t i = 0; i < r->n; i++) {
        if (!r->scored[i].kept)
            continue;
        sum += r->runs[i].energy_j;
        if (isnan(r->runs[i].energy_j) && !r->no_energy)
            r->no_energy = r->runs[i].no_energy;
    }
    if (!r->no_energy)
        r->energy_j = sum / (double)r->score.n_kept * factor;
}

/* ---- seeds --------------------------------------------------------------------------------- */

struct seen_seed {
    const char *text;
    size_t run;
};

/* Seeds of a run are sorted, so that two equal ones stand side by side. */
static void check_shared(struct mlperf_runs *r, const struct lookup *seeds,
                         const struct seen_seed *all, size_t i)
{
    const struct mlperf_log_facts *log = r->runs[i].log;
    for (size_t k = 0; k < log->n_seeds && r->runs[i].seed_fault == SEED_GOOD; k++) {
        size_t first = lookup_find(seeds, log->seeds[k]);
        bool twice = k > 0 && strcmp(log->seeds[k], log->seeds[k - 1]) == 0;
        if (all[first].run == i && !twice)
            continue;
        r->runs[i].seed_fault = SEED_SHARED;
        r->runs[i].seed = log->seeds[k];
        r->runs[i].seed_with = r->runs[all[first].run].file;
    }
}

static void check_seeds(struct mlperf_runs *r)
{
    struct seen_seed *all = NULL;
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->runs[i].log->n_seeds; k++)
            *(struct seen_seed *)ARENA_PUSH(r->arena, all, n) =
                (struct seen_seed){r->runs[i].log->seeds[k], i};
    struct lookup seeds =
        lookup_of(all, n, sizeof *all, offsetof(struct seen_seed, text), r->arena);
    r->seeds = RCP_PASS;
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_log_facts *log = r->runs[i].log;
        enum mlperf_seed_fault *fault = &r->runs[i].seed_fault;
        if (log->refused || log->n_broken)
            *fault = SEED_UNKNOWN;
        else if (log->seed_broken)
            *fault = SEED_NOT_WHOLE;
        else if (!log->n_seeds)
            *fault = SEED_NONE;
        else
            check_shared(r, &seeds, all, i);
        if (*fault != SEED_GOOD)
            r->seeds = RCP_FAIL;
    }
}

/* ---- convergence --------------------------------------------------------------------------- */

/* The same in all logs; NaN where it is not, or benchmarks differ. */
static double common_batch_size(const struct mlperf_runs *r)
{
    double size = r->n ? r->runs[0].log->batch_size : NAN;
    const char *benchmark = r->n ? r->runs[0].log->benchmark : NULL;
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_log_facts *log = r->runs[i].log;
        if (log->batch_size != size || !benchmark || !log->benchmark ||
            strcmp(log->benchmark, benchmark) != 0)
            return NAN;
    }
    return size;
}

static void test_convergence(struct mlperf_runs *r, const struct rcp_points *points)
{
    const struct mlperf_benchmark *b = r->logged ? r->logged : r->benchmark;
    double *needed = arena_array(r->arena, r->n, sizeof *needed);
    r->rcp = (struct rcp_test){.verdict = RCP_CANNOT,
                               .batch_size = common_batch_size(r),
                               .mean = NAN,
                               .reference_mean = NAN,
                               .deviation = NAN,
                               .degrees = NAN,
                               .t = NAN,
                               .least = NAN,
                               .factor = 1};
    if (!r->closed || !r->n || !b)
        return;
    for (size_t i = 0; i < r->n; i++)
        needed[i] = isnan(r->runs[i].log->samples) ? INFINITY : r->runs[i].log->samples;
    r->points = rcp_points_of(points, b->name);
    r->rcp_runs = (struct rcp_runs){.runs = b->runs,
                                    .drop = b->drop,
                                    .slack = b->rcp_slack,
                                    .batch_size = common_batch_size(r),
                                    .needed = needed,
                                    .n = r->n};
    rcp_check(&r->rcp_runs, r->points, 0, &r->rcp);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void add_bypass(struct mlperf_runs *r, size_t file)
{
    if (file == MLPERF_NO_FILE)
        return;
    r->bypass.rcp |= r->tree->files[file].facts.bypass.rcp;
    r->bypass.seeds |= r->tree->files[file].facts.bypass.seeds;
}

static void find_system(struct mlperf_runs *r)
{
    const struct mlperf_directory *d = r->directory;
    const struct mlperf_system_facts *s =
        d->description == MLPERF_NO_FILE ? NULL : &r->tree->files[d->description].facts.system;
    r->system = s && !s->fault ? s : NULL;
    r->closed = r->system && r->system->division && strcmp(r->system->division, "closed") == 0;
}

static double find_scaling_factor(struct mlperf_runs *r)
{
    size_t scaling = r->directory->scaling;
    const struct mlperf_scaling_facts *s =
        scaling == MLPERF_NO_FILE ? NULL : &r->tree->files[scaling].facts.scaling;
    r->stated_factor = s && !s->fault ? s->factor : NAN;
    return isnan(r->stated_factor) ? 1 : r->stated_factor;
}

void mlperf_runs_compute(const struct mlperf_tree *tree, const struct mlperf_package *package,
                         const struct mlperf_directory *directory,
                         const struct mlperf_ruleset *rules, const struct rcp_points *points,
                         struct arena *arena, struct mlperf_runs *out)
{
    struct mlperf_runs *r = out;
    *r = (struct mlperf_runs){.rules = rules,
                              .tree = tree,
                              .package = package,
                              .directory = directory,
                              .benchmark = mlperf_ruleset_benchmark(rules, directory->name),
                              .seeds = RCP_CANNOT,
                              .stated = out->stated,
                              .stated_in = out->stated_in,
                              .arena = arena,
                              .findings = out->findings};
    find_system(r);
    fill_runs(r);
    if (!r->benchmark) /* a directory by itself may have any name */
        r->benchmark = r->logged;
    size_t k = r->benchmark ? r->benchmark->drop : 0;
    add_bypass(r, package->bypass);
    add_bypass(r, directory->system_bypass);
    add_bypass(r, directory->bypass);
    if (directory->has_power)
        find_power(r);
    if (r->closed)
        check_seeds(r);
    for (size_t i = 0; i < r->n; i++) {
        r->runs[i].unfit = !r->scored[i].complies || r->runs[i].power_fault != POWER_GOOD;
        r->n_unfit += r->runs[i].unfit;
    }
    r->tolerated = r->n_unfit <= k;
    test_convergence(r, points);
    double factor = find_scaling_factor(r);
    mlperf_score(r->scored, r->n, k, factor, &r->score);
    sum_energy(r, factor);
}

bool mlperf_runs_official_error(const struct mlperf_runs *r)
{
    return !r->benchmark || !r->system || r->n != r->benchmark->runs || !r->tolerated ||
           (r->seeds == RCP_FAIL && !r->bypass.seeds) ||
           (r->rcp.verdict == RCP_FAIL && !r->bypass.rcp);
}
