/* What an MLPerf result says as figures of a verdict. */
#include "verifier/mlperf/result/result.h"

struct metrics {
    struct arena *arena;
    struct verdict *verdict;
};

static struct metric *add_result_metric(struct metrics *m, const char *name, const char *unit,
                                        struct figure x)
{
    struct metric *to = ARENA_PUSH(m->arena, m->verdict->metrics, m->verdict->n_metrics);
    *to = (struct metric){.name = name, .unit = unit, .source = "evidence"};
    bool known = x.kind == FIGURE_NUMBER;
    to->outcome = known ? OUTCOME_PASS : OUTCOME_CANNOT;
    to->found = known ? figure_kept(x, m->arena) : NULL;
    return to;
}

static void add_score(struct metrics *m, const struct mlperf_runs *r)
{
    struct metric *time =
        add_result_metric(m, "time_to_train", "min", figure_fixed(r->score.minutes, 3));
    double factor = isnan(r->stated_factor) ? 1 : r->stated_factor;
    if (r->stated && r->stated->minutes) {
        time->stated = r->stated->minutes;
        time->claimed = true;
        time->outcome = mlperf_minutes_agree(r->stated, r->score.minutes) ? OUTCOME_PASS
                        : time->found                                     ? OUTCOME_FAIL
                                                                          : OUTCOME_CANNOT;
    }
    if (time->found)
        time->derivation = arena_printf(m->arena, "mean of %zu of %zu runs %.4f * %.7g",
                                        r->score.n_kept, r->n, r->score.unscaled, factor);
    else
        time->reason = !r->tolerated ? arena_printf(m->arena, "%zu of %zu runs do not comply",
                                                    r->n_unfit, r->n)
                                     : arena_printf(m->arena, "%zu runs are too few", r->n);
}

static void add_factor(struct metrics *m, const struct mlperf_runs *r)
{
    bool tested = r->rcp.verdict != RCP_CANNOT;
    struct metric *factor =
        add_result_metric(m, "rcp_factor", "", figure_fixed(tested ? r->rcp.factor : NAN, 10));
    if (!isnan(r->stated_factor)) {
        factor->stated = arena_printf(m->arena, "%.17g", r->stated_factor);
        factor->claimed = true;
    }
    if (!tested)
        factor->reason = "there is no RCP test";
    else if (!isnan(r->stated_factor) &&
             fabs(r->stated_factor - r->rcp.factor) > 1e-6 * r->rcp.factor)
        factor->outcome = OUTCOME_FAIL;
}

static void add_samples(struct metrics *m, const struct mlperf_runs *r)
{
    struct metric *samples =
        add_result_metric(m, "samples_to_converge", "", figure_significant(r->rcp.mean, 10));
    const struct mlperf_system_facts *s = r->system;
    bool by_samples = r->logged && r->logged->by_samples;
    double rate = by_samples ? r->rcp.mean / r->score.unscaled / 60 : NAN;
    double accelerators = s ? s->nodes * s->accelerators_per_node : NAN;
    struct metric *per_s, *each;
    if (!samples->found)
        samples->reason = "there is no RCP test";
    per_s = add_result_metric(m, "samples_per_s", "", figure_significant(rate, 5));
    if (!per_s->found)
        per_s->reason = by_samples ? "there is no score" : "progress is not counted in samples";
    each = add_result_metric(m, "samples_per_s_per_accelerator", "",
                             figure_significant(accelerators > 0 ? rate / accelerators : NAN, 5));
    if (!each->found)
        each->reason = isfinite(rate) ? "the system does not say how many accelerators it has"
                                      : "there is no samples_per_s";
}

void mlperf_result_metrics(const struct mlperf_result *r, struct arena *arena,
                           struct verdict *verdict)
{
    struct metrics m = {arena, verdict};
    if (r->kind == MLPERF_RESULT_LOG) {
        if (isfinite(r->log->facts.log.minutes))
            add_result_metric(&m, "time_to_train", "min",
                              figure_fixed(r->log->facts.log.minutes, 3));
        return;
    }
    if (r->kind != MLPERF_RESULT_DIRECTORY)
        return;
    add_score(&m, r->runs);
    add_factor(&m, r->runs);
    add_samples(&m, r->runs);
    struct metric *energy =
        add_result_metric(&m, "energy", "J", figure_fixed(r->runs->energy_j, 0));
    if (!energy->found)
        energy->reason = r->runs->no_energy;
}
